"""Secrets and names that identify people, machines and buckets; diagnosis needs none of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MOST_PASSES = 8
"""One secret may stand so close to another that it shows only when that is gone; two passes are the rule."""

_VERSION_BEFORE = re.compile(r"[Vv]ersion:? {0,2}\Z")


@dataclass(frozen=True, slots=True)
class _Secret:
    """One kind of secret: texts one of which must occur for it to be worth a search, its pattern, what stands instead."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]
    ends: tuple[str, ...] = ()  # a hint counts only with one of these behind it

    def may_occur(self, text: str) -> bool:
        """Return whether a search is worth it."""
        present = [hint for hint in self.hints if hint in text]
        return bool(present) and (not self.ends or any(hint + end in text for hint in present for end in self.ends))


def _keep_lines(found: re.Match[str]) -> str:
    return "<private key>" + "\n" * found[0].count("\n")


def _keep_public_address(found: re.Match[str]) -> str:
    """Return what stands for four numbers: versions ("==9.1.0.70", "v1.2.3.4", "version: 9.1.0.70") and loopback stay."""
    address = found[0]
    before = found.string[max(0, found.start() - 10) : found.start()]
    is_version = bool(before) and (
        before[-1].isalnum() or before[-1] in "_.=-" or _VERSION_BEFORE.search(before) is not None
    )
    is_address = all(int(part) <= 255 for part in address.split("."))
    is_public = address.startswith(("127.", "0.")) or address == "255.255.255.255"
    return address if is_version or not is_address or is_public else "<ip>"


_STEMS = (
    "oken", "OKEN", "ecret", "ECRET", "ssword", "sswd", "SSWORD", "SSWD", "_key", "-key", "_KEY", "-KEY", "piKey", "pikey", "ccessKey", "ountKey",
    "ey_id", "EY_ID",
)  # fmt: skip
_ENDS = ("=", ":", '"', "'", " =", " :")
_KEY_FLAGS = ("-token ", "_token ", "-secret ", "-password ", "-passwd ", "-key ", "_key ")
_SECRETS = (
    _Secret(
        ("PRIVATE KEY",),
        re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"),
        _keep_lines,
    ),
    _Secret(
        # hubs, forges, model providers, chat, cloud, package indexes: a fixed beginning and a long random end
        (
            "hf_",
            "api_org_",
            "sk-",
            "ghp_",
            "gho_",
            "ghs_",
            "ghu_",
            "github_pat_",
            "glpat-",
            "xox",
            "xapp-",
            "nvapi-",
            "AKIA",
            "ASIA",
            "AIza",
            "pypi-",
            "dckr_pat_",
            "r8_",
            "gsk_",
            "ya29.",
            "eyJ",
            "npm_",
            "wandb_",
        ),
        re.compile(
            r"""(?<![A-Za-z0-9])(?:
                (?:hf|api_org|gh[opsu]|github_pat|dckr_pat|r8|gsk|npm|wandb_v\d)_[A-Za-z0-9_-]{16,255}
              | (?:sk|glpat|nvapi|xox[a-z]|xapp|pypi)-[A-Za-z0-9_-]{10,255}
              | (?:AKIA|ASIA)[A-Z0-9]{16} | AIza[\w-]{30,45} | ya29\.[\w-]{20,255}
              | eyJ[\w-]{8,2000}\.[\w-]{8,4000}(?:\.[\w-]{0,2000})?   # a JSON web token
            )""",
            re.VERBOSE,
        ),
        "<token>",
    ),
    _Secret(
        ("earer ", "asic ", "BEARER "),
        re.compile(r"\b((?:Bearer|Basic|bearer|basic|BEARER)[ ]+)(?=[\w.~+/-]{0,255}[\d+/=_-])[\w.~+/-]{12,4096}=*"),
        r"\1<token>",
    ),
    _Secret(
        # name=value, name: value, "name": "value"
        _STEMS,
        re.compile(
            r"""((?:[Tt]oken|TOKEN|[Ss]ecret(?:[_-]?[Kk]ey)?|SECRET(?:_KEY)?|[Pp]assw(?:or)?d|PASSW(?:OR)?D|[Aa]pi[_-]?[Kk]ey|API[_-]?KEY
                 |[Aa]ccess[_-]?[Kk]ey(?:[_-]?[Ii]d)?|ACCESS_KEY(?:_ID)?|AccountKey|SAS_KEY)["']?[ ]{0,2}[:=][ ]{0,2}["']?)
                (?!<|None\b|null\b|True\b|False\b|\$|["'])
                (?=[^\s"',;)}]{0,200}[\dA-Z+/=])([^\s"',;)}<>]{8,512})""",
            re.VERBOSE,
        ),
        r"\1<secret>",
        _ENDS,
    ),
    _Secret(
        # --name value
        _KEY_FLAGS,
        re.compile(
            r"""((?<![\w-])--?[\w-]{0,40}(?:token|secret|password|passwd|key)[ ]["']?)(?!<|\$|-|None\b)([^\s"',;)}<>`]{6,512})""",
        ),
        r"\1<secret>",
    ),
    _Secret(
        ("://",),
        re.compile(r"://[^\s/@:<>\"']{0,256}(?::[^\s/@<>\"']{0,256})?@"),
        "://<credentials>@",
    ),
    _Secret(
        ("s3://", "gs://", "az://", "abfs", "oss://", "wasb"),
        re.compile(r"\b((?:s3a?|gs|az|abfss?|oss|wasbs?)://)[^\s/<>\"']{1,255}"),
        r"\1<bucket>",
    ),
    _Secret(("@",), re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?!sha256)[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b"), "<email>"),
    _Secret(
        ("/home/", "/Users/", "\\Users\\", "/data/home/"),
        re.compile(r"((?:/home/|/Users/|\\Users\\))(?!<|user/|ubuntu/|vllm/|app/|ray/|jovyan/)[^\s/\\:\"'<>,;)]{1,64}"),
        r"\1<user>",
    ),
    _Secret(
        ("ip=", "host", "Host", "HOST", "addr", "node", "NODE"),
        re.compile(
            r"\b((?:host(?:name)?|master_addr|node_?name|ray_head|head_?node)['\"]?[ ]?[=:][ ]?['\"]?)(?!localhost|None|null|0\.0\.0\.0|127\.|<|\$|(?:\w+\.)?(?:huggingface\.co|hf-mirror\.com|modelscope\.\w+|github\.com|pypi\.org)\b)([A-Za-z][\w.-]{2,253})(?![\w(])",  # public hosts stay
            re.IGNORECASE,
        ),
        r"\1<host>",
    ),
    _Secret(
        (".internal", ".local", ".corp", ".lan", ".compute", ".intra", ".svc"),
        re.compile(r"(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:internal|local|corp|lan|intra(?:net)?|svc)\b(?![\w(/]*\.py)"),
        "<host>",
    ),
    _Secret(
        (".",),
        re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?!\w)(?!\.\d)"),
        _keep_public_address,
    ),
    _Secret(("::", "fe80:", "fd00:"), re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}:?[0-9a-f]{1,4}(?![\w:])"), "<ip>"),
)
_UUID = re.compile(
    r"\b(GPU|MIG)-(?:GPU-)?([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"
)
_PLACE = "00000000-0000-0000-0000-"


def scrub(text: str) -> str:
    """Return the text with secrets replaced by what they were; doing it again changes nothing.

    Model names, the last parts of paths, numbers and versions stay. Lines keep their number.

    >>> scrub("HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123 vllm serve /home/ann/models/m")
    'HF_TOKEN=<token> vllm serve /home/<user>/models/m'
    """
    for _ in range(MOST_PASSES):
        before = text
        for secret in _SECRETS:
            if secret.may_occur(text):
                text = secret.pattern.sub(secret.instead, text)
        if text == before:
            break
    return _number_uuids(text) if "GPU-" in text or "MIG-" in text else text


def _number_uuids(text: str) -> str:
    """Replace each GPU's identity by a number in the same shape, so that rows can still be matched."""
    taken = [
        int(found[2][24:]) for found in _UUID.finditer(text) if found[2].startswith(_PLACE) and found[2][24:].isdigit()
    ]
    numbers: dict[str, int] = {}
    first = max(taken, default=0) + 1

    def number(found: re.Match[str]) -> str:
        identity = found[2].lower()
        if identity.startswith(_PLACE):
            return found[0]
        place = numbers.setdefault(identity, first + len(numbers))
        return found[0][: -len(identity)] + f"{_PLACE}{place:012d}"

    return _UUID.sub(number, text)
