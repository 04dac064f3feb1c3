"""`vllm-triage check`: prove the knowledge files."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("check")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def command(files: tuple[Path, ...]) -> None:
    """Prove the knowledge files: every sample matches, no look-alike does, every name exists.

    Without FILES all of them are proved. Exits 1 when a proof fails.
    """
    from bot.catalog.load import load_knowledge
    from bot.proof import prove

    knowledge = load_knowledge()
    wanted = {file.stem for file in files} or set(knowledge.problems)
    unknown = sorted(wanted - set(knowledge.problems))
    if unknown:
        raise click.ClickException(f"no problem file of the knowledge base is called {', '.join(unknown)}")
    failed = 0
    for name in sorted(wanted):
        complaints = prove(knowledge.problems[name], knowledge)
        failed += bool(complaints)
        click.echo(f"{click.style('✗', fg='red') if complaints else click.style('✓', fg='green')} {name}")
        for complaint in complaints:
            click.echo(f"    {complaint}")
    click.echo(f"{len(wanted) - failed} of {len(wanted)} problems proved.")
    sys.exit(1 if failed else 0)
