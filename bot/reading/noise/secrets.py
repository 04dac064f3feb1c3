"""The kinds of secrets, and of names that identify people, machines and buckets, and what stands instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.reading.late import Late
from bot.reading.noise.addresses import keep_other_groups, keep_public_address, keep_times
from bot.reading.noise.command_secrets import (
    AFTER_COMMAND,
    AFTER_COMMAND_HINTS,
    HANDED,
    PASSWORD_LINE,
    PASSWORD_TRACE,
    PIPED,
)
from bot.reading.noise.key_blocks import KEY_BLOCK, hide_block
from bot.reading.noise.named_secrets import BARE, ENDS, FLAG, FURTHER, NAME_SIGN, NAMED, STEMS, hide
from bot.reading.noise.tokens import (
    CUT,
    CUT_HINTS,
    RUN,
    RUN_TRACE,
    TOKEN,
    TOKEN_HINTS,
    hide_cut,
    hide_random,
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


_KEY_FLAGS = ("-token", "_token", "-secret", "_secret", "-passw", "_passw", "-passp", "-key", "_key")
SECRETS = (
    Secret(("PRIVATE KEY", "Private-Lines"), KEY_BLOCK, hide_block),
    Secret(CUT_HINTS, CUT, hide_cut),
    Secret(TOKEN_HINTS, TOKEN, "<token>"),
    Secret(
        ("earer ", "asic ", "BEARER "),
        Late(r"\b((?:Bearer|Basic|bearer|basic|BEARER)[ ]+)(?=[\w.~+/-]{0,255}[\d+/=_-])[\w.~+/-]{8,4096}=*"),
        r"\1<token>",
    ),
    Secret(
        ("uthorization", "UTHORIZATION"),
        Late(
            r"""((?i:authorization["']?[ ]?[:=][ ]?["']?(?:(?:Bearer|Basic|Token|Digest|ApiKey)[ ]+)?))
                (?!<|\$|(?i:Bearer|Basic|Token|Digest|ApiKey)\b)[^\s"'<>,;]{4,4096}""",
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
        ("sig=", "ignature=", "redential=", "oken=", "key=", "auth=", "secret="),
        Late(
            r"([?&;](?:sig|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|[Ss]ignature|(?:access_|api_)?(?:token|key)|auth|secret)=)(?!<)[^&\s\"'<>]{3,4096}"
        ),
        r"\1<secret>",
    ),
    Secret(
        ("hooks.slack.com/", "/api/webhooks/", "/webhookb"),
        Late(r"((?:hooks\.slack\.com/\w{1,20}|/api/webhooks|/webhookb2?)/)(?!<)[\w/@-]{8,300}"),
        r"\1<secret>",
    ),
    Secret(
        ("-data:", '"auth"'),  # of a kubeconfig, of a Docker login
        Late(
            r"((?:client-key|client-certificate|certificate-authority)-data:[ ]?|\"auth\"[ ]?:[ ]?\")(?!<)[A-Za-z0-9+/=]{8,20000}"
        ),
        r"\1<secret>",
    ),
    Secret(
        ("ssh-", "ecdsa-"), Late(r"\b((?:ssh-(?:rsa|ed25519|dss)|ecdsa-[\w-]{8,24}) )AAAA[\w+/=]{8,2000}"), r"\1<key>"
    ),
    Secret(STEMS, NAMED, hide, ENDS, sign=NAME_SIGN),
    Secret(("value:",), NAMED, hide, sign=NAME_SIGN),  # of a manifest, on the line below the name
    Secret(_KEY_FLAGS, FLAG, hide),
    Secret(("ENV ", "login ", "--from-literal", "machine ", "_authToken", "enter: ", "here: "), BARE, hide),
    Secret(("api_key", "api-key"), FURTHER, hide),
    Secret(AFTER_COMMAND_HINTS, AFTER_COMMAND, r"\g<before>\g<quote><secret>"),
    Secret(
        ("-u", "--user"),
        Late(
            r"((?<!\S)(?:-u[ ]|--(?:proxy-)?user[ =])[\"']?)(?!\d|<|[\w.-]{1,64}\.py:)[\w.@-]{1,64}:[^\s\"'<>]{1,255}"
        ),
        r"\1<credentials>",
    ),
    Secret(
        ("auth=(", "auth = ("),
        Late(r"""(\bauth[ ]?=[ ]?\(["'][^"'\n]{1,64}["'],[ ]?["'])(?!<)[^"'\n]{1,255}"""),
        r"\1<secret>",
    ),
    Secret(
        ("-b ", "--cookie"),
        Late(r"((?<!\S)(?:-b|--cookie)[ =][\"']?)(?!<)[\w.-]{1,80}=[^\s\"'<>]{1,4096}"),
        r"\1<token>",
    ),
    Secret(("echo ", "printf "), PIPED, r"\1<secret>"),
    Secret(("<<<",), HANDED, r"\1<secret>"),
    Secret(("::", ":*:"), PASSWORD_LINE, r"\1<secret>", trace=PASSWORD_TRACE),
    Secret(
        ("://",),
        Late(r"://[^\s/@:<>\"']{0,256}(?::[^\s/<>\"']{0,256})?@"),
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
    Secret(("",), RUN, hide_random, trace=RUN_TRACE),  # last, for what no other kind knows
)
