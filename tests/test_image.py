"""The image: how it is made; what may get into it suffices, and the program installed from that finds what it reads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text()
LET_IN = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with what the image installs of ours, built from nothing but what is let in."""
    context, built, installed = (tmp_path_factory.mktemp(name) for name in ("context", "built", "installed"))
    for name in LET_IN:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, context / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, context)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built], cwd=context, check=True)
    (wheel,) = built.iterdir()
    zipfile.ZipFile(wheel).extractall(installed)
    return installed


def run_installed(installed: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), "HF_HUB_OFFLINE": "1", **settings}
    command = [sys.executable, "-P", "-m", "bot", *arguments]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)


def test_nothing_is_let_in_but_by_name() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]

    assert ["*", *(f"!{name}" for name in LET_IN), "**/__pycache__"] == lines


def test_it_is_made_with_what_its_base_has() -> None:
    steps = [words for line in re.findall(r"^RUN (.*)$", DOCKERFILE, re.MULTILINE) for words in line.split(" && ")]

    assert {"pip", "python", "useradd"} == {Path(step.split()[0]).name for step in steps}


def test_it_runs_without_rights_and_says_whether_it_is_well() -> None:
    assert re.search(r"^USER 10001$", DOCKERFILE, re.MULTILINE)
    assert "HEALTHCHECK" in DOCKERFILE
    assert "/livez" in DOCKERFILE


def test_what_the_image_copies_is_let_in() -> None:
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)

    assert {"requirements.txt", "."} == set(copied)
    assert set(copied) - {"."} <= set(LET_IN)


def test_every_file_of_knowledge_and_migrations_is_installed(installed: Path) -> None:
    for name in ("knowledge", "migrations"):
        ours = {path.relative_to(ROOT) for path in (ROOT / name).rglob("*") if path.is_file()}
        missing = {path for path in ours if not (installed / path).exists()}

        assert set() == {path for path in missing if "__pycache__" not in path.parts}


def test_what_is_installed_makes_its_tables(installed: Path, tmp_path: Path) -> None:
    run = run_installed(installed, "db", "upgrade", DATABASE_URL=f"sqlite:///{tmp_path / 'journal.sqlite3'}")

    assert 0 == run.returncode, run.stderr
    assert (tmp_path / "journal.sqlite3").exists()


def test_what_is_installed_knows_problems_and_models(installed: Path, tmp_path: Path) -> None:
    paste = tmp_path / "paste.txt"
    paste.write_text("ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.\n")

    run = run_installed(installed, "ask", str(paste))

    assert 0 == run.returncode, run.stderr
    assert run.stdout.startswith("Nothing is left for the KV cache")
