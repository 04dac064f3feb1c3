"""`.ci/setup` on machines that lack something, played by a few stand-ins on PATH: it says what is wanted and what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "setup"
NO_VENV = '[ "$1" = --version ] && echo Python 3.11.2; exit 1'


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A directory with the script, and PATH's only directory beside it."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    for name in ("bash", "dirname", "env"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    return tmp_path


def set_up(clone: Path, *arguments: str, **programs: str) -> subprocess.CompletedProcess[str]:
    """Run the script where only these programs are, each a shell script by its name, and nobody is root."""
    for name, does in {"id": "echo 1000", **programs}.items():
        program = clone / "bin" / name.replace("_", "-")
        program.write_text(f"#!{os.path.realpath('/bin/sh')}\n{does}\n")
        program.chmod(0o755)
    command = [str(clone / "bin" / "bash"), str(clone / ".ci" / "setup"), *arguments]
    return subprocess.run(command, env={"PATH": str(clone / "bin")}, capture_output=True, text=True, check=False)


def test_without_apt_it_names_what_is_missing(clone: Path) -> None:
    run = set_up(clone, "test")

    assert 1 == run.returncode
    assert "python3-venv chromium git ripgrep libatomic1, and" in run.stderr
    assert "there is no apt-get" in run.stderr


def test_without_root_it_says_what_root_has_to_run(clone: Path) -> None:
    run = set_up(clone, python3=NO_VENV, apt_get="exit 0")

    assert 1 == run.returncode
    assert "As root: 'apt-get install python3-venv'" in run.stderr


def test_it_installs_by_sudo(clone: Path) -> None:
    set_up(clone, python3=NO_VENV, apt_get=f'echo "$@" >> {clone}/installed', sudo='exec "$@"')

    assert "update -qq\ninstall -y -qq --no-install-recommends python3-venv\n" == (clone / "installed").read_text()


def test_it_installs_nothing_where_nothing_is_missing(clone: Path) -> None:
    run = set_up(clone, python3="exit 0", apt_get=f"echo called > {clone}/installed")

    assert "Installing the Python packages …\n" == run.stdout
    assert not (clone / "installed").exists()


def test_an_old_python_is_told_apart(clone: Path) -> None:
    old = 'case "$2" in *version_info*) exit 1 ;; esac; [ "$1" = --version ] && echo Python 3.10.12; exit 0'

    run = set_up(clone, python3=old)

    assert 1 == run.returncode
    assert "Python 3.11 or later is wanted, python3 here is Python 3.10.12." in run.stderr


def test_another_word_than_app_or_test_is_refused(clone: Path) -> None:
    run = set_up(clone, "tests")

    assert (2, "setup: wanted 'app' or 'test', found 'tests'.\n") == (run.returncode, run.stderr)
