"""What short descriptions leave out: "qwen3-14b L40S awq 16k 0.11.0" names no flag, and everybody knows what is meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from bot.catalog.models import find_model
from bot.diagnosis.wordings.leftover import MOST_WORDS
from bot.diagnosis.wordings.load_words import NOUNS
from bot.evidence import Evidence
from bot.reading.prose.models import find_model_name
from bot.reading.prose.settings import read_length

_ALONE, _ENDS = r"(?<![\w.,=:/@-])", r"(?![\w.-])"
_LENGTH = re.compile(rf"{_ALONE}(\d{{1,4}}[kK]){_ENDS}(?!\s?(?i:{NOUNS}))")
_VERSION = re.compile(rf"{_ALONE}v?(0\.\d{{1,2}}\.\d{{1,2}})(?![\w%]|\.\d)")
_SEQUENCES = re.compile(rf"{_ALONE}(\d{{1,5}})\s(?:seqs?|sequences){_ENDS}")
_CARD = re.compile(rf"{_ALONE}([2-5]0[5-9]0){_ENDS}(?!\stok)")
_SHARE = re.compile(r"(?<![\w.,=:/@-])util(?:i[sz]ation)?\s?[=:]?\s?(\d{2})\s?%", re.IGNORECASE)
_SPELT_OUT: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("max_model_len", _LENGTH, lambda said: f"max_model_len={read_length(said)}"),
    ("vllm_version", _VERSION, "vllm {}".format),
    ("max_num_seqs", _SEQUENCES, "max_num_seqs={}".format),
    ("gpu", _CARD, "RTX {}".format),
    ("gpu_memory_utilization", _SHARE, "gpu memory utilization 0.{}".format),
)
# What a number stands behind that is the value of another setting: "--max-num-seqs 1k", "max num batched tokens of 8k".
_NAME = re.compile(
    r"(?:(?<!\S)--?[A-Za-z][\w.-]{0,60}|\b[a-z]{2,14}(?:[_-][a-z]{2,14}){1,4}|\bmax num (?:seqs|batched tokens))(?:\s(?:of|to|is|at|set to))?\s?[=:]?\s?\Z"
)
_WEIGHTS = re.compile(
    rf"{_ALONE}(awq|gptq|bnb|fp8|nvfp4|mxfp4|int[48]|[48][ -]?bit|w\da\d{{1,2}}){_ENDS}(?![ -]kv)", re.IGNORECASE
)


def spell_out(text: str, evidence: Evidence) -> str:
    """Return a description with what it says in single words said in full, unless that was understood.

    Args:
        text: As it was typed.
        evidence: What was read of it.
    """
    if "command" in evidence.facts or len(text.split()) > MOST_WORDS:
        return text
    for name, said, in_full in _SPELT_OUT:
        if evidence.value(name) is None:
            text = _put_in_full(text, said, in_full)
    is_told = evidence.value("quantization") or evidence.value("kv_cache_dtype") or "kv" in text.lower()
    return text if is_told else _with_its_weights(text)


def _put_in_full(text: str, said: re.Pattern[str], in_full: Callable[[str], str]) -> str:
    """Return the text with the first word of that kind in full that is the value of no other setting."""
    found = next((each for each in said.finditer(text) if not _NAME.search(text[: each.start()])), None)
    return text if found is None else f"{text[: found.start()]}{in_full(found[1])}{text[found.end() :]}"


def _with_its_weights(text: str) -> str:
    """Return the text with a word on the weights moved to the model's name, if there is such a checkpoint."""
    name, said = find_model_name(text), _WEIGHTS.search(text)
    if name is None or said is None or said[1] in name:
        return text
    known = find_model(name).shape
    base = f"{name.rpartition('/')[2]} {re.sub(r'[ -]', '', said[1])}"
    named = find_model(base).shape
    if known is None or known.quantization or named is None or named.quantization is None:
        return text
    return f"{text[: said.start()]}{text[said.end() :]}".replace(name, base, 1)
