"""Commands that stand in a text more often than anyone writes them: the first and the last are read."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Line

FIRST, LAST = 100, 400
"""Lines with a command that are read; of several commands the last counts."""

_SIGNS = ("vllm serve", "vllm bench", "vllm.entrypoints", "vllm.scripts", "vllm-openai", "api_server.py")


def thin(lines: Sequence[Line], whole: str) -> Sequence[Line]:
    """Return the lines with empty ones for commands between the first and the last; vLLM's own messages stay.

    Args:
        lines: Those of the text.
        whole: Their texts as one.
    """
    if sum(map(whole.count, _SIGNS)) <= FIRST + LAST:
        return lines
    between = [place for place, line in enumerate(lines) if _holds_command(line)][FIRST:-LAST]
    thinned = list(lines)
    for start in between:
        for place in _command_from(lines, start):
            thinned[place] = Line(number=lines[place].number, text="")
    return thinned if between else lines


def say_thinned(lines: Sequence[Line], left: Sequence[Line]) -> tuple[str, ...]:
    """Say that commands were left out, if any were."""
    if left is lines:
        return ()
    return (f"More than {FIRST + LAST} lines have a command; the first {FIRST} and the last {LAST} of them were read.",)


def _command_from(lines: Sequence[Line], start: int) -> range:
    """Return the places of a command's lines, which a backslash joins."""
    end = start + 1
    while end < len(lines) and lines[end - 1].text.rstrip().endswith("\\"):
        end += 1
    return range(start, end)


def _holds_command(line: Line) -> bool:
    return line.level is None and 'File "' not in line.text and any(sign in line.text for sign in _SIGNS)
