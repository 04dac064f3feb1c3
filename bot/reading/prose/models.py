"""Models as people name them: "Qwen/Qwen2.5-7B-Instruct", "llama 3.3 70b awq", "gpt-oss-120b"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.catalog.index import pieces
from bot.catalog.models import is_whole_name
from bot.reading.late import Late

_FAMILIES = (
    r"meta-llama|llama|qwen|qwq|qvq|mistral|mixtral|ministral|devstral|codestral|magistral|pixtral|gemma|deepseek|glm|chatglm|gpt[- ]?oss|gpt-?2|yi"
    r"|internvl|internlm|baichuan|falcon|command|c4ai|granite|nemotron|minimax|kimi|moonlight|olmo|llava|vicuna|starcoder|solar|jamba|aya"
    r"|exaone|smollm|ernie|hunyuan|step|seed|mimo|bloomz?|opt|dbrx|arctic|bge|whisper|molmo|tulu|hermes|openchat|zephyr|codellama|ling|ring"
    r"|longcat|grok|apertus|lfm|phi|med42|tinyllama|mpt|stablelm|orca|wizardlm|wizardcoder|sqlcoder|ovis|minicpm|paligemma|hymba|bamba|plamo"
)
_PART = (
    r"\d{1,3}(?:\.\d{1,3})?[bBmM]?|\d{1,3}x\d{1,3}[bB]|[aAeE]\d{1,3}(?:\.\d)?[bB]|v\d(?:\.\d){0,2}|[rkmv]\d(?:\.\d)?|\d{2}e"
    r"|instruct|chat|it|awq|gptq|gguf|bnb|int[48]|fp8|fp4|bf16|nvfp4|mxfp4|w\da\d{1,2}|base|coder|code|math|vl|vlm|vision|omni|audio|scout"
    r"|maverick|distill|large|small|medium|mini|nano|flash|pro|air|next|thinking|moe|preview|turbo|plus|super|ultra|hf|exp|speciale|lite"
    r"|reward|guard|embedding|reranker|dynamic|marlin|llama|qwen|nemotron|deepseek|oss|text|tts|ocr|4bit|8bit|q\d_k_[msl]|q\d_\d"
    r"|(?!(?:20[678]|30[5-9]|40[6-9]|50[5-9])0)\d{4}"  # a date, and no card: "qwen3-14b 4090"
)
_NAME = re.compile(
    rf"(?<![A-Za-z0-9_/.@-])(?P<name>(?:(?i:{_FAMILIES}))(?:[-_ .:]?(?i:{_PART})(?![A-Za-z0-9])){{1,10}})(?![A-Za-z0-9_/])",
)
_TYPE = r"(?::(?:UD-)?I?Q\d\w{0,8})?"  # the type of a GGUF file, and no tag of an image
_ID = Late(
    r"(?<![A-Za-z0-9_/.:@~$-])(?P<id>[A-Za-z][A-Za-z0-9_-]{1,60}/(?=[A-Za-z0-9_.-]{0,110}\d)[A-Za-z][A-Za-z0-9_.-]{2,110}[A-Za-z0-9_]"
    rf"{_TYPE})(?![A-Za-z0-9_/-]|[.:][A-Za-z0-9])",
    signs=("/",),
)
_HUB = Late(
    rf"(?:huggingface\.co|\bhf\.co)/(?:models/)?(?P<id>[\w-]{{2,60}}/[\w.-]{{3,110}}\w{_TYPE})",
    signs=("huggingface.co", "hf.co"),
)
_FILE = Late(
    r"\.(?:py|txt|so|json|cc|cpp|cu|h|sh|md|log|ya?ml|toml|whl|html|tar|gz|zip|png|cfg|ini|rs|go|js|ts)\b|^(?:v\d|dev|usr|lib|etc|tmp|opt|vllm|site-packages|tokens|python\d?)/",
    re.IGNORECASE,
)
_HAS_SIZE = re.compile(r"\d[\d.]*\s?[bB]\b|\d[mM]\b")
# Everyday words that are families too: a size must follow.
_EVERYDAY = Late(
    r"(?:step|seed|ring|ling|solar|command|yi|opt|aya|orca|hermes|arctic|grok|bloom|code|falcon|whisper)\b",
    re.IGNORECASE,
)
# Words as people write names of models: with a digit or a sign in them, perhaps behind an organisation or a path.
_WORD = re.compile(r"(?<![A-Za-z0-9_/.:@$-])[A-Za-z0-9.~/][A-Za-z0-9_.+/:-]{1,300}[A-Za-z0-9_]")
_MARKED = re.compile(r"[\d._-]|\w/\w")
_JOINED = re.compile(r"[-_+]{1,3}[A-Za-z0-9]+|\.[a-z0-9][A-Za-z0-9]*|:\d[A-Za-z0-9]*")
# What a name is joined to and is no part of it: what runs the model, which copy of that it is, and how people go on.
_RUN = Late(
    r"(?:vllm|servers?|serving|serve|service|svc|deploy|deployment|api|pods?|prod|production|staging|dev|worker|head|leader|predictor|endpoint|inference"
    r"|container|job|cluster|node|backend|engine|replica|benchmark|logs?|config|based|related|like|style|powered|derived|only|(?=\w*\d)(?=\w*[a-z])[a-z0-9]{9,10})\Z"
)
_FURTHER = re.compile(r"\s(?=[A-Za-z0-9])[A-Za-z0-9_.+-]*[A-Za-z0-9]")
_MOST_FURTHER = 5  # words behind a name that may still belong to it


def find_model_name(text: str) -> str | None:
    """Return the first model that a sentence names, as it stands there; of names at one place the longest.

    >>> find_model_name("running llama 3.3 70b awq on two cards"), find_model_name("Qwen3-8B-quantized.w4a16 dies")
    ('llama 3.3 70b awq', 'Qwen3-8B-quantized.w4a16')
    """
    if found := _HUB.search(text):
        return found["id"]
    places = [(found.start(), found["id"]) for found in _ID.finditer(text) if not _FILE.search(found["id"])]
    places += _known_words(text)
    places += [(found.start(), _whole(text, found)) for found in _NAME.finditer(text) if _is_name(found["name"])]
    return min(places, key=lambda place: (place[0], -len(place[1])))[1] if places else None


def _known_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words that are a model's whole name, whatever its family."""
    for found in _WORD.finditer(text):
        word = found[0].removesuffix(".")
        if _MARKED.search(word) and not _FILE.search(word) and is_whole_name(word, has_words=False):
            yield found.start(), word


def _whole(text: str, found: re.Match[str]) -> str:
    """Return a name up to the end of its word, and with the words behind it that make it a longer known name."""
    end = found.end()
    while (piece := _JOINED.match(text, end)) and not _RUN.match(piece[0].lstrip("-_+.:").lower()):
        end = piece.end()
    if _FILE.search(text[found.start() : end]):
        end = found.end()
    longer, at = end, end
    for _ in range(_MOST_FURTHER):
        further = _FURTHER.match(text, at)
        if further is None or further[0].strip().lower() not in pieces():
            break
        at = further.end()
        longer = at if is_whole_name(text[found.start() : at]) else longer
    return text[found.start() : longer].strip(" .-_")


def _is_name(name: str) -> bool:
    if not any(letter.isdigit() for letter in name):
        return False
    return _HAS_SIZE.search(name) is not None or (_EVERYDAY.match(name) is None)
