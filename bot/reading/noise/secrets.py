"""The kinds of secrets, and of names that identify people, machines and buckets, and what stands instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.reading.late import Late
from bot.reading.noise.addresses import keep_other_groups, keep_public_address, keep_times
from bot.reading.noise.named_secrets import BARE, ENDS, FLAG, FURTHER, NAME_SIGN, NAMED, STEMS, hide

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
    pattern: Late
    instead: str | Callable[[re.Match[str]], str]
    ends: tuple[str, ...] = ()  # a hint counts only with one of these behind it
    trace: Late | None = None  # what is left of it without digits, where a hint says too little
    sign: Late | None = None  # what stands on its first line, where it ends on the next at the latest

    def may_occur(self, kinds: str) -> bool:
        """Return whether a search is worth it in a text of these `bare` kinds of line; without digits, as they are."""
        present = [hint for hint in self.hints if hint in kinds]
        if not present or (self.trace and not self.trace.regex.search(kinds)):
            return False
        return not self.ends or any(hint + end in kinds for hint in present for end in self.ends)


def _keep_lines(found: re.Match[str]) -> str:
    return "<private key>" + "\n" * found[0].count("\n")


_KEY_FLAGS = ("-token", "_token", "-secret", "_secret", "-passw", "_passw", "-key", "_key")
SECRETS = (
    Secret(
        ("PRIVATE KEY",),
        Late(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"),
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
            "k_live_",
            "k_test_",
            "hvs.",
            "hvb.",
            "SG.",
            "AQ.",
            "dapi",
            "_v_",
            "lsv_",
            "xai-",
            "pplx-",
            "tskey-",
            "AGE-SECRET-KEY-",
            "bot:",
        ),
        Late(
            r"""(?<![A-Za-z0-9])(?:
                (?:hf|api_org|gh[oprsu]|github_pat|dckr_pat|r8|gsk|npm|wandb_v\d|[prs]k_(?:live|test)|do[opr]_v1|tgp_v1|lsv2_[a-z]{2})_[A-Za-z0-9_-]{16,255}
              | (?:sk|glpat|nvapi|xox[a-z]|xapp|pypi|pplx|xai|tskey|AGE-SECRET-KEY)-[A-Za-z0-9_-]{10,255}
              | (?:hv[bs]|SG|AQ)\.(?=[A-Za-z_-]{0,60}\d)[\w.-]{20,255} | dapi[0-9a-f]{32}(?:-\d)? | bot\d{6,12}:[\w-]{30,60}
              | (?:AKIA|ASIA)[A-Z0-9]{16} | AIza[\w-]{30,45} | ya29\.[\w-]{20,255}
              | eyJ[\w-]{8,2000}\.[\w-]{8,4000}(?:\.[\w-]{0,2000})?   # a JSON web token
            )""",
            re.VERBOSE,
        ),
        "<token>",
    ),
    Secret(
        ("earer ", "asic ", "BEARER "),
        Late(r"\b((?:Bearer|Basic|bearer|basic|BEARER)[ ]+)(?=[\w.~+/-]{0,255}[\d+/=_-])[\w.~+/-]{8,4096}=*"),
        r"\1<token>",
    ),
    Secret(
        ("uthorization", "UTHORIZATION"),
        Late(
            r"""((?i:authorization)["']?[ ]?[:=][ ]?["']?(?:(?:Bearer|Basic|Token|Digest|ApiKey)[ ]+)?)
                (?!<|\$|(?:Bearer|Basic|Token|Digest|ApiKey)\b)[^\s"'<>,;]{4,4096}""",
            re.VERBOSE,
        ),
        r"\1<token>",
    ),
    Secret(
        ("ookie:", 'ookie":'),
        Late(r"(\b(?:Set-)?[Cc]ookie[\"']?:[ ]?[\"']?)(?!<)[^\n\"'<>]{4,4096}"),
        r"\1<token>",
    ),
    Secret(
        # signed links: Azure, Amazon, Google, and whatever takes a token in its address
        ("sig=", "ignature=", "redential=", "oken=", "key="),
        Late(
            r"([?&;](?:sig|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|(?:access_|api_)?(?:token|key))=)(?!<)[^&\s\"'<>]{3,4096}"
        ),
        r"\1<secret>",
    ),
    Secret(
        ("hooks.slack.com/", "/api/webhooks/"),
        Late(r"((?:hooks\.slack\.com/\w{1,20}|/api/webhooks)/)(?!<)[\w/-]{8,200}"),
        r"\1<secret>",
    ),
    Secret(
        ("-data:", '"auth"'),  # of a kubeconfig, of a Docker login
        Late(
            r"((?:client-key|client-certificate|certificate-authority)-data:[ ]?|\"auth\"[ ]?:[ ]?\")(?!<)[A-Za-z0-9+/=]{8,20000}"
        ),
        r"\1<secret>",
    ),
    Secret(("ssh-",), Late(r"\b(ssh-(?:rsa|ed25519|dss) )AAAA[\w+/=]{8,2000}"), r"\1<key>"),
    Secret(STEMS, NAMED, hide, ENDS, sign=NAME_SIGN),
    Secret(("value:",), NAMED, hide, sign=NAME_SIGN),  # of a manifest, on the line below the name
    Secret(_KEY_FLAGS, FLAG, hide),
    Secret(("ENV ", "login ", "--from-literal"), BARE, hide),
    Secret(("api_key", "api-key"), FURTHER, hide),
    Secret(
        ("-u", "--user", "--proxy-user"),
        Late(
            r"((?<!\S)(?:-u[ ]|--(?:proxy-)?user[ =])[\"']?|\bcurl\b[^\n]{0,300}?\s-u)(?!\d|<)[\w.@-]{1,64}:[^\s\"'<>]{1,255}"
        ),
        r"\1<credentials>",
    ),
    Secret(
        ("-b ", "--cookie"),
        Late(r"((?<!\S)(?:-b|--cookie)[ =][\"']?)(?!<)[\w.-]{1,80}=[^\s\"'<>]{1,4096}"),
        r"\1<token>",
    ),
    Secret(
        ("echo ",),
        Late(r"(\becho[ ][\"']?)(?![<$])[^\s\"'|]{3,512}(?=[\"']?[ ]*\|[^\n|]{0,60}\blogin\b)"),
        r"\1<secret>",
    ),
    Secret(
        (" -p ",),
        Late(r"(\blogin\b[^\n]{0,120}?\s-p[ ][\"']?)(?!<)[^\s\"'<>]{3,255}"),
        r"\1<secret>",
    ),
    Secret(
        ("://",),
        Late(r"://[^\s/@:<>\"']{0,256}(?::[^\s/@<>\"']{0,256})?@"),
        "://<credentials>@",
    ),
    Secret(
        ("s://", "gs://", "az://", "abfs", "oss://", "wasb"),
        Late(r"(?<![A-Za-z0-9])((?:s3a?|gs|az|abfss?|oss|wasbs?)://)[^\s/<>\"']{1,255}"),
        r"\1<bucket>",
    ),
    Secret(
        (".amazonaws.com", ".googleapis.com", ".core.windows.net", ".aliyuncs.com"),
        Late(
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
        Late(r"(?<![\w.@/<-])[A-Za-z_][\w.-]{0,31}@[\w.-]{1,63}(?=:[~/]|:[ ]?[~/]|[ ][~/\w.-]{1,60}\][$#])"),
        "<user>@<host>",
    ),
    Secret(("@",), Late(r"(?<![\w.+-])[\w.+-]{1,64}@(?!sha256)[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b"), "<email>"),
    Secret(
        ("/home/", "/Users/", "\\Users\\", "/data/home/"),
        Late(r"((?:/home/|/Users/|\\Users\\))(?!<|user/|ubuntu/|vllm/|app/|ray/|jovyan/)[^\s/\\:\"'<>,;)]{1,64}"),
        r"\1<user>",
    ),
    Secret(
        ("ip=", "host", "Host", "HOST", "addr", "node", "NODE"),
        Late(
            r"\b((?:host(?:name)?|master_addr|node_?name|ray_head|head_?node)['\"]?[ ]?[=:][ ]?['\"]?)(?!localhost|None|null|0\.0\.0\.0|127\.|<|\$|(?:\w+\.)?(?:huggingface\.co|hf-mirror\.com|modelscope\.\w+|github\.com|pypi\.org)\b)([A-Za-z][\w.-]{2,253})(?![\w(])",  # public hosts stay
            re.IGNORECASE,
        ),
        r"\1<host>",
    ),
    Secret(
        (".internal", ".local", ".corp", ".lan", ".compute", ".intra", ".svc"),
        Late(r"(?<![\w.-])(?:[\w-]{1,63}\.){1,6}(?:internal|local|corp|lan|intra(?:net)?|svc)\b(?![\w(/]*\.py)"),
        "<host>",
    ),
    Secret(
        (".",),
        Late(r"\d{1,3}(?:\.\d{1,3}){3}(?![A-Za-z0-9])(?!\.\d)"),
        keep_public_address,
        trace=Late(r"\.\.\."),
    ),
    Secret(
        (":",),
        Late(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4}(?![\w:])"),
        keep_other_groups,
        trace=Late(r"(?:[a-fA-F]{0,4}:){5}"),
    ),
    Secret(
        ("::",),
        Late(
            r"(?<![\w:.])(?=[0-9a-fA-F:]{0,40}\d)(?:[0-9a-fA-F]{1,4}:){1,7}(?::[0-9a-fA-F]{1,4}){0,7}:?(?<=[0-9a-fA-F:])(?![\w:])"
        ),
        keep_times,
    ),
    Secret(("ip-",), Late(r"(?<![\w-])ip(?:-\d{1,3}){4}(?![\w-])"), "<host>"),
    Secret(
        (":",),  # the machine in a line of syslog or journald
        Late(
            r"^([A-Z][a-z]{2}[ ]{1,2}\d{1,2} \d\d:\d\d:\d\d )(?!<)[\w.-]{1,63}(?= [\w.@<>/-]{1,60}(?:\[\d{1,9}\])?:)",
            re.MULTILINE,
        ),
        r"\1<host>",
    ),
)
