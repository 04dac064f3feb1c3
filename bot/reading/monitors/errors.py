"""What the driver's tools print instead of an output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.evidence import Failure
from bot.reading.monitors.output import Output, Row

LONGEST = 240
"""Characters of a line that are searched; the messages have about 130."""

_ERROR = re.compile(
    r"""
      NVIDIA-SMI[ ]has[ ]failed[ ]because[ ]it[ ]couldn.{0,3}t[ ]communicate[ ]with[ ]the[ ]NVIDIA[ ]driver
    | Failed[ ]to[ ]initialize[ ]NVML:[ ].{1,80}
    | Failed[ ]to[ ]properly[ ]shut[ ]down[ ]NVML:[ ].{1,80}
    | No[ ]devices[ ]were[ ]found
    | Unable[ ]to[ ]determine[ ]the[ ]device[ ]handle[ ]for[ ](?:gpu|GPU).{1,120}
    | NVML[ ]Shared[ ]Library[ ]Not[ ]Found
    | infoROM[ ]is[ ]corrupted[ ]at[ ]gpu[ ]\S{1,20}
    """,
    re.VERBOSE | re.IGNORECASE,
)


def find(rows: Sequence[Row]) -> tuple[Output, ...]:
    """Return the messages that stand in the rows, each as an output that tells of no GPU."""
    found = ((row, _ERROR.search(row.text[:LONGEST])) for row in rows)
    return tuple(
        Output(
            "nvidia-smi-error", row.number, failures=(Failure(kind="nvml", message=error[0].strip(), line=row.number),)
        )
        for row, error in found
        if error
    )
