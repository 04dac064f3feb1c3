"""How a document is shown in this terminal."""

from __future__ import annotations

import os
import shutil
import sys

import click

from bot.reply.document import Document
from bot.reply.terminal import MORE, render


def show(document: Document, *, details: bool = False) -> None:
    """Print a document: coloured in a terminal, plain when piped or when NO_COLOR is set."""
    click.echo(printed(document, details=details), nl=False)


def printed(document: Document, *, details: bool, more: str = MORE) -> str:
    """Return a document as this terminal shows it; `more` says what its details are."""
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    return render(document, width, colour=colour, details=details, more=more)


def show_as(document: Document, *, markdown: bool, details: bool = False) -> None:
    """Print a document as Markdown, or for this terminal."""
    if not markdown:
        show(document, details=details)
        return
    from bot.reply import markdown as look

    click.echo(look.render(document), nl=False)
