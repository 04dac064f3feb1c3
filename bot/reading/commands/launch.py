"""One launch command, word by word, and by what it is known."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from bot.deployment import Wrapper
from bot.reading.commands.shell import Word

LAUNCH = re.compile(
    r"""\bvllm\s+serve\b | \bvllm[ ]bench\s+\w+ | vllm\.entrypoints\.[\w.]+ | vllm\.scripts\s+serve\b
      | \b(?:docker|podman|nerdctl)\s+(?:container\s+)?run\b | \bapi_server\.py\b | \bvllm/vllm-openai\b | vllm-openai[\w.-]*:[\w.-]+""",
    re.VERBOSE,
)


@dataclass(slots=True)
class Launch:
    """One command as it is read word by word."""

    launcher: str
    words: list[Word] = field(default_factory=list[Word])
    is_list: bool = False  # of a manifest: no sentence goes on behind it
    is_parted: bool = False  # the program, and perhaps the model, stand in another list
    inner: int = 0  # the place of the command that another was given as one word
    tail: tuple[Word, ...] = ()  # where its output goes, and whether the shell waits for it
    wrappers: tuple[Wrapper, ...] = ()  # around the inner command
    key: str = ""  # "ExecStart=", where a file has the command on a line of its own
    ends: int = 0  # where the word ends that the inner command is

    @property
    def is_client(self) -> bool:
        """Whether it sends requests to a server and starts none."""
        texts = [word.text for word in self.words]
        return any(pair == ("bench", "serve") for pair in pairwise(texts))


def name_launcher(found: str, text: str) -> str:
    """Return what starts the server, by what was found of it and the words around."""
    if re.search(r"\b(?:docker|podman|nerdctl)\b", text) or "vllm-openai" in found:
        return "docker"
    return "serve" if re.fullmatch(r"vllm\s+serve", found) else "module"
