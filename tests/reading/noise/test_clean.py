import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reading.noise.clean import clean, tidy
from bot.reading.noise.scrub import scrub


@pytest.mark.parametrize(
    ("noisy", "plain"),
    [
        ("\x1b[1;31mERROR\x1b[0m", "ERROR"),
        ("[36m(EngineCore pid=1)[0m", "(EngineCore pid=1)"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("–tensor-parallel-size 2", "--tensor-parallel-size 2"),
        ("1 – 2", "1 - 2"),
        ("“x” ‘y’", "\"x\" 'y'"),
        ("a\u00a0b\u200bc", "a bc"),
        ("a…", "a..."),
        ("one\r\ntwo", "one\ntwo"),
        ("|  0\t| x |", "|  0\t| x |"),
    ],
)
def test_noise_comes_off_and_columns_stay(noisy: str, plain: str) -> None:
    assert plain == tidy(noisy)


def test_quote_marks_and_fences_are_no_text() -> None:
    assert ["", "vllm serve m", "  x", ""] == [line.text for line in clean("```bash\n> vllm serve m\n>   x\n```")]


def test_a_log_prefix_tells_process_level_and_message() -> None:
    (line,) = clean('(Worker_TP1 pid=7) ERROR 01-02 10:00:00 [core.py:9]   File "x", line 1')

    assert ("Worker_TP1", "ERROR", '  File "x", line 1') == (line.process, line.level, line.message)


@given(st.text())
def test_there_are_as_many_lines_as_line_ends(text: str) -> None:
    assert tidy(text).count("\n") + 1 == len(clean(text))


@given(
    st.lists(
        st.sampled_from(
            [
                "hf_" + "aB1" * 9,
                "10.1.2.3",
                "a@b.cd",
                "://u:p@h",
                "/home/ann/",
                "token=abcDEF123",
                " ",
                "\n",
                "s3://b/",
                "GPU-",
                "x",
            ]
        )
    ).map("".join)
)
def test_scrubbing_twice_is_scrubbing_once(text: str) -> None:
    once = scrub(text)

    assert once == scrub(once)


@given(st.text())
def test_scrubbing_keeps_the_number_of_lines(text: str) -> None:
    assert text.count("\n") == scrub(text).count("\n")


def test_a_reset_without_its_escape_may_touch_a_word() -> None:
    assert "--max-model-len 4096" == tidy("[36m--max-model-len 4096[0m")


@pytest.mark.parametrize("label", ["[Bug]: ", "[Usage] ", "[Performance]:", "[Help wanted]: "])
def test_the_label_of_an_issue_is_no_text(label: str) -> None:
    assert ["CUDA out of memory"] == [line.text for line in clean(f"{label}CUDA out of memory")]


def test_a_label_that_says_what_is_wished_stays() -> None:
    assert ["[Feature]: say when memory ends"] == [line.text for line in clean("[Feature]: say when memory ends")]
