"""What a command takes as a password without a word that says so: `-p x` of a login, `-u a:x` of curl, `echo x |` before one."""

from __future__ import annotations

import re

from bot.reading.late import Late

# programs, and behind which of their flags a secret stands; "§" is the blank that may be missing
_TAKES = (
    (r"mysql\w*|mariadb(?:-\w+)?|7z[ar]?", r"-p(?!ort)"),
    (r"sshpass|(?:docker|podman|buildah|skopeo|nerdctl)[ ]login", r"-p§"),
    (r"(?:az|oc|helm)\b[^\n]{0,60}?[ ]login|snowsql|mongo(?:sh|dump|restore)?", r"-p[ ]+(?!\d+:\d)"),
    (r"redis-cli", r"(?:-a|--pass)[ ]+"),
    (r"ldap(?:search|modify|add|delete|whoami)", r"-w[ ]*"),
    (r"zip|unzip|sqlcmd|bcp", r"-P[ ]*"),
    (r"curl", r"(?:-[a-zA-Z]{0,6}[uU]§|--(?:proxy-)?user[ =])[\"']?[^\s:\"'<]{1,64}:"),
    (r"https?|xh", r"-a[ ]+[\"']?[^\s:\"'<]{1,64}:"),
    (r"smbclient|rpcclient|net", r"-U[ ]*[\"']?[^\s%\"'<]{1,64}%"),
    (r"lftp", r"-u[ ]+[^\s,\"'<]{1,64},"),
    (r"psexec(?:64)?(?:\.exe)?", r"-p[ ]+"),
    (r"xfreerdp|mstsc|wfreerdp", r"/p:"),
    (r"openssl", r"-pass(?:in|out)?[ ]pass:"),
)  # fmt: skip
_FLAGGED = "|".join(
    rf"\b(?:{programs})\b(?:[^\n|;&]|\\\n){{0,300}}?\s{flag.replace('§', '[ ]*')}" for programs, flag in _TAKES
)
# the words of a command that come before a secret
_PLACED = r"""\bhtpasswd\s+-[a-zA-Z]*b[a-zA-Z]*\s+\S{1,200}\s+\S{1,64}\s+ | \brabbitmqctl\s+(?:add_user|change_password)\s+\S{1,64}\s+
    | \bmc\s+alias\s+set\s+\S{1,64}\s+\S{1,200}\s+\S{1,64}\s+ | \b(?:add-)?authtoken\s+(?=\w{20}) | \b(?:masterauth|requirepass)\s+"""
AFTER_COMMAND = Late(
    rf"""(?P<before>{_FLAGGED}|{_PLACED})(?P<quote>["']?)(?![<$|-])
         (?:(?<=["'])[^"'\n<]{{1,255}} | [^\s"'<>|;&]{{3,255}})""",
    re.VERBOSE,
)
AFTER_COMMAND_HINTS = (
    "mysql", "mariadb", "z ", "za ", "zr ", "sshpass", "login", "snowsql", "mongo", "redis-cli", "ldap", "zip", "sqlcmd", "bcp", "curl", "http ", "https ", "xh ", "smbclient", "rpcclient",
    "net ", "lftp", "psexec", "freerdp", "mstsc", "openssl", "htpasswd", "rabbitmqctl", "mc alias", "authtoken", "masterauth", "requirepass",
)  # fmt: skip

_READERS_OF_SECRETS = r"(?:\blogin\b|\bsudo\b[^\n|]{0,40}\s-\w*S|\bchpasswd\b|\bpasswd\b|-stdin\b|\bkinit\b|--with-token|\bcryptsetup\b|--passphrase-fd)"
PIPED = Late(
    rf"""(\b(?:echo|printf)[ ](?:-\w[ ])?["']?)(?![<$])[^\s"'|]{{3,512}}(?=["']?[ ]*\|[^\n|]{{0,60}}{_READERS_OF_SECRETS})"""
)
HANDED = Late(rf"""({_READERS_OF_SECRETS}[^\n|]{{0,120}}?<<<[ ]?["']?)(?![<$])[^\s"'<>|]{{3,512}}""")

# a file of passwords names nothing: host:port:database:user:password
PASSWORD_LINE = Late(r"(^[\w.*-]{1,255}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w.*-]{1,64}:)(?!<)[^\s:]{3,255}$", re.MULTILINE)
PASSWORD_TRACE = Late(r"^[\w.*-]{1,255}:\*?:[\w*-]{1,64}:[\w.*-]{1,64}:[^\s:]*$", re.MULTILINE)
