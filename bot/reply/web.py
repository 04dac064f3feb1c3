"""A document as an HTML fragment; the budget is drawn as a stacked bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from bot.reply.charts.svg import COLOURS, figure
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
    Span,
    Table,
    Title,
)
from bot.reply.spans import spans

_TAGS = {"plain": "{}", "bold": "<strong>{}</strong>", "italic": "<em>{}</em>", "code": "<code>{}</code>"}


def render(document: Document) -> str:
    """Return the document as HTML; every text in it is escaped."""
    return f'<article class="reply">{"".join(_part(part) for part in document.parts)}</article>'


def page(title: str, *documents: Document) -> str:
    """Return a whole page with one style for light and dark."""
    body = "".join(render(document) for document in documents)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )


def bar(segments: tuple[tuple[str, float], ...]) -> str:
    """Return a stacked bar as SVG with its legend; shares are of the card."""
    width, left, pieces, legend = 640.0, 0.0, [], []
    for position, (label, share) in enumerate(segments):
        colour, text = COLOURS[position % len(COLOURS)], f"{escape(label)} {share:.0%}"
        pieces.append(
            f'<rect x="{left:.1f}" width="{share * width:.1f}" height="22" fill="{colour}"><title>{text}</title></rect>'
        )
        legend.append(f'<span><i style="background:{colour}"></i>{text}</span>')
        left += share * width
    drawn = f'<svg viewBox="0 0 640 22" role="img" aria-label="Share of the card">{"".join(pieces)}</svg>'
    return f'<figure class="bar">{drawn}<figcaption>{" ".join(legend)}</figcaption></figure>'


def _part(part: Part) -> str:
    return _WRITERS[type(part)](part)


def _span(span: Span) -> str:
    text = escape(span.text)
    if span.url and span.url.startswith(("http://", "https://")):
        return f'<a href="{escape(span.url)}" rel="noreferrer">{text}</a>'
    return _TAGS[span.style].format(text)


def _spans(said: Iterable[Span]) -> str:
    return "".join(_span(span) for span in said)


def _title(part: Title) -> str:
    aside = f'<p class="aside">{escape(part.aside)}</p>' if part.aside else ""
    return f"<h2>{escape(part.text)}</h2>{aside}"


def _prose(part: Prose) -> str:
    return f"<p>{_spans(part.spans)}</p>"


def _bullets(part: Bullets) -> str:
    return f"<ul>{''.join(f'<li>{_spans(item.spans)}</li>' for item in part.items)}</ul>"


def _quote(part: Quote) -> str:
    head = f"<cite>Your line {part.line}</cite>" if part.line else ""
    return f"<blockquote>{head}<code>{escape(part.text)}</code></blockquote>"


def _budget(part: BudgetTable) -> str:
    rows = "".join(
        f'<tr{" class=total" if row.is_total else ""}><th scope="row">{escape(row.label)}</th>'
        f"<td>{escape(row.amount)} GiB</td><td>{escape(row.note)}</td></tr>"
        for row in part.rows
    )
    foot = f'<p class="aside">{escape(part.below)}</p>' if part.below else ""
    return f'<table class="budget">{rows}</table>{bar(part.bar) if part.bar else ""}{foot}'


def _table(part: Table) -> str:
    numeric = part.numeric or (False,) * len(part.headers)
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in part.headers)
    rows = "".join(f"<tr>{''.join(_cell(*cell) for cell in zip(row, numeric, strict=True))}</tr>" for row in part.rows)
    caption = f"<caption>{escape(part.caption)}</caption>" if part.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(text: str, numeric: bool) -> str:
    return f"<td class=number>{escape(text)}</td>" if numeric else f"<td>{escape(text)}</td>"


def _command(part: Command) -> str:
    title = f"<h3>{escape(part.title)}</h3>" if part.title else ""
    said = "".join(f"<p>{lead}{_spans(spans(text))}</p>" for lead, text in part.notes)
    return f"{title}<pre><code>{escape(part.text)}</code></pre>{said}"


def _ask(part: Ask) -> str:
    choices = "".join(f"<li><code>{escape(choice)}</code></li>" for choice in part.question.choices)
    why = _spans(spans(part.question.why))
    return (
        f'<section class="ask"><p><strong>{escape(part.question.text)}</strong> {why}</p><ul>{choices}</ul></section>'
    )


def _details(part: Details) -> str:
    inner = "".join(_part(inside) for inside in part.parts)
    return f"<details><summary>{escape(part.title)}</summary>{inner}</details>"


_WRITERS: dict[type[object], Callable[..., str]] = {
    Title: _title,
    Prose: _prose,
    Bullets: _bullets,
    Quote: _quote,
    BudgetTable: _budget,
    Table: _table,
    Chart: figure,
    Command: _command,
    Ask: _ask,
    Details: _details,
}

_STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:46rem;margin:2rem auto;padding:0 1rem}
h2{margin:.2em 0;font-size:1.3rem}h3{margin:1.2em 0 .2em;font-size:1rem}
.aside{opacity:.7;margin:.2em 0}
pre{background:color-mix(in srgb,currentColor 8%,transparent);padding:.7em;border-radius:.4em;overflow:auto}
blockquote{border-left:.25em solid currentColor;margin:1em 0;padding:.1em .8em;opacity:.85}
cite{display:block;font-size:.8rem}
table{border-collapse:collapse;margin:.8em 0}th,td{padding:.15em .8em .15em 0;text-align:left;vertical-align:top}
.budget td:nth-child(2),.number{text-align:right;font-variant-numeric:tabular-nums}
.total{font-weight:700;border-top:1px solid}
.bar{margin:.6em 0}.bar svg{width:100%;height:1.6rem}.bar span{margin-right:1em;white-space:nowrap}
.chart{margin:1em 0}.chart svg{width:100%}.chart text{font-size:11px;fill:currentColor}.chart line{stroke:currentColor;opacity:.15}
.chart figcaption span{margin-left:1em;white-space:nowrap}
.bar i,.chart i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;border-radius:.15em}
"""
