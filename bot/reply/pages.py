"""A long document as several messages, none of them over Slack's limits, none of it cut."""

from __future__ import annotations

from bot.reply.block_elements import Block, rich_text, runs_of, section
from bot.reply.block_kit import MAX_BLOCKS, MAX_MESSAGE_CHARACTERS, blocks_of, preformatted
from bot.reply.charts.native import MAX_CHARTS
from bot.reply.charts.text import rows
from bot.reply.document import Chart, Details, Document, Part


def pages(document: Document, *, draws_charts: bool = True) -> list[list[Block]]:
    """Return the blocks of each message in order; without `draws_charts` Slack is given bars in letters.

    What is under Details begins a page of its own, so that the first message stays short.
    """
    shown = [part for part in document.parts if not isinstance(part, Details)]
    laid = _lay([block for part in shown for block in _blocks(part, draws_charts=draws_charts)])
    for part in document.parts:
        if isinstance(part, Details):
            laid += _lay([block for inside in part.parts for block in _blocks(inside, draws_charts=draws_charts)])
    return laid


def _blocks(part: Part, *, draws_charts: bool) -> list[Block]:
    if not isinstance(part, Chart) or draws_charts:
        return blocks_of(part)
    return [rich_text(section(runs_of(part.title, bold=True))), preformatted(*rows(part, 24))]


def _lay(blocks: list[Block]) -> list[list[Block]]:
    laid: list[list[Block]] = []
    for block in blocks:
        if not laid or not _has_room(laid[-1], block):
            laid.append([])
        laid[-1].append(block)
    return laid


def _has_room(page: list[Block], block: Block) -> bool:
    charts = sum(each["type"] == "data_visualization" for each in (*page, block))
    spent = sum(len(str(each)) for each in (*page, block))
    return len(page) < MAX_BLOCKS - 1 and spent <= MAX_MESSAGE_CHARACTERS and charts <= MAX_CHARTS
