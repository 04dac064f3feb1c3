"""A document as Slack's Block Kit: rich text throughout, so that no user text can become markup or a mention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from bot.deployment import Frozen
from bot.diagnosis.verdict import Question
from bot.reply import chart_block
from bot.reply.adding_up import split
from bot.reply.document import (
    Ask,
    Bullets,
    Chart,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Quote,
    Span,
    Table,
    Title,
)
from bot.reply.document import BudgetTable as Budgets
from bot.reply.spans import spans

Block: TypeAlias = dict[str, Any]

# Slack's limits (docs.slack.dev/reference/block-kit, and msg_blocks_too_long near 13,200 characters).
MAX_BLOCKS = 50
MAX_MODAL_BLOCKS = 100
MAX_MESSAGE_CHARACTERS = 10_000
MAX_HEADER = 150
MAX_BUTTON = 75
MAX_VALUE = 2_000
MAX_OPTIONS = 100
MAX_PREFORMATTED = 2_800  # one command or budget shown in the message; longer ones are attached
MAX_BUTTONS_IN_A_ROW = 5
NARROW = 58  # characters of a code block that a thread beside a channel shows without wrapping
BAR = 40  # of them for the bar
SHORT_NOTE = 120  # characters of what a fix gives and costs that stand on one line
# Facts whose answer is a name of the catalogue: a type-ahead beats buttons.
TYPE_AHEAD = frozenset({"model", "gpu"})
# Ids carry a version, so that buttons of old messages still say what they mean after an upgrade.
ID = "vt1"


class Attachment(Frozen):
    """Text too long for a message, to be uploaded beside it."""

    name: str
    text: str


def render(document: Document, case: str = "", *, asks: bool = True) -> list[Block]:
    """Return the blocks of a message; details and what is too long are left to `details` and `attachments`."""
    blocks: list[Block] = []
    for number, part in enumerate(document.parts):
        if isinstance(part, Details) or (isinstance(part, Ask) and not asks):
            continue
        blocks += _part(part, f"{case}:{number}")
    return _within(blocks, MAX_BLOCKS - 1)


def details(document: Document) -> list[Block]:
    """Return the blocks of the modal that shows the details."""
    blocks: list[Block] = []
    for section in (part for part in document.parts if isinstance(part, Details)):
        blocks.append(_header(section.title))
        for number, part in enumerate(section.parts):
            blocks += _part(part, f"details:{section.title}:{number}")
    return blocks[:MAX_MODAL_BLOCKS]


def attachments(document: Document) -> tuple[Attachment, ...]:
    """Return the commands that are too long for a message."""
    commands = [part for part in document.parts if isinstance(part, Command) and len(part.text) > MAX_PREFORMATTED]
    return tuple(Attachment(name=f"command-{n}.sh", text=part.text) for n, part in enumerate(commands, start=1))


def feedback(case: str, *, has_details: bool) -> Block:
    """Return the row of buttons below a reply."""
    buttons = [button("Solved", f"{ID}:resolve", case, style="primary"), button("Not helpful", f"{ID}:unhelpful", case)]
    more = [button("Details", f"{ID}:details", case)] if has_details else []
    return {"type": "actions", "block_id": f"{ID}:feedback:{case}"[:255], "elements": [*more, *buttons]}


def button(text: str, action: str, value: str, *, style: str | None = None) -> Block:
    """Return a button; text and value are cut to Slack's limits."""
    element: Block = {
        "type": "button",
        "text": {"type": "plain_text", "text": text[:MAX_BUTTON], "emoji": False},
        "action_id": action[:255],
        "value": value[:MAX_VALUE],
    }
    return element | ({"style": style} if style else {})


def rich_text(*elements: Block) -> Block:
    """Return one rich_text block."""
    return {"type": "rich_text", "elements": list(elements)}


def _within(blocks: list[Block], most: int) -> list[Block]:
    """Keep the blocks that fit a message, whole ones only, and say so when some do not."""
    kept, spent = [], 0
    for block in blocks:
        spent += len(str(block))
        if len(kept) == most - 1 or spent > MAX_MESSAGE_CHARACTERS:
            kept.append(_context("The rest is under Details."))
            break
        kept.append(block)
    return kept


def blocks_of(part: Part, place: str = "") -> list[Block]:
    """Return the blocks of one part of a document."""
    return _part(part, place)


def _part(part: Part, place: str) -> list[Block]:
    return _WRITERS[type(part)](part, place)


def preformatted(*lines: str) -> Block:
    """Return a block of lines as they are, in one width."""
    return rich_text(_preformatted("\n".join(lines)))


def _text(text: str, **style: bool) -> Block:
    return {"type": "text", "text": text or " "} | ({"style": style} if style else {})


def _span(span: Span) -> Block:
    if span.url:
        return {"type": "link", "url": span.url, "text": span.text}
    return _text(span.text) if span.style == "plain" else _text(span.text, **{span.style: True})


def _section(spans: Iterable[Block]) -> Block:
    return {"type": "rich_text_section", "elements": list(spans)}


def _preformatted(text: str) -> Block:
    return {"type": "rich_text_preformatted", "elements": [_text(text)]}


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": text[:MAX_HEADER], "emoji": False}}


def _context(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "plain_text", "text": text[:2000], "emoji": False}]}


def _title(part: Title, place: str) -> list[Block]:  # noqa: ARG001 - every writer has the same form
    head = _header(part.text) if len(part.text) <= MAX_HEADER else rich_text(_section([_text(part.text, bold=True)]))
    return [head, _context(part.aside)] if part.aside else [head]


def _prose(part: Prose, place: str) -> list[Block]:  # noqa: ARG001
    return [rich_text(_section(_span(span) for span in part.spans))]


def _bullets(part: Bullets, place: str) -> list[Block]:  # noqa: ARG001
    items = [_section(_span(span) for span in item.spans) for item in part.items]
    return [rich_text({"type": "rich_text_list", "style": "bullet", "elements": items})]


def _quote(part: Quote, place: str) -> list[Block]:  # noqa: ARG001
    head = [_text(f"Your line {part.line}: ")] if part.line else []
    return [rich_text({"type": "rich_text_quote", "elements": [*head, _text(part.text, code=True)]})]


def _budget(part: Budgets, place: str) -> list[Block]:  # noqa: ARG001
    label = max((len(row.label) for row in part.rows), default=0)
    amount = max((len(row.amount) for row in part.rows), default=0)
    lines = [
        line
        for number, row in enumerate(part.rows)
        for line in _row(f"{row.label:<{label}}  {row.amount:>{amount}} {'GiB' if not number else '   '}  ", row.note)
    ]
    blocks = [rich_text(_preformatted("\n".join([*lines, *_bar(part)])))]
    return [*blocks, _context(part.footnote)] if part.footnote else blocks


def _row(head: str, note: str) -> list[str]:
    """Return a row of the budget; a note that a thread would wrap goes on below itself, at its own signs."""
    if len(head) + len(note) <= NARROW:
        return [f"{head}{note}".rstrip()]
    first, *rest = note.split(" = ")
    return [f"{head}{first}".rstrip(), *(f"{' ' * len(head)}= {more}" for more in rest)]


def _bar(part: Budgets) -> list[str]:
    """Return the bar and its legend, in lines that a thread does not wrap."""
    if not part.bar:
        return []
    marks = "█▓▒░▚▞"
    widths = split([share for _, share in part.bar], BAR)
    cells = "".join(marks[n % len(marks)] * width for n, width in enumerate(widths))
    legend = [f"{marks[n % len(marks)]} {label} {share:.0%}" for n, (label, share) in enumerate(part.bar)]
    lines = [""]
    for entry in legend:
        is_full = lines[-1] and len(lines[-1]) + 2 + len(entry) > NARROW
        lines = [*lines, entry] if is_full else [*lines[:-1], f"{lines[-1]}  {entry}".strip()]
    return ["", cells, *lines]


def _table(part: Table, place: str) -> list[Block]:  # noqa: ARG001
    widths = [max(len(row[n]) for row in (part.headers, *part.rows)) for n in range(len(part.headers))]
    numeric = part.numeric or (False,) * len(widths)
    lines = [
        "  ".join(
            cell.rjust(w) if num else cell.ljust(w) for cell, w, num in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in (part.headers, *part.rows)
    ]
    caption = [_section([_text(part.caption, bold=True)])] if part.caption else []
    return [rich_text(*caption, _preformatted("\n".join(lines)))]


def _chart(part: Chart, place: str) -> list[Block]:  # noqa: ARG001
    return [chart_block.block(part)]


def _command(part: Command, place: str) -> list[Block]:  # noqa: ARG001
    head = [_section([_text(part.title, bold=True)])] if part.title else []
    is_long = len(part.text) > MAX_PREFORMATTED
    body = _section([_text("The command is attached.", italic=True)]) if is_long else _preformatted(part.text)
    notes = [("→ ", part.gives), ("Costs: ", part.costs), ("Risk: ", part.risk)]
    said = [f"{name}{text}" for name, text in notes if text]
    joined = (" · " if len("".join(said)) <= SHORT_NOTE else "\n").join(said)
    return [rich_text(*head, body, *([_section(_span(span) for span in spans(joined))] if said else []))]


def _ask(part: Ask, place: str) -> list[Block]:
    asked = part.question
    told = [_text(asked.text, bold=True)] + ([_text(" "), *map(_span, spans(asked.why))] if asked.why else [])
    if not asked.choices and asked.name not in TYPE_AHEAD:  # answered by a reply in the thread
        return [rich_text(_section(told))]
    return [
        rich_text(_section(told)),
        {"type": "actions", "block_id": f"{ID}:ask:{asked.name}:{place}"[:255], "elements": _choices(asked, place)},
    ]


def _choices(asked: Question, place: str) -> list[Block]:
    case = place.rsplit(":", 1)[0]
    unsure = button("I don't know", f"{ID}:unsure:{asked.name}", case)
    if asked.name in TYPE_AHEAD:
        return [_type_ahead(asked), *_buttons(asked, asked.choices[: MAX_BUTTONS_IN_A_ROW - 2]), unsure]
    if len(asked.choices) <= MAX_BUTTONS_IN_A_ROW - 1:
        return [*_buttons(asked, asked.choices), unsure]
    return [_select(asked), unsure]


def _buttons(asked: Question, choices: Sequence[str]) -> list[Block]:
    return [button(choice, f"{ID}:answer:{asked.name}:{n}", choice) for n, choice in enumerate(choices)]


def _option(choice: str) -> Block:
    return {"text": {"type": "plain_text", "text": choice[:MAX_BUTTON], "emoji": False}, "value": choice[:150]}


def _placeholder(text: str) -> Block:
    return {"type": "plain_text", "text": text[:150], "emoji": False}


def _select(asked: Question) -> Block:
    options = [_option(choice) for choice in asked.choices[:MAX_OPTIONS]]
    element: Block = {
        "type": "static_select",
        "action_id": f"{ID}:answer:{asked.name}"[:255],
        "placeholder": _placeholder("Choose"),
        "options": options,
    }
    guessed = [option for option in options if option["value"] == asked.guess]
    return element | ({"initial_option": guessed[0]} if guessed else {})


def _type_ahead(asked: Question) -> Block:
    return {
        "type": "external_select",
        "action_id": f"{ID}:answer:{asked.name}"[:255],
        "placeholder": _placeholder("Type a few letters"),
        "min_query_length": 2,
    }


def _details(part: Details, place: str) -> list[Block]:
    return [_header(part.title), *(block for inside in part.parts for block in _part(inside, place))]


_WRITERS: dict[type[object], Callable[..., list[Block]]] = {
    Title: _title,
    Prose: _prose,
    Bullets: _bullets,
    Quote: _quote,
    Budgets: _budget,
    Table: _table,
    Chart: _chart,
    Command: _command,
    Ask: _ask,
    Details: _details,
}
