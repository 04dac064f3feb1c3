"""The kinds of secrets, and of names that identify people, machines and buckets, and what stands instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_VERSION_BEFORE = re.compile(
    r"(?:version|torch|cudnn|cuda|cublas|nccl|driver|triton|release|build):? {0,2}\Z", re.IGNORECASE
)


_DIGITS = b"0123456789"


def bare(text: str) -> str:
    r"""Return each kind of line that a text has once, digits taken out: a log has few kinds of line.

    >>> bare("GET /1 took 27 ms\nGET /2 took 3 ms")
    'GET / took  ms'
    """
    kinds = text.encode("utf-8", "surrogatepass").translate(None, _DIGITS).split(b"\n")
    return b"\n".join(dict.fromkeys(kinds)).decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Secret:
    """One kind of secret: texts one of which must occur for it to be worth a search, its pattern, what stands instead."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]
    ends: tuple[str, ...] = ()  # a hint counts only with one of these behind it
    trace: re.Pattern[str] | None = None  # what is left of it without digits, where a hint says too little

    def may_occur(self, kinds: str) -> bool:
        """Return whether a search is worth it in a text of these `bare` kinds of line; without digits, as they are."""
        present = [hint for hint in self.hints if hint in kinds]
        if not present or (self.trace and not self.trace.search(kinds)):
            return False
        return not self.ends or any(hint + end in kinds for hint in present for end in self.ends)


def _keep_lines(found: re.Match[str]) -> str:
    return "<private key>" + "\n" * found[0].count("\n")


def _keep_public_address(found: re.Match[str]) -> str:
    """Return what stands for four numbers: versions ("==9.1.0.70", "v1.2.3.4", "version: 9.1.0.70") and loopback stay."""
    address = found[0]
    before = found.string[max(0, found.start() - 12) : found.start()]
    first = int(address.partition(".")[0])
    is_version = bool(before) and (
        before[-1].isalnum()
        or before[-1] in "_.-"
        or before.endswith("==")
        or (before[-1] == "=" and first < 10)
        or _VERSION_BEFORE.search(before) is not None
    )
    is_address = all(int(part) <= 255 for part in address.split("."))
    is_public = address.startswith(("127.", "0.")) or address == "255.255.255.255"
    return address if is_version or not is_address or is_public else "<ip>"


def _keep_other_groups(found: re.Match[str]) -> str:
    """Return what stands for groups without a gap: eight are an address, six pairs a network card's own."""
    groups = found[0].split(":")
    is_address = len(groups) == 8 or (len(groups) == 6 and all(len(group) == 2 for group in groups))
    return "<ip>" if is_address else found[0]


def _keep_times(found: re.Match[str]) -> str:
    """Return what stands for hexadecimal groups: only with a gap between them are they an address."""
    return "<ip>" if "::" in found[0] else found[0]


_STEMS = (
    "oken", "OKEN", "ecret", "ECRET", "ssword", "sswd", "SSWORD", "SSWD", "_key", "-key", "_KEY", "-KEY", "piKey", "pikey", "ccessKey", "ountKey",
    "ey_id", "EY_ID",
)  # fmt: skip
_ENDS = ("=", ":", '"', "'", " =", " :")
_KEY_FLAGS = ("-token", "_token", "-secret", "_secret", "-passw", "_passw", "-key", "_key")
SECRETS = (
    Secret(
        ("PRIVATE KEY",),
        re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"),
        _keep_lines,
    ),
    Secret(
        # hubs, forges, model providers, chat, cloud, package indexes: a fixed beginning and a long random end;
        # "r_" and "ya." are "r8_" and "ya29." without digits
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
            "r_",
            "gsk_",
            "ya.",
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
    Secret(
        ("earer ", "asic ", "BEARER "),
        re.compile(r"\b((?:Bearer|Basic|bearer|basic|BEARER)[ ]+)(?=[\w.~+/-]{0,255}[\d+/=_-])[\w.~+/-]{8,4096}=*"),
        r"\1<token>",
    ),
    Secret(
        ("uthorization", "UTHORIZATION"),
        re.compile(
            r"""((?i:authorization)["']?[ ]?[:=][ ]?["']?(?:(?:Bearer|Basic|Token|Digest|ApiKey)[ ]+)?)
                (?!<|\$|(?:Bearer|Basic|Token|Digest|ApiKey)\b)[^\s"'<>,;]{4,4096}""",
            re.VERBOSE,
        ),
        r"\1<token>",
    ),
    Secret(
        ("ookie:", 'ookie":'),
        re.compile(r"(\b(?:Set-)?[Cc]ookie[\"']?:[ ]?[\"']?)(?!<)[^\n\"'<>]{4,4096}"),
        r"\1<token>",
    ),
    Secret(
        # signed links: Azure, Amazon, Google, and whatever takes a token in its address
        ("sig=", "ignature=", "redential=", "oken=", "key="),
        re.compile(
            r"([?&](?:sig|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|(?:access_|api_)?(?:token|key))=)(?!<)[^&\s\"'<>]{3,4096}"
        ),
        r"\1<secret>",
    ),
    Secret(
        ("hooks.slack.com/", "/api/webhooks/"),
        re.compile(r"((?:hooks\.slack\.com/\w{1,20}|/api/webhooks)/)(?!<)[\w/-]{8,200}"),
        r"\1<secret>",
    ),
    Secret(
        ("-data:", '"auth"'),  # of a kubeconfig, of a Docker login
        re.compile(
            r"((?:client-key|client-certificate|certificate-authority)-data:[ ]?|\"auth\"[ ]?:[ ]?\")(?!<)[A-Za-z0-9+/=]{8,20000}"
        ),
        r"\1<secret>",
    ),
    Secret(("ssh-",), re.compile(r"\b(ssh-(?:rsa|ed25519|dss) )AAAA[\w+/=]{8,2000}"), r"\1<key>"),
    Secret(
        # NAME_TOKEN=anything, a value without a digit included; a count is none
        ("TOKEN", "_KEY", "SECRET", "PASSW", "_PAT="),
        re.compile(
            r"""\b((?:[A-Z0-9]{1,30}_){0,6}(?:TOKEN|[A-Z0-9]{1,20}_KEY|SECRET|PASSWORD|PASSWD|PAT)
                (?:["']?[ ]?=[ ]?|["']?:[ ]?|["']?[ ]*\n[ ]*value:[ ]*)["']?)   # also of a manifest
                (?!<|\$|None\b|null\b|EMPTY\b|value|true\b|false\b|["'{\[]|\d{1,8}(?![\w.-]))[^\s"',;)}<>`]{3,512}""",
            re.VERBOSE,
        ),
        r"\1<secret>",
    ),
    Secret(
        ("assw", "api_key", "api-key", "apiKey", "apikey"),
        re.compile(
            r"""((?i:passw(?:or)?d|api[-_]?key)(?:["']?[ ]{0,2}=[ ]{0,2}\[?["']?|["']?[ ]{0,2}:[ ]{0,2}\[?["']|(?<=(?i:rd|wd)):[ ]{1,2}))
                (?!<|\$|None\b|null\b|EMPTY\b|[Tt]rue\b|[Ff]alse\b|["'{\[(])[^\s"',;)}<>`]{3,512}""",
            re.VERBOSE,
        ),
        r"\1<secret>",
    ),
    Secret(
        ("ENV ", "x-api-key"),
        re.compile(
            r"(\bENV[ ]+[A-Z0-9_]{0,60}(?:TOKEN|KEY|SECRET|PASSWORD)[ ]+[\"']?|\bx-api-key[\"']?:[ ]?[\"']?)(?!<|\$)[^\s\"',;)}<>`]{3,512}"
        ),
        r"\1<secret>",
    ),
    Secret(
        (" -u ", "--user ", "login "),
        re.compile(r"(\s(?:-u|--user)[ ][\"']?)(?!\d|<)[\w.@-]{1,64}:[^\s\"'<>]{1,255}"),
        r"\1<credentials>",
    ),
    Secret(
        (" -p ",),
        re.compile(r"(\blogin\b[^\n]{0,120}?\s-p[ ][\"']?)(?!<)[^\s\"'<>]{3,255}"),
        r"\1<secret>",
    ),
    Secret(
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
    Secret(
        # in a sentence: "the token 0a1b…", "my api key is …"; long, and of letters and digits, as no word is
        ("oken ", "ecret ", "assword ", "key ", "Key ", "KEY "),
        re.compile(
            r"""(\b(?:[Tt]oken|[Ss]ecret|[Pp]assword|[Aa][Pp][Ii][ _-]?[Kk]ey|[Aa]ccess\ [Kk]ey|[Ss]ecret\ [Kk]ey)\ (?:is\ |was\ )?["'`]?)
                (?=[A-Za-z0-9+/=_-]{0,80}[0-9])(?=[A-Za-z0-9+/=_-]{0,80}[A-Za-z])(?!\w{1,20}-\w{1,20}-\d)([A-Za-z0-9+/=_]{24,512})(?![\w-])""",
            re.VERBOSE,
        ),
        r"\1<secret>",
    ),
    Secret(
        # --name value
        _KEY_FLAGS,
        re.compile(
            r"""((?<![\w-])--?[\w-]{0,40}(?:token|secret|password|passwd|key)[ =]["']?)(?!<|\$|-|None\b|EMPTY\b)([^\s"',;)}<>`]{3,512})""",
        ),
        r"\1<secret>",
    ),
    Secret(
        ("://",),
        re.compile(r"://[^\s/@:<>\"']{0,256}(?::[^\s/@<>\"']{0,256})?@"),
        "://<credentials>@",
    ),
    Secret(
        ("s://", "gs://", "az://", "abfs", "oss://", "wasb"),
        re.compile(r"(?<![A-Za-z0-9])((?:s3a?|gs|az|abfss?|oss|wasbs?)://)[^\s/<>\"']{1,255}"),
        r"\1<bucket>",
    ),
    Secret(
        (".amazonaws.com", ".googleapis.com", ".core.windows.net", ".aliyuncs.com"),
        re.compile(
            r"""(?<![\w.<-])[\w.-]{1,63}(?=\.(?:s3[.-][\w.-]{0,60}amazonaws|s3\.amazonaws|storage\.googleapis|oss-[\w-]{1,40}\.aliyuncs)\.com)
              | (?<![\w.<-])[\w-]{1,63}(?=\.(?:blob|dfs|file)\.core\.windows\.net)
              | (?<=storage\.googleapis\.com/)(?!<)[^\s/<>"']{1,255}
              | (?<=s3\.amazonaws\.com/)(?!<)[^\s/<>"']{1,255}""",
            re.VERBOSE,
        ),
        "<bucket>",
    ),
    Secret(
        ("@",),  # a shell's prompt
        re.compile(r"(?<![\w.@/<-])[A-Za-z_][\w.-]{0,31}@[\w.-]{1,63}(?=:[~/]|:[ ]?[~/]|[ ][~/\w.-]{1,60}\][$#])"),
        "<user>@<host>",
    ),
    Secret(("@",), re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?!sha256)[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b"), "<email>"),
    Secret(
        ("/home/", "/Users/", "\\Users\\", "/data/home/"),
        re.compile(r"((?:/home/|/Users/|\\Users\\))(?!<|user/|ubuntu/|vllm/|app/|ray/|jovyan/)[^\s/\\:\"'<>,;)]{1,64}"),
        r"\1<user>",
    ),
    Secret(
        ("ip=", "host", "Host", "HOST", "addr", "node", "NODE"),
        re.compile(
            r"\b((?:host(?:name)?|master_addr|node_?name|ray_head|head_?node)['\"]?[ ]?[=:][ ]?['\"]?)(?!localhost|None|null|0\.0\.0\.0|127\.|<|\$|(?:\w+\.)?(?:huggingface\.co|hf-mirror\.com|modelscope\.\w+|github\.com|pypi\.org)\b)([A-Za-z][\w.-]{2,253})(?![\w(])",  # public hosts stay
            re.IGNORECASE,
        ),
        r"\1<host>",
    ),
    Secret(
        (".internal", ".local", ".corp", ".lan", ".compute", ".intra", ".svc"),
        re.compile(r"(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:internal|local|corp|lan|intra(?:net)?|svc)\b(?![\w(/]*\.py)"),
        "<host>",
    ),
    Secret(
        (".",),
        re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?!\w)(?!\.\d)"),
        _keep_public_address,
        trace=re.compile(r"\.\.\."),
    ),
    Secret(
        (":",),
        re.compile(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4}(?![\w:])"),
        _keep_other_groups,
        trace=re.compile(r"(?:[a-fA-F]{0,4}:){5}"),
    ),
    Secret(
        ("::",),
        re.compile(
            r"(?<![\w:.])(?=[0-9a-fA-F:]{0,40}\d)(?:[0-9a-fA-F]{1,4}:){1,7}(?::[0-9a-fA-F]{1,4}){0,7}:?(?<=[0-9a-fA-F:])(?![\w:])"
        ),
        _keep_times,
    ),
    Secret(("ip-",), re.compile(r"(?<![\w-])ip(?:-\d{1,3}){4}(?![\w-])"), "<host>"),
    Secret(
        (":",),  # the machine in a line of syslog or journald
        re.compile(
            r"^([A-Z][a-z]{2}[ ]{1,2}\d{1,2} \d\d:\d\d:\d\d )(?!<)[\w.-]{1,63}(?= [\w.@<>/-]{1,60}(?:\[\d{1,9}\])?:)",
            re.MULTILINE,
        ),
        r"\1<host>",
    ),
)
