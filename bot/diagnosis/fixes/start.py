"""The command that starts what was sized, with all that the sizing took for granted in it."""

from __future__ import annotations

from bot.catalog.flags import Flags
from bot.diagnosis.fixes.assumed import spelt_out
from bot.diagnosis.fixes.command import command_line
from bot.diagnosis.gguf import may_load
from bot.diagnosis.verdict import Diagnosis

_CHOSEN = ("gpu_memory_utilization",)
"""Settings that appraising chooses where nobody states them."""


def start_command(diagnosis: Diagnosis, flags: Flags) -> str:
    """Return the command that starts the deployment of a diagnosis; nothing where no checkpoint is named or sized.

    And nothing where the release does not load a file by the name that it has.
    """
    sized, told = diagnosis.deployment, diagnosis.evidence.deployment()
    if not diagnosis.budget or not sized.model or " " in sized.model:  # "phi-4 awq" says what is meant, and no name
        return ""
    if not may_load(sized.model, sized.shape and sized.shape.quantization, sized.vllm_version):
        return ""
    chosen = [name for name in _CHOSEN if getattr(sized, name) != getattr(told, name)]
    return command_line(spelt_out(sized), flags, chosen)
