"""What somebody wants sized, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from pydantic import AfterValidator

from bot.consult import Sized, at_hand, size, what_if
from bot.diagnosis.identify import LookUp
from bot.diagnosis.options import Load, Options, read_fields, read_load, serve, split_options
from bot.frozen import Frozen
from bot.given import BadFact
from bot.hub.fetch import is_offline
from bot.hub.look_up import recall, repository_of
from bot.reading.noise.scrub import scrub
from bot.reply.compose_size import compose_size
from bot.reply.document import Details, Document
from bot.reply.narrow_sweep import compose_narrow_sweep
from bot.reply.say_serving import say_serving
from bot.sizing.sweep import SweepRow

_MOST_ROWS = 48  # of a table, which a phone still scrolls through


class Wish(Frozen):
    """What somebody wants sized, without secrets; it travels in the value of a button, so that nothing need be kept."""

    text: Annotated[str, AfterValidator(scrub)] = ""
    facts: Mapping[str, str | int] = {}

    def with_(self, **facts: str | int) -> Wish:
        """Return the same with other facts, which outrank the text."""
        return Wish(text=self.text, facts={**self.facts, **facts})

    def with_table(self, **values: tuple[int, ...]) -> Wish:
        """Return the same as a table of what-ifs."""
        sweeps = (f"--sweep {name}={','.join(map(str, each))}" for name, each in values.items())
        return Wish(text=" ".join([self.text, *sweeps]).strip(), facts=self.facts)


class Outcome(NamedTuple):
    """What comes of a wish: the budget, or a table of what-ifs; and what of it could not be used."""

    sized: Sized
    document: Document
    rows: tuple[SweepRow, ...] = ()
    asked_load: Details | None = None  # speed and people, where somebody asked for them
    bad: tuple[BadFact, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether something must be told before there is anything to show."""
        return self.sized.diagnosis.budget is None and not self.rows

    @property
    def may_be_on_the_hub(self) -> bool:
        """Whether its model has a name of the hub and nobody here knows it yet."""
        used = self.sized.diagnosis.deployment
        return used.shape is None and bool(used.model and repository_of(used.model)) and not is_offline()

    @property
    def has_picture(self) -> bool:
        """Whether there is one budget to draw, of a deployment that can be."""
        return self.sized.diagnosis.budget is not None and not self.rows and not self.sized.diagnosis.refusals


def outcome(wish: Wish, look_up: LookUp = recall) -> Outcome:
    """Return what comes of a wish; `look_up` reads a model that the catalogue does not know, and may ask the hub for it."""
    options = split_options(wish.text)
    sized = size(options.text, wish.facts, look_up=look_up)
    load, bad = _load(options)
    rows, worse = _rows(options, sized)
    served = serve(sized.diagnosis, load)
    return Outcome(
        sized=sized,
        document=(
            compose_narrow_sweep(sized.diagnosis.deployment, rows)
            if rows
            else compose_size(sized.diagnosis, sized.command, served, sized.misread)
        ),
        rows=rows,
        asked_load=say_serving(served) if served and options.has_load else None,
        bad=(*sized.bad, *bad, *worse),
    )


def _load(options: Options) -> tuple[Load, tuple[BadFact, ...]]:
    try:
        return read_load(options.context, options.active_share), ()
    except ValueError as error:
        return Load(), (BadFact(name="text", sentence=str(error)),)


def _rows(options: Options, sized: Sized) -> tuple[tuple[SweepRow, ...], tuple[BadFact, ...]]:
    try:
        fields = read_fields(options.sweeps, at_hand().flags, _MOST_ROWS)
    except ValueError as error:
        return (), (BadFact(name="text", sentence=str(error)),)
    return (what_if(sized, fields) if fields else ()), ()
