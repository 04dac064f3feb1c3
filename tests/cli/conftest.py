"""The program with a journal of its own, run in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli.main import program
from bot.journal.open import Journal, connect, open_journal

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def as_wide_as_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break no line because of the terminal that the tests were started in."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def journal_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    open_journal(url).close()
    return url


@pytest.fixture
def journal(journal_url: str) -> Iterator[Journal]:
    opened = Journal(connect(journal_url))
    yield opened
    opened.close()


@pytest.fixture
def run(journal_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line against the journal."""
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(program, arguments, input=text, env={"DATABASE_URL": journal_url})

    return run_it
