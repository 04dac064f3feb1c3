"""Tokens that their own letters give away: a provider's beginning, or more change of case and digits than words have."""

from __future__ import annotations

import itertools
import re

from bot.reading.late import Late

TOKEN_HINTS = (
    "hf_", "api_org_", "sk-", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "xox", "xapp-", "nvapi-", "AKIA", "ASIA",
    "ABIA", "ACCA", "ABSK", "IQoJb", "FwoGZX", "AIza", "GOCSPX-", "//g", "pypi-", "dckr_", "r_", "gsk_", "ya.", "eyJ", "npm_", "wandb_", "k_live_", "k_test_", "hvs.", "hvb.", "SG.", "AQ.",
    "dapi", "dose", "_v_", "lsv_", "xai-", "pplx-", "tskey-", "AGE-SECRET-KEY-", "bot:", "SK", "AC", "key-", "-us", "shpat_", "rpa_", "glsa_", "glc_", "NRAK-", "HRKU-", "pul-", "local-", "ATBB", "ATATT", "Q~",
    "::server:", "::node:", "$apr$", "$$", "$y$", "$a$", "$b$",
)  # fmt: skip
"""Without digits: "r_" and "ya." are "r8_" and "ya29."."""

TOKEN = Late(
    r"""(?<![A-Za-z0-9])(?:
        (?:hf|api_org|gh[oprsu]|github_pat|dckr_[po]at|r8|gsk|npm|wandb_v\d|[prs]k_(?:live|test)|do[opr]_v1|tgp_v1|lsv2_[a-z]{2}|shpat|rpa|glsa|glc)_[A-Za-z0-9_-]{16,255}
      | (?:sk|gl(?:pat|dt|rt|cbt|ft|soat)|nvapi|xox[a-z](?:\.xox[a-z])?|xapp|pypi|pplx|xai|tskey|AGE-SECRET-KEY|GOCSPX|NRAK|HRKU)-[A-Za-z0-9_%-]{10,255}
      | (?:hv[bs]|SG|AQ)\.(?=[A-Za-z_-]{0,60}\d)[\w.-]{20,255} | (?:dapi|dose)[0-9a-f]{32}(?:-\d)? | bot\d{6,12}:[\w-]{30,60}
      | (?:SK|AC)[0-9a-f]{32}(?:[\s'",:/]{1,8}(?:auth[ ]token[ ]?:?[ ])?[0-9a-f]{32}(?!\w))? | (?:key-|local-)[0-9a-f]{32,40}(?![\w-]) | pul-[0-9a-f]{40} | [0-9a-f]{32}-us\d{1,2}(?!\w)
      | K10[0-9a-f]{64}::(?:server|node):\w{16,128}                 # of a k3s cluster
      | (?:A[KBS]IA|ACCA)[A-Z0-9]{16} | (?:ABSK|IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/=]{20,4096} | AIza[\w-]{30,45} | ya29\.[\w-]{20,255} | 1//0g[\w-]{30,255}
     | ATBB[A-Za-z0-9]{28,36} | ATATT3[\w=-]{60,255} | \w{3}\dQ~[\w.~-]{30,40}
      | [MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,40}         # of a chat's bot
      | eyJ[\w-]{8,2000}\.[\w-]{8,4000}(?:\.[\w-]{0,4000}){0,3}   # a JSON web token, signed or encrypted
      | eyJ[A-Za-z0-9+/]{40,8000}={0,2}                         # JSON in base64
    ) | \$(?:apr1|[156y]|2[aby])\$[./A-Za-z0-9$,=]{20,200}       # a password's hash""",
    re.VERBOSE,
)

# Beginnings, and how many signs follow: what is short of them at a line's end goes on on the next.
_WHOLE = {"hf_": 34, "ghp_": 36, "gho_": 36, "ghs_": 36, "ghu_": 36, "npm_": 36, "r8_": 37, "gsk_": 52, "glpat-": 20, "AKIA": 16, "ASIA": 16, "AIza": 35, "dapi": 32}  # fmt: skip
_LINE_END = r"[ \t]{0,4}\n[ \t>|]{0,16}"
_GAP = (
    rf"(?:{_LINE_END}|[ ](?![a-z]{{1,60}}(?![\w-])))"  # a word of small letters behind a blank is the line's next word
)
CUT_HINTS = tuple(begun.translate({ord("8"): None}) for begun in _WHOLE)
CUT = Late(
    rf"(?<![A-Za-z0-9])(?P<begun>{'|'.join(_WHOLE)})(?P<head>[\w-]{{0,60}})(?P<rests>(?:{_GAP}[\w-]{{1,60}}){{1,6}})"
)

RUN = Late(r"(?<![\w])((?:[A-Za-z0-9]{2,12}[_-]){0,3})([A-Za-z0-9]{20,512})(?![\w])")
RUN_TRACE = Late(r"[A-Za-z]{13}")
"""What is left of a run without its digits, of which a random one has less than a third."""

_REST = Late(
    rf"""(<(?:token|secret)>)["']?(?=[ \t]{{0,4}}\n)(?P<rests>(?:{_LINE_END}[A-Za-z0-9+/=_.-]{{10,4096}}(?=["'\s,;]|\Z)){{1,40}})"""
)
_PIECE = re.compile(rf"(?P<gap>{_LINE_END})(?P<piece>[A-Za-z0-9+/=_.-]{{10,4096}})")

_PART = re.compile(rf"(?P<gap>{_GAP})(?P<piece>[\w-]{{1,60}})")

LONE = 28
"""Characters of a run that counts with no beginning before it; shorter ones are marks of builds, pods and machines."""

MOST_LIKE_WORDS = 0.44
"""Of a word's neighbours so many differ in kind at most; of random letters and digits 0.6 do."""


def hide_cut(found: re.Match[str]) -> str:
    """Return a token that lines' ends cut hidden, on each of the lines, when its parts make a whole."""
    length, shown = len(found["head"]), "<token>"
    for part in _PART.finditer(found["rests"]):
        length += len(part["piece"])
        shown += f"{part['gap']}<token>"
        if length == _WHOLE[found["begun"]]:
            return shown + found["rests"][part.end() :]
    return found[0]


def hide_random(found: re.Match[str]) -> str:
    """Return a run of random letters and digits hidden, with its beginning; hashes, names and words stay."""
    is_long = len(found[2]) >= LONE or bool(found[1])
    return "<token>" if is_long and any(map(str.isdigit, found[2])) and _is_random(found[2]) else found[0]


def hide_rests(text: str) -> str:
    r"""Return the text without what follows a hidden token on the next lines, where a terminal wrapped it.

    >>> hide_rests("k=<token>\nKq3RzYp8WmXv")
    'k=<token>\n<token>'
    """
    return _REST.regex.sub(_hide_pieces, text) if "<" in text else text


def _hide_pieces(found: re.Match[str]) -> str:
    start = found.start("rests") - found.start()
    shown, rests = found[0][:start], found["rests"]
    end = 0
    for piece in itertools.takewhile(lambda piece: _is_random(piece["piece"]), _PIECE.finditer(rests)):
        shown += f"{piece['gap']}<token>"
        end = piece.end()
    return shown + rests[end:]


def _is_random(run: str) -> bool:
    """Return whether letters of both cases, and digits, follow each other as in no word, name or hash."""
    is_mixed = any(map(str.islower, run)) and any(map(str.isupper, run))
    kinds = [(sign.islower(), sign.isupper(), sign.isdigit()) for sign in run]
    changes = sum(one != other for one, other in itertools.pairwise(kinds))
    return is_mixed and changes > MOST_LIKE_WORDS * (len(run) - 1)
