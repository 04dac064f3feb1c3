"""A reply before it has a look: headings, prose, quotes, commands, tables, bars and asks."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bot.diagnosis.verdict import Question


class Span(NamedTuple):
    """A run of text in one style. The text is plain: each renderer escapes it."""

    text: str
    style: Literal["plain", "bold", "italic", "code"] = "plain"
    url: str | None = None


class Title(NamedTuple):
    """What it is, in one line; `aside` is said more quietly (version, model, cards)."""

    text: str
    aside: str = ""


class Prose(NamedTuple):
    """A paragraph."""

    spans: tuple[Span, ...]


class Bullets(NamedTuple):
    """A list of paragraphs."""

    items: tuple[Prose, ...]


class Quote(NamedTuple):
    """The user's own line."""

    line: int | None
    text: str


SUBTRACTED = "by subtraction"  # the note of a row whose amount is what the others leave


class BudgetRow(NamedTuple):
    """One line of the budget as a person reads it."""

    label: str
    amount: str
    note: str = ""
    is_total: bool = False


class BudgetTable(NamedTuple):
    """Terms that add up, and a bar of their shares (name, share of the card).

    The footnote has what may turn the verdict, the grounds what else the rows rest on.
    """

    rows: tuple[BudgetRow, ...]
    bar: tuple[tuple[str, float], ...] = ()
    footnote: str = ""
    grounds: str = ""

    @property
    def below(self) -> str:
        """What is said quietly below the rows."""
        return " ".join(filter(None, (self.footnote, self.grounds)))


class Table(NamedTuple):
    """Rows of text; numbers are right-aligned by the renderer when `numeric` says so."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...] = ()
    caption: str = ""


class Series(NamedTuple):
    """One value for each label of a chart."""

    name: str
    values: tuple[float, ...]


class Chart(NamedTuple):
    """Numbers side by side; each series has a value for every label."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    kind: Literal["bars", "lines"] = "bars"
    unit: str = ""
    short: tuple[str, ...] = ()  # the labels where there is room for some twenty letters only


_LEADS = ("", "Costs: ", "Risk: ")


class Command(NamedTuple):
    """A fix: what it does, the command to copy, what it gives and what it costs."""

    title: str
    text: str
    gives: str = ""
    costs: str = ""
    risk: str = ""
    is_launch: bool = False  # starts the deployment, with what the fix changes; else a step to take

    @property
    def is_of_a_file(self) -> bool:
        """Whether it is what a file is to have, and nothing that a shell runs."""
        first, *more = self.text.split("\n")
        has_key = any(line.endswith(":") for line in (first, *more[:1]))
        return (bool(more) and has_key) or first.startswith(("CMD [", "ENTRYPOINT [", "ENV "))

    @property
    def notes(self) -> tuple[tuple[str, str], ...]:
        """What is said below the command, each with the words before it; what it gives has none."""
        return tuple(
            (lead, text) for lead, text in zip(_LEADS, (self.gives, self.costs, self.risk), strict=True) if text
        )


class Ask(NamedTuple):
    """A question with its choices."""

    question: Question


class Details(NamedTuple):
    """What is shown on demand."""

    title: str
    parts: tuple[Part, ...]


Part: TypeAlias = Title | Prose | Bullets | Quote | BudgetTable | Table | Chart | Command | Ask | Details


class File(NamedTuple):
    """A text that goes along with a reply."""

    name: str
    text: str


class Document(NamedTuple):
    """One reply. `summary` is its first sentence in plain text, for notifications and logs."""

    summary: str
    parts: tuple[Part, ...]
    tone: Literal["verdict", "alike", "normal", "unknown", "size"] = "verdict"
    files: tuple[File, ...] = ()
