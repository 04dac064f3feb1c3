"""`vllm-triage check`: prove the knowledge files."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bot.catalog.load import Knowledge
    from bot.catalog.problem import Problem
    from bot.diagnosis.naming import Complaint


@click.command("check")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def command(files: tuple[Path, ...]) -> None:
    """Prove the knowledge files: every sample matches, no look-alike does, every name exists.

    Without FILES all of them are proved; a folder stands for the problems in it, and a file outside the knowledge
    base is proved as if it were in it. Exits 1 when a proof fails.
    """
    from bot.catalog.load import load_knowledge
    from bot.catalog.places import KNOWLEDGE
    from bot.proof import prove, unreadable

    paths = {path.stem: path for path in sorted((KNOWLEDGE / "problems").rglob("*.yaml"))}
    given = {file.stem: file for file in _problem_files(files)}
    knowledge = _with_drafts(load_knowledge(), paths, given)
    paths |= given
    # One pattern that cannot be compiled keeps every paste from being read, so no sample can be proved beside it.
    broken = {name: found for name in paths if (found := unreadable(knowledge.problems[name]))}
    wanted = sorted(broken or given or paths)
    failed = 0
    for name in wanted:
        complaints = broken.get(name) or prove(knowledge.problems[name], knowledge)
        failed += bool(complaints)
        _say(name, paths[name], complaints)
    click.echo(f"{len(wanted) - failed} of {len(wanted)} problems proved.")
    sys.exit(1 if failed else 0)


def _problem_files(files: Iterable[Path]) -> Iterable[Path]:
    """Return the problem files that are meant.

    Raises:
        click.ClickException: What is given is none, nor a folder that holds one.
    """
    for file in files:
        found = sorted(file.rglob("*.yaml")) if file.is_dir() else [file]
        if not found or file.suffix not in {"", ".yaml"} or not all(map(_may_be_read, found)):
            raise click.ClickException(f"{file} holds no problem; name a .yaml file, or a folder of them")
        yield from found


def _may_be_read(file: Path) -> bool:
    """Return whether it is a file that a problem can be in; a folder called NAME.yaml, a pipe or a device is none."""
    from bot.cli.text_files import MOST_READ

    return file.is_file() and file.stat().st_size <= MOST_READ


def _with_drafts(knowledge: Knowledge, paths: Mapping[str, Path], given: Mapping[str, Path]) -> Knowledge:
    """Return the knowledge with the files from elsewhere in it, in place of those of the same name."""
    from types import MappingProxyType

    from bot.catalog.load import read_problem

    drafts: dict[str, Problem] = {
        name: read_problem(file)
        for name, file in given.items()
        if name not in paths or file.resolve() != paths[name].resolve()
    }
    return knowledge._replace(problems=MappingProxyType({**knowledge.problems, **drafts})) if drafts else knowledge


def _say(name: str, path: Path, complaints: Iterable[Complaint]) -> None:
    complaints = list(complaints)
    click.echo(f"{click.style('✗', fg='red') if complaints else click.style('✓', fg='green')} {name}")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if complaints else []
    for complaint in complaints:
        click.echo(f"    {path}:{_line_of(complaint.field, lines)}: {complaint}")


def _line_of(field: str, lines: list[str]) -> int:
    """Return the line on which a field such as `causes.eager.when` begins, as far as its parts are found."""
    at = 0
    for part in re.split(r"[.\[]", field):
        sign = re.compile(rf"(?:\s*- )?\s*(?:id:\s*)?{re.escape(part)}\s*(?::|\Z)")
        at = next((number for number in range(at, len(lines)) if sign.match(lines[number])), at)
    return at + 1
