import pytest

from bot.reading.noise.clean import clean
from bot.reading.noise.wrapping import Wrap, find_wrap, is_broken_word

LONG = (
    "(EngineCore_DP0 pid=7) INFO 05-01 10:00:00 [gpu_worker.py:298] some words that go on and on until the line is over"
)


def test_lines_that_are_full_to_the_edge_were_broken_inside_words() -> None:
    lines = [LONG.replace("298", str(number)) for number in (298, 299, 300)]
    text = "\n".join(line[at : at + 70] for line in lines for at in range(0, len(line), 70))

    assert Wrap(70, is_hard=True) == find_wrap(clean(text))


def test_a_paste_of_short_lines_was_not_wrapped() -> None:
    assert find_wrap(clean("one\ntwo\nthree")) is None


def test_a_log_of_whole_lines_was_not_wrapped() -> None:
    assert find_wrap(clean("\n".join([LONG] * 5))) is None


def test_one_line_twice_shows_no_wrap() -> None:
    text = "ValueError: this sentence of an error ends at the edge of nothing at all.\n(gptq int4, tp 8)"

    assert find_wrap(clean(f"{text}\n{text}")) is None


@pytest.mark.parametrize(
    ("before", "after", "is_broken"),
    [
        ("CUDA out of mem", "ory. Tried to allocate", True),
        ("CUDA out of memory", "tried to allocate", False),
        ("has a total capacity of 22.", "03 GiB", True),
        ("max_num", "_batched_tokens", True),
        ("of 22", ", of which", True),
    ],
)
def test_a_word_or_number_that_goes_on_was_broken(before: str, after: str, is_broken: bool) -> None:
    assert is_broken is is_broken_word(before, after)


@pytest.mark.parametrize("word", ["Killed", "Aborted (core dumped)", "Segmentation fault", "zsh: killed"])
def test_how_a_program_ended_is_the_rest_of_no_record(word: str) -> None:
    text = f"INFO 05-01 10:00:00 model_runner.py:1071] Loading model weights took 4.3 GB\n{word}"

    assert word == clean(text)[-1].text
