"""How the value of a vLLM argument reads, however it was written."""

from __future__ import annotations

import ast
import json
import re
from typing import cast

from packaging.version import InvalidVersion, Version

from bot.deployment import Speculation
from bot.units import Bytes

LONGEST_VALUE = 8_000
"""Characters of one value that are read; a compilation config has about 2,000."""

_NUMBER = re.compile(
    r"[-+]?(?:\d[\d_]{0,17}(?:\.\d{0,12})?|\.\d{1,12})(?:[eE][-+]?\d{1,2})?"
)  # 1e308 overflows in arithmetic
_COUNT = re.compile(r"(-?\d[\d_,]{0,18}(?:\.\d{1,6})?)\s?(?:([kKmMgGtT])(i?)[bB]?)?")
_COMPILATION_MODES = {
    "NONE": 0, "STOCK_TORCH_COMPILE": 1, "DYNAMO_TRACE_ONCE": 2, "VLLM_COMPILE": 3,
    "NO_COMPILATION": 0, "DYNAMO_AS_IS": 1, "DYNAMO_ONCE": 2, "PIECEWISE": 3,
}  # fmt: skip
"""Source: vLLM 0.11.1 `config/compilation.py`, CompilationMode; 0.11.0 the same, CompilationLevel."""

_POWER = {"k": 1, "m": 2, "g": 3, "t": 4}


def as_count(raw: str) -> int | None:
    """Read "8192", "8k" (8000), "8K" (8192), "32_768"; of "1.5" there is no whole number, and vLLM takes none."""
    found = _COUNT.fullmatch(raw)
    if not found or found[1] == "":
        return None
    number = float(found[1].replace("_", "").replace(",", ""))
    if not found[2]:
        return int(number) if number.is_integer() else None
    base = 1000 if found[2].islower() and not found[3] else 1024
    return int(number * base ** _POWER[found[2].lower()])


def as_positive(raw: str) -> int | None:
    """Read a whole number above zero."""
    count = as_count(raw)
    return count if count is not None and 0 < count < 10**15 else None


def as_sizes(raw: str) -> tuple[int, ...] | None:
    """Read whole numbers: "[1, 2, 4]", "1 2 4"."""
    return tuple(int(each) for each in re.findall(r"\d{1,9}", raw)) or None


def as_several(raw: str) -> tuple[int, ...] | None:
    """Read whole numbers where there are several: one alone is the largest, and vLLM fills in the others."""
    sizes = as_sizes(raw)
    return sizes if sizes and len(sizes) > 1 else None


def as_float(raw: str) -> float | None:
    """Read a number."""
    return float(raw.replace("_", "")) if _NUMBER.fullmatch(raw) and len(raw) < 40 else None


def as_share(raw: str) -> float | None:
    """Read a share of one: "0.9", "90%", "90"; one beyond the whole, such as "1.7", is told as it stands."""
    value = as_float(raw.removesuffix("%"))
    if value is None:
        return None
    value = value / 100 if raw.endswith("%") or 10 <= value <= 100 else value
    return round(value, 6) if value > 0 else None


def as_bytes(raw: str) -> Bytes | None:
    """Read an amount of memory: "10G", "17179869184"."""
    count = as_count(raw)
    return Bytes(count) if count is not None and count > 0 else None


def as_yes_or_no(raw: str) -> bool | None:
    """Read a switch; nothing behind it is a yes."""
    return {
        "true": True,
        "1": True,
        "yes": True,
        "on": True,
        "": True,
        "false": False,
        "0": False,
        "no": False,
        "off": False,
    }.get(raw.lower())


def as_opposite(raw: str) -> bool | None:
    """Read a switch that switches its fact off."""
    value = as_yes_or_no(raw)
    return None if value is None else not value


def as_text(raw: str) -> str | None:
    """Read words that are the value as they stand."""
    if raw.lower() in {"", "none", "null"} or "$" in raw or len(raw) > 400:
        return None
    return raw


def as_word(raw: str) -> str | None:
    """Read one word of an enumeration: "fp8_e5m2", "half", "torch.bfloat16", "<AttentionBackendEnum.X: 1>"."""
    found = re.fullmatch(r"(?:<\w{1,60}\.)?(?:torch\.)?([A-Za-z][\w.+-]{0,60})(?::[^>]{0,80}>)?", raw)
    if not found or raw.lower() in {"none", "null"}:
        return None
    return found[1]


def as_graph_mode(raw: str) -> str | None:
    """Read a mode of CUDA graphs; "NONE" is one."""
    name = raw.removeprefix("CUDAGraphMode.")
    return "NONE" if name == "NONE" else as_word(name)


def as_no_graphs(raw: str) -> str | None:
    """Read a switch that means CUDA graphs at all: no is a mode, and yes says nothing."""
    return "NONE" if as_yes_or_no(raw) is False else None


def as_whole_graphs(raw: str) -> str | None:
    """Read a switch that means graphs with attention in them."""
    return "FULL" if as_yes_or_no(raw) else None


def as_level(raw: str) -> int | None:
    """Read how far vLLM goes, from 0 to 3, by number or as vLLM names or prints its modes."""
    number = re.sub(r"<[\w.]{1,60}: (\d)>", r"\1", raw)
    level = _COMPILATION_MODES.get(raw.rpartition(".")[2].upper(), as_count(number))
    return level if level in range(4) else None


def as_model(raw: str) -> str | None:
    """Read a repository or a path."""
    raw = raw.rstrip("/").removesuffix(".").strip()
    is_shaped = re.fullmatch(r"[\w./~<>:@ \\-]{2,400}", raw) is not None
    return raw if is_shaped and raw.lower() not in {"none", "null", "true", "false"} else None


def read_structure(raw: str) -> object | None:
    """Return the JSON or Python literal that a text holds, or None."""
    if len(raw) > LONGEST_VALUE or raw.count("[") + raw.count("{") + raw.count("(") > 200:
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return cast("object", read(raw))
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None


def as_speculation(raw: str) -> Speculation | None:
    """Read the configuration of speculative decoding."""
    record = read_structure(raw)
    if not isinstance(record, dict):
        return None
    said = cast("dict[object, object]", record)
    tokens, model, method = said.get("num_speculative_tokens"), said.get("model"), said.get("method")
    if isinstance(method, str) or isinstance(model, str):
        count = tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None
        return Speculation(
            method=method if isinstance(method, str) else None,
            tokens=count,
            model=model if isinstance(model, str) else None,
        )
    return None


def as_draft(raw: str) -> Speculation | None:
    """Read the draft model of the old flag; "[ngram]" needs none."""
    if raw == "[ngram]":
        return Speculation(method="ngram")
    model = as_model(raw)
    return Speculation(model=model) if model else None


def as_limits(raw: str) -> dict[str, int] | None:
    """Read `{"image": 2}` and the older `image=2,video=1`."""
    record = read_structure(raw) if raw.startswith("{") else dict(re.findall(r"(\w{1,30})=(\d{1,6})", raw))
    if not isinstance(record, dict):
        return None
    limits = {str(name): _limit(value) for name, value in cast("dict[object, object]", record).items()}
    return {name: value for name, value in limits.items() if value is not None} or None


def _limit(value: object) -> int | None:
    if isinstance(value, dict):
        value = cast("dict[object, object]", value).get("count")
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def as_engine(raw: str) -> str | None:
    """Read which engine the variable chooses."""
    return {"0": "V0", "1": "V1"}.get(raw)


def as_auto(raw: str) -> bool | None:
    """Read whether vLLM is to fit the length itself."""
    return True if raw.lower() in {"auto", "-1"} else None


def read_version(raw: str) -> Version | None:
    """Return a vLLM version as logs print it, development builds included, or None."""
    try:
        return Version(raw.strip().removeprefix("v").rstrip("."))
    except InvalidVersion:
        return None
