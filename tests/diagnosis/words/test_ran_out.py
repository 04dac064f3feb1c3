"""Whether a GPU's memory ran out."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.ran_out import ran_out


@pytest.mark.parametrize(
    "text",
    [
        "torch.OutOfMemoryError: no",
        "CUDA out of memory",
        "HIP error: out of memory",
        "CUDA driver error: out of memory",
    ],
)
def test_an_exception_says_so(text: str):
    assert ran_out(text, ())


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("it goes OOM", True),
        ("显存不足", True),
        ("there is no OOM in the log", False),
        ("the OOM killer took it", False),
        ("the host is out of memory", False),
        ("it is slow", False),
    ],
)
def test_somebody_says_so_of_a_gpu(sentence: str, expected: bool):
    assert expected is ran_out("", [sentence])
