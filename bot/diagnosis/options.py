"""What is asked beside a deployment: a table of what-ifs, and the load that it shall serve."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import nan, prod
from typing import Any, NamedTuple

from bot.catalog.flags import Flags
from bot.catalog.gpus import find_gpu
from bot.deployment import Deployment
from bot.diagnosis.identify import identify, unknown_card
from bot.diagnosis.verdict import Diagnosis
from bot.fact_values import fact_value, quote
from bot.facts import FACTS
from bot.sizing.serving import ACTIVE_SHARE, Serving, serving

_EXAMPLE = "write it like max_model_len=8K,16K,32K"
_MOST_CONTEXT = 100_000_000  # tokens; the longest that any model was made for is a tenth of it
_LEAST_SHARE = 0.0001  # one of ten thousand people: with fewer at a time nobody plans
_OPTION = re.compile(
    r"""(?<!\S) (?: -- | [–—] ) (?:  # a phone makes one dash of two
        sweep [=\s]+ (?P<sweep> [^\s=]+ = [^\s,]* (?: \s* , \s* [^\s,]+ )* )  # a phone puts a space after each comma
        | context [=\s]+ (?P<context> \S+ )
        | active-share [=\s]+ (?P<share> \S+ )
    )""",
    re.VERBOSE,
)


class Load(NamedTuple):
    """What somebody wants to know speed and people for."""

    context_tokens: int | None = None  # of one sequence; None: a usual length
    active_share: float = ACTIVE_SHARE


class Options(NamedTuple):
    """A description without its options, and the options as they were written."""

    text: str
    sweeps: tuple[str, ...] = ()
    context: str | None = None
    active_share: str | None = None

    @property
    def has_load(self) -> bool:
        """Whether speed and people were asked for."""
        return self.context is not None or self.active_share is not None


def split_options(text: str) -> Options:
    """Take the options out of a description.

    >>> split_options("qwen3-8b on L4 --sweep max_model_len=8K, 16K --context 4K")
    Options(text='qwen3-8b on L4', sweeps=('max_model_len=8K,16K',), context='4K', active_share=None)
    """
    found = [each.groupdict() for each in _OPTION.finditer(text)]
    last = {name: value for each in found for name, value in each.items() if value and name != "sweep"}
    return Options(
        text=" ".join(_OPTION.sub(" ", text).split(" ")).strip() if found else text,
        sweeps=tuple(re.sub(r"\s", "", each["sweep"]) for each in found if each["sweep"]),
        context=last.get("context"),
        active_share=last.get("share"),
    )


def read_load(context: str | None, active_share: float | str | None) -> Load:
    """Return the load that was asked for.

    Raises:
        ValueError: One of them is no such figure; the sentence says what was wanted.
    """
    tokens = None if context is None else _named("--context", "max_model_len", context)
    if tokens is not None and not 1 <= tokens <= _MOST_CONTEXT:
        raise ValueError(f"--context: found {quote(context)}; give at least 1 token and at most {_MOST_CONTEXT:,}")
    return Load(context_tokens=tokens, active_share=ACTIVE_SHARE if active_share is None else _share(active_share))


def _share(raw: float | str) -> float:
    text = str(raw).strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = nan
    if not _LEAST_SHARE <= share <= 1:
        raise ValueError(
            f"--active-share: found {quote(raw)}; give a share from {_LEAST_SHARE} to 1, such as 0.1 or 10%"
        )
    return share


def serve(diagnosis: Diagnosis, load: Load) -> Serving | None:
    """Return the speed of a deployment that was sized and the people it serves; None where it does not run."""
    budget = diagnosis.budget
    if budget is None or not budget.fits or diagnosis.refusals:
        return None
    return serving(budget, load.context_tokens, load.active_share)


def read_fields(sweeps: Sequence[str], flags: Flags, most: int) -> Mapping[str, Sequence[Any]]:
    """Return the values of each field of a what-if table, in the order given.

    Raises:
        ValueError: A field or value is none, or the table would have more than `most` rows.
    """
    fields: dict[str, list[Any]] = {}
    for text in sweeps:
        name, equals, values = text.partition("=")
        if not equals or not values.strip(", "):
            raise ValueError(f"{quote(text)}: {_EXAMPLE}")
        field = _field(name.strip(), flags)
        fields[field] = [_value(field, value.strip()) for value in values.split(",") if value.strip()]
    rows = prod(map(len, fields.values()))
    if rows > most:
        raise ValueError(f"{rows:,} combinations are too many for one table; {most:,} are the most")
    return fields


def _field(name: str, flags: Flags) -> str:
    flag = flags.by_name(name) or flags.by_name(f"-{name}")
    field = flag.fact if flag and flag.fact else name.lstrip("-").replace("-", "_")
    settings = [known for known in FACTS if known in Deployment.model_fields]
    if field in settings:
        return field
    from difflib import get_close_matches  # noqa: PLC0415  # for what nobody knows only

    close = get_close_matches(field, settings, n=1)
    raise ValueError(f"{quote(name)} is no setting I know; {f'did you mean {close[0]}?' if close else _EXAMPLE}")


def _value(field: str, text: str) -> Any:
    if field == "model" and identify(text, None).shape is None:
        raise ValueError(identify(text, None).sentence)
    if field == "gpu" and find_gpu(text).card is None:
        raise ValueError(unknown_card(text))
    return _named(field, field, text)


def _named(label: str, fact: str, value: Any) -> Any:
    try:
        return fact_value(fact, value)
    except ValueError as error:
        raise ValueError(f"{label}: {error}") from error
