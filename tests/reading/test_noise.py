"""What copying, terminals, chats and collectors add changes nothing of what is read."""

import html
import json
from collections.abc import Callable

import pytest

from bot.evidence import Evidence
from bot.reading.read import read

TEXTS = {
    "a log": "(EngineCore_DP0 pid=7) INFO 05-01 10:00:40 [gpu_worker.py:298] Available KV cache memory: 9.5 GiB\n"
    "(EngineCore_DP0 pid=7) INFO 05-01 10:00:41 [kv_cache_utils.py:634] GPU KV cache size: 35,952 tokens",
    "a command": "vllm serve acme/model-8b \\\n  --tensor-parallel-size 2 \\\n  --max-model-len 8192",
    "a manifest": "args:\n- --model\n- acme/model-8b\n- --max-num-seqs=8\nresources:\n  limits:\n    nvidia.com/gpu: 2",
    "a sheet": "index, name, memory.total [MiB], memory.used [MiB]\n0, NVIDIA L4, 23034 MiB, 20123 MiB",
    "a call": 'llm = LLM(\n    model="acme/model-8b",\n    max_model_len=8192,\n)',
    "a page": 'vllm:kv_cache_usage_perc{model_name="acme/model-8b"} 0.99',
}


def each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(map(change, text.split("\n")))


NOISES: dict[str, Callable[[str], str]] = {
    "colours": each(lambda line: f"\x1b[36m{line}\x1b[0m"),
    "colours without escapes": each(lambda line: f"[36m{line}[0m"),
    "compose": each(lambda line: f"vllm-1  | {line}"),
    "kubernetes": each(lambda line: f"2026-01-02T03:04:05.678Z stderr F {line}"),
    "a pod": each(lambda line: f"[pod/vllm-0/vllm] {line}"),
    "a journal": each(lambda line: f"Jan 02 03:04:05 box vllm[123]: {line}"),
    "json lines": each(lambda line: json.dumps({"log": f"{line}\n", "stream": "stderr", "time": "2026"})),
    "quotes": each(lambda line: f"> {line}"),
    "a fence": lambda text: f"look:\n```text\n{text}\n```\nthanks",
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "hard blanks": lambda text: text.replace(" ", "\u00a0"),
    "nothing wide": lambda text: text.replace("a", "a\u200b"),
    "entities": html.escape,
    "smart quotes": lambda text: text.replace('"', "\u201d"),
    "dashes": lambda text: text.replace("--", "\u2013"),
    "indentation": each(lambda line: f"    {line}"),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "itself": lambda text: f"{text}\n{text}",
}


def told(evidence: Evidence) -> tuple[dict[str, object], list[tuple[int, int | None]]]:
    facts = {name: fact.value for name, fact in evidence.facts.items()}
    return facts, [(gpu.index, gpu.memory_used_mib) for gpu in evidence.gpus]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("kind", TEXTS)
def test_noise_changes_nothing(kind: str, noise: str) -> None:
    assert told(read(TEXTS[kind])) == told(read(NOISES[noise](TEXTS[kind])))
