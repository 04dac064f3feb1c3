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
_TOP, _BAND = _MARGIN + 64, 8.0  # of the bar; of what is missing, below it
_LONGEST_TITLE = 72  # letters, in a wide font
_SPENT = (*COLOURS[:4], COLOURS[5])
_PLAIN = str.maketrans({"×": "x", "−": "-"})  # signs that Pillow's own font lacks
_INK, _PAPER, _FREE, _MISSING = "#1d1c1d", "#ffffff", "#e8e8e8", "#b00020"
_AT_NIGHT = {_INK: "#e8e6e3", _PAPER: "#1a1d21", _FREE: "#3a3d42", _MISSING: "#ff6b6b"}
_DARK = "@media (prefers-color-scheme: dark){{{}}}".format(
    "".join(f'[fill="{day}"]{{fill:{night}}}' for day, night in _AT_NIGHT.items())
)


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
    parts, missing, total = _parts(budget), _missing(budget), budget.total.in_gib
    whole = max(total, sum(part.amount for part in parts)) or 1.0
    scale = (WIDTH - 2 * _MARGIN) / whole
    boxes, left = list[Box](), _MARGIN
    for part in parts:
        boxes.append(Box(left, _TOP, part.amount * scale, _BAR, part.colour))
        left += part.amount * scale
    marks, words = _marks(budget, scale, is_short=whole > total)
    if missing:
        start = _MARGIN + budget.allowance.in_gib * scale
        boxes.append(Box(start, _TOP + _BAR + 10, missing[0].amount * scale, _BAND, _MISSING))
    title = f"{setting(budget.deployment)}: {budget.total} on each GPU"
    words = [Word(_MARGIN, _MARGIN + 18, _fitting(title), 16, is_bold=True), *words]
    place, rows = _TOP + _BAR + 24 + (12 if missing else 0) + (18 if whole > total else 0), [*parts, *missing]
    for row, part in enumerate(rows):
        at = place + row * _ROW
        boxes.append(Box(_MARGIN, at, 16, 16, part.colour))
        words += _legend(part, at + 13, total, is_first=not row)
    told = (
        f"{title}, allowance {budget.allowance}. {', '.join(f'{each.label} {each.amount:,.2f} GiB' for each in rows)}."
    )
    height = place + len(rows) * _ROW + _MARGIN / 2
    return Picture(WIDTH, height, title, told, (*boxes, *marks), tuple(words))


def _fitting(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def _marks(budget: Budget, scale: float, *, is_short: bool) -> tuple[list[Box], list[Word]]:
    """Return where the allowance ends, and the card where more is asked than it has."""
    allowance, share = _MARGIN + budget.allowance.in_gib * scale, budget.deployment.gpu_memory_utilization
    text = f"allowance {budget.allowance}" + (f" = {share:.0%}" if share else "")
    boxes, words = _line(allowance, _TOP - 8), [_beside(allowance, _TOP - 14, text)]
    if is_short:
        card = _MARGIN + budget.total.in_gib * scale
        boxes += _line(card, _TOP + 8)
        words.append(_beside(card, _TOP + _BAR + 38, f"card {budget.total}"))
    return boxes, words


def _line(at: float, top: float) -> list[Box]:
    """Return an upright line that is seen on every colour."""
    return [Box(at + offset, top, 2, _BAR + 16, colour) for offset, colour in ((-3, _PAPER), (1, _PAPER), (-1, _INK))]


def _beside(at: float, baseline: float, text: str) -> Word:
    return Word(at, baseline, text, 13, "end" if at > WIDTH / 2 else "start")


def _parts(budget: Budget) -> list[_Part]:
    parts = [
        _Part(row.label, row.hundredths / 100, _SPENT[place % len(_SPENT)])
        for place, row in enumerate(taken(budget, {}))
    ]
    parts.append(_Part("KV cache", budget.kv_available.in_gib, COLOURS[4]))
    free = budget.total.in_gib - sum(part.amount for part in parts if part.amount > 0)
    parts.append(_Part("outside the allowance" if budget.kv_available >= 0 else "left on the card", free, _FREE))
    return [part for part in parts if part.amount > 0]


def _missing(budget: Budget) -> list[_Part]:
    """What stands beyond the allowance, as far as it has a part of its own: a band below the bar, and a row."""
    missing = -budget.kv_available.in_gib
    return [_Part("beyond the allowance", missing, _MISSING)] if missing > 0 else []


def _legend(part: _Part, baseline: float, total: float, *, is_first: bool) -> tuple[Word, ...]:
    share = f"{part.amount / total:.0%}" if total else ""
    said = (
        Word(_MARGIN + 26, baseline, part.label),
        Word(_MARGIN + 320, baseline, f"{part.amount:,.2f} GiB", anchor="end"),
        Word(_MARGIN + 390, baseline, share, anchor="end"),
    )
    return (*said, Word(_MARGIN + 396, baseline, "of the card", 13)) if share and is_first else said


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
        f'font-family="system-ui, sans-serif" fill="{_INK}"><title>{escape(picture.told)}</title><style>{_DARK}</style>'
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
