"""What a name calls secret: `HF_TOKEN=x`, `"password": "x y"`, `--api-key x`, "my password is x"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.reading.late import Late
from bot.reading.noise.kind import Kind

# First letters and the rest of a name; `.{4}` and its like stand for the name itself where what is before it counts.
_NAMES = (
    ("t", r"(?i:oken)(?:(?<![A-Za-z].{5})|(?<=identity.{5}))"),
    ("T", r"(?i:oken)(?:(?<![A-Za-z].{5})|(?<=[a-z].{5})|(?<=[_A-Z]TOKEN))"),
    ("sS", r"(?i:ecret(?:[_ -]?access)?+(?:[_ -]?key)?+(?:_base)?+)"),
    ("pP", r"(?i:ass(?:word|wort|wd|phrase))"),
    ("pP", r"(?i:wd)(?<![A-Za-z].{3})"),
    ("pP", r"(?i:w)(?<![A-Za-z].{2})(?!\w)"),
    ("p", r"ass(?<![\w-].{4})(?=[\"']?[ ]?[=:])"),
    ("P", r"ASS(?:(?<=SSHPASS)|(?<![\w-].{4})(?==))"),
    ("_", r"PASS|pass(?<!forward_pass)(?<!backward_pass)|(?:auth|AUTH)(?==)|(?:KEY|PAT)(?<=[A-Z0-9].{4})"),
    ("aA", r"(?i:(?:pi|ccess|ccount|uth)[_ -]?key(?:[_-]?id)?)"),
    ("sS", r"(?i:(?:igning|torage|ubscription|hared)[_ -]?key(?:[_-]?id)?)"),
    ("eE", r"(?i:ncryption[_ -]?key(?:[_-]?id)?)"),
    ("lL", r"(?i:icense[_ -]?key(?:[_-]?id)?)"),
    ("mM", r"(?i:aster[_ -]?key(?:[_-]?id)?)"),
    ("p", r"rivate_key_id"),
    ("P", r"(?:rivate|reshared)Key(?=[ ]?=[ ]?[\w+/]{42,43}=)"),
    ("U", r"nseal[ ]Key[ ]\d{1,2}"),
    ("cC", r"(?i:redentials?)"),
    ("kK", r"(?i:ennwort)"),
    ("mM", r"(?i:ots?[ ]de[ ]passe)"),
    ("cC", r"(?i:ontraseña)"),
    ("sS", r"(?i:enha)"),
    ("пП", r"(?i:ароль)"),
    *(("密", "[码碼]"), ("口", "令"), ("パ", "スワード"), ("비", "밀번호")),
)


def _by_first_letter(names: Iterable[tuple[str, str]]) -> str:
    """Return the pattern of any of the names: `re` looks for their first letters, and at one of them tries few names."""
    rests: dict[str, list[str]] = {}
    for letters, rest in names:
        for letter in letters:
            rests.setdefault(letter, []).append(rest)
    return "|".join(f"{letter}(?:{'|'.join(behind)})" for letter, behind in rests.items())


_NAME = _by_first_letter(_NAMES)
_ABROAD = ("passwort", "kennwort", "mot", "contrase", "senha")
_STEMS = (
    "oken", "OKEN", "ecret", "ECRET", "assw", "ASSW", "ssphrase", "SSPHRASE", "pw", "PW", "Pw", "pass", "PASS", "_auth", "_AUTH", "_PAT",
    "key", "Key", "KEY", "redential", "REDENTIAL", "ennwort", "mot", "Mot", "aseña", "enha", "ароль", "АРОЛЬ", "密码", "密碼", "口令", "パスワード", "비밀번호",
)  # fmt: skip
"""What is in every name, in the letters that people write; without one of them no search is worth it."""

_FLAG_ENDS = ("-token", "_token", "-secret", "_secret", "-passw", "_passw", "-passp", "_passp", "key", "apikey")

_VALUE = r"""(?:"(?P<double>[^"\n]++)"|'(?P<single>[^'\n]++)'|["'`]?(?P<plain>[^\s"'`,;)}\]<>&|]++))"""
_ASSIGNED = Late(
    rf"""(?P<kind>{_NAME})
    (?P<join>
        (?:\\?["'])?\]?(?:[ ]\[[\w*]{{0,20}}\])?[ \t]{{0,64}}(?:=>?|:=?|[：＝]|%3[Dd])[ \t]{{0,64}}+\[?+\\?+   # name=value, "name": "value", env["NAME"] = "value"
      | ["']?[ ]{{0,2}},[ ]{{0,2}}["']?value["']?[ ]{{0,2}}:[ ]{{0,2}}    # {{name: NAME, value: value}}
      | ["'][ ]{{1,4}}value[ ]?=[ ]?(?=["'])                               # of an XML attribute
      | ["']?[ ]{{0,64}}\n[ ]{{0,64}}["']?value["']?:[ ]{{0,64}}           # of a manifest
      | (?<=[令码碼ド])[是は][ ]?
      | >(?=[^<>\n]{{1,512}}+</[\w:.-]{{0,40}}(?P=kind)>)           # of an XML element
    )(?!["']?<)(?:{_VALUE})""",
    re.VERBOSE,
)
_SPOKEN = Late(
    rf"""(?P<kind>{_NAME})
    (?P<join>
        [ ](?:(?:is|was|ist|war|lautet|est|es|era|é|foi):?[ ]{{1,2}}|(?=\S*\d))   # in a sentence
      | [ ]{{0,64}}[|\t][ \t]{{0,64}}                                            # in a table
    )(?!["']?<)(?:{_VALUE})""",
    re.VERBOSE,
)
_FLAG = Late(
    rf"""(?P<kind>token(?<=[-_]token)|secret(?<=[-_]secret)|pass(?:word|wd|phrase)|apikey|key(?<=[-_a-z]key))
    (?P<join>
        [ \t]{{1,64}}(?:[\\^`][ \t]{{0,64}}\n[ \t]{{0,64}})?            # --name value, also on the line below
      | ["'][ ]{{0,4}},[ ]{{0,64}}\n?[ ]{{0,64}}(?=["'])               # of a list
      | ["']?[ \t]{{0,64}}\n[ \t]{{0,64}}-[ \t]{{1,8}}                  # of a list in YAML
    )(?!["']?<|[-\\^]|`\s)(?:{_VALUE})""",
    re.VERBOSE,
)

# Names of counts and of signs in a text, which are no secrets.
_COUNTED = """eos bos pad unk stop special image video audio mask sep cls begin end bot eot next new first last per each of input output
    prompt draft speculative decode prefill added extra time single one start"""
_PLACEHOLDERS = ("<", "$", "%", "{", "***", "xxx", "XXX", "...")
# What stands for a secret, or what people say of it: "the token is invalid", "password: required", "token: str".
_EMPTY = "none null nil true false empty redacted changeme"
_SAID = """not no is was are be being missing required needed invalid valid expired wrong correct incorrect empty blank unset set found used accepted
    rejected denied error failed failure the a an in on for to from by with via at as if it its that this these must should can could may will and or of out too
    here there already also only still now never always ok fine okay str string int bool bytes optional auto default latency limit rate budget usage level file path
    management authentication auth mounted ignored longer unknown undefined unauthorized forbidden protected above below shown hidden stored saved kept read given value id ids
    flag option argument parameter header variable setting field does did has have when while because but
    falsch fehlt ungültig incorrecta incorrecto incorrecte inválido inválida inválid invalido invalida requerida requis obligatoire erforderlich"""
_COUNTS, _EMPTY_WORDS, _SAID_WORDS = tuple(_COUNTED.split()), frozenset(_EMPTY.split()), frozenset(_SAID.split())
_WORD = re.compile(r"\w++")
_COUNT = re.compile(r"\d[\d.,_]{0,12}\s?[a-z%]{0,3}(?![\w-])", re.IGNORECASE)
_STOPS = ".,:;!?。，：；"  # where a sentence ends
_RANDOM = re.compile(r"[A-Za-z0-9+/=_!@#$%^*]+")  # no model's name, path or version


def _hide(found: re.Match[str]) -> str:
    """Return a name with its value hidden; a placeholder, a count and what people say of a secret stay."""
    value = _value_of(found)
    return found[0] if not value or _stays(found, value) else _without(found, value)


def _hide_spoken(found: re.Match[str]) -> str:
    """Return the same where a sentence or a table tells the value, and the value looks like a secret."""
    value = _value_of(found)
    is_kept = not value or _stays(found, value) or (found["plain"] is not None and not _is_told(found, value))
    return found[0] if is_kept else _without(found, value)


def _hide_flagged(found: re.Match[str]) -> str:
    """Return the same where the name is a flag's and the value stands behind it."""
    before = found.string[max(0, found.start() - 60) : found.start()]
    is_flag = before[-1:].strip() and before.rsplit(None, 1)[-1].lstrip("\"'`[(,={").startswith("-")
    return _hide(found) if is_flag else found[0]


def _value_of(found: re.Match[str]) -> str:
    return found["double"] or found["single"] or found["plain"].rstrip(_STOPS).removesuffix("\\")


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
    if value.startswith(_PLACEHOLDERS) or said in _EMPTY_WORDS or (found["plain"] is not None and said in _SAID_WORDS):
        return True
    if _is_password(kind):
        return _is_no_password(found, value)
    if _is_abroad(kind):
        return not value.isascii()  # 密码：错误
    return _is_count(value) or _before(found).lower().removesuffix("_").rstrip(" -").endswith(_COUNTS)


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
    is_mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    is_named = is_password or kind.isupper() or _before(found)[-1:] == "_"
    least = 6 if join or is_password else 8 if is_named else 24
    return is_mixed and len(value) >= least and _RANDOM.fullmatch(value) is not None


# What stands behind words with no sign between: netrc, Dockerfile, command lines, calls.
_PLACED = Late(
    rf"""(?P<kind>
        machine\s{{1,20}}\S{{1,200}}+\s{{1,20}}(?:(?:login|account)\s{{1,20}}\S{{1,80}}+\s{{1,20}})?password
      | login\s{{1,20}}\S{{1,80}}+\s{{1,20}}password
      | ENV[ ]{{1,8}}[A-Z0-9_]{{0,60}}(?:TOKEN|KEY|SECRET|PASSWORD)
      | :_authToken(?=[ ])
      | --from-literal[= ]["']?[\w.-]{{1,80}}
      | wandb[ ]login(?:[ ]--?[\w=:/.-]{{1,80}}+){{0,4}}+(?=[ ][\w-]{{20,128}})
      | login\((?:[^\n()]{{0,80}}?[ ,])?key(?=[ ]?=)
    )(?P<join>\s{{1,20}}|[ ]?=[ ]?)(?!["']?<){_VALUE}""",
    re.VERBOSE,
)
_ASKED = Late(r"(?P<lead>(?:enter|here): )[\w-]{20,128}")
# Several keys of one server: of `api_key=['<secret>', 'x']`, and of `--api-key <secret> x`, where x is no model's name.
_FURTHER = Late(
    r"""\[["']<(?:secret|token)>["'](?P<list>(?:,[ ]?(?:"[^"\n]*+"|'[^'\n]*+'))++)
      | --api-key[ =](?P<row>(?:<(?:secret|token)>[ ])++(?:(?=[A-Za-z_]{0,255}\d)(?=\d{0,255}[A-Za-z_])\w{16,512}+(?!\S)[ ]?)++)""",
    re.VERBOSE,
)
_FURTHER_ONE = re.compile(r"""(?<=["'])[^"'\n<,][^"'\n]*+(?=["'])|(?<![<\w])\w++(?![>\w])""")


def _hide_asked(found: re.Match[str]) -> str:
    """Return what a prompt was answered, hidden if it asked for a key."""
    asked = found.string[max(0, found.start() - 80) : found.start()].lower()
    return f"{found['lead']}<secret>" if "key" in asked or "token" in asked else found[0]


def _hide_further(found: re.Match[str]) -> str:
    """Return the first secret of several with the others hidden too."""
    held = "list" if found["list"] else "row"
    return found[0][: found.start(held) - found.start()] + _FURTHER_ONE.sub("<secret>", found[held])


NAMED_SECRETS = (
    Kind("what a sign or a line joins to a secret's name", _STEMS, _ASSIGNED, _hide),
    Kind("what follows a flag that is a secret's name", _FLAG_ENDS, _FLAG, _hide_flagged),
    Kind("what a sentence or a table says a secret is", _STEMS, _SPOKEN, _hide_spoken),
    Kind(
        "what stands in a secret's place", ("machine", "login", "ENV ", "_authToken", "--from-literal"), _PLACED, _hide
    ),
    Kind("what a prompt for a key is answered", ("enter: ", "here: "), _ASKED, _hide_asked),
    Kind("the further keys of a server", ("<secret>", "<token>", "--api-key"), _FURTHER, _hide_further),
)
