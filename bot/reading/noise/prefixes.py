"""What log collectors and vLLM itself write before a message, and where the message begins."""

from __future__ import annotations

import json
import re
from typing import Any, cast

_OUTER = re.compile(
    r"""\s*(?:
        [A-Za-z][\w.-]*[-_]\d+\s+\|\s?                      # docker compose: "vllm-1  | "
      | [A-Za-z][\w.-]*\s+\|\s(?=\s*(?:\(?[A-Z]\w+[ \w]*pid=|INFO|WARN|ERROR|DEBUG|Traceback|\[))  # a container's name
      | \[pod/[\w./-]+\](?:\s|\Z)                                  # kubectl logs --prefix
      | \d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?:\s+(?:stdout|stderr)\s+[FP])?(?:\s-\s(?=\(|INFO|WARN|ERROR|DEBUG|CRIT|[\w.]{1,60}\s-\s)|:?\s|\Z)
      | \[\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\](?:\s|\Z)
      | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d\s[\w.<>-]+\s[\w.@<>-]{1,60}(?:\[\d+\])?:\s   # journald, syslog
      | \[(?:Error|Info|Warning|Debug)\]\s(?:\(Process\)\s)?   # service supervisors
      | [│┃]\s(?=(?:INFO|WARNING|ERROR|DEBUG|\())               # panels of rich consoles
      | \d{1,4}:\s(?=\(\w+[ ]|INFO\b|WARNING\b|ERROR\b|DEBUG\b)   # srun --label
      | (?:\[[A-Za-z][\w.-]{0,40}\]:? | [A-Za-z][\w.-]{0,40}:)\s(?=\(\w+[ ]pid=|(?:INFO|WARNING|ERROR|DEBUG)[ ]\d\d-\d\d[ ])  # a launcher's name
      | \[rank\d+\]:\s? | \[\d+,\d+\]<std(?:out|err)>:\s?    # torchrun, mpirun
    )""",
    re.VERBOSE,
)
_VLLM = re.compile(
    r"""\s*
    (?P<processes>(?:[(\[]?(?:[A-Za-z_][\w:.-]{0,120}(?:\([\w:.()]{0,120}\))?)(?:[ ][A-Z]\w*|[ ]rank=\d+){0,2}[ ]pid=\d+(?:,[ ]ip=[\w.:<>-]+)?[)\]]\s*){0,5})
    (?:\[Stage-\d+\]\s*)?
    (?:\[(?P<letter>[EWIF])(?:\d{4}\s\d\d:\d\d:\d\d\.\d{1,9})?\s[\w.]{1,60}\.cpp:\d{1,6}\]\s)?  # PyTorch's own log
    (?:(?P<level>INFO|WARNING|WARN|ERROR|DEBUG|CRITICAL|EXCEPTION|FATAL)\b:?\s*)?
    (?:(?:\d{4}-)?\d\d-\d\d\s\d\d:\d\d:\d\d(?:[.,]\d+)?\s*)?
    (?:\[?[\w./-]+\.py:?\d*\](?:\(https?://[^\s)]{1,200}\)?\]?)?\s?     # "[core.py:97]", "worker.py:241]", linked by a client
       | [\w./-]+\.py:\d+\s{2,} )?
    """,
    re.VERBOSE,
)
_LETTERS = {"E": "ERROR", "F": "FATAL", "W": "WARNING", "I": "INFO"}
_PROCESS = re.compile(
    r"(?:\A\s*|[)\]]\s*|[(\[])([A-Za-z_][\w:.-]*)(?:\([\w:.()]{0,120}\))?(?: ([A-Z]\w*)| rank=(\d+))?"
)
_JSON_MARKS = (
    '"time',
    '"ts"',
    '"@timestamp"',
    '"level"',
    '"levelname"',
    '"stream"',
    '"severity"',
    '"logger"',
    '"asctime"',
)
_JSON_KEYS = ("log", "message", "msg", "textPayload", "line")


def take_off_outer(text: str) -> str:
    """Return a line without what compose, kubectl, journald, launchers and timestamps put before it.

    >>> take_off_outer("vllm-1  | 2026-01-02T10:00:00.1Z INFO 01-02 10:00:00 [core.py:1] ready")
    'INFO 01-02 10:00:00 [core.py:1] ready'
    """
    if text.startswith('{"') and text.endswith("}"):
        text = _unwrap_json(text)
    for _ in range(4):
        found = _OUTER.match(text)
        if not found:
            break
        text = text[found.end() :]
        if found[0][-2:-1] in "│┃":
            text = text.rstrip("│┃ ")
    return text


def _unwrap_json(text: str) -> str:
    """Return the message of a JSON log line, or the text itself."""
    if not any(mark in text for mark in _JSON_MARKS) or not any(f'"{key}"' in text for key in _JSON_KEYS):
        return text
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(record, dict):
        return text
    said = [cast("dict[str, Any]", record).get(key) for key in _JSON_KEYS]
    return next((value.rstrip("\n") for value in said if isinstance(value, str) and "\n" not in value.strip()), text)


def take_off_vllm(text: str) -> tuple[int, str | None, str | None]:
    """Return where the message begins, the process that wrote it, and the level.

    >>> take_off_vllm("(Worker_TP1 pid=7) ERROR 01-02 10:00:00 [core.py:9] boom")
    (52, 'Worker_TP1', 'ERROR')
    """
    if not (text[:1] in "(IWEDCF[ " or ".py:" in text[:60] or " pid=" in text[:60]):
        return 0, None, None
    found = _VLLM.match(text)
    if found is None or not text[: found.end()].strip():
        return 0, None, None
    return found.end(), _name_process(found["processes"]), found["level"] or _LETTERS.get(found["letter"] or "")


def _name_process(processes: str) -> str | None:
    names = _PROCESS.findall(processes)
    if not names:
        return None
    name, part, rank = names[-1]
    return f"{name} {part}" if part and part != "pid" else f"{name} rank={rank}" if rank else name
