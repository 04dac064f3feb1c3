import pytest

from bot.catalog.load import load_knowledge
from bot.reading.commands.argument_list import first_argument, take_arguments
from bot.reading.commands.arguments import LISTS, SWITCHES, full_name, is_known


def taken(text: str) -> list[tuple[str, str]]:
    return [(argument.name, argument.value) for argument in take_arguments(text.split(), 0)]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("org/m-7b on one L4", [("", "org/m-7b")]),
        ("org/m-7b, then it hangs", [("", "org/m-7b")]),
        ("org/m-7b --enforce-eager and it hangs", [("", "org/m-7b"), ("--enforce-eager", "")]),
        ("org/m-7b --enforce-eager. It hangs", [("", "org/m-7b"), ("--enforce-eager", "")]),
        ("org/m-7b -tp 2 on 2 cards", [("", "org/m-7b"), ("-tp", "2")]),
        ("--max-model-len 8192, and it dies", [("--max-model-len", "8192")]),
        ("--frobnicate with my card", [("--frobnicate", "")]),
        ("--port 8000 org/m-7b", [("--port", "8000"), ("", "org/m-7b")]),
        ("$MODEL -tp 2 > log.txt", [("", ""), ("-tp", "2")]),
        ("crashes with 4 cards", []),
        ("--served-model-name a-1 b-2 -tp 2", [("--served-model-name", "a-1"), ("-tp", "2")]),
        ("--served-model-name a-1 on 2 cards", [("--served-model-name", "a-1")]),
    ],
)
def test_arguments_end_where_a_sentence_goes_on(text: str, arguments: list[tuple[str, str]]) -> None:
    assert arguments == taken(text)


def test_in_a_list_of_a_manifest_a_stray_word_ends_nothing() -> None:
    words = ["org/m-7b", "stray", "-tp", "2"]

    assert ["", "-tp"] == [argument.name for argument in take_arguments(words, 0, is_list=True)]


def test_every_flag_of_the_knowledge_base_reads_as_what_it_is() -> None:
    flags = [flag for flag in load_knowledge().flags.rows if not flag.is_environment]
    said = {name: full_name(name) for flag in flags for name in (flag.name, *flag.aliases)}
    switches = {said[flag.name] for flag in flags if flag.type == "switch"}
    lists = {said[flag.name] for flag in flags if flag.type == "list"}

    assert (set(), set()) == (switches - SWITCHES, lists - LISTS)


def test_every_flag_that_sets_a_fact_is_read() -> None:
    flags = [flag for flag in load_knowledge().flags.rows if flag.fact]

    assert [] == [name for flag in flags for name in (flag.name, *flag.aliases) if not is_known(name)]


@pytest.mark.parametrize("model", ["org/anvil-8b-GGUF:Q4_K_M", "org/anvil-8b-GGUF:BF16", "./anvil-8b-Q8_0.gguf"])
def test_a_file_of_a_repository_is_named_by_its_type(model):
    assert model == take_arguments(f"vllm serve {model} --tokenizer org/anvil-8b".split(), 2)[0].value


def test_an_image_with_a_tag_is_no_model():
    assert () == take_arguments(["vllm", "serve", "org/server-2:v0.9"], 2)


def test_behind_two_dashes_the_arguments_of_the_image_begin():
    words = ["kubectl", "run", "v", "--image=vllm/vllm-openai:v0.12.0", "--restart=Never", "--", "--model", "org/m"]

    assert words.index("--model") == first_argument(words)


def test_a_plain_word_before_the_next_flag_is_one_more_value():
    words = ["vllm", "serve", "org/m", "--served-model-name", "gpt-4", "llama", "--port", "80"]

    assert [("", 1), ("--served-model-name", 3), ("--port", 2)] == [
        (argument.name, argument.used) for argument in take_arguments(words, 2)
    ]
