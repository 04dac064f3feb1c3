"""How a document is shown in this terminal."""

from __future__ import annotations

import os
import shutil
import sys

import click

from bot.reply.document import Document
from bot.reply.terminal import render


def show(document: Document, *, details: bool = False) -> None:
    """Print a document: coloured in a terminal, plain when piped or when NO_COLOR is set."""
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = min(shutil.get_terminal_size((100, 24)).columns, 110)
    click.echo(render(document, width, colour=colour, details=details), nl=False)


def show_as(document: Document, *, markdown: bool, details: bool = False) -> None:
    """Print a document as Markdown, or for this terminal."""
    if not markdown:
        show(document, details=details)
        return
    from bot.reply import markdown as look

    click.echo(look.render(document), nl=False)
