"""A document as Slack's Block Kit: rich text throughout, so that no user text can become markup or a mention."""

from __future__ import annotations

from collections.abc import Callable

from bot.deployment import Frozen
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
from bot.reply.block_tables import budget, table
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
MAX_MODAL_BLOCKS = 100
MAX_MESSAGE_CHARACTERS = 10_000
MAX_PREFORMATTED = 2_800  # one command or budget shown in the message; longer ones are attached
SHORT_NOTE = 120  # characters of what a fix gives and costs that stand on one line


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
        blocks += blocks_of(part, f"{case}:{number}")
    return _within(blocks, MAX_BLOCKS - 1)


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
    """Return the commands that are too long for a message."""
    commands = [part for part in document.parts if isinstance(part, Command) and len(part.text) > MAX_PREFORMATTED]
    return tuple(Attachment(name=f"command-{n}.sh", text=part.text) for n, part in enumerate(commands, start=1))


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


def _within(blocks: list[Block], most: int) -> list[Block]:
    """Keep the blocks that fit a message, whole ones only, and say so when some do not."""
    kept, spent = [], 0
    for block in blocks:
        spent += len(str(block))
        if len(kept) == most - 1 or spent > MAX_MESSAGE_CHARACTERS:
            kept.append(context("The rest is under Details."))
            break
        kept.append(block)
    return kept


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
    is_long = len(part.text) > MAX_PREFORMATTED
    body = section(runs_of("The command is attached.", italic=True)) if is_long else code_block(part.text)
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
