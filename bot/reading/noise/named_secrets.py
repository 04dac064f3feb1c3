"""What a name calls secret: `HF_TOKEN=x`, `"password": "x y"`, `--api-key x`, "my password is x"."""

from __future__ import annotations

import re

from bot.reading.late import Late

STEMS = (
    "oken", "OKEN", "ecret", "ECRET", "ssword", "SSWORD", "asswd", "ASSWD", "ssphrase", "SSPHRASE", "pwd", "PWD", "Pwd", "HPASS", "_AUTH", "_auth", "_pass", "_PASS",
    "_key", "-key", "_KEY", "-KEY", " key", " Key", " KEY", "piKey", "pikey", "PIKEY", "ssKey", "ntKey", "teKey", "etKey", "edKey", "eal Key", "ntitytoken", "-Key", "ey_id", "EY_ID", "ey_ID", "_PAT", "redential", "REDENTIAL",
    "sswort", "ennwort", "asse", "aseña", "senha", "ароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "literal", "_BASE", "pass ",
)  # fmt: skip
"""How the names end that call something secret; without one of them no search is worth it."""

ENDS = ("=", ":", ">", '"', "'", "]", "\\", ",", " ", "\t", "：", "＝", "%D", "是", "は")

# Names of counts and of signs in a text, which are no secrets.
_NO_SECRET = re.compile(
    r"""(?:eos|bos|pad|unk|stop|special|image|video|audio|mask|sep|cls|begin|end|bot|eot|next|new|first|last|per|each|of|input|output
          |prompt|draft|speculative|decode|prefill|added|extra|time|single|one|start)[_ -]?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[<$%{]|\*{3}|x{3,}|\.{3}|(?:none|null|nil|true|false|empty|redacted|changeme)\b", re.IGNORECASE
)
_COUNT = re.compile(r"\d[\d.,_]{0,12}\s?[a-z%]{0,3}(?![\w-])", re.IGNORECASE)
# What people say of a secret, rather than the secret: "the token is invalid", "password: required", "token: str".
_SAID = re.compile(
    r"""(?:not|no|is|was|are|be|being|missing|required|needed|invalid|valid|expired|wrong|correct|incorrect|empty|blank|unset|set|found|used|accepted
          |rejected|denied|error|failed|failure|the|a|an|in|on|for|to|from|by|with|via|at|as|if|it|its|that|this|these|must|should|can|could|may|will|and|or|of|out|too
          |here|there|already|also|only|still|now|never|always|ok|fine|okay|str|string|int|bool|bytes|optional|auto|default|latency|limit|rate|budget|usage|level|file|path
          |management|authentication|auth|mounted|ignored|longer|unknown|undefined|unauthorized|forbidden|protected|above|below|shown|hidden|stored|saved|kept|read|given|value|id|ids
          |falsch|fehlt|ungültig|incorrect[ao]|incorrecte|inv[aá]lid\w?|requerida|requis|obligatoire|erforderlich)\b""",
    re.VERBOSE | re.IGNORECASE,
)

_VERBS = ("is", "was", "ist", "war", "lautet", "est", "es", "era", "é", "foi")
_SPOKEN = frozenset({"", "|", *_VERBS, *(f"{verb}:" for verb in _VERBS)})
_STOPS = ".,:;!?。，：；"  # where a sentence ends
_RANDOM = re.compile(r"[A-Za-z0-9+/=_!@#$%^*]+")  # no model's name, path or version

_NAME = r"""
    (?P<before>[A-Za-z]{0,16}[_ -]?)
    (?P<kind>(?P<abroad>(?i:passwort|kennwort|mots?\ de\ passe|contraseña|senha|пароль)|密码|密碼|口令|パスワード|비밀번호)(?=["']?[ ]?[:=：]|[ ]\w|[是は])
      |
        (?:(?<![A-Za-z])|(?<=[a-z])(?=T)|(?<=[_A-Z])(?=TOKEN)|(?<=identity))(?i:token)
      | (?i:secret(?:[_ -]?access)?(?:[_ -]?key)?(?:_base)?)
      | (?P<pass>(?i:pass(?:word|wd|phrase))|(?<![A-Za-z])(?i:pwd)
        | (?<=_)(?:PASS|pass)(?<!(?i:forward_)pass)(?<!(?i:backward_)pass) | (?<=SSH)PASS)
      | (?<=_)(?i:auth)(?==) | \b(?:Private|Preshared)Key(?=[ ]?=[ ]?[\w+/]{42,43}=) | Unseal[ ]Key[ ]\d{1,2} | (?<![\w-])pass(?=[ ]=[ ])
      | (?i:(?:api|access|account|auth|signing|encryption|storage|subscription|license|shared|master)[_ -]?key(?:[_-]?id)?)
      | (?i:private_key_id) | (?<![A-Za-z])[A-Z0-9]{1,20}_(?:KEY|PAT) | (?i:credentials?)
    )"""
_VALUE = r"""(?:"(?P<double>[^"\n]{1,512})"|'(?P<single>[^'\n]{1,512})'|["'`]?(?P<plain>[^\s"'`,;)}\]<>&|]{1,512}))"""
NAMED = Late(
    rf"""(?:{_NAME})
    (?P<join>
        (?:\\?["'])?\]?(?:[ ]\[[\w*]{{0,20}}\])?[ \t]{{0,64}}(?:=>?|:=?|[：＝]|%3[Dd])[ \t]{{0,64}}\[?\\?   # name=value, "name": "value", env["NAME"] = "value"
      | ["']?[ ]{{0,2}},[ ]{{0,2}}["']?value["']?[ ]{{0,2}}:[ ]{{0,2}}    # {{name: NAME, value: value}}
      | ["'][ ]{{1,4}}value[ ]?=[ ]?(?=["'])                               # of an XML attribute
      | ["']?[ ]*\n[ ]*["']?value["']?:[ ]*                              # of a manifest
      | [ ](?:(?:is|was|ist|war|lautet|est|es|era|é|foi):?[ ]{{1,2}})?   # in a sentence
      | (?<=[令码碼ド])[是は][ ]?
      | [ ]{{0,64}}[|\t][ \t]{{0,64}}                              # in a table
      | >(?=[^<>\n]{{1,512}}</[\w:.-]{{0,40}}(?P=kind)>)            # of an XML element
    ){_VALUE}""",
    re.VERBOSE,
)
NAME_SIGN = Late(
    r"[tspk_c](?:oken(?![a-z])|ecret|ass|wd|ey|pat|redential|auth)|wort|passe|contrase|senha|ароль|密码|密碼|口令|パスワード|비밀번호",
    re.IGNORECASE,
)
"""What is in every name of NAMED, and quick to find."""

FLAG = Late(
    rf"""(?P<before>(?<![\w-])--?(?:[\w-]{{0,40}}[_-])?)(?P<kind>(?i:token|secret|password|passwd|passphrase|api-?key|[a-z]{{0,20}}[_-]?key))
    (?P<pass>)(?P<join>
        [ \t]{{1,64}}(?:[\\^`][ \t]{{0,64}}\n[ \t]{{0,64}})?            # --name value, also on the line below
      | ["'][ ]{{0,4}},[ ]{{0,64}}\n?[ ]{{0,64}}(?=["'])               # of a list
      | ["']?[ \t]{{0,64}}\n[ \t]{{0,64}}-[ \t]{{1,8}}                  # of a list in YAML
    )(?![-\\^]|`\s){_VALUE}""",
    re.VERBOSE,
)
# What stands behind a name with nothing between: netrc, Dockerfile, command lines.
BARE = Late(
    rf"""(?P<before>)(?P<kind>\bENV[ ]+[A-Z0-9_]{{0,60}}(?:TOKEN|KEY|SECRET|PASSWORD)|\blogin\s{{1,20}}\S{{1,80}}\s{{1,20}}password|:_authToken(?=[ ])|\bmachine[ ]\S{{1,200}}\s{{1,20}}password|--from-literal[= ]["']?[\w.-]{{1,80}}
      |\bwandb[ ]login(?=[ ][\w-]{{20,128}})|(?i:key|token)\b[^\n:=]{{0,80}}\b(?:enter|here):(?=[ ][\w-]{{20,128}}))
    (?P<pass>)(?P<join>[ ]+|=){_VALUE}""",
    re.VERBOSE,
)

# Several keys of one server: of `api_key=['<secret>', 'x']`, and of `--api-key <secret> x`, where x is no model's name.
FURTHER = Late(
    r"""(?P<before>)(?P<kind>)(?P<pass>)(?P<join>
        \[["']<(?:secret|token)>["'](?:,[ ]?["']<(?:secret|token)>["']){0,20},[ ]?(?=["'])
      | --api-key[ =](?:<(?:secret|token)>[ ]){1,20}(?=[A-Za-z_]{0,255}\d)(?=\d{0,255}[A-Za-z_])(?=\w{16,512}(?!\S))
    )(?:"(?P<double>[^"\n<]{1,512})"|'(?P<single>[^'\n<]{1,512})'|(?P<plain>\w{16,512}))""",
    re.VERBOSE,
)


def hide(found: re.Match[str]) -> str:
    """Return a name with its value hidden; a placeholder, a count and what people say of a secret stay."""
    held = next(name for name in ("double", "single", "plain") if found[name])
    value = found[held].rstrip(_STOPS) if held == "plain" else found[held]
    if not value or _stays(found, value):
        return found[0]
    start = found.start(held) - found.start()
    return f"{found[0][:start]}<secret>{found[0][start + len(value) :]}"


def _stays(found: re.Match[str], value: str) -> bool:
    if _PLACEHOLDER.match(value) or (not found["pass"] and _NO_SECRET.search(found["before"])):
        return True
    if found.groupdict().get("abroad") and not value.isascii():  # 密码：错误
        return True
    is_bare = found["plain"] is not None
    if (is_bare and _SAID.match(value)) or (not found["pass"] and _COUNT.fullmatch(value)):
        return True
    join = found["join"].strip()
    return is_bare and found.re is NAMED.regex and join in _SPOKEN and not _is_said(found, value, join)


def _is_said(found: re.Match[str], value: str, join: str) -> bool:
    """Return whether a word behind a name is its secret: after "is" of a password any, else one that no word looks like."""
    is_password = found["pass"] or found["abroad"]
    if join and is_password:
        return True
    is_mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    is_named = is_password or found["kind"].isupper() or found["before"][-1:] == "_"
    least = 6 if join or is_password else 8 if is_named else 24
    return is_mixed and len(value) >= least and _RANDOM.fullmatch(value) is not None
