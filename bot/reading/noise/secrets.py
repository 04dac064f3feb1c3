"""The table of what is secret, and of what names people, machines and buckets: by which signs it shows and what stands instead.

Rows are taken in this order. What needs more than a row has a file of its own.
"""

from __future__ import annotations

from bot.reading.late import Late
from bot.reading.noise.addresses import ADDRESSES
from bot.reading.noise.command_secrets import COMMAND_SECRETS
from bot.reading.noise.cookies import COOKIES
from bot.reading.noise.key_blocks import KEY_BLOCKS
from bot.reading.noise.kind import Kind, behind
from bot.reading.noise.logins import LOGINS
from bot.reading.noise.manifest_secrets import MANIFEST_SECRETS
from bot.reading.noise.named_secrets import NAMED_SECRETS
from bot.reading.noise.tokens import BESIDE_NAMES, CUT, PROVIDERS, RANDOM_RUN

_SCHEMES = "Bearer|Basic|Token|Digest|ApiKey|Negotiate|NTLM|OAuth"

HEADERS = (
    behind("the credentials of a request", ("Bearer ", "bearer ", "BEARER ", "Basic ", "basic ", "BASIC "), r"[ ]*", r"(?=[\w.~+/-]{0,255}[\d+/=_-])[\w.~+/-]{8,}+=*", "<token>", apart=r"\w"),
    behind("a signed request", ("AWS4-HMAC-SHA256 ",), "(?!<)", r"""[^\n"'<>]{4,}+""", "<token>"),
    behind("the same by the header's name", ("uthorization", "UTHORIZATION"), rf"""["']?[ ]?[:=][ ]?[fF]?["']?(?:(?i:{_SCHEMES})[ ]+)?(?!<|\$|\{{|(?i:{_SCHEMES})\b)""", r"""[^\s"'<>,;]{4,}+""", "<token>"),
)  # fmt: skip
ARGUMENTS = (
    behind("what curl's -u takes, the command being left off", ("-u ", "--user ", "--user=", "--proxy-user "), r"""["']?(?!\d|<|[\w.-]{1,64}\.py:|[\w.@-]{1,64}:[<$])(?=[\w.@-]{1,64}:)""", r"""[^\s"'<>]{3,}+""", "<credentials>", apart=r"\S"),
    behind("the same in Python", ("auth=(", "auth = ("), r"""["'][^"'\n]{1,64}["'],[ ]?["'](?!<)""", r"""[^"'\n]++"""),
)  # fmt: skip
LINKS = (
    behind(
        "a signed link: of Azure, Amazon, Google, and whatever takes a token in its address",
        ("?", "&", ";"),
        r"(?:sig|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|(?:access_|api_)?(?:token|key)|auth|secret)=(?!<)",
        r"""[^&\s"'<>]{3,}+""",
    ),
    behind("a webhook", ("hooks.slack.com/", "/api/webhooks/", "/webhookb2/", "/webhookb/", "/bot/v2/hook/"), r"(?:(?<=slack\.com/)\w{1,20}/)?+(?!<)", r"[\w/@-]{8,}+"),
    behind("a webhook that a digit gives away", ("/hooks/catch/", "/hooks/", "/with/key/"), r"(?=[a-zA-Z/]{0,40}\d)(?!<)", r"[\w/-]{14,}+(?![.\w])"),
    behind("a link's user", ("://",), r"(?!<)", r"[^\s/@:<>\"']*+(?::[^\s/<>\"']*)?(?=@)", "<credentials>"),
)  # fmt: skip
FILES = (
    behind("a kubeconfig's", ("client-key-data:", "client-certificate-data:", "certificate-authority-data:"), r"[ ]?(?!<)", r"[A-Za-z0-9+/=]{8,}+"),
    behind("a Docker login's", ('"auth"',), r"""[ ]?:[ ]?"(?!<)""", r"[A-Za-z0-9+/=]{8,}+"),
    behind("a login of Kaggle", ('"username"',), r"""[ ]?:[ ]?"[^"\n]{1,64}+",\s{0,20}"key"[ ]?:[ ]?\"""", r"[0-9a-f]{32}"),
    behind("what lets a node join", ("oken ", "oken is "), "", r"[a-z0-9]{6}\.[a-z0-9]{16}(?!\.?\w)"),
    behind("what a call of Opsgenie is signed by", ("GenieKey ",), "(?!<)", r"[\w-]{20,}+"),
    behind("a key that is let in", ("ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-nistp256 ", "ecdsa-sha2-nistp384 ", "ecdsa-sha2-nistp521 "), "", r"AAAA[\w+/=]{8,}+", "<key>"),
)  # fmt: skip
PLACES = (
    behind("a bucket", ("s3://", "s3a://", "gs://", "az://", "abfs://", "abfss://", "oss://", "wasb://", "wasbs://"), "(?!<)", r"""[^\s/<>"']++""", "<bucket>", apart="A-Za-z0-9"),
    Kind("a bucket's host", (".s3", ".storage.googleapis.com", ".oss-"), Late(r"\.(?=s3[.-][\w.-]{0,60}amazonaws\.com|s3\.amazonaws\.com|storage\.googleapis\.com|oss-[\w-]{1,40}\.aliyuncs\.com)"), "<bucket>.", before=Late(r"[\w.-]{1,64}+(?!<)")),
    Kind("a storage account", (".blob.core", ".dfs.core", ".file.core"), Late(r"\.(?=(?:blob|dfs|file)\.core\.windows\.net)"), "<bucket>.", before=Late(r"[\w-]{1,64}+(?![.<])")),
    behind("a bucket in a path", ("storage.googleapis.com/", "s3.amazonaws.com/"), "(?!<)", r"""[^\s/<>"']++""", "<bucket>"),
)  # fmt: skip
SECRETS: tuple[Kind, ...] = (
    *KEY_BLOCKS,  # first: the lines of a key would be taken for tokens one by one
    CUT,  # before the whole ones, which would take the first piece alone
    *PROVIDERS,  # known by their own letters
    BESIDE_NAMES,
    *HEADERS,  # known by where they stand
    *COOKIES,
    *LINKS,
    *LOGINS,
    *FILES,
    *MANIFEST_SECRETS,
    *NAMED_SECRETS,  # known by what they are called
    *COMMAND_SECRETS,  # known by the command that takes them
    *ARGUMENTS,
    *PLACES,  # no secrets, but they name people, machines and buckets
    *ADDRESSES,
    RANDOM_RUN,  # last: what is left and looks like nothing that has a meaning
)
