"""Environment variables that a paste sets, and those of them that decide how vLLM runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Line
from bot.facts import Fact, Origin
from bot.reading.commands.arguments import ARGUMENTS, read_argument
from bot.reading.figures import note

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w{0,60})=(.*)\Z", re.DOTALL)
_SETS = frozenset({"", "export", "-e", "--env", "env", "set", "-", "sudo", "&&", "setenv", "setx"})
_ENVIRONMENT = re.compile(
    r"(?:CUDA_|HIP_|ROCR_|NVIDIA_|VLLM_|NCCL_|PYTORCH_|HF_HUB_|TORCH_|RAY_|GLOO_|OMP_|MASTER_|UCX_|TRITON_)\w*\Z"
)


def read_assignments(lines: Sequence[Line]) -> dict[str, tuple[str, Line]]:
    """Return the variables that a paste sets: before a command, by `export`, by `-e`, by `ENV`, or a line each."""
    found: dict[str, tuple[str, Line]] = {}
    for line in lines:
        if "=" not in line.text or line.level or len(line.text) > 4_000:
            continue
        before = ""
        for word in line.text.split()[:60]:
            pair = _ASSIGNMENT.match(word.removeprefix("Environment=").lstrip("`$\"'"))
            is_set = pair is not None and (
                before.lower() in _SETS or (pair[1].startswith("VLLM_") and pair[1].lower() in ARGUMENTS)
            )
            if pair and pair[2] and pair[1].isupper() and is_set:
                found[pair[1]] = (pair[2].rstrip("\\;`").strip("\"'"), line)
            before = "" if pair or word in {"$", "#", "(base)", "run"} else word
    return found


def note_environment(variables: dict[str, tuple[str, Line]]) -> Iterator[Fact]:
    """Yield the variables that matter to vLLM, torch, NCCL and the driver, and the facts they set."""
    kept = {name: pair for name, pair in variables.items() if _ENVIRONMENT.match(name)}
    if not kept:
        return
    first = next(iter(kept.values()))[1]
    pairs = tuple(sorted((name, value) for name, (value, _) in kept.items()))
    yield note("environment", pairs, first, Origin.PASTED)
    for name, (value, line) in kept.items():
        if name.lower() in ARGUMENTS:
            for fact, read_value in read_argument(name, value).items():
                yield note(fact, read_value, line, Origin.PASTED)
