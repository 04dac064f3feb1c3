"""What a name calls secret: `HF_TOKEN=x`, `"password": "x y"`, `--api-key x`, "my password is x"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.reading.late import Late
from bot.reading.noise.kind import Kind
from bot.reading.noise.secret_values import hide, hide_assigned, hide_flagged, hide_spoken

# First letters and the rest of a name; `.{4}` and its like stand for the name itself where what is before it counts.
_NAMES = (
    ("t", r"(?i:oken)(?:(?<![A-Za-z].{5})|(?<=identity.{5}))"),
    ("T", r"(?i:oken)(?:(?<![A-Za-z].{5})|(?<=[a-z].{5})|(?<=[_A-Z]TOKEN))"),
    ("sS", r"(?i:ecret(?:[_ -]?access)?+(?:[_ -]?key)?+(?:_base)?+)"),
    ("pP", r"(?i:ass(?:word|wort|wd|phrase))"),
    ("pP", r"(?i:wd)(?<![A-Za-z].{3})"),
    ("pP", r"(?i:w)(?<![A-Za-z].{2})(?!\w)"),
    ("p", r"ass(?<![\w-].{4})(?=[\"']?[ ]?[=:])"),
    ("P", r"ass(?<![\w-].{4})(?==)|ASS(?:(?<=SSHPASS)|(?<![\w-].{4})(?==))"),
    ("_", r"PASS|pass(?<!forward_pass)(?<!backward_pass)|(?:auth|AUTH)(?==)|(?:KEY|PAT)(?<=[A-Z0-9].{4})"),
    ("aA", r"(?i:(?:pi|ccess|ccount|uth)[_ -]?key(?:[_-]?id)?)"),
    ("aA", r"(?i:pp(?:lication)?[_ -]?key|uthtoken)"),
    ("pP", r"(?i:sk)(?<![A-Za-z].{3})(?=[\"']?[ ]?[=:])"),
    ("sS", r"(?i:(?:igning|torage|ubscription|hared)[_ -]?key(?:[_-]?id)?)"),
    ("eE", r"(?i:ncryption[_ -]?key(?:[_-]?id)?)"),
    ("lL", r"(?i:icense[_ -]?key(?:[_-]?id)?)"),
    ("mM", r"(?i:aster[_ -]?key(?:[_-]?id)?)"),
    ("pP", r"(?i:rivate[_-]?key(?:_id)?)"),
    ("P", r"(?:rivate|reshared)Key(?=[ ]?=[ ]?[\w+/]{42,43}=)"),
    ("U", r"nseal[ ]Key[ ]\d{1,2}"),
    ("cC", r"(?i:redentials?)"),
    ("sS", r"(?i:ess(?:ion)?[_ -]?(?:id|key|token|cookie))"),
    ("sS", r"(?i:ession)(?=[\"']?[ ]?[=:])|id(?<![A-Za-z0-9].{3})(?==)"),
    ("cCxX", r"(?i:srf(?:[_-]?token)?+)(?=[\"']?[ ]?[=:])|(?i:ookie)(?<!:.{6})"),
    ("c", r"f_clearance"),
    ("A", r"WSALB(?:CORS|TG)?+(?==)|SPXAUTH"),
    ("_", r"oauth2_proxy(?==)|logged_in_\w{1,40}+(?==)"),
    ("l", r"i_at(?==)"),
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
_STEMS = (
    "oken", "OKEN", "ecret", "ECRET", "assw", "ASSW", "ssphrase", "SSPHRASE", "pw", "PW", "Pw", "pass", "Pass", "PASS", "_auth", "_AUTH", "_PAT",
    "key", "Key", "KEY", "redential", "REDENTIAL", "ssion", "SSION", "ess_id", "essid", "essId", "SESSID", "sid=", "ookie", "OOKIE", "srf", "SRF", "clearance", "psk", "PSK", "AWSALB", "ASPXAUTH", "oauth2_proxy", "logged_in_", "li_at",
     "ennwort", "mot", "Mot", "aseña", "enha", "ароль", "АРОЛЬ", "密码", "密碼", "口令", "パスワード", "비밀번호",
)  # fmt: skip
"""What is in every name, in the letters that people write; without one of them no search is worth it."""

_FLAG_ENDS = (
    "-token",
    "_token",
    "-secret",
    "_secret",
    "-passw",
    "_passw",
    "-passp",
    "_passp",
    "key",
    "apikey",
    "apiKey",
)

_VALUE = r"""
    (?:[A-Za-z_]\w{0,40}\((?=["']))?+(?:[bBfFrRuU]{1,2}(?=["']))?+(?:""(?=")|''(?='))?+       # of Python: SecretStr("x"), an f before it, three quotes
    (?:"(?P<double>(?<=\\")[^"\n]++|(?:[^"\\\n]++|\\.)++)"      # an escaped quote ends a value that one began
      |'(?P<single>(?<=\\')[^'\n]++|(?:[^'\\\n]++|\\.)++)'
      |["'`]?(?P<plain>[^\s"'`,;)}\]<>&|]++))"""
_ASSIGNED = Late(
    rf"""(?P<kind>{_NAME})
    (?P<join>
        (?:\\?["'])?\]?(?:[ ]\[[\w*]{{0,20}}\])?[ \t]{{0,64}}(?:=(?!=)>?|:=?|[：＝]|%3[Dd])[ \t]{{0,64}}+\[?+\\?+   # name=value, "name": "value", env["NAME"] = "value"
      | ["']?[ ]{{0,2}},[ ]{{0,2}}["']?value["']?[ ]{{0,2}}:[ ]{{0,2}}    # {{name: NAME, value: value}}
      | ["'][ ]{{1,4}}value[ ]?=[ ]?(?=["'])                               # of an XML attribute
      | ["']?[ ]{{0,64}}\n[ ]{{0,64}}["']?value["']?:[ ]{{0,64}}           # of a manifest
      | (?<=[令码碼ド])[是は][ ]?
      | >(?=[^<>\n]{{1,512}}+</[\w:.-]{{0,40}}(?P=kind)>)           # of an XML element
      | (?:["']|</\w{{1,20}}>\s{{0,20}}<\w{{1,20}})>(?=[^<>\n]{{1,512}}+</)    # of an element that is called so, of the next cell
      | ["']?:[ ]{{0,4}}[|>][+-]?[ ]{{0,4}}\n[ ]{{1,64}}                     # of a block in YAML
      | ["'],[ ]{{0,4}}(?=["'])                                             # handed to a function that keeps it
    )(?!["']?<)(?:{_VALUE})""",
    re.VERBOSE,
)
_SPOKEN = Late(
    rf"""(?P<kind>{_NAME})
    (?P<join>
        [ ]{{1,4}}+(?:(?:is|was|ist|war|lautet|est|es|era|é|foi):?[ ]{{1,2}}|(?=\S*\d))   # in a sentence
      | [ ]{{0,64}}[|\t][ \t]{{0,64}}                                            # in a table
    )(?!["']?<)(?:{_VALUE})""",
    re.VERBOSE,
)
_FLAG = Late(
    rf"""(?P<kind>token(?<=[-_]token)|secret(?<=[-_]secret)|pass(?:word|wd|phrase)|api[kK]ey|key(?<=[-_a-z]key))
    (?P<join>
        [ \t]{{1,64}}(?:[\\^`][ \t]{{0,64}}\n[ \t]{{0,64}})?            # --name value, also on the line below
      | ["'][ ]{{0,4}},[ ]{{0,64}}\n?[ ]{{0,64}}(?=["'])               # of a list
      | ["']?[ \t]{{0,64}}\n[ \t]{{0,64}}-[ \t]{{1,8}}                  # of a list in YAML
    )(?!["']?<|[-\\^]|`\s)(?:{_VALUE})""",
    re.VERBOSE,
)

# What stands behind words with no sign between: netrc, Dockerfile, command lines, calls.
_PLACED = Late(
    rf"""(?P<kind>
        machine\s{{1,20}}\S{{1,200}}+\s{{1,20}}(?:(?:login|account)\s{{1,20}}\S{{1,80}}+\s{{1,20}})?password
      | login\s{{1,20}}\S{{1,80}}+\s{{1,20}}password
      | (?:user(?:name)?|account)(?:[ ]?[:=]|[ ]is)?[ ]{{1,2}}["']?(?!\w{{1,20}}(?:ed|ing)[ ])[^\s"',;:=]{{1,64}}+["']?[,;/]?[ ]{{1,2}}(?:and[ ])?(?:pass(?:word|wd)?|pwd?)
      | ENV[ ]{{1,8}}[A-Z0-9_]{{0,60}}(?:TOKEN|KEY|SECRET|PASSWORD)
      | :_authToken(?=[ ])
      | --from-literal[= ]["']?[\w.-]{{1,80}}
      | wandb[ ]login(?:[ ]--?[\w=:/.-]{{1,80}}+){{0,4}}+(?=[ ][\w-]{{20,128}})
      | login\((?:[^\n()]{{0,80}}?[ ,])?key(?=[ ]?=)
    )(?P<join>\s{{1,20}}|[ ]?=[ ]?)(?!["']?<){_VALUE}""",
    re.VERBOSE,
)
_BESIDE_WANDB = Late(
    r"""(?P<lead>wandb(?::[ ]|[^\n]{0,60}?\b(?:key|login|user|password)\b[^\n]{0,20}?(?<![\w/@-])))[0-9a-f]{40}(?!\w)""",
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
    Kind("what a sign or a line joins to a secret's name", _STEMS, _ASSIGNED, hide_assigned),
    Kind("what follows a flag that is a secret's name", _FLAG_ENDS, _FLAG, hide_flagged),
    Kind("what a sentence or a table says a secret is", _STEMS, _SPOKEN, hide_spoken),
    Kind(
        "what stands in a secret's place",
        ("machine", "login", "user", "account", "ENV ", "_authToken", "--from-literal"),
        _PLACED,
        hide,
    ),
    Kind("forty hexadecimal digits beside a login of Weights & Biases", ("wandb",), _BESIDE_WANDB, r"\g<lead><secret>"),
    Kind("what a prompt for a key is answered", ("enter: ", "here: "), _ASKED, _hide_asked),
    Kind("the further keys of a server", ("<secret>", "<token>", "--api-key"), _FURTHER, _hide_further),
)
