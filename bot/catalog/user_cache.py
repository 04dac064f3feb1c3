"""What is left in the user's cache for later starts: nobody else's word is taken, and no failure of it is one of ours."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of one file that are read; what we leave has a hundredth of that."""

_MARK_BYTES = 32  # before the content
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def read_cached(*names: str, since: float = 0) -> bytes | None:
    """Return what an earlier start left under these names.

    None where there is nothing, or nothing to be believed: a link, a pipe, what others than this user could write, or
    what is not as it was left.

    Args:
        names: Of the folders, and of the file in them.
        since: What was left earlier is as good as nothing; seconds as the clock of files counts them.
    """
    path = _path(names)
    with suppress(OSError):
        return _read_ours(path, since) if path else None
    return None


def write_cached(content: bytes, *names: str) -> None:
    """Leave something for the next start, whole or not at all; where nothing can be written nothing is left."""
    path = _path(names)
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(path, content)


def _path(names: tuple[str, ...]) -> Path | None:
    from platformdirs import user_cache_path  # noqa: PLC0415  # where something may be kept only

    try:
        return user_cache_path("vllm-triage").joinpath(*names)
    except RuntimeError:  # a user without a home, as containers have
        return None


def _read_ours(path: Path, since: float) -> bytes | None:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        state = os.fstat(file.fileno())
        if not _is_ours(state) or state.st_size > MOST_BYTES or state.st_mtime < since:
            return None
        mark, content = file.read(_MARK_BYTES), file.read()
        return content if mark == _mark(content) else None


def _mark(content: bytes) -> bytes:
    return blake2b(content, digest_size=_MARK_BYTES).digest()


def _is_ours(state: os.stat_result) -> bool:
    """Return whether a file is one that only this user writes to, with something in it that has an end."""
    return stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & _OTHERS_WRITE


def _replace(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    # Made by us, or not at all: what lies there under that name may be somebody's link to a file that is not theirs.
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_mark(content) + content)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink()
        raise
