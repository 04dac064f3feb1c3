"""`vllm-triage calibrate`: our predictions held against your own start-up logs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bot.cli.json_lines import show_json

if TYPE_CHECKING:
    from bot.consult import Notes
    from bot.reply.compose_calibration import Run

FOLDER_FACTS = "facts.json"
"""What a folder's logs have in common; beside NAME.log stands NAME.json, which outranks it."""


class _Start(NamedTuple):
    """One start of vLLM: its log, and what was noted beside it."""

    name: str
    log: Path | None
    notes: Notes


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

    common = read_facts((*facts, *([f"gpu={gpu}"] if gpu else [])))
    runs = [_hold(start) for path in logs for start in _starts(path, common)]
    if as_json:
        show_json(answer_calibration(runs))
        return
    from bot.cli.look import show_as

    show_as(compose_calibration(runs), markdown=markdown, details=details)


def _hold(start: _Start) -> Run:
    """Return one log's figures beside their predictions."""
    from bot.consult import predict_log
    from bot.hub.look_up import look_up
    from bot.reply.compose_calibration import Run

    try:
        with start.log.open(encoding="utf-8", errors="replace") if start.log else nullcontext(()) as lines:
            found = predict_log(lines, start.notes, look_up)
    except OSError as error:
        return Run(start.name, because="cannot be read", detail=error.strerror or "")
    return Run(start.name, found.residuals, found.because, found.detail)


def _starts(path: Path, common: Mapping[str, Any]) -> Iterator[_Start]:
    from bot.consult import Notes

    if path.is_dir():
        yield from _inside(path, common)
    elif path.suffix == ".jsonl":
        yield from _listed(path, common)
    else:
        yield _Start(path.name, path, Notes(_notes(path.with_suffix(".json")), common))


def _inside(folder: Path, common: Mapping[str, Any]) -> Iterator[_Start]:
    """A folder's logs; what is noted nearer to a log outranks what is noted farther off."""
    here = {**common, **_notes(folder / FOLDER_FACTS)}
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            yield from _inside(path, here)
        elif path.is_file() and path.suffix not in {".json", ".jsonl"}:
            yield from _starts(path, here)


def _notes(path: Path) -> Mapping[str, Any]:
    """Return the facts of a JSON file beside logs; none where there is no such file."""
    if not path.is_file():
        return {}
    try:
        return _object(json.loads(path.read_text(encoding="utf-8", errors="replace")))
    except (OSError, ValueError) as error:
        raise click.ClickException(f'{path}: wanted one object of facts, such as {{"gpu": "L40S"}}: {error}') from error


def _listed(path: Path, common: Mapping[str, Any]) -> Iterator[_Start]:
    from bot.consult import Notes

    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = _object(json.loads(line))
            log = path.parent / row["file"] if row.get("file") else None
            notes = Notes(_object(row.get("facts") or {}), common, _object(row.get("logged") or {}))
        except (ValueError, TypeError) as error:
            raise click.ClickException(
                f'{path}:{number}: wanted an object with "file", "facts" or "logged": {error}'
            ) from error
        yield _Start(str(row.get("id") or row.get("file") or number), log, notes)


def _object(row: Any) -> dict[str, Any]:
    if isinstance(row, dict):
        return row
    raise ValueError(f"found {json.dumps(row)[:40]}")
