"""Settings as people say them: "util 0.95", "32k context", "tp=4", "vllm 0.9.1", "max-num-seqs 64"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from packaging.version import Version

from bot.reading.argument_values import read_version
from bot.reading.commands.arguments import ARGUMENTS, misspelt, read_argument
from bot.reading.late import Late

_RELEASE = r"v?(0\.\d{1,2}(?:\.\d{1,2})?(?:\.?(?:post|rc|dev)\d{1,4})?(?:\+[A-Za-z0-9.]{1,40})?)(?![A-Za-z0-9_]|\.\d)"
_VERSION = Late(
    rf"(?i:vllm)(?:[\s:=*`_-]|版本|バージョン|(?i:version|versión|версия|release|engine|docker|image|nightly|openai|is|at|on|v[01]\b|v(?=\d)))*{_RELEASE}"
    rf"|(?i:\b(?:upgrad|updat|downgrad)(?:e|ed|ing)\s(?:it\s|vllm\s)?(?:from\sv?[\d.]{{3,12}}\s)?to\s){_RELEASE}"
    rf"|(?i:\b(?:since|version|release)\s){_RELEASE}|(?<![\w.])v(0\.\d{{1,2}}\.\d{{1,2}}(?:\.?(?:post|rc)\d{{1,3}})?)(?![A-Za-z0-9_]|\.\d)"
    # The answer to a question for it: a line of its own, or the beginning of one.
    r"|(?m:^)[ \t]{0,8}(?i:(?:it(?:'s|\sis)|we(?:'re|\sare)\son|on)\s)?v?(0\.\d{1,2}\.\d{1,2})(?=[,;.!]?(?:\s|\Z))",
    signs=("0.",),
)
_OTHER_PACKAGE = Late(
    r"(?i:flash|xformers|tokenizers|ray|triton|transformers|torch|lmcache|sglang|ollama|llama\.cpp|litellm|nixl|numba)\W{0,3}(?:\w{1,12}\W)?$"
)

_UTILIZATION = Late(
    r"(?i:(?<!cache )\b(?:gpu[-_ ]?)?(?:mem(?:ory)?[-_ ]?)?util(?:i[sz]ation)?)(?:\s?[=:]\s?|\s(?:is\s|of\s|at\s|to\s|set\sto\s|from\s)?|\s?\()(0?\.\d{1,3}|1\.0)(?![\d%])"
    r"|(?i:mem(?:ory)?[-_ ]util(?:i[sz]ation)?)\D{1,12}(\d{2})\s?%",
    signs=("util",),
)
# "0.5 of gpu-memory-utilization"; what the name goes on to say is another figure.
_SHARE_BEFORE = Late(
    r"(?i)(?<![\w.])(?<!vllm\s)(?:(0?\.\d{1,3}|1\.0)|(\d{2})\s?%)\s(?:of\s|for\s|as\s)?(?:the\s)?gpu[-_ ]mem(?:ory)?[-_ ]util(?:i[sz]ation)?\b(?!\s?[=:]|\s(?:is|was|at|to|of|set)\b)",
    signs=("util",),
)
_CONTEXT = ("context", "ctx", "len", "上下文", "контекст")
_LENGTH = (
    Late(
        r"(?<![\w.])(\d{1,4}(?:\.\d)?\s?[kKmM]|\d{1,3}(?:,\d{3}){1,2}|\d{4,7})(?:[- ](?:tokens?\s(?:of\s)?)?(?i:context|ctx|max[- ]?len|seq(?:uence)?[- ]len)|\s?(?:上下文|контекст))",
        signs=_CONTEXT,
    ),
    Late(
        r"(?i:\b(?:context|ctx|max[- ](?:model[- ])?len(?:gth)?|seq(?:uence)?[- ]len(?:gth)?)(?:[- ](?:length|window|size|len))?|上下文(?:长度)?|контекст\w*)"
        r"(?:\s?[=:：]\s?|\s?(?:要|为|是|到|设为)\s?|\s(?:is\s|of\s|to\s|at\s|set\sto\s)?|)(\d{1,4}(?:\.\d)?\s?[kKmM]\b|\d{1,3},\d{3}(?:,\d{3})?|\d{4,7})(?![\w.])",
        signs=_CONTEXT,
    ),
)
_PARALLEL = Late(
    r"(?<![\w])-{0,2}(?P<how>(?i:tp|pp|dp|tensor[- ]parallel(?:ism)?(?:[- ]size)?|pipeline[- ]parallel(?:ism)?(?:[- ]size)?))(?:\s?[=:]\s?|\s(?:size\s)?(?:of\s|is\s)?|-|)(?P<size>\d{1,2})(?![\w.])",
    signs=("tp", "pp", "dp", "parallel"),
)
# Names of ranks, which count from 0: "TP3" beside a "TP0" is the fourth GPU, "Worker_TP0..TP7" are eight of them.
_RANK = re.compile(r"(?i)-{0,2}[tpd]p\d{1,2}")
_FIRST_RANK = re.compile(
    r"(?i)(?<![a-z0-9])(?P<how>[tpd]p)0(?![a-z0-9])(?:\s?(?:\.{2,3}|…|[-–~]|to|through)\s?(?:[a-z]{1,12}_)?(?:(?P=how))?(?P<last>\d{1,2})(?!\w|\.\d))?"
)
_FP8_CACHE = Late(
    r"(?i)\b(?P<dtype>fp8(?:_e[45]m[23])?)[- ]kv\b|\bkv[- ]cache(?:[- ]dtype)?(?:\s(?:in|as|to|=|is|dtype))*\s(?P<after>fp8(?:_e[45]m[23])?)\b",
    signs=("fp8",),
)
_NUMERIC = [
    name
    for name in ARGUMENTS
    if "_" in name
    and name.startswith(
        (
            "max_num",
            "max_model",
            "gpu_mem",
            "tensor_par",
            "pipeline_par",
            "data_par",
            "block_s",
            "swap_s",
            "cpu_off",
            "max_l",
            "num_gpu_b",
            "kv_cache_mem",
        )
    )
]
_NAMED = Late(
    rf"(?<![\w])(?:--)?(?P<name>{'|'.join(name.replace('_', '[-_ ]') for name in sorted(_NUMERIC, key=len, reverse=True))})['\"`]?"
    r"(?:\s?[=:]\s?|\s(?:is\s|of\s|at\s|to\s|set\sto\s)?)['\"`]?(?P<value>\d[\d_,]{0,12}(?:\.\d{1,4})?[kKmM]?|0?\.\d{1,4})(?![\w%]|\.\d|\s?[*/]{1,2}\s?-?\d)",
    signs=tuple({name.partition("_")[0] for name in _NUMERIC}),
)
# A name that is none of them and may be one misspelt: "gpu_mmeory_utilization=0.3", "--tesnor-parallel-size 2".
_LIKE_A_NAME = re.compile(
    r"(?<![\w./-])(?:--)?(?P<name>[a-z]{2,14}(?:[-_][a-z]{2,14}){1,4})(?:\s?[=:]\s?|\s)(?P<value>\d[\d_,]{0,12}(?:\.\d{1,4})?[kKmM]?|0?\.\d{1,4})(?![\w%]|\.\d)"
)
_SAMPLER = Late(
    r"""(?i)(?:(?P<no>\b(?:no|without(?:\sthe)?|disabled?|off)\s))?\bflash[- ]?infer(?:'s)?\s(?:top[-\s]?[kp]\s)?sampl(?:er|ing)\b
    (?:\s(?:is\s)?(?:on\b|enabled\b|(?P<off>off\b|disabled\b)))?""",
    re.VERBOSE,
    signs=("sampl",),
)
_BACKENDS = (
    r"flash[-_ ]?infer|flash[-_ ]?att(?:entio)?n|triton[-_ ]attn|flashmla|flex[-_ ]attention|xformers|torch[-_ ]sdpa"
)
_BACKEND = Late(
    rf"""(?i)(?<![\w-])(?P<name>{_BACKENDS})\s(?:as\s(?:the\s)?)?(?:attention\s)?(?:backend|kernels?)\b
    | (?<![\w-])(?P<after>{_BACKENDS.replace("flash[-_ ]?att(?:entio)?n|", "")})\s(?:attention|attn)\b""",
    re.VERBOSE,
    signs=("backend", "kernel", "attention", "attn"),
)
_SPELT_OTHERWISE = {"FLASH_INFER": "FLASHINFER", "FLASHATTENTION": "FLASH_ATTN", "FLASH_ATTENTION": "FLASH_ATTN"}
_EAGER = Late(
    r"(?i)(?<!not )\b(?:in|with|using|use|on)\s(?:the\s)?eager\smode\b(?!\s(?:is\s)?(?:off|disabled|unset))|\b(?:no|without|disabled?)\scuda[- ]?graphs?\b",
    signs=("eager", "graph"),
)
_CONCURRENT = Late(
    r"(?<![\w.,])(\d{1,3},\d{3}|\d{1,5})\s(?i:concurrent|simultaneous|parallel)\s(?i:users?|requests?|reqs|clients?|sessions?|connections?|calls)|(?i:\bconcurrency(?:\sof|\sis|[=:])?\s?)(\d{1,3},\d{3}|\d{1,5})(?![\w.])",
    signs=("concurren", "simultaneous", "parallel"),
)
_ALONE = Late(
    r"(?i)\bnothing else (?:is )?(?:running|uses|using|on)\b|\bno other (?:process|program|model)(?:es|s)?\b|\b(?:gpu|card) is (?:otherwise )?(?:empty|dedicated|exclusive)\b",
    signs=("nothing else", "no other", "gpu is", "card is"),
)
_NO_TRAFFIC = Late(
    r"(?i)\b(?:no|zero|without(?: any)?) (?:traffic|requests?|load|users?)\b|\b(?:while|when|sits|sitting|is|at) idle\b|没有请求|无请求|空闲",
    signs=("no ", "zero ", "without", "idle", "没有请求", "无请求", "空闲"),
)
_HEAVY = Late(
    r"(?i)\bunder (?:heavy |high |full )?load\b|\bheavy (?:traffic|load)\b|\bmany (?:concurrent|parallel) (?:users|requests)\b|高并发",
    signs=("load", "traffic", "users", "requests", "高并发"),
)
_AXES = {"t": "tensor_parallel", "p": "pipeline_parallel", "d": "data_parallel"}
_MOST_RANKS = 64
_POWERS_OF_TWO = frozenset(2**power for power in range(11))


def find_settings(text: str) -> Iterator[tuple[str, Any]]:
    """Yield (fact, value) for each setting that a sentence states."""
    if (version := find_version(text)) is not None:
        yield "vllm_version", version
    if found := _UTILIZATION.search(text) or _SHARE_BEFORE.search(text):
        yield from read_argument("gpu_memory_utilization", found[1] or f"{found[2]}%").items()
    if (length := _find_length(text)) is not None:
        yield "max_model_len", length
    yield from _find_parallel(text)
    if found := _FP8_CACHE.search(text):
        yield "kv_cache_dtype", (found["dtype"] or found["after"]).lower()
    yield from _find_named(text)
    yield from _find_kernels(text)
    yield from _find_circumstances(text)


def _find_parallel(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the parallel sizes that are said, or that a range of ranks tells."""
    firsts = {found["how"][0].lower(): found["last"] for found in _FIRST_RANK.finditer(text)}
    for axis, last in firsts.items():
        if last and int(last) < _MOST_RANKS:
            yield _AXES[axis], int(last) + 1
    for found in _PARALLEL.finditer(text):
        axis = found["how"][0].lower()
        is_rank = axis in firsts and _RANK.fullmatch(found[0])
        if 0 < int(found["size"]) <= _MOST_RANKS and not is_rank:
            yield _AXES[axis], int(found["size"])


def find_version(text: str) -> Version | None:
    """Return the vLLM version that a sentence names; of several the last."""
    found = [
        match
        for match in _VERSION.finditer(text)
        if not _OTHER_PACKAGE.search(text[max(0, match.start() - 30) : match.start()])
    ]
    return read_version(next(group for group in found[-1].groups() if group)) if found else None


def _find_length(text: str) -> int | None:
    found = next((match for pattern in _LENGTH if (match := pattern.search(text))), None)
    return read_length(found[1]) if found else None


def read_length(raw: str) -> int | None:
    """Return a context length as people mean it: 32k is 32,768 and 100k is 100,000.

    >>> read_length("32k"), read_length("100k"), read_length("8,192")
    (32768, 100000, 8192)
    """
    plain = raw.replace(",", "").replace(" ", "").lower()
    number = float(plain.rstrip("km"))
    if plain.endswith("m"):
        return int(number * (1 << 20))
    if plain.endswith("k"):
        return int(number * (1024 if number in _POWERS_OF_TWO or number in {96, 160, 192} else 1000))
    return int(number) if 256 <= number <= 20_000_000 else None


def _find_named(text: str) -> Iterator[tuple[str, Any]]:
    for found in _NAMED.finditer(text):
        yield from read_argument(re.sub(r"[- ]", "_", found["name"]), found["value"].replace(",", "")).items()
    for found in _LIKE_A_NAME.finditer(text):
        if (meant := misspelt(found["name"])) in _NUMERIC:
            yield from read_argument(meant, found["value"].replace(",", "")).items()


def _find_kernels(text: str) -> Iterator[tuple[str, Any]]:
    """Yield what runs attention, sampling and graphs, and the variable by which a command says so."""
    if found := _SAMPLER.search(text):
        is_used = not (found["no"] or found["off"])
        yield "flashinfer_sampler", is_used
        yield "environment", (("VLLM_USE_FLASHINFER_SAMPLER", str(int(is_used))),)
    if found := _BACKEND.search(text):
        name = re.sub(r"[- ]", "_", found["name"] or found["after"]).upper()
        yield "attention_backend", _SPELT_OTHERWISE.get(name, name)
    if _EAGER.search(text):
        yield "enforce_eager", True


def _find_circumstances(text: str) -> Iterator[tuple[str, Any]]:
    if found := _CONCURRENT.search(text):
        count = int((found[1] or found[2]).replace(",", ""))
        if count > 0:
            yield "wanted_concurrency", count
    if _ALONE.search(text):
        yield "dedicated_gpu", True
    if _NO_TRAFFIC.search(text):
        yield "traffic", "none"
    elif _HEAVY.search(text):
        yield "traffic", "heavy"
