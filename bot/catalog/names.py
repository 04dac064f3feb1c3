"""The many spellings of a model's name, brought to one."""

from __future__ import annotations

import re
from typing import NamedTuple

# The hub forwards the old name of an organisation to the new one; without the hub we must know.
ORGANISATIONS = {
    "thudm": "zai-org",
    "zhipuai": "zai-org",
    "coherforai": "coherelabs",
    "cohereforai": "coherelabs",
    "neuralmagic": "redhatai",
    "nm-testing": "redhatai",
    "cognitivecomputations": "dphn",
    "rednote-hilab": "dots-studio",
    "deepreinforce-ai": "ornith-ai",
    "llm-research": "meta-llama",
    "01ai": "01-ai",
    "shanghai_ai_laboratory": "internlm",
    "tencent-hunyuan": "tencent",
    "minimax": "minimaxai",
    "tclf90": "quanttrio",
    "mistral": "mistralai",
}
_LONGEST = 400  # characters; a path of the hub's cache has about 150
# Directory names that say nothing about the model in them.
_EMPTY = re.compile(
    r"(?:snapshots?|blobs|refs|main|master|model|models|hub|weights|checkpoint(?:-\d+)?|final|fp16|bf16|latest|current"
    r"|[0-9a-f]{12,64}|\d{1,4}|mnt|data|opt|home|root|workspace|content|tmp|var|cache|huggingface|\.cache|srv|app|v\d)\Z",
    re.IGNORECASE,
)
_CACHE = re.compile(r"models--([^/]+?)--([^/]+)")
_SHARD = re.compile(r"-\d{5}-of-\d{5}(?=\.|\Z)")
_EXTENSION = re.compile(r"\.(?:gguf|safetensors|bin|pth?|json)\Z", re.IGNORECASE)
_HOST = re.compile(
    r"\A(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co|hf-mirror\.com|(?:www\.)?modelscope\.(?:cn|ai)/models|ollama\.com/library)/",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"\A(?:hf|s3|gs|oci|pvc|modelscope|ms|xinference|file|runai|azure|abfs)://?", re.IGNORECASE)
# Words around a name: "MiniMax-M2 series", "Qwen2.5-32B class", "(served as coder)", "Inferact build of …".
_ASIDE = re.compile(
    r" ?\([^()]*\)"  # a bracket
    r"|\s(?:series|class|family|models?|checkpoint|builds?)\b"
    r"|\b\w{1,30} build of\s",
    re.IGNORECASE,
)
_TREE = re.compile(r"/(?:tree|blob|resolve)/.*\Z")
_TOKEN = re.compile(r"v\d+(?:\.\d+)+|\d+(?:\.\d+)*[a-z]*(?:x\d+[a-z]*)?|[a-z]+\d*x?\d*[a-z]*")
_DIGITS_APART = re.compile(r"(?<=\d)(?:___(?=\d)|[_p](?=\d(?!\d*(?:\.\d+)?[bm](?![a-z0-9]))))")
_LEADING_WORD = re.compile(
    r"(?<![a-z0-9.])(llama|qwen|gemma|phi|glm|mistral|codellama|internlm|yi|falcon|olmo|granite|vicuna|command)(?=\d)"
)
_RUN_TOGETHER = re.compile(r"\b(llama|qwen)[ -]?([1-4])([1-9])(?=[ _-]|\Z)")  # "llama31", "qwen25"
_JOINED = re.compile(r"\bgpt ?oss(?![a-z])")
_WHOLE_VERSION = re.compile(r"(?<![\d.])(\d{1,2})\.0(?![\d.b]|\.?\d*[bm]\b)")  # "EXAONE-4.0" is "exaone 4"
MAKERS = frozenset({"meta", "mistralai", "facebook", "nvidia"})  # before a name, where others leave them out
_LLAMA_DASH = re.compile(r"\b(llama) 3 ([1-3]) (?=\d+b\b)")


class Spelling(NamedTuple):
    """A name taken apart; `tag` is what followed a colon, an Ollama tag or a GGUF type."""

    organisation: str | None
    base: str
    tag: str | None

    @property
    def full(self) -> str:
        """Organisation and base name, in lower case."""
        return f"{self.organisation}/{self.base}".lower() if self.organisation else self.base.lower()


def spell(name: str) -> Spelling | None:
    """Take a name apart; None when nothing in it can name a model.

    >>> spell("/root/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5")
    Spelling(organisation='Qwen', base='Qwen3-8B', tag=None)
    """
    if len(name) > _LONGEST:
        return None
    text = _ASIDE.sub(_keep_weights, name).strip().strip("\"'`<>()[],;").strip()
    if cached := _CACHE.search(text):
        return _parted(f"{cached[1]}/{cached[2]}", None)
    text = text.partition(" + ")[0]  # "model + its speculator"
    text = _TREE.sub("", _HOST.sub("", _SCHEME.sub("", text)))
    text = text.split("@", 1)[0].split("?", 1)[0].rstrip("/ ")
    text, tag = _cut_tag(text.replace("\\", "/"))
    parts = [part for part in text.split("/") if part]
    told = [part for part in parts if not _EMPTY.match(part)]
    if not told:
        return None
    if tag is None and len(told) > 1 and told[-1].lower().endswith(".gguf") and "gguf" in told[-2].lower():
        told = [*told[:-2], told[-1]]
    is_path = name.strip().startswith(("/", ".", "~")) or len(parts) > 2 or ":\\" in name
    keep = told[-2:] if is_path and len(told) > 1 and told[-1] == parts[-1] else told
    return _parted("/".join(keep[-2:]) if len(keep) > 1 else keep[-1], tag)


def _keep_weights(aside: re.Match[str]) -> str:
    """An aside such as "(INT4)" tells of the weights and stays, without its brackets."""
    word = aside[0].strip(" ()")
    return f" {word}" if re.fullmatch(r"(?i)(?:int|fp|w|awq|gptq|nvfp|mxfp|gguf|bnb|q)[\w.-]{0,12}", word) else ""


def _cut_tag(text: str) -> tuple[str, str | None]:
    head, colon, tail = text.rpartition(":")
    if colon and "/" not in tail and len(head) > 1:
        return head, tail.strip() or None
    return text, None


def _parted(text: str, tag: str | None) -> Spelling:
    organisation, _, base = text.rpartition("/")
    base = _SHARD.sub("", base)
    return Spelling(organisation or None, _EXTENSION.sub("", base).strip(), tag)


def tokens_of(base: str) -> tuple[str, ...]:
    """Return the words of a base name: lower case, versions whole, sizes whole.

    >>> tokens_of("Meta-Llama-3_1-8B-Instruct"), tokens_of("Qwen2___5-7B")
    (('llama', '3.1', '8b', 'instruct'), ('qwen', '2.5', '7b'))
    """
    text = _DIGITS_APART.sub(".", base.lower())
    text = _RUN_TOGETHER.sub(r"\1 \2.\3", _JOINED.sub("gpt oss", text))
    text = _WHOLE_VERSION.sub(r"\1", text)
    text = _LEADING_WORD.sub(r"\1 ", text)
    text = _LLAMA_DASH.sub(r"\1 3.\2 ", re.sub(r"[-_/\s]+", " ", text))
    found = tuple(_TOKEN.findall(text))
    return found[1:] if found[:1] and found[0] in MAKERS and len(found) > 1 else found


def renamed(organisation: str | None) -> str | None:
    """Return the present name of an organisation, in lower case."""
    return ORGANISATIONS.get(organisation.lower(), organisation.lower()) if organisation else None
