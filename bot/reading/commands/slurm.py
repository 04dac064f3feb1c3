"""What a batch job asks of Slurm: the GPUs of a node, and how many nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Line, gather
from bot.facts import Fact, Origin
from bot.reading.figures import note

_GPUS = re.compile(
    r"--(?:gres[= ]gpu|gpus-per-node[= ]|(?P<whole>gpus[= ]))[:= ]?(?:(?P<card>[A-Za-z]\w{1,30}):)?(?P<count>\d{1,2})\b"
)
_NODES = re.compile(r"--nodes[= ](?P<nodes>\d{1,3})\b|\s-N\s?(?P<short>\d{1,3})\b")


def read(lines: Sequence[Line]) -> Evidence:
    """Return what the job's directives, or its `srun`, ask for."""
    asked = [line for line in lines if _is_slurm(line.text)]
    facts = list(_read_all(asked))
    return gather(facts, kinds=frozenset({"slurm"})) if facts else Evidence()


def _is_slurm(text: str) -> bool:
    return len(text) < 2_000 and any(word in text for word in ("#SBATCH", "srun ", "salloc ", "sbatch "))


def _read_all(lines: Sequence[Line]) -> Iterator[Fact]:
    """Yield nodes, card, and the GPUs of all nodes together: `--gpus` counts those of the whole job."""
    nodes = 1
    for line in lines:
        if found := _NODES.search(line.text):
            nodes = int(found["nodes"] or found["short"]) or 1
            yield note("nodes", nodes, line, Origin.PASTED)
    for line in lines:
        if found := _GPUS.search(line.text):
            count = int(found["count"]) * (1 if found["whole"] else nodes)
            if found["card"]:
                yield note("gpu", found["card"].upper(), line, Origin.PASTED)
            yield note("gpu_count", count, line, Origin.PASTED)
