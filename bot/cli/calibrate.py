"""`vllm-triage calibrate`: our predictions held against your own start-up logs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.json_lines import show_json
from bot.cli.starts import Start, complaints, starts
from bot.cli.text_files import PackedError, as_text, lines_of, open_file

if TYPE_CHECKING:
    from bot.reply.compose_calibration import Run


@click.command("calibrate")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--gpu", metavar="NAME", help="The card that all of these logs come from, where they do not say.")
@click.option("--fact", "facts", multiple=True, metavar="NAME=VALUE", help="What no log prints, such as model=….")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, log by log.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--details", is_flag=True, help="Show each log, and why some were left out.")
def command(
    logs: tuple[Path, ...], gpu: str | None, facts: tuple[str, ...], *, as_json: bool, markdown: bool, details: bool
) -> None:
    """Hold predictions against start-up logs: files, or folders of them.

    Each log's settings are read, its memory is predicted from them alone, and the residuals against what it printed
    are shown term by term, with the share that lies in the stated ranges. Logs seldom name the GPU: give it with
    --gpu, in NAME.json beside NAME.log, in facts.json for a folder, or list the runs in a .jsonl file, one
    {"file", "facts", "logged"} a line, each part optional. What a log says itself outranks --gpu and --fact.
    """
    from bot.cli.ask import read_facts
    from bot.reply.compose_calibration import answer_calibration, compose_calibration

    common = read_facts((*facts, *([f"gpu={_known(gpu)}"] if gpu else [])))
    runs = [_hold(start) for start in starts(logs, common)]
    if as_json:
        show_json(answer_calibration(runs))
        return
    from bot.cli.look import show_as

    show_as(compose_calibration(runs), markdown=markdown, details=details)


def _known(gpu: str) -> str:
    from bot.catalog.gpus import find_gpu
    from bot.catalog.stated_gpu import memory_alone, say_memory
    from bot.diagnosis.identify import unknown_card

    if memory := memory_alone(gpu):
        click.echo(say_memory(memory), err=True)
    elif find_gpu(gpu).card is None:
        raise click.BadParameter(f"--gpu: {unknown_card(gpu)}")
    return gpu


def _hold(start: Start) -> Run:
    """Return one log's figures beside their predictions."""
    from bot.consult import predict_log
    from bot.hub.look_up import look_up
    from bot.reply.compose_calibration import Run

    if start.because:
        return Run(start.name, because=start.because, detail=start.detail)
    for sentence in complaints(start.notes):
        click.echo(f"{start.name}: {sentence}", err=True)
    try:
        with _opened(start.log) as lines:
            found = predict_log(lines, start.notes, look_up)
    except OSError as error:
        return Run(start.name, because="cannot be read", detail=error.strerror or "")
    except PackedError as packed:
        return Run(start.name, because="is compressed", detail=f"unpack it with {packed.tool}")
    return Run(start.name, found.residuals, found.because, found.detail)


@contextmanager
def _opened(log: Path | None) -> Generator[Iterable[str]]:
    """Yield a log's lines; of a start that was only noted down there are none."""
    if log is None:
        yield ()
        return
    with open_file(log) as kept, as_text(kept) as text:
        yield lines_of(text)
