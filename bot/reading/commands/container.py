"""What `docker run` says besides vLLM's own arguments: the image's version, the GPUs it gives, and what it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Line
from bot.facts import Fact, Origin
from bot.reading.argument_values import read_version
from bot.reading.figures import note

_IMAGE_TAG = re.compile(r"vllm-openai(?:-\w+)?:v?(\d+\.\d+[\w.]*)")

_TOOLS = frozenset({"docker", "podman", "nerdctl"})
# Something mounted over the cache's directory or one above it, or a directory of one's own for it.
_KEEPS_CACHE = re.compile(
    r":/(?:root(?:/\.cache(?:/vllm[\w./-]*)?)?)?/?(?::\w+)?$|(?:target|destination|dst)=/root(?:/\.cache(?:/vllm)?)?/?(?:,|$)"
    r"|VLLM_CACHE_ROOT|XDG_CACHE_HOME"
)


def describe_container(words: Sequence[str], line: Line) -> Iterator[Fact]:
    """Yield the number of GPUs and the vLLM version that the words of a container's command tell, and that it compiles."""
    count = _count_gpus(list(words))
    if count is not None:
        yield note("gpu_count", count, line, Origin.PASTED)
    tags = [found[1] for word in words if (found := _IMAGE_TAG.search(word))]
    version = read_version(tags[-1]) if tags else None
    if version is not None:
        yield note("vllm_version", version, line, Origin.PASTED)

    if _begins_anew(words):
        yield note("compile_cache", "cold", line, Origin.PASTED)


def _begins_anew(words: Sequence[str]) -> bool:
    """Return whether the command makes a container without the compiled graphs of an earlier one.

    They lie under VLLM_CACHE_ROOT, by default /root/.cache/vllm: vLLM 0.6.4 to 0.33 `envs.py`.
    """
    is_made = any(tool in _TOOLS and "run" in words[place : place + 3] for place, tool in enumerate(words))
    return is_made and not any(_KEEPS_CACHE.search(word) for word in words)


def _count_gpus(words: list[str]) -> int | None:
    """Return how many GPUs `docker run --gpus 2` or `--gpus "device=0,1"` gives; "all" says nothing."""
    pairs = zip(words, [*words[1:], ""], strict=True)
    said = next(
        (
            value or following
            for (name, _, value), following in ((w.partition("="), f) for w, f in pairs)
            if name == "--gpus"
        ),
        "",
    )
    said = said.strip("\"'")
    if said.isdigit() and len(said) < 3:
        return int(said) or None
    return said.count(",") + 1 if said.startswith("device=") else None
