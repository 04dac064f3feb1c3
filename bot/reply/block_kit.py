"""A document as Slack's Block Kit: rich text throughout, so that no user text can become markup or a mention."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple, TypeGuard

from bot.reply import markdown
from bot.reply.block_asks import ask
from bot.reply.block_elements import (
    ID,
    MAX_HEADER,
    MAX_ID,
    Block,
    button,
    code_block,
    context,
    header,
    rich_text,
    runs,
    runs_of,
    section,
)
from bot.reply.block_tables import NARROW, budget, table
from bot.reply.charts import native
from bot.reply.document import (
    Ask,
    BudgetTable,
    Bullets,
    Chart,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Quote,
    Table,
    Title,
)
from bot.reply.folding import fold
from bot.reply.spans import spans

__all__ = [
    "ID",
    "Attachment",
    "Block",
    "attachments",
    "blocks_of",
    "button",
    "details",
    "feedback",
    "preformatted",
    "render",
    "rich_text",
]

# Slack's limits, and msg_blocks_too_long near 13,200 characters.
MAX_BLOCKS = 50
MOST_BLOCKS = 42  # of them for the document
MAX_MODAL_BLOCKS = 100
MAX_MESSAGE_CHARACTERS = 10_000
MAX_PREFORMATTED = 2_800  # one command shown in a message that may carry files; longer ones are attached
_REST = {
    True: "The reply is longer than a message: it is attached whole.",
    False: "There is more than a message holds; `vllm-triage` in a terminal says it all.",
}
SHORT_NOTE = 60  # characters of what a fix gives and costs that stand on one line


class Attachment(NamedTuple):
    """Text too long for a message, to be uploaded beside it."""

    name: str
    text: str


def render(document: Document, case: str = "", *, asks: bool = True, attaches: bool = True) -> list[Block]:
    """Return the blocks of a message; details are left to `details`, what is too long to `attachments`.

    Args:
        document: The reply.
        case: What its buttons speak of.
        asks: Whether the reply asks its questions.
        attaches: Whether files go with the message; without them a long command stands in it whole.
    """
    blocks = _blocks(document, case, asks=asks, attaches=attaches)
    kept = _that_fit(blocks)
    return blocks if len(kept) == len(blocks) else [*kept, context(_REST[attaches])]


def _blocks(document: Document, case: str, *, asks: bool, attaches: bool) -> list[Block]:
    blocks: list[Block] = []
    for number, part in enumerate(document.parts):
        if isinstance(part, Details) or (isinstance(part, Ask) and not asks):
            continue
        shown = part._replace(text="") if attaches and _is_long(part) else part
        blocks += blocks_of(shown, f"{case}:{number}")
    return blocks


def _is_long(part: Part) -> TypeGuard[Command]:
    return isinstance(part, Command) and len(part.text) > MAX_PREFORMATTED


def details(document: Document) -> list[Block]:
    """Return the blocks of the modal that shows the details."""
    blocks: list[Block] = []
    for number, part in enumerate(document.parts):
        if isinstance(part, Details):
            blocks += blocks_of(part, f"details:{number}")
    if len(blocks) <= MAX_MODAL_BLOCKS:
        return blocks
    return [
        *blocks[: MAX_MODAL_BLOCKS - 1],
        context("There is more than Slack shows here: `vllm-triage ask --details`."),
    ]


def attachments(document: Document) -> tuple[Attachment, ...]:
    """Return what is too long for a message: single commands, and the reply as a whole where it does not fit."""
    commands = [part.text for part in document.parts if _is_long(part)]
    attached = [Attachment(name=f"command-{n}.sh", text=text) for n, text in enumerate(commands, start=1)]
    blocks = _blocks(document, "", asks=True, attaches=True)
    if len(_that_fit(blocks)) < len(blocks):
        attached.append(Attachment(name="reply.md", text=markdown.render(document)))
    return tuple(attached)


def feedback(case: str, *, has_details: bool) -> Block:
    """Return the row of buttons below a reply."""
    buttons = [button("Solved", f"{ID}:resolve", case, style="primary"), button("Not helpful", f"{ID}:unhelpful", case)]
    more = [button("Details", f"{ID}:details", case)] if has_details else []
    return {"type": "actions", "block_id": f"{ID}:feedback:{case}"[:MAX_ID], "elements": [*more, *buttons]}


def blocks_of(part: Part, place: str = "") -> list[Block]:
    """Return the blocks of one part of a document."""
    placed = _PLACED.get(type(part))
    return placed(part, place) if placed else _WRITERS[type(part)](part)


def preformatted(*lines: str) -> Block:
    """Return a block of lines as they are, in one width."""
    return rich_text(code_block("\n".join(lines)))


def _that_fit(blocks: list[Block]) -> list[Block]:
    """Return the first blocks that a message holds beside its state, its buttons and a word on the rest."""
    spent = list(accumulate(len(str(block)) for block in blocks))
    return [block for block, sum_ in zip(blocks[:MOST_BLOCKS], spent, strict=False) if sum_ <= MAX_MESSAGE_CHARACTERS]


def _title(part: Title) -> list[Block]:
    is_short = len(part.text) <= MAX_HEADER
    head = header(part.text) if is_short else rich_text(section(runs_of(part.text, bold=True)))
    return [head, context(part.aside)] if part.aside else [head]


def _prose(part: Prose) -> list[Block]:
    return [rich_text(section(runs(part.spans)))]


def _bullets(part: Bullets) -> list[Block]:
    items = [section(runs(item.spans)) for item in part.items]
    return [rich_text({"type": "rich_text_list", "style": "bullet", "elements": items})]


def _quote(part: Quote) -> list[Block]:
    head = runs_of(f"Your line {part.line}: ") if part.line else []
    return [rich_text({"type": "rich_text_quote", "elements": [*head, *runs_of(part.text, code=True)]})]


def _chart(part: Chart) -> list[Block]:
    return [native.block(part)]


def _command(part: Command) -> list[Block]:
    head = [section(runs_of(part.title, bold=True))] if part.title else []
    body = (
        code_block(fold(part.text, NARROW)) if part.text else section(runs_of("The command is attached.", italic=True))
    )
    said = [f"{lead or '→ '}{text}" for lead, text in part.notes]
    joined = (" · " if len("".join(said)) <= SHORT_NOTE else "\n").join(said)
    return [rich_text(*head, body, *([section(runs(spans(joined)))] if said else []))]


def _details(part: Details, place: str) -> list[Block]:
    inner = [blocks_of(inside, f"{place}:{number}") for number, inside in enumerate(part.parts)]
    return [header(part.title), *(block for blocks in inner for block in blocks)]


_WRITERS: dict[type[object], Callable[..., list[Block]]] = {
    Title: _title,
    Prose: _prose,
    Bullets: _bullets,
    Quote: _quote,
    BudgetTable: budget,
    Table: table,
    Chart: _chart,
    Command: _command,
}
# These speak of the case they stand in.
_PLACED: dict[type[object], Callable[..., list[Block]]] = {Ask: ask, Details: _details}
