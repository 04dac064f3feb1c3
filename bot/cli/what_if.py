"""`vllm-triage size --sweep`: tables of what-ifs."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import click

from bot.cli.json_lines import show_json

if TYPE_CHECKING:
    from bot.consult import Sized

MOST_ROWS = 10_000


def read_fields(sweeps: tuple[str, ...]) -> dict[str, list[Any]]:
    """Return the values of each field, in the order given.

    Raises:
        BadParameter: A field or value is none, or the table would be too long.
    """
    fields: dict[str, list[Any]] = {}
    for text in sweeps:
        name, equals, values = text.partition("=")
        if not equals or not values.strip(", "):
            raise click.BadParameter(f"{text!r}: write it like max_model_len=8K,16K,32K")
        field = _field(name.strip())
        fields[field] = [_value(field, value) for value in values.split(",") if value.strip()]
    rows = prod(map(len, fields.values()))
    if rows > MOST_ROWS:
        raise click.BadParameter(f"{rows:,} combinations are too many for one table; {MOST_ROWS:,} are the most")
    return fields


def _field(name: str) -> str:
    from bot.consult import at_hand
    from bot.deployment import Deployment
    from bot.facts import FACTS

    flag = at_hand().flags.by_name(name) or at_hand().flags.by_name(f"-{name}")
    field = flag.fact if flag and flag.fact else name.lstrip("-").replace("-", "_")
    if field in FACTS and field in Deployment.model_fields:
        return field
    from difflib import get_close_matches

    close = get_close_matches(field, [known for known in FACTS if known in Deployment.model_fields], n=1)
    raise click.BadParameter(f"{name!r} is no setting I know{f'; did you mean {close[0]}?' if close else ''}")


def _value(field: str, text: str) -> Any:
    from bot.fact_values import fact_value

    try:
        return fact_value(field, text.strip())
    except ValueError as error:
        raise click.BadParameter(f"{field}: {error}") from error


def show_what_ifs(sized: Sized, fields: dict[str, list[Any]], *, as_json: bool, markdown: bool) -> None:
    """Print the table, as JSON, as Markdown, or for this terminal."""
    from bot.consult import what_if
    from bot.reply.answer import facts
    from bot.reply.compose_sweep import answer_sweep, compose_sweep

    rows = what_if(sized, fields)
    if as_json:
        unused = [bad.sentence for bad in sized.bad]
        said = {"facts": facts(sized.diagnosis.deployment), "rows": answer_sweep(rows), "unused": unused}
        show_json(said)
        return
    from bot.cli.look import show_as

    show_as(compose_sweep(sized.diagnosis.deployment, rows, sized.diagnosis.questions), markdown=markdown)
