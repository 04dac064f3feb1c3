"""`/vllm-size`: a budget from a line of text or from a form, for one person until it is shared."""

from __future__ import annotations

import pytest

from bot.workspace.person import Person
from tests.walk.served import Json, Walk, buttons, texts, wait_for

COMMAND = "/vllm-size"
LINE = "8xH100 llama-3.3-70b --max-model-len 32k --kv-cache-dtype fp8"


def a_budget(walk: Walk, text: str = LINE, channel: str | None = None) -> tuple[str, Json]:
    channel = channel or walk.a_channel(mode=None)
    walk.maya.slash(channel, COMMAND, text)
    return channel, wait_for(lambda: walk.whispers(walk.maya, channel))[0]


@pytest.fixture
def priya(walk: Walk) -> Person:
    """Somebody whose modals no other test opens."""
    return walk.priya


def test_a_line_of_text_gives_a_budget_that_only_its_writer_sees(walk: Walk) -> None:
    channel, said = a_budget(walk)

    blocks = texts(said["blocks"])
    assert "It fits" in said["text"]
    assert "KV cache" in blocks
    assert "vllm serve meta-llama/Llama-3.3-70B-Instruct" in blocks
    assert "--kv-cache-dtype fp8" in blocks
    assert [] == walk.whispers(walk.jonas, channel)


@pytest.mark.parametrize("text", ["help", "?"])
def test_help_shows_examples(walk: Walk, text: str) -> None:
    assert "/vllm-size llama-3.3-70b on 8xH100" in a_budget(walk, text)[1]["text"]


def test_odd_text_is_answered_by_what_is_missing_and_an_example(walk: Walk) -> None:
    _, said = a_budget(walk, "how big is a cow")

    everything = f"{said['text']} {texts(said['blocks'])}"
    assert "'cow'" in everything
    assert "/vllm-size llama" in everything


def test_each_problem_with_the_input_is_named(walk: Walk) -> None:
    said = texts(a_budget(walk, "2xL4 qwen2.5-14b --max-model-len banana --max-num-seqs many")[1]["blocks"])

    assert "'banana'" in said
    assert "'many'" in said


def test_what_does_not_fit_says_what_would(walk: Walk) -> None:
    said = texts(a_budget(walk, "1xL4 llama-3.3-70b")[1]["blocks"])

    assert "--tensor-parallel-size" in said or "GPUs" in said


def test_a_what_if_is_computed_in_place(walk: Walk) -> None:
    channel, said = a_budget(walk, "8xH100 llama-3.3-70b --max-model-len 32k")
    label = buttons(said)["vt1:size:try:0"]["text"]["text"]

    walk.maya.click(channel, said["ts"], "vt1:size:try:0")

    wait_for(lambda: "--kv-cache-dtype fp8" in texts(walk.whispers(walk.maya, channel)[0]["blocks"]))
    assert "fp8 KV cache" == label
    assert 1 == len(walk.whispers(walk.maya, channel))


def test_a_line_of_what_ifs_gives_a_table(walk: Walk) -> None:
    _, said = a_budget(walk, "qwen3-14b on L40S --sweep max_model_len=8k,16k,32k")

    blocks = texts(said["blocks"])
    assert "3 of 3 combinations fit" == said["text"]
    assert "context  fits  requests" in blocks
    assert "32,000" in blocks


def test_a_table_of_contexts_is_a_press_away(walk: Walk) -> None:
    channel, said = a_budget(walk, "qwen3-14b on L40S")
    table = next(action for action, each in buttons(said).items() if each["text"]["text"] == "Table")

    walk.maya.click(channel, said["ts"], table)

    wait_for(lambda: "combinations fit" in walk.whispers(walk.maya, channel)[0]["text"])


def test_speed_people_and_sources_are_behind_details(walk: Walk, priya: Person) -> None:
    channel = walk.a_channel(mode=None)
    priya.do("join", channel=channel)
    priya.slash(channel, COMMAND, LINE)
    (said,) = wait_for(lambda: walk.whispers(priya, channel))

    view = priya.shown_by(lambda: priya.click(channel, said["ts"], "vt1:size:details"))

    priya.do("close", all=True)
    assert "How fast, and for how many" in texts(view["blocks"])
    assert "What the numbers rest on" in texts(view["blocks"])


def test_the_picture_of_a_shared_budget_comes_to_who_asks(walk: Walk) -> None:
    channel, said = a_budget(walk)
    walk.maya.click(channel, said["ts"], "vt1:size:share")
    (shared,) = wait_for(lambda: [each for each in walk.jonas.messages(channel) if "It fits" in each["text"]])

    walk.jonas.click(channel, shared["ts"], "vt1:size:draw")

    files = wait_for(lambda: [file for each in walk.jonas.messages("@app") for file in each.get("files", ())])
    assert "image/png" == files[-1]["mimetype"]
    assert "KV cache" in files[-1]["alt_txt"]


def test_a_model_that_nobody_knows_is_a_question_with_the_reason(walk: Walk) -> None:
    said = texts(a_budget(walk, "acme/parrot-7b on L4")[1]["blocks"])

    assert "127.0.0.1:9" in said
    assert "Which model do you serve?" in said


def test_a_budget_stays_private_until_it_is_shared(walk: Walk) -> None:
    channel, said = a_budget(walk)
    assert not [each for each in walk.jonas.messages(channel) if "It fits" in each["text"]]

    walk.maya.click(channel, said["ts"], "vt1:size:share")

    wait_for(lambda: [each for each in walk.jonas.messages(channel) if "It fits" in each["text"]])
    wait_for(lambda: not walk.whispers(walk.maya, channel))


def test_a_budget_can_be_shared_where_the_program_is_no_member(walk: Walk) -> None:
    channel, said = a_budget(walk, channel=walk.a_channel_without_it())
    walk.jonas.do("join", channel=channel)

    walk.maya.click(channel, said["ts"], "vt1:size:share")

    wait_for(lambda: [each for each in walk.jonas.messages(channel) if "It fits" in each["text"]])


def test_the_command_alone_opens_a_form_that_computes_as_its_fields_change(walk: Walk, priya: Person) -> None:
    channel = walk.a_channel(mode=None)
    view = priya.shown_by(lambda: priya.slash(channel, COMMAND))

    offered = priya.do("suggest", view=view["id"], action_id="vt1:sizing:model", query="llama-3.1-8b")["options"]
    priya.do("select", view=view["id"], action_id="vt1:sizing:model", value=offered[0])
    gpus = priya.do("suggest", view=view["id"], action_id="vt1:sizing:gpu", query="l4")["options"]
    priya.do("select", view=view["id"], action_id="vt1:sizing:gpu", value=gpus[0])

    wait_for(lambda: "KV cache" in texts(priya.views()[0]["blocks"]))
    priya.do("select", view=view["id"], action_id="vt1:sizing:text", value="--max-model-len 8k")
    wait_for(lambda: "8,000" in texts(priya.views()[0]["blocks"]))
    priya.do("close", all=True)


def test_the_form_names_a_problem_at_its_field(walk: Walk, priya: Person) -> None:
    channel = walk.a_channel(mode=None)
    view = priya.shown_by(lambda: priya.slash(channel, COMMAND))

    told = priya.do("submit", view=view["id"], values={"vt1:sizing:text": "2xL4 qwen2.5-14b --max-model-len banana"})

    assert not told["ok"]
    assert "banana" in told["errors"]["text"]
    priya.do("close", all=True)


def test_a_form_without_model_or_gpu_says_which_is_missing(walk: Walk, priya: Person) -> None:
    channel = walk.a_channel(mode=None)
    view = priya.shown_by(lambda: priya.slash(channel, COMMAND))

    told = priya.do("submit", view=view["id"], values={"vt1:sizing:gpu_count": "2"})

    assert {"model", "gpu"} == told["errors"].keys()
    priya.do("close", all=True)


@pytest.mark.parametrize("is_member", [True, False])
def test_the_form_shows_its_budget_to_its_writer(walk: Walk, priya: Person, is_member: bool) -> None:
    channel = walk.a_channel(mode=None) if is_member else walk.a_channel_without_it()
    priya.do("join", channel=channel)
    view = priya.shown_by(lambda: priya.slash(channel, COMMAND))

    told = priya.do("submit", view=view["id"], values={"vt1:sizing:text": "2xL4 qwen2.5-14b --max-model-len 8k"})

    assert told["ok"]
    shown = wait_for(lambda: [*walk.whispers(priya, channel), *priya.views()])
    assert "KV cache" in texts(shown[-1]["blocks"])
    priya.do("close", all=True)


def test_a_budget_is_changed_in_the_form_that_is_filled_from_it(walk: Walk) -> None:
    channel, said = a_budget(walk)

    view = walk.maya.shown_by(lambda: walk.maya.click(channel, said["ts"], "vt1:size:form"))

    walk.maya.do("close", all=True)
    assert "Llama-3.3-70B" in str(view["blocks"])
    assert "H100" in str(view["blocks"])
