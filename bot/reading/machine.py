"""What a paste tells of the machine beside its cards: how they are linked, and whether Windows is underneath."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line
from bot.facts import Origin
from bot.reading.late import Late
from bot.reading.signs import Sign, read_signs

_OTHERS = r"^\s*GPU\d{1,3}\s(?:\s*(?:X|SYS|NODE|PHB|PXB|PIX)\b)*"  # one row of a matrix: what stands before
_NONE = Late(
    r"(?i)\b(?:no|without|lacks?|not have|isn't|is not|missing) (?:an? )?NVLink\b|\bNVLink (?:is )?(?:disabled|inactive)\b"
)
_SOME = Late(r"(?i)\b(?:with|over|via|by|has|have) NVLink\b")

# Source: `nvidia-smi topo -m`; paths, kernels and vLLM's own word under WSL; what people say.
SIGNS: tuple[Sign, ...] = (
    Sign("GPU", "gpu_link", "nvlink", Late(_OTHERS + r"\s*NV\d")),
    Sign("GPU", "gpu_link", "pcie", Late(_OTHERS + r"\s*(?:SYS|NODE|PHB|PXB|PIX)\b")),
    Sign("NVLink", "gpu_link", "pcie", _NONE, Origin.PASTED),
    Sign("NVLink", "gpu_link", "nvlink", _SOME, Origin.PASTED),
    Sign("as WSL is detected", "is_wsl", value=True),
    Sign("microsoft-standard-WSL", "is_wsl", value=True),
    Sign("/mnt/c/", "is_wsl", value=True),
    Sign("WSL", "is_wsl", value=True, pattern=Late(r"(?<!no )(?<!not )\bWSL ?2?\b"), origin=Origin.PASTED),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return how the GPUs are linked and whether it is WSL, as far as the lines tell."""
    return read_signs(lines, SIGNS)
