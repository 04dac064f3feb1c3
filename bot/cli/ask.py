"""`vllm-triage ask`: read a paste and say what is wrong, why, and what fixes it."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any

import click

from bot.cli.json_lines import answer_lines, show_json, standard_input
from bot.cli.text_files import LONGEST_LINE, PackedError, as_text, lines_of, open_file, rows_of

# Longer texts are read as a stream: bounded memory, and a bar to look at.
STREAM_FROM = 2_000_000


@click.command("ask")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--jsonl", is_flag=True, help='Read {"id", "text", "facts"} a line, print one answer a line.')
@click.option("--details", is_flag=True, help="Show everything: all causes, diagnostics, sources.")
@click.option(
    "--fact", "facts", multiple=True, metavar="NAME=VALUE", help="A fact that the paste leaves out; repeatable."
)
def command(file: Path, *, as_json: bool, markdown: bool, jsonl: bool, details: bool, facts: tuple[str, ...]) -> None:
    """Read a paste (FILE, or standard input) and answer it.

    Examples: `vllm-triage ask paste.txt`, `pbpaste | vllm-triage ask`, `vllm-triage ask log --fact gpu=L4`.
    """
    from bot.catalog.parsed import Parsed

    Parsed.leaves_traces = True
    if jsonl:
        with _opened(file) as lines:
            answer_lines(rows_of(lines), _answer_row, needs_text=True)
        return
    _refuse_a_silent_wait(file)
    diagnosis = _diagnose(file, read_facts(facts))
    if as_json:
        from bot.reply.answer import answer

        show_json(answer(diagnosis))
        return
    from bot.cli.look import show_as
    from bot.reply.compose import compose

    show_as(compose(diagnosis), markdown=markdown, details=details)


def _refuse_a_silent_wait(file: Path) -> None:
    if str(file) == "-" and sys.stdin.isatty():
        click.echo("Paste the error, log or nvidia-smi output, then press Ctrl-D:", err=True)


def read_facts(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return the facts of `--fact NAME=VALUE`.

    Raises:
        BadParameter: A pair names no fact, or its value is none of that fact.
    """
    from bot.fact_values import fact_value, quote
    from bot.facts import FACTS

    named: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name not in FACTS:
            raise click.BadParameter(f"{quote(pair)}: write NAME=VALUE with one of {', '.join(sorted(FACTS))}")
        try:
            fact_value(name, value)
        except ValueError as error:
            raise click.BadParameter(f"{FACTS[name].label}: {error}") from error
        named[name] = value
    return named


def _diagnose(file: Path, facts: Mapping[str, Any]) -> Any:
    from bot import consult
    from bot.cli.hub import look_up

    size = file.stat().st_size if str(file) != "-" and file.is_file() else 0
    if size >= STREAM_FROM:
        with _opened(file) as lines, click.progressbar(length=size, label="Reading", file=sys.stderr) as bar:
            return consult.ask_lines(_counted(lines, bar.update), facts, look_up)
    with _opened(file) as lines:  # of a pipe nobody knows how much is in it
        text = lines.read(STREAM_FROM)
        if len(text) < STREAM_FROM:
            return consult.ask(text, facts, look_up)
        start = io.StringIO(text + lines.readline(LONGEST_LINE))
        return consult.ask_lines(chain(lines_of(start), lines_of(lines)), facts, look_up)


def _counted(lines: IO[str], advance: Any) -> Iterator[str]:
    seen = 0
    for line in lines_of(lines):
        seen += len(line)
        if seen > 1 << 20:
            advance(seen)
            seen = 0
        yield line
    advance(seen)


@contextmanager
def _opened(file: Path) -> Generator[IO[str]]:
    if str(file) == "-":
        yield standard_input()
        return
    try:
        with open_file(file) as kept, as_text(kept) as lines:
            yield lines
    except PackedError as packed:
        raise click.ClickException(
            f"{file} is compressed; unpack it: {packed.tool} {file} | vllm-triage ask"
        ) from packed
    except OSError as error:
        if error.errno in {errno.EPIPE, errno.ENOSPC}:  # nothing that is read: our answer has nowhere to go
            raise
        words = f"; to ask about words, pipe them: echo {str(file)!r} | vllm-triage ask" if " " in str(file) else ""
        raise click.ClickException(f"cannot read {file}: {error.strerror}{words}") from error


def _answer_row(row: Mapping[str, Any]) -> dict[str, Any]:
    from bot import consult
    from bot.cli.hub import look_up
    from bot.facts import Origin
    from bot.given import stated
    from bot.reply.answer import answer

    facts = row.get("facts") or {}
    _, bad = stated(facts, Origin.ANSWERED)
    return {**answer(consult.ask(row["text"], facts, look_up)), "unused": [item.sentence for item in bad]}
