"""What a command takes as a password without a word that says so: `-p x` of a login, `-u a:x` of curl, `echo x |` before one."""

from __future__ import annotations

import re
from functools import partial

from bot.reading.late import Late
from bot.reading.noise.fed_secrets import FED_SECRETS
from bot.reading.noise.kind import Kind, behind, unless_placeholder

_REST = r"""(?:[^\n|;&\\"']++|"[^"\n]*+"|'[^'\n]*+'|["']|\\[\s\S]?|&(?![&\s]))*+"""
"""The rest of a command, over the lines that it goes on on."""
_VALUE = r"""(?![<$|-])(?P<secret>(?(quote)[^"'\n<]++|[^\s"'<>|;&\\]++))"""


def _takes(programs: str, flag: str, user: str = "", *, after: str = "") -> Kind:
    """Return the kind of what programs take behind a flag, and behind a user's name there; `after` are words before the program's.

    The whole command is taken, so that none is read twice.
    """
    names = tuple(f" {name}" if after else name for name in programs.split())
    begun = "|".join(re.escape(name) + ("" if after else rf"(?<![\w-]{re.escape(name)})") for name in names)
    behind_word = "|".join(rf"(?<={word}{re.escape(name)})" for name in names for word in after.split())
    command = Late(rf"(?:{begun})(?:{behind_word})[\w.-]{{0,24}}+(?=[ \\]){_REST}", re.VERBOSE)
    flagged = Late(rf"""(?P<before>\s(?:{flag})(?P<quote>["'])?{user}){_VALUE}""", re.VERBOSE)
    return Kind(f"what {programs} take: {flag}", names, command, partial(_hide_flagged, flagged))


def _hide_flagged(flagged: Late, found: re.Match[str]) -> str:
    return flagged.regex.sub(unless_placeholder("<secret>", "before"), found[0])


_NAME = r"[^\s:\"'<]{1,64}+:"
_TAKEN = (
    _takes("mysql mariadb 7z 7za 7zr", r"-p(?!ort)"),
    _takes("sshpass", r"(?<=sshpass\s)-p[ ]*+"),
    _takes("login", "-p[ ]*+", after="docker podman buildah skopeo nerdctl oras az acr oc cf registry auth remote"),
    _takes("set", r"(?:-b|--body)[ ]++", after="secret"),
    _takes("aws", r"--(?:secret-string|value)[ ]++"),
    _takes("snowsql mongo twine poetry psexec useradd usermod", r"-p[ ]++(?!\d+:\d)"),
    _takes("redis-cli valkey-cli keydb-cli", r"(?:-a|--pass)[ ]++"),
    _takes("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd", r"-[wW][ ]*+"),
    _takes("psql pg_dump pg_restore", r"-W[ ]*+"),
    _takes("zip unzip sqlcmd bcp ipmitool", r"-P[ ]*+"),
    _takes("ssh-keygen", r"-[NP][ ]++"),
    _takes("keytool", r"-(?:storepass|keypass)[ ]++"),
    _takes("curl", r"-[a-zA-Z]{0,6}[uU][ ]*+|--(?:proxy-)?user[ =]", _NAME),
    _takes("http https xh", r"-a[ ]++", _NAME),
    _takes("smbclient rpcclient net", r"-U[ ]*+", r"[^\s%\"'<]{1,64}+%"),
    _takes("lftp", r"-u[ ]++", r"[^\s,\"'<]{1,64}+,"),
    _takes("xfreerdp wfreerdp mstsc", r"/p:"),
    _takes("openssl", r"-pass(?:in|out)?[ ]pass:"),
)
_ARGUMENT = r"""(?:(?<=["'])[^"'\n<]++|[^\s"'<>|;&]{3,}+)"""
_OPEN = r"""["']?(?![<$|-])"""
_PLACED = (
    behind("a server's users", ("htpasswd ",), rf"\s*+-[a-zA-Z]{{0,8}}b[a-zA-Z]{{0,8}}\s++(?:\S{{1,200}}+\s++)?\S{{1,64}}+\s++{_OPEN}", _ARGUMENT),
    behind("a queue's users", ("rabbitmqctl ",), rf"\s*+(?:add_user|change_password)\s++\S{{1,64}}+\s++{_OPEN}", _ARGUMENT),
    behind("an object store's", ("mc alias set ",), rf"\s*+\S{{1,64}}+\s++\S{{1,200}}+\s++\S{{1,64}}+\s++{_OPEN}", _ARGUMENT),
    behind("a database's", ("sqlplus ", "expdp ", "impdp ", "jdbc:oracle:thin:"), rf"(?:-\w{{1,9}}[ ])?+[\w$#.-]{{1,64}}+/{_OPEN}", r"""[^\s"'<>|;&@/]{2,}+"""),
    behind("a wireless network's", ("wpa_passphrase ", "wifi connect "), rf"""(?:"[^"\n]{{1,64}}+"|'[^'\n]{{1,64}}+'|[^\s"']{{1,64}}+)[ ]++(?:password[ ]++)?{_OPEN}""", _ARGUMENT),
    behind("a wireless card's", ("iwconfig ",), rf"\S{{1,20}}+[ ]++key[ ]++{_OPEN}", _ARGUMENT),
    behind("what is made a hash of", ("openssl passwd ", "mkpasswd "), rf"(?:-\S{{1,20}}+[ ]++(?:(?:sha-?\d{{1,3}}|\w{{0,9}}crypt|md5|des)[ ]++)?){{0,3}}+{_OPEN}", _ARGUMENT),
    behind("a user's of Poetry", ("http-basic.",), rf"\S{{1,64}}+[ ]++\S{{1,64}}+[ ]++{_OPEN}", _ARGUMENT),
    behind("what Poetry uploads with", ("pypi-token.",), rf"\S{{1,64}}+[ ]++{_OPEN}", _ARGUMENT),
    behind("a setting", ("configure set ", "remote modify "), rf"(?:-\S{{1,20}}+[ ]++)?(?:[\w-]{{1,64}}+[ ]++)??[\w.-]{{0,40}}?(?:key|token|secret|password)[ ]++{_OPEN}", _ARGUMENT),
    behind("a vault's", ("vault login ",), rf"(?=\S{{8}})(?!-){_OPEN}", _ARGUMENT),
    behind("a tunnel's", ("authtoken ",), rf"(?=\w{{20}}){_OPEN}", _ARGUMENT),
    behind("a cache's settings", ("masterauth ", "requirepass "), rf"\s*+{_OPEN}", _ARGUMENT),
)  # fmt: skip

_SETTING = Late(
    r"""(?P<before>[ ]["']?[\w.-]{1,80}+=(?P<quote>["'])?)(?![@<$-])(?P<secret>(?(quote)[^"'\n<]++|[^\s"'<>|;&\\]++))"""
)
_CALL = re.compile(r"""(?P<before>["'])(?P<secret>[^"'\n<]++)(?=["'])""")
_CALLED = ("login(", "BasicAuth(", "DigestAuth(", "NtlmAuth(")


def _hide_said(found: re.Match[str]) -> str:
    return f"{found['lead']}{_CALL.sub(unless_placeholder('<secret>', 'before'), found['texts'])}"


COMMAND_SECRETS = (
    *_TAKEN,
    *_PLACED,
    *FED_SECRETS,
    Kind(
        "settings that a store of secrets is given",
        ("kv put ", "secrets set ", "secret create ", "secrets create ", "config:set "),
        Late(r"(?:kv put|secrets? (?:set|create)|config:set) [^\n|;]*+"),
        partial(_hide_flagged, _SETTING),
    ),
    Kind(
        "what a call logs in with",
        _CALLED,
        Late(rf"""(?P<lead>(?:{"|".join(map(re.escape, _CALLED))})[ ]?)(?P<texts>(?:["'][^"'\n]*+["'][, ]{{0,4}}+)++)(?!:)"""),
        _hide_said,
    ),
    Kind(
        "a file of passwords names nothing: host:port:database:user:password",
        ("::", ":*:"),
        Late(r"(^[\w.*-]{1,255}+:(?:\d{4,5}|\*):[\w*-]{1,64}+:[\w.*-]{1,64}+:)(?!<)[^\s:]{3,}$", re.MULTILINE),
        r"\1<secret>",
        trace=Late(r"^[\w.*-]{1,255}+:\*?:[\w*-]{1,64}+:[\w.*-]{1,64}+:[^\s:]*$", re.MULTILINE),
    ),
)  # fmt: skip
