from bot.reading.crowds import FIRST, LAST
from bot.reading.read import read


def commands(count: int) -> list[str]:
    return [f"vllm serve acme/m-{number}b --max-num-seqs {number}" for number in range(1, count + 1)]


def test_of_more_commands_than_anyone_writes_the_first_and_the_last_are_read():
    found = read("\n".join(commands(800)))

    assert ("acme/m-800b", 800) == (found.value("model"), found.value("max_num_seqs"))
    assert any("the first 100 and the last 400" in told for told in found.unfinished)
    assert commands(800)[400] == found.lines[400].text


def test_the_command_that_the_text_repeats_counts_among_as_many_as_are_read():
    text = [*commands(FIRST + LAST), "INFO 05-01 10:00:00 [config.py:1] model acme/m-7b with 7"]

    assert "acme/m-7b" == read("\n".join(text)).value("model")


def test_what_a_command_goes_on_with_belongs_to_no_other_where_it_is_left_out():
    lines = [f"vllm serve acme/m-{number}b \\\n  --max-num-seqs {number}" for number in range(1, 801)]
    lines[150] += " \\\n  --enforce-eager"

    assert (800, None) == tuple(map(read("\n".join(lines)).value, ("max_num_seqs", "enforce_eager")))


def test_messages_that_name_a_command_are_all_read():
    lines = [f"ERROR 05-01 10:00:00 [x.py:1] see vllm serve --help, {number}" for number in range(600)]

    assert not [told for told in read("\n".join(lines)).unfinished if "command" in told]
