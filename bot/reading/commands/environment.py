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
_WHO_SETS = frozenset({"", "i", "we", "i've", "we've", "have", "had", "already", "also", "&&", "$", "#", ">"})
"""What may stand before "set": without them it is advice, as in "To disable, set VLLM_…=0"."""
_ENVIRONMENT = re.compile(
    r"(?:CUDA_|HIP_|ROCR_|NVIDIA_|VLLM_|NCCL_|PYTORCH_|HF_HUB_|TORCH_|RAY_|GLOO_|OMP_|MASTER_|UCX_|TRITON_)\w*\Z"
)


def read_assignments(lines: Sequence[Line]) -> dict[str, tuple[str, Line]]:
    """Return the variables that a paste sets: before a command, by `export`, by `-e`, by `ENV`, or a line each."""
    found: dict[str, tuple[str, Line]] = {}
    for line in lines:
        if "=" not in line.text or line.level or len(line.text) > 4_000:
            continue
        before, earlier = "", ""
        for word in line.text.split()[:60]:
            pair = _ASSIGNMENT.match(word.removeprefix("Environment=").lstrip("`$\"'"))
            if pair and pair[2] and pair[1].isupper() and _is_set(pair[1], before.lower(), earlier.lower()):
                found[pair[1]] = (pair[2].rstrip("\\;`.,").strip("\"'"), line)
            earlier, before = before, "" if pair or word in {"$", "#", "(base)", "run"} else word
    return found


def _is_set(name: str, before: str, earlier: str) -> bool:
    """Return whether a variable is set where these two words stand before it, and not only spoken of."""
    if before == "set" and earlier not in _WHO_SETS:
        return False
    return before in _SETS or (name.startswith("VLLM_") and name.lower() in ARGUMENTS)


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
