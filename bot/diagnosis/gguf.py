"""How vLLM takes a GGUF file: by its path, by repository and type, or by a plugin; which of them, by release."""

from __future__ import annotations

from packaging.version import Version

from bot.catalog.suffixes import GGUF_BITS
from bot.model_shape import Quantization

FILES = Version("0.5.5")
"""The first release that loads a GGUF file."""

REFERENCES = Version("0.12.0")
"""The first release that takes `REPOSITORY:TYPE`; before, a file that lies on the machine."""

PLUGIN = Version("0.24.0")
"""The first release without GGUF of its own. Source: vLLM's docs/features/quantization/gguf.md."""

USUAL = "Q4_K_M"
"""The type that counts where none is named."""


def say_gguf(model: str | None, quantization: Quantization | None, version: Version | None) -> str | None:
    """Return what must be known of a GGUF file before it is served, or None for other weights."""
    if quantization is None or quantization.method != "gguf":
        return None
    kind = (quantization.algorithm or "").removeprefix("UD-")
    assumed = "" if kind in GGUF_BITS else f"I took the {USUAL} file; name another as REPOSITORY:Q8_0. "
    return f"{assumed}{_how(model or '', version)}".strip() or None


def may_load(model: str, quantization: Quantization | None, version: Version | None) -> bool:
    """Return whether the release takes the model by that name; of the plugin's releases, once that is installed."""
    if quantization is None or quantization.method != "gguf" or version is None:
        return True
    return version >= (FILES if _is_file(model) else REFERENCES)


def _is_file(model: str) -> bool:
    return model.lower().endswith(".gguf")


def _how(model: str, version: Version | None) -> str:
    if version is None:
        return f"vLLM takes GGUF as a file, from {REFERENCES} on as REPOSITORY:TYPE too, from {PLUGIN} on by its plugin vllm-gguf-plugin only."
    if version < FILES:
        return f"vLLM {version} loads no GGUF; that came with {FILES}."
    if version >= PLUGIN:
        return f"vLLM {version} loads GGUF by its plugin vllm-gguf-plugin only."
    is_taken = version >= REFERENCES or _is_file(model)
    return "" if is_taken else f"vLLM {version} takes GGUF as a file only; REPOSITORY:TYPE came with {REFERENCES}."
