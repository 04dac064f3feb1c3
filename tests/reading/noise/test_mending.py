import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reading.noise.mending import LONGEST, mend, mend_text


def test_misread_letters_of_known_words_are_put_right() -> None:
    damaged = "Va1ueError: Free rnemory on device (9.88/47.4O GiB) on startup is 1ess than desired GPU memory uti1ization (O.9, 42.66 GiB)"

    assert (
        "ValueError: Free memory on device (9.88/47.40 GiB) on startup is less than desired GPU memory utilization (0.9, 42.66 GiB)"
        == mend(damaged)
    )


@pytest.mark.parametrize(
    "text",
    [
        "fp16 on an L1x card, V1 engine",
        "kernel warning: return external",
        "Qwen3-0.6B on A100, Llama-2-7b-hf",
        "OOM at O.9",
    ],
)
def test_other_words_stay(text: str) -> None:
    assert text == mend(text)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("CUDA out of rnemory\nVa1ueError", "CUDA out of memory\nValueError"),
        ("nothing here shows darnage", "nothing here shows darnage"),
        ("rnemory".ljust(LONGEST + 1), "rnemory".ljust(LONGEST + 1)),
    ],
)
def test_a_short_text_is_mended_where_it_shows_damage(text: str, mended: str) -> None:
    assert mended == mend_text(text)


@given(st.text())
def test_mending_twice_is_mending_once(text: str) -> None:
    assert mend(text) == mend(mend(text))
