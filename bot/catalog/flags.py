"""The flags and environment variables of vLLM: what each sets, and in which versions it lives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pydantic import model_validator

from bot.catalog.versions import Versions, refuse_a_backward_range
from bot.deployment import VllmVersion
from bot.frozen import Frozen

_OPPOSITE = {"true": "false", "false": "true"}


class Flag(Frozen):
    """One flag of `vllm serve`, or one environment variable."""

    name: str  # "--max-model-len", "VLLM_USE_V1"
    fact: str | None = None  # the fact it sets
    type: Literal["int", "float", "text", "switch", "bytes", "json", "list"] = "text"
    negation: str | None = None  # the switch that says no: "--no-enable-prefix-caching"
    sets: Literal["true", "false"] | None = None  # what a bare switch means for the fact: "false" for --disable-…
    since: VllmVersion | None = None
    until: VllmVersion | None = None
    aliases: tuple[str, ...] = ()  # other spellings of the same flag
    renamed_to: str | None = None  # what took its place
    values: tuple[str, ...] = ()  # the words it takes, where they are few
    uncounted: str | None = None  # what it changes that sizing does not count: "it keeps copies of experts"
    note: str | None = None

    @model_validator(mode="after")
    def _lives_in_a_range(self) -> Flag:
        refuse_a_backward_range(self.since, self.until)
        return self

    @property
    def is_environment(self) -> bool:
        """Whether it is an environment variable."""
        return not self.name.startswith("-")

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way to write it, the negation included."""
        return (self.name, *self.aliases, *((self.negation,) if self.negation else ()))

    def exists_in(self, version: VllmVersion | None) -> bool | None:
        """Return whether that version has it; None when that cannot be said.

        An unknown version is taken as recent: a flag that is still there exists, one that is gone cannot be said.
        """
        if version is None:
            return True if self.until is None else None
        return Versions(since=self.since, until=self.until).include(version)


class Flags(NamedTuple):
    """All flags, found by any of their spellings or by the fact they set."""

    rows: tuple[Flag, ...]
    by_spelling: Mapping[str, Flag]

    @classmethod
    def of(cls, rows: Iterable[Flag]) -> Flags:
        """Return the table of `rows`.

        Raises:
            ValueError: Two rows share a spelling.
        """
        return cls((), MappingProxyType({})).and_of(rows)

    def and_of(self, rows: Iterable[Flag]) -> Flags:
        """Return the table with `rows` behind its own.

        Raises:
            ValueError: Two rows share a spelling.
        """
        rows = tuple(rows)
        found = dict(self.by_spelling)
        for flag in rows:
            for spelling in flag.spellings:
                if found.setdefault(_plain(spelling), flag) is not flag:
                    raise ValueError(f"{spelling} stands in two rows; keep one")
        return Flags((*self.rows, *rows), MappingProxyType(found))

    def by_name(self, name: str) -> Flag | None:
        """Return the flag spelled `name`: as a flag, an alias, a Python keyword or an environment variable."""
        return self.by_spelling.get(_plain(name.strip().partition("=")[0]))

    def for_fact(self, fact: str, version: VllmVersion | None = None) -> Flag | None:
        """Return the flag that sets `fact` in that version; in the newest one when the version is unknown."""
        setting = [flag for flag in self.rows if flag.fact == fact and not flag.is_environment]
        return next((flag for flag in setting if flag.exists_in(version)), None)

    def variable_for(self, fact: str, version: VllmVersion | None = None) -> Flag | None:
        """Return the environment variable that sets `fact` in that version; in the newest one when it is unknown."""
        setting = [row for row in self.rows if row.fact == fact and row.is_environment]
        return next((row for row in setting if row.exists_in(version)), None)

    def means(self, name: str, value: str | None = None) -> tuple[str, Any] | None:
        """Return (fact, raw value) of a flag as written, or None when it sets no fact we know."""
        flag = self.by_name(name)
        if flag is None or flag.fact is None:
            return None
        if flag.type != "switch" or value is not None:
            return flag.fact, value
        says_no = flag.negation is not None and _plain(name) == _plain(flag.negation)
        says = flag.sets or "true"
        return flag.fact, _OPPOSITE[says] if says_no else says


def _plain(spelling: str) -> str:
    """Return one key for `--max-model-len`, `--max_model_len` and `max_model_len`.

    Short flags keep their dash, environment variables their capitals: `HF_TOKEN` is not `--hf-token`.
    """
    is_short = spelling.startswith("-") and not spelling.startswith("--")
    if is_short or (not spelling.startswith("-") and not spelling.islower()):
        return spelling
    return spelling.removeprefix("--").replace("-", "_").casefold()
