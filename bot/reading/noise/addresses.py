"""What names people and machines: mail addresses, homes, hosts, and numbers that are no versions, loopback or times."""

from __future__ import annotations

import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind, behind

_VERSION_BEFORE = re.compile(
    r"(?:version|torch|cudnn|cuda|cublas|nccl|driver|triton|release|build):? {0,2}\Z", re.IGNORECASE
)

# Letters or a mark of emphasis before an address, and not the name of a package.
_MARKED = re.compile(
    r"(?:(?<![A-Za-z0-9.])|(?:host|ip|node|rank|addr|address|server|worker|master|head|peer))_{1,2}\Z", re.IGNORECASE
)


def _keep_public_address(found: re.Match[str]) -> str:
    """Return what stands for four numbers: versions ("==9.1.0.70", "v1.2.3.4", "version: 9.1.0.70") and loopback stay."""
    address = found[0]
    before = found.string[max(0, found.start() - 12) : found.start()]
    first = int(address.partition(".")[0])
    is_version = bool(before) and (
        before[-1].isalnum()
        or before[-1] in ".-"
        or (before[-1] == "_" and _MARKED.search(before) is None)
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


_INSIDE = "internal|local|corp|lan|intranet|intra|svc"
_PUBLIC = r"localhost|None|null|0\.0\.0\.0|127\.|<|\$|(?:\w+\.)?(?:huggingface\.co|hf-mirror\.com|modelscope\.\w+|github\.com|pypi\.org)\b"
_HOST_NAMES = ("host", "Host", "HOST", "master_addr", "MASTER_ADDR", "node_name", "nodename", "NODE_NAME", "NODENAME", "ray_head", "RAY_HEAD", "head_node", "headnode", "HEAD_NODE")  # fmt: skip
ADDRESSES = (
    Kind("a shell's prompt", ("@",), Late(r"@(?<=[\w.-]@)[\w.-]{1,63}+(?=:[ ]?[~/]|[ ][~/\w.-]{1,60}\][$#])"), "<user>@<host>", before=Late(r"[\w.-]{0,31}[A-Za-z_](?![\w.@/<-])")),
    Kind("a mail address", ("@",), Late(r"@(?<=[\w.+-]@)(?!sha256)[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b"), "<email>", before=Late(r"[\w.+-]{1,64}+")),
    behind("a person's home", ("/home/", "/Users/", "\\Users\\"), "(?!<|user/|ubuntu/|vllm/|app/|ray/|jovyan/)", r"""[^\s/\\:"'<>,;)]{1,64}+""", "<user>"),
    behind("what is called a host; public ones stay", _HOST_NAMES, rf"(?:name|NAME)?['\"]?[ ]?[=:][ ]?['\"]?(?!(?i:{_PUBLIC}))", r"[A-Za-z][\w.-]{2,253}+(?!\()", "<host>", apart=r"\w"),
    Kind("a host of a network that is nobody else's", tuple(f".{name}" for name in _INSIDE.split("|")), Late(rf"\.(?<=[\w-]\.)(?:{_INSIDE})\b(?:[\w.-]{{0,120}}\.(?:{_INSIDE})\b)?(?!\(|[\w(/]*\.py)"), "<host>", before=Late(r"[\w.-]{0,63}\w(?![\w.-])")),
    Kind("four numbers", (".",), Late(r"\d{1,3}(?:\.\d{1,3}){3}(?![A-Za-z0-9])(?!\.\d)"), _keep_public_address, trace=Late(r"\.\.\.")),
    Kind("six or eight hexadecimal groups", (":",), Late(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4}(?![\w:])"), _keep_other_groups, trace=Late(r"(?:[a-fA-F]{0,4}:){5}")),
    Kind("hexadecimal groups with a gap", ("::",), Late(r"(?<![\w:.])(?=[0-9a-fA-F:]{0,40}\d)(?:[0-9a-fA-F]{1,4}:){1,7}(?::[0-9a-fA-F]{1,4}){0,7}:?(?<=[0-9a-fA-F:])(?![\w:])"), _keep_times),
    Kind("a cloud's host", ("ip-",), Late(r"ip(?<![\w-]ip)(?:-\d{1,3}){4}(?![\w-])"), "<host>"),
    Kind(
        "the machine in a line of syslog or journald",
        (":",),
        Late(r"^([A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d )(?!<)[\w.-]{1,63}+(?= [\w.@<>/-]{1,60}+(?:\[\d{1,9}\])?:)", re.MULTILINE),
        r"\1<host>",
    ),
)  # fmt: skip
