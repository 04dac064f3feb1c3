"""Our own sentences with code in backticks, as spans that every look writes in its way."""

from __future__ import annotations

from bot.reply.document import Prose, Span


def spans(text: str) -> tuple[Span, ...]:
    """Return a sentence as spans, what stands between two backticks being code.

    >>> [(span.text, span.style) for span in spans("Run `nvidia-smi -L`.")]
    [('Run ', 'plain'), ('nvidia-smi -L', 'code'), ('.', 'plain')]
    >>> [(span.text, span.style) for span in spans("A lone ` stays")]
    [('A lone ` stays', 'plain')]
    """
    if text.count("`") % 2:
        return (Span(text=text),)
    pieces = enumerate(text.split("`"))
    return tuple(Span(text=piece, style="code" if place % 2 else "plain") for place, piece in pieces if piece)


def prose(text: str, lead: str = "") -> Prose:
    """Return a paragraph of one of our sentences, after a bold lead."""
    bold = (Span(text=f"{lead.replace('`', '')} ", style="bold"),) if lead else ()
    return Prose(spans=bold + spans(text))


def remark(text: str) -> Prose:
    """Return a paragraph of what is said beside the verdict."""
    return Prose(spans=(Span(text=text, style="italic"),))
