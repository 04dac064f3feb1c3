"""Which values that stand behind a secret's name are secret: no placeholder, no count, and nothing that people say of one."""

from __future__ import annotations

import re

from bot.reading.noise.placeholders import is_placeholder

_ABROAD = ("passwort", "kennwort", "mot", "contrase", "senha")
# Names of counts and of signs in a text, which are no secrets.
_COUNTED = """eos bos pad unk stop special image video audio mask sep cls begin end eot next new first last per each of input output
    prompt draft speculative decode prefill added extra time single one start"""
# What people say of a secret: "the token is invalid", "password: required", "token: str".
_SAID = """not no is was are be being missing required needed invalid valid expired wrong correct incorrect empty blank unset set found used accepted
    rejected denied error failed failure the a an in on for to from by with via at as if it its that this these must should can could may will and or of out too
    here there already also only still now never always ok fine okay str string int bool bytes optional auto default latency limit rate budget usage level file path
    management authentication auth mounted ignored longer unknown undefined unauthorized forbidden protected above below shown hidden stored saved kept read given value id ids
    flag option argument parameter header variable setting field does did has have when while because but see
    falsch fehlt ungültig incorrecta incorrecto incorrecte inválido inválida inválid invalido invalida requerida requis obligatoire erforderlich"""
_COUNTS, _SAID_WORDS = tuple(_COUNTED.split()), frozenset(_SAID.split())
_SESSIONS = frozenset(("session", "sid", "cookie"))  # also of a database, a terminal and a kitchen
_KEEPERS = re.compile(r"(?:env|setdefault|config|secret|putsecret)\([\"']")
_VARIABLE = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
_CODE = re.compile(r"[A-Za-z_]\w*+(?:\.\w++)++[(\[]")  # os.environ["NAME"], tokenizer.decode(ids)
_WORD = re.compile(r"\w++(?!-\w)")
_COUNT = re.compile(r"\d[\d.,_]{0,12}\s?[a-z%]{0,3}(?![\w-])", re.IGNORECASE)
_STOPS = ".,:;!?。，：；"  # where a sentence ends
_RANDOM = re.compile(r"[A-Za-z0-9+/=_!@#$%^*]+")  # no model's name, path or version


def hide(found: re.Match[str]) -> str:
    """Return a name with its value hidden; a placeholder, a count and what people say of a secret stay."""
    value = _value_of(found)
    return found[0] if not value or _stays(found, value) else _without(found, value)


def hide_assigned(found: re.Match[str]) -> str:
    """Return the same; two texts in a list are a name and its value only where a function keeps them."""
    is_list = found["join"].strip("\"' ") == ","
    is_kept = (is_list and not _KEEPERS.search(_before(found))) or _is_mount(found)
    return found[0] if is_kept else hide(found)


def hide_spoken(found: re.Match[str]) -> str:
    """Return the same where a sentence or a table tells the value, and the value looks like a secret."""
    value = _value_of(found)
    is_kept = not value or _stays(found, value) or (found["plain"] is not None and not _is_told(found, value))
    return found[0] if is_kept else _without(found, value)


def hide_flagged(found: re.Match[str]) -> str:
    """Return the same where the name is a flag's and the value stands behind it."""
    before = found.string[max(0, found.start() - 60) : found.start()]
    is_flag = before[-1:].strip() and before.rsplit(None, 1)[-1].lstrip("\"'`[(,={").startswith("-")
    return hide(found) if is_flag else found[0]


def _is_mount(found: re.Match[str]) -> bool:
    """Return whether a path's last part stands before another path, or before how it is mounted: `-v /a/token:/b/token:ro`."""
    is_path = found["join"] == ":" and _before(found)[-1:] == "/"
    return is_path and found["plain"] is not None and found["plain"].startswith(("/", "ro", "rw"))


def _value_of(found: re.Match[str]) -> str:
    return (found["double"] or found["single"] or found["plain"].rstrip(_STOPS)).removesuffix("\\")


def _without(found: re.Match[str], value: str) -> str:
    start = found.start(found.lastgroup or 0) - found.start()
    return f"{found[0][:start]}<secret>{found[0][start + len(value) :]}"


def _before(found: re.Match[str]) -> str:
    return found.string[max(0, found.start() - 17) : found.start()]


def _is_password(kind: str) -> bool:
    return kind.lower().lstrip("_").startswith(("pass", "pw"))


def _is_abroad(kind: str) -> bool:
    """Return whether a name of another language than English calls it secret."""
    return not kind.isascii() or kind.lower().startswith(_ABROAD)


def _stays(found: re.Match[str], value: str) -> bool:
    kind = found["kind"]
    word = _WORD.match(value)
    said = word[0].lower() if word else ""
    if _is_placeholder(found, value):
        return True
    if found["plain"] is not None and (
        said in _SAID_WORDS or value == kind or _CODE.match(value) or _is_prose(found, value)
    ):
        return True
    if kind.lower() in _SESSIONS:
        return "=" in value.rstrip("=") or not is_mixed(value, 8)
    if _is_password(kind):
        return _is_no_password(found, value)
    if _is_abroad(kind):
        return not value.isascii()  # 密码：错误
    return _is_count(value) or _before(found).lower().removesuffix("_").rstrip(" -").endswith(_COUNTS)


def _is_placeholder(found: re.Match[str], value: str) -> bool:
    """Return whether nothing was given: `hf_...`, a variable's name, and `hf_<token>`, of which we see the beginning."""
    if value[-1] in "_-" and found.string.startswith("<", found.end()):
        return True
    plain = found["plain"] or value  # with the dots that a sentence may end with
    return is_placeholder(value) or (plain != value and is_placeholder(plain)) or bool(_VARIABLE.fullmatch(value))


def _is_prose(found: re.Match[str], value: str) -> bool:
    """Return whether a sentence goes on behind the colon: "token: Slack says so"."""
    is_sentence = found["join"] == ": " and found.string[found.end() : found.end() + 2].strip().isalpha()
    return is_sentence and value.isalpha() and found["kind"].lower() == "token"


def _is_no_password(found: re.Match[str], value: str) -> bool:
    """Return whether what looks like a password is the folder that a shell is in, a count of what passed, or a pass of a compiler."""
    kind = found["kind"]
    if kind.lower() == "pwd":
        return value.startswith(("/", "~"))
    is_pass = kind == "pass" and found["join"][:1] != "="
    return (kind == "pass" and _is_count(value)) or (is_pass and _before(found).rstrip(" ")[-1:].isalnum())


def _is_count(value: str) -> bool:
    return value[0].isdigit() and _COUNT.fullmatch(value) is not None


def _is_told(found: re.Match[str], value: str) -> bool:
    """Return whether a word behind a name is its secret: after "is" of a password any, else one that no word looks like."""
    kind, join = found["kind"], found["join"].strip(" |\t")
    is_password = _is_password(kind) or _is_abroad(kind)
    if join and is_password:
        return True
    is_named = is_password or kind.isupper() or kind.lower().startswith("sess") or _before(found)[-1:] == "_"
    least = 6 if join or is_password else 8 if is_named else 24
    return is_mixed(value, least)


def is_mixed(value: str, least: int) -> bool:
    """Return whether at least so many letters and digits stand together as in no word, name or path."""
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_both and len(value) >= least and _RANDOM.fullmatch(value) is not None
