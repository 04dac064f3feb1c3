"""The budget of one GPU as a picture: a stacked bar, the allowance marked, a legend with amounts."""

from __future__ import annotations

from html import escape
from typing import Literal, NamedTuple

from bot.reply.charts.svg import COLOURS
from bot.reply.say_budget import taken
from bot.reply.words import setting
from bot.sizing.terms import Budget

WIDTH = 760.0
_MARGIN, _BAR, _ROW = 24.0, 56.0, 26.0
_SPENT = (*COLOURS[:4], COLOURS[5])
_PLAIN = str.maketrans({"×": "x", "−": "-"})  # signs that Pillow's own font lacks
_INK, _PAPER, _FREE, _MISSING = "#1d1c1d", "#ffffff", "#e8e8e8", "#b00020"


class Box(NamedTuple):
    """A filled rectangle, in pixels from the top left."""

    left: float
    top: float
    width: float
    height: float
    colour: str


class Word(NamedTuple):
    """A line of text; `left` is its right end where it is anchored there."""

    left: float
    baseline: float
    text: str
    points: float = 15.0
    anchor: Literal["start", "end"] = "start"
    is_bold: bool = False


class Picture(NamedTuple):
    """What is drawn, before it has a format."""

    width: float
    height: float
    title: str
    told: str  # all of it in one sentence, for those who cannot see it
    boxes: tuple[Box, ...]
    words: tuple[Word, ...]


class _Part(NamedTuple):
    label: str
    amount: float  # GiB
    colour: str


def draw(budget: Budget) -> Picture:
    """Return the picture of a budget; the card, or what is asked of it where that is more, is as wide as the bar."""
    parts = _parts(budget)
    total = budget.total.in_gib
    whole = max(total, sum(part.amount for part in parts)) or 1.0
    scale = (WIDTH - 2 * _MARGIN) / whole
    top = _MARGIN + 64
    boxes, left = list[Box](), _MARGIN
    for part in parts:
        boxes.append(Box(left, top, part.amount * scale, _BAR, part.colour))
        left += part.amount * scale
    mark = _MARGIN + budget.allowance.in_gib * scale
    boxes.append(Box(mark - 1, top - 8, 2, _BAR + 16, _INK))
    title = f"{setting(budget.deployment)}: {budget.total} on each GPU"
    words = [Word(_MARGIN, _MARGIN + 18, title, 18, is_bold=True), _allowance(budget, mark, top)]
    place = top + _BAR + 24
    rows = [*parts, *_missing(budget)]
    for row, part in enumerate(rows):
        at = place + row * _ROW
        boxes.append(Box(_MARGIN, at, 16, 16, part.colour))
        words += _legend(part, at + 13, total)
    told = f"{title}. {', '.join(f'{part.label} {part.amount:,.2f} GiB' for part in rows)}."
    return Picture(WIDTH, place + len(rows) * _ROW + _MARGIN / 2, title, told, tuple(boxes), tuple(words))


def _parts(budget: Budget) -> list[_Part]:
    parts = [
        _Part(row.label, row.hundredths / 100, _SPENT[place % len(_SPENT)])
        for place, row in enumerate(taken(budget, {}))
    ]
    parts.append(_Part("KV cache", budget.kv_available.in_gib, COLOURS[4]))
    free = budget.total.in_gib - sum(part.amount for part in parts if part.amount > 0)
    parts.append(_Part("outside the allowance", free, _FREE))
    return [part for part in parts if part.amount > 0]


def _missing(budget: Budget) -> list[_Part]:
    """What stands beyond the allowance is already drawn; the legend names it."""
    missing = -budget.kv_available.in_gib
    return [_Part("beyond the allowance", missing, _MISSING)] if missing > 0 else []


def _allowance(budget: Budget, mark: float, top: float) -> Word:
    share = budget.deployment.gpu_memory_utilization
    text = f"allowance {budget.allowance}" + (f" = {share:.0%}" if share else "")
    return Word(mark, top - 14, text, 13, "end" if mark > WIDTH / 2 else "start")


def _legend(part: _Part, baseline: float, total: float) -> tuple[Word, ...]:
    share = f"{part.amount / total:.0%}" if total else ""
    return (
        Word(_MARGIN + 26, baseline, part.label),
        Word(_MARGIN + 320, baseline, f"{part.amount:,.2f} GiB", anchor="end"),
        Word(_MARGIN + 390, baseline, share, anchor="end"),
    )


def as_svg(picture: Picture) -> str:
    """Return the picture as an SVG file."""
    drawn = [
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" fill="{box.colour}"/>'
        for box in picture.boxes
    ]
    said = [
        f'<text x="{word.left:.1f}" y="{word.baseline:.1f}" font-size="{word.points:g}" text-anchor="{word.anchor}"'
        f"{' font-weight=' + chr(34) + 'bold' + chr(34) if word.is_bold else ''}>{escape(word.text)}</text>"
        for word in picture.words
    ]
    size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {picture.width:.0f} {picture.height:.0f}" role="img" '
        f'font-family="system-ui, sans-serif" fill="{_INK}"><title>{escape(picture.title)}</title>'
        f'<rect width="100%" height="100%" fill="{_PAPER}"/>{"".join(drawn)}{"".join(said)}</svg>\n'
    )


def as_png(picture: Picture, scale: int = 2) -> bytes:
    """Return the picture as a PNG file, which chats show inline; `scale` pixels for each of ours.

    Raises:
        ImportError: Pillow is not installed.
    """
    from io import BytesIO  # noqa: PLC0415  # only for pictures

    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415

    image = Image.new("RGB", (round(picture.width * scale), round(picture.height * scale)), _PAPER)
    pen = ImageDraw.Draw(image)
    for box in picture.boxes:
        corner = (box.left + box.width, box.top + box.height)
        pen.rectangle([(box.left * scale, box.top * scale), (corner[0] * scale, corner[1] * scale)], fill=box.colour)
    for word in picture.words:
        font = ImageFont.load_default(word.points * scale)
        anchor = "rs" if word.anchor == "end" else "ls"
        pen.text(
            (word.left * scale, word.baseline * scale), word.text.translate(_PLAIN), fill=_INK, font=font, anchor=anchor
        )
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
