"""Which starts of vLLM are calibrated with: files, folders of them and lists, and what was noted beside each."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import click

from bot.cli.text_files import lines_of, open_file, read_whole
from bot.consult import Notes

FOLDER_FACTS = "facts.json"
"""What a folder's logs have in common; beside NAME.log stands NAME.json, which outranks it."""

_LARGEST_NOTES = 1 << 20  # bytes


class Start(NamedTuple):
    """One start of vLLM: its log, and what was noted beside it; or why there is none."""

    name: str
    log: Path | None = None
    notes: Notes = Notes()
    because: str = ""
    detail: str = ""


def starts(paths: Sequence[Path], common: Mapping[str, Any]) -> Iterator[Start]:
    """Yield each start once, however many links and loops lead to it.

    Raises:
        ClickException: What was noted cannot be read.
    """
    named = Counter(path.name for path in paths)
    seen: set[tuple[int, int]] = set()
    for path in paths:
        name = path.name if named[path.name] == 1 else str(path)
        if path.is_dir():
            yield from _inside(path, common, seen, f"{name}/" if len(paths) > 1 else "")
        elif path.suffix == ".jsonl":
            yield from _listed(path, common)
        elif _is_new(path, seen):
            yield _beside(path, common, name)


def _inside(folder: Path, common: Mapping[str, Any], seen: set[tuple[int, int]], prefix: str) -> Iterator[Start]:
    """A folder's logs; what is noted nearer to a log outranks what is noted farther off."""
    waiting = [(folder, common)]
    while waiting:
        here, farther = waiting.pop()
        if not _is_new(here, seen):
            continue
        try:
            found = sorted(here.iterdir())
        except OSError as error:
            yield Start(_name(here, folder, prefix), because="cannot be read", detail=error.strerror or "")
            continue
        known = {**farther, **_notes(here / FOLDER_FACTS)}
        for path in found:
            if path.is_file() and path.suffix not in {".json", ".jsonl"} and _is_new(path, seen):
                yield _beside(path, known, _name(path, folder, prefix))
        waiting += [(path, known) for path in reversed(found) if path.is_dir()]


def _name(path: Path, folder: Path, prefix: str) -> str:
    return f"{prefix}{path.relative_to(folder)}"


def _is_new(path: Path, seen: set[tuple[int, int]]) -> bool:
    """Say whether a file or folder was not seen before; one that cannot be looked at is told when it is opened."""
    try:
        status = path.stat()
    except OSError:
        return True
    place = (status.st_dev, status.st_ino)
    is_new = place not in seen
    seen.add(place)
    return is_new


def _beside(log: Path, common: Mapping[str, Any], name: str) -> Start:
    return Start(name, log, Notes(_notes(log.with_suffix(".json")), common))


def _notes(path: Path) -> Mapping[str, Any]:
    """Return the facts of a JSON file beside logs; none where there is no such file."""
    if not path.is_file():
        return {}
    try:
        return _object(json.loads(read_whole(path, _LARGEST_NOTES)))
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f'{path}: wanted one object of facts, such as {{"gpu": "L40S"}}: {error}') from error


def _listed(path: Path, common: Mapping[str, Any]) -> Iterator[Start]:
    try:
        with io.TextIOWrapper(open_file(path), encoding="utf-8-sig", errors="replace") as text:
            for number, line in enumerate(lines_of(text), start=1):
                if line.strip():
                    yield _row(path, number, line, common)
    except OSError as error:
        raise click.ClickException(f"cannot read {path}: {error.strerror}") from error


def _row(path: Path, number: int, line: str, common: Mapping[str, Any]) -> Start:
    try:
        row = _object(json.loads(line))
        file = _file_name(row.get("file") or "")
        notes = Notes(_object(row.get("facts") or {}), common, _object(row.get("logged") or {}))
    except (ValueError, RecursionError) as error:
        wanted = 'wanted an object with "file", "facts" or "logged"'
        raise click.ClickException(f"{path}:{number}: {wanted}: {error}") from error
    name, log = str(row.get("id") or file or number), path.parent / file if file else None
    if log and log.exists() and not log.is_file():
        return Start(name, because="cannot be read", detail="it is no file")
    return Start(name, log, notes)


def _file_name(given: Any) -> str:
    if isinstance(given, str) and "\0" not in given:
        return given
    raise ValueError(f'found {json.dumps(given)[:40]} as "file"')


def _object(row: Any) -> dict[str, Any]:
    if isinstance(row, dict):
        return row
    raise ValueError(f"found {json.dumps(row)[:40]}")


def complaints(notes: Notes) -> tuple[str, ...]:
    """Return what of the notes cannot be used, one sentence each."""
    from bot.facts import Origin
    from bot.given import measured_of, stated

    bad = chain(stated(notes.facts, Origin.ANSWERED)[1], measured_of(notes.logged)[1])
    return tuple(item.sentence for item in bad)
