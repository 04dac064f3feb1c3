"""`vllm-triage calibrate`: our predictions held against your own start-up logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bot.cli.json_lines import show_json

if TYPE_CHECKING:
    from bot.diagnosis.predict import Prediction
    from bot.sizing.terms import Budget, Measured


class _Run(NamedTuple):
    """One start of vLLM: its log, and what was noted beside it."""

    name: str
    log: Path | None = None
    facts: Mapping[str, Any] = {}
    logged: Mapping[str, Any] = {}


@click.command("calibrate")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--fact", "facts", multiple=True, metavar="NAME=VALUE", help="What no log prints, such as gpu=H100.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, log by log.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--details", is_flag=True, help="Show each log, and why some were left out.")
def command(logs: tuple[Path, ...], facts: tuple[str, ...], *, as_json: bool, markdown: bool, details: bool) -> None:
    """Hold predictions against start-up logs: files, or folders of them.

    Each log's settings are read, its memory is predicted from them alone, and the residuals against what it printed
    are shown term by term, with the share that lies in the stated ranges. Logs seldom name the GPU: give it with
    --fact, or list the runs in a .jsonl file, one {"file", "facts", "logged"} a line, each part optional.
    """
    from bot.cli.ask import read_facts
    from bot.reply.compose_calibration import answer_calibration, compose_calibration

    given = read_facts(facts)
    runs: list[tuple[str, Budget, Measured]] = []
    skipped: dict[str, str] = {}
    for run in _runs(logs):
        found = _predict(run, given, skipped)
        if found and found.budget:
            runs.append((run.name, found.budget, found.logged))
        elif found:
            skipped[run.name] = found.because
    if as_json:
        show_json(answer_calibration(runs, skipped))
        return
    from bot.cli.look import show_as

    show_as(compose_calibration(runs, skipped), markdown=markdown, details=details)


def _runs(paths: Iterable[Path]) -> Iterator[_Run]:
    for path in paths:
        if path.is_dir():
            yield from (_Run(inside.name, inside) for inside in sorted(path.rglob("*")) if _is_log(inside))
        elif path.suffix == ".jsonl":
            yield from _listed(path)
        else:
            yield _Run(path.name, path)


def _is_log(path: Path) -> bool:
    return path.is_file() and path.suffix not in {".json", ".jsonl"}


def _listed(path: Path) -> Iterator[_Run]:
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = _object(json.loads(line))
            log = path.parent / row["file"] if row.get("file") else None
            yield _Run(
                str(row.get("id") or row.get("file") or number), log, row.get("facts") or {}, row.get("logged") or {}
            )
        except (ValueError, AttributeError, TypeError) as error:
            raise click.ClickException(
                f'{path}:{number}: wanted an object with "file", "facts" or "logged": {error}'
            ) from error


def _predict(run: _Run, given: Mapping[str, Any], skipped: dict[str, str]) -> Prediction | None:
    from bot.consult import predict_log
    from bot.hub.look_up import look_up

    facts = {**given, **run.facts}
    if run.log is None:
        return predict_log((), facts, run.logged, look_up)
    try:
        with run.log.open(encoding="utf-8", errors="replace") as lines:
            return predict_log(lines, facts, run.logged, look_up)
    except OSError as error:
        skipped[run.name] = f"cannot be read: {error.strerror}"
        return None


def _object(row: Any) -> dict[str, Any]:
    if isinstance(row, dict):
        return row
    raise ValueError(f"found {json.dumps(row)[:40]}")
