from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reply.folding import fold, units

LONG = "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 65536 --kv-cache-dtype fp8"


def test_a_flag_stays_with_its_value():
    assert [
        "vllm serve meta-llama/Llama-3.1-8B-Instruct \\",
        "  --max-model-len 65536 --kv-cache-dtype fp8",
    ] == fold(LONG, 50).splitlines()


@pytest.mark.parametrize("command", ["vllm --version", "one line\nand another " + "x " * 40, "it's " + "long " * 20])
def test_what_is_short_or_cannot_be_read_stays_as_it_is(command):
    assert command == fold(command, 50)


def test_a_list_in_a_file_is_its_items():
    text = "args:\n  - --model=org/m\n  - --max-model-len=8192"

    assert ["args:", "--model=org/m", "--max-model-len=8192"] == units(text)
    assert text == fold(text, 10)


def test_nothing_in_quotes_is_broken():
    command = "docker logs CONTAINER 2>&1 | grep -n -m1 -A40 -E 'Engine.* --x (ERROR|Traceback)'"

    assert "'Engine.* --x (ERROR|Traceback)'" in fold(command, 40)


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=12), st.integers(10, 80))
def test_a_shell_reads_the_same_command(words, width):
    command = shlex.join(words)

    assert words == shlex.split(fold(command, width).replace("\\\n", ""))


def test_pipes_begin_a_line_and_short_flags_do_not():
    assert [
        "docker logs CONTAINER 2>&1 \\",
        "  | grep -n -m1 -A40 -E 'EngineCore.*Traceback'",
    ] == fold("docker logs CONTAINER 2>&1 | grep -n -m1 -A40 -E 'EngineCore.*Traceback'", 50).splitlines()
