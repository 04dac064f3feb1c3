import textwrap

import pytest

from bot.reading.noise.clean import clean
from bot.reading.noise.joining import join

SENTENCES = (
    "(EngineCore_DP0 pid=7) INFO 05-01 10:00:00 [gpu_worker.py:298] Available KV cache memory: 13.69 GiB",
    "(EngineCore_DP0 pid=7) ERROR 05-01 10:00:01 [core.py:708] EngineCore failed to start.",
    (
        "(EngineCore_DP0 pid=7) ERROR 05-01 10:00:01 [core.py:708] ValueError: To serve at least one request with the models's max seq len "
        "(131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (13.69 GiB)."
    ),
    (
        "(EngineCore_DP0 pid=7) INFO 05-01 10:00:02 [gpu_worker.py:391] Free memory on device (78.66/79.19 GiB) on startup. Desired GPU memory "
        "utilization is (0.9, 71.27 GiB). Actual usage is 14.08 GiB for weight, 1.97 GiB for peak activation, 0.07 GiB for non-torch memory, "
        "and 0.67 GiB for CUDAGraph memory. Current kv cache memory in use is 55.15 GiB."
    ),
)


def _joined(text: str) -> list[str]:
    return [line.text for line in join(clean(text))]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_a_log_that_a_terminal_wrapped_inside_words_is_whole_again(width: int) -> None:
    wrapped = "\n".join(sentence[at : at + width] for sentence in SENTENCES for at in range(0, len(sentence), width))

    assert list(SENTENCES) == _joined(wrapped)


def test_a_log_that_was_wrapped_between_words_is_whole_again() -> None:
    wrapped = "\n".join(
        textwrap.fill(sentence, 80, break_long_words=False, break_on_hyphens=False) for sentence in SENTENCES
    )

    assert list(SENTENCES) == _joined(wrapped)


def test_lines_that_were_not_wrapped_stay_apart() -> None:
    text = "\n".join([*SENTENCES, "we run this on 2x L4", "any idea?"])

    assert text.split("\n") == _joined(text)


def test_a_traceback_is_not_joined() -> None:
    text = 'INFO 05-01 10:00:00 [w.py:1] Model loading took 7.5 GiB and 2 seconds\nTraceback (most recent call last):\n  File "x", line 1, in f\n    go()'

    assert text.split("\n") == _joined(text)


def test_a_message_that_ends_in_a_bracket_leaves_what_people_say_below_alone():
    wrapper = "(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}"

    assert [wrapper, "we run it on one L4"] == [line.text for line in join(clean(f"{wrapper}\nwe run it on one L4"))]


def test_a_message_that_ends_behind_a_quotation_leaves_what_people_say_below_alone():
    message = "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`."

    assert [message, "qwen3-32b on an A100"] == [line.text for line in join(clean(f"{message}\nqwen3-32b on an A100"))]
