"""`vllm-triage size --sweep`: tables of what-ifs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bot.cli.json_lines import show_json

if TYPE_CHECKING:
    from bot.consult import Sized

MOST_ROWS = 10_000
FITS, DOES_NOT_FIT, NOT_SIZED = 0, 3, 4  # exit codes; 2 is a wrong option, 1 and 70 are what goes wrong (decision 19)


def read_fields(sweeps: Sequence[str]) -> Mapping[str, Sequence[Any]]:
    """Return the values of each field, in the order given.

    Raises:
        BadParameter: A field or value is none, or the table would be too long.
    """
    if not sweeps:
        return {}
    from bot.consult import at_hand
    from bot.diagnosis import options

    try:
        return options.read_fields(sweeps, at_hand().flags, MOST_ROWS)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def show_what_ifs(sized: Sized, fields: Mapping[str, Sequence[Any]], *, as_json: bool, markdown: bool) -> int:
    """Print the table, as JSON, as Markdown, or for this terminal; return the exit code."""
    from bot.consult import what_if
    from bot.reply.answer import facts
    from bot.reply.compose_sweep import answer_sweep, compose_sweep

    rows = what_if(sized, fields)
    if as_json:
        unused = [bad.sentence for bad in sized.bad]
        said = {"facts": facts(sized.diagnosis.deployment), "rows": answer_sweep(rows), "unused": unused}
        show_json(said)
    else:
        from bot.cli.look import show_as

        show_as(compose_sweep(sized.diagnosis.deployment, rows, sized.diagnosis.questions), markdown=markdown)
    if not rows:
        return NOT_SIZED
    return FITS if any(row.fits for row in rows) else DOES_NOT_FIT
