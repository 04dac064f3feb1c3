"""A command on several lines that a shell reads as one: a narrow window breaks it nowhere else."""

from __future__ import annotations

import re

# A word of a command: plain and escaped characters, and what stands in quotes.
_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
_MORE = " \\"


def fold(command: str, width: int) -> str:
    r"""Return a command folded before its flags and pipes; one that is short, or stands on several lines, as it is.

    >>> print(fold("vllm serve org/m --max-model-len 8192 --kv-cache-dtype fp8", 40))
    vllm serve org/m --max-model-len 8192 \
      --kv-cache-dtype fp8
    """
    if len(command) <= width or "\n" in command:
        return command
    first, *flags = units(command)
    lines = [first]
    for flag in flags:
        joined = f"{lines[-1]} {flag}"
        lines = [*lines[:-1], joined] if len(joined) + len(_MORE) <= width else [*lines, f"  {flag}"]
    return f"{_MORE}\n".join(lines)


def units(command: str) -> list[str]:
    """Return what stays together: a program with what it is given first, and each long flag with its values.

    >>> units("vllm serve org/m --max-model-len 8192 --enforce-eager")
    ['vllm serve org/m', '--max-model-len 8192', '--enforce-eager']
    """
    if "\n  - " in command:  # a list in a file
        return [line.removeprefix("  - ") for line in command.split("\n")]
    words = _WORD.findall(command)
    if " ".join(words) != command:  # on several lines, or not to be read
        return [command]
    found = [""]
    for word in words:
        if (word.startswith("--") or word == "|") and found[-1]:
            found.append(word)
        else:
            found[-1] = f"{found[-1]} {word}".strip()
    return found
