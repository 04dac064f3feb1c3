"""Which numbers are addresses of machines, and which are versions, loopback or times."""

from __future__ import annotations

import re

_VERSION_BEFORE = re.compile(
    r"(?:version|torch|cudnn|cuda|cublas|nccl|driver|triton|release|build):? {0,2}\Z", re.IGNORECASE
)

# Letters or a mark of emphasis before an address, and not the name of a package.
_MARKED = re.compile(
    r"(?:(?<![A-Za-z0-9.])|(?:host|ip|node|rank|addr|address|server|worker|master|head|peer))_{1,2}\Z", re.IGNORECASE
)


def keep_public_address(found: re.Match[str]) -> str:
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


def keep_other_groups(found: re.Match[str]) -> str:
    """Return what stands for groups without a gap: eight are an address, six pairs a network card's own."""
    groups = found[0].split(":")
    is_address = len(groups) == 8 or (len(groups) == 6 and all(len(group) == 2 for group in groups))
    return "<ip>" if is_address else found[0]


def keep_times(found: re.Match[str]) -> str:
    """Return what stands for hexadecimal groups: only with a gap between them are they an address."""
    return "<ip>" if "::" in found[0] else found[0]
