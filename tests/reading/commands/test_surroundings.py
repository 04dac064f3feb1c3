from __future__ import annotations

import pytest

from bot.evidence import Line
from bot.reading.commands.surroundings import cut_out, find_begin, key_of, unmarked, without_key


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ("we run ", ""),
        ("me@host:~$ ", ""),
        ("me@host:~$ A=1 B='2 3' /opt/bin/", "A=1 B='2 3' /opt/bin/"),
        ("it took some time ", ""),
        ("cd /a && A=1; export B=2 && nohup ", "A=1; export B=2 && nohup "),
        ("echo a; python3 -m ", "python3 -m "),
        ("(taskset -c 0-3 ", "taskset -c 0-3 "),
        ("A=1; ; ", ""),
    ],
)
def test_a_command_begins_with_what_starts_it(before: str, kept: str):
    assert kept == before[find_begin(before) :]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("`vllm serve m` dies", "vllm serve m"),
        ("say 'A=1 vllm serve m' or", "A=1 vllm serve m"),
        ("don't run vllm serve m --host 'a'", "vllm serve m --host 'a'"),
        ("vllm serve m --host `a`", "vllm serve m --host `a`"),
    ],
)
def test_a_command_ends_where_the_quotation_around_it_does(text: str, cut: str):
    assert cut == cut_out([Line(number=1, text=text)], text.index("vllm"))[0].text


def test_a_quotation_of_several_lines_ends_with_the_last():
    lines = [Line(number=1, text='I say "vllm serve m \\'), Line(number=2, text='  --port 80"')]

    assert ["vllm serve m \\", "  --port 80"] == [line.text for line in cut_out(lines, 7)]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("$ bash -c 'vllm serve m' ok", "bash -c 'vllm serve m' ok"),
        ("$ A=1 ssh h 'cd /a && vllm serve m'", "A=1 ssh h 'cd /a && vllm serve m'"),
        ("bash -c 'vllm serve m", "vllm serve m"),
        ("bash says 'vllm serve m' dies", "vllm serve m"),
    ],
)
def test_a_program_that_is_given_a_command_whole_is_cut_out_with_it(text: str, cut: str):
    assert cut == cut_out([Line(number=1, text=text)], text.index("vllm"))[0].text


def test_bold_type_leaves_blanks():
    assert [" a/b_c ", "a_b*c"] == [unmarked(Line(number=1, text=text)).text for text in ("*a/b_c*", "a_b*c")]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ExecStart=/opt/bin/vllm serve m", "ExecStart="),
        ("  command = vllm serve m", "command = "),
        ("ExecStart=-/opt/bin/vllm serve m", "ExecStart=-"),
        ('command="vllm serve m"', ""),
        ("vllm serve m --x command=y", ""),
    ],
)
def test_a_line_of_a_unit_has_its_command_behind_a_key(text: str, key: str):
    assert key == key_of(Line(number=1, text=text))
    assert " " * len(key) == without_key(Line(number=1, text=text)).text[: len(key)]
