"""A model's config.json in a paste, whole or torn."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from bot.evidence import Evidence, Line, gather
from bot.facts import Origin
from bot.reading.commands.arguments import read_argument
from bot.reading.figures import note

LONGEST_CONFIG = 60_000

_TELLING = (
    '"hidden_size"',
    '"num_hidden_layers"',
    '"num_attention_heads"',
    '"architectures"',
    '"text_config"',
    '"n_layer"',
    '"d_model"',
)
_SCALAR = re.compile(r'"(\w{1,60})"\s*:\s*("(?:[^"\\\n]){0,200}"|-?\d[\d.eE+-]{0,24}|true|false|null)')


def read(lines: Sequence[Line]) -> Evidence:
    """Return a configuration that stands in the paste; of several the last."""
    telling = [place for place, line in enumerate(lines) if any(key in line.text for key in _TELLING)]
    if len(telling) < 2 and not any(len(lines[place].text) > 200 for place in telling):
        return Evidence()
    start = _find_start(lines, telling[0])
    text = "\n".join(line.text for line in lines[start : start + 3_000])[:LONGEST_CONFIG]
    config = _decode(text[max(0, text.find("{")) :])
    unfinished = () if config else ("A config.json begins and does not end; single values were read.",)
    config = config or {name: json.loads(raw) for name, raw in _SCALAR.findall(text)}
    if not config.keys() & {"hidden_size", "text_config", "n_embd", "d_model", "num_hidden_layers", "llm_config"}:
        return Evidence()
    path = config.get("_name_or_path")
    named = read_argument("model", path) if isinstance(path, str) else {}
    facts = [note(name, value, lines[start], Origin.PASTED) for name, value in named.items()]
    return gather(facts, config=config, kinds=frozenset({"config"}), unfinished=unfinished)


def _find_start(lines: Sequence[Line], first: int) -> int:
    """Return the line of the bracket that opens the object around the first telling key."""
    for place in range(first, max(-1, first - 60), -1):
        if lines[place].text.lstrip().startswith("{") or lines[place].text.rstrip().endswith("{"):
            return place
    return first


def _decode(text: str) -> dict[str, Any] | None:
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", record) if isinstance(record, dict) else None
