"""Lines of the kernel and of container runtimes: Xid errors, the out-of-memory killer, exit codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bot.evidence import Evidence, Failure, Line, gather
from bot.reading.figures import note, quote

_XID = re.compile(r"NVRM: Xid \((?:PCI:)?[\w:.]{1,30}\): (?P<number>\d{1,4})|\bXid (?:error )?(?P<bare>\d{1,3})\b")
_KILLED = re.compile(
    r"(?:Out of memory|Memory cgroup out of memory): Killed process \d+|oom-kill:constraint|oom_reaper: reaped process|invoked oom-killer|\bOOMKilled\b"
)
_EXIT = re.compile(
    r"(?:[Ee]xit(?:ed)?\s?(?:with\s)?(?:[Cc]ode|status)\s{0,10}[:=]?\s{0,10}\(?|Exited \()(?P<code>-?\d{1,3})\b"
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return kernel errors as failures, and the exit code where one is printed."""
    failures: list[Failure] = []
    facts = []
    for line in lines:
        if line.level is None or "Xid" in line.text:
            failures += _read_failure(line)
        if "xit" in line.text and (found := _EXIT.search(line.text)) and found["code"] != "0":
            facts.append(note("exit_code", int(found["code"]), line))
    if not failures and not facts:
        return Evidence()
    return gather(facts, failures=tuple(failures[:50]), kinds=frozenset({"dmesg"} if failures else ()))


def _read_failure(line: Line) -> Iterator[Failure]:
    text = line.text
    if "Xid" in text and (found := _XID.search(text)):
        yield Failure(kind=f"Xid {found['number'] or found['bare']}", message=quote(line), line=line.number)
    elif ("oom" in text or "OOM" in text or "ut of memory" in text) and _KILLED.search(text):
        yield Failure(kind="OOM killer", message=quote(line), line=line.number)
