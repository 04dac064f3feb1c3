"""One reply a case: what stands in it, and how it lives."""

from __future__ import annotations

import re

from tests.walk.pastes import KV_TOO_SMALL, NO_BLOCKS, NO_ROOM
from tests.walk.served import Json, Walk, texts, wait_for


def budget_of(message: Json) -> dict[str, float]:
    """Return the lines of a reply's budget, in GiB."""
    rows = re.findall(r"^(\w[\w, ]*?) +([−+]?\d+\.\d\d)(?: GiB)?(?:  |$)", preformatted(message), re.MULTILINE)
    return {label: float(amount.replace("−", "-")) for label, amount in rows}


def preformatted(message: Json) -> str:
    parts = [part for block in message["blocks"] if block["type"] == "rich_text" for part in block["elements"]]
    return "\n".join(texts(part).strip() for part in parts if part["type"] == "rich_text_preformatted")


def a_case(walk: Walk, text: str = KV_TOO_SMALL) -> tuple[str, str, Json]:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, text)["ts"]
    return channel, ts, walk.reply(channel, ts)


def test_the_reply_says_what_why_the_budget_the_fixes_and_the_question_in_that_order(walk: Walk) -> None:
    _, _, reply = a_case(walk)

    said = texts(reply["blocks"])
    order = [
        "cannot hold one request",
        "Your line 5",
        "allowance",
        "--max-model-len 32768",
        "refused",
        "longest request",
    ]
    assert sorted(order, key=said.index) == order
    assert "header" == next(block["type"] for block in reply["blocks"] if block["type"] != "rich_text")


def test_the_terms_of_the_budget_add_up_to_what_is_left(walk: Walk) -> None:
    _, _, reply = a_case(walk)

    terms = budget_of(reply)
    spent = [amount for label, amount in terms.items() if label not in {"card, GiB", "allowance", "KV cache"}]
    assert {"card, GiB", "allowance", "weights", "KV cache"} <= terms.keys()
    assert abs(terms["allowance"] + sum(spent) - terms["KV cache"]) < 0.03


def test_the_budget_has_a_bar(walk: Walk) -> None:
    _, _, reply = a_case(walk)

    assert "████" in preformatted(reply)


def test_every_fix_says_what_it_gives_and_what_it_costs(walk: Walk) -> None:
    _, _, reply = a_case(walk)

    said = texts(reply["blocks"])
    assert said.count("vllm serve meta-llama") - 1 <= said.count("→")  # one is the person's own line
    assert said.count("→") <= said.count("Costs:") + said.count("Risk:")


def test_the_reply_is_edited_as_facts_arrive_and_never_repeated(walk: Walk) -> None:
    channel, ts, first = a_case(walk, NO_BLOCKS)

    for text in ("vllm 0.11.0", "one free L4", "vllm serve Qwen/Qwen2.5-7B-Instruct --gpu-memory-utilization 0.4"):
        walk.jonas.post(channel, text, thread_ts=ts)
        walk.settled()

    (now,) = walk.said(channel, ts)
    assert first["ts"] == now["ts"]
    assert "utilization is too low" in texts(now["blocks"])


def test_details_are_shown_on_demand(walk: Walk) -> None:
    channel, _, reply = a_case(walk)

    view = walk.maya.shown_by(lambda: walk.maya.click(channel, reply["ts"], "vt1:details"))

    walk.maya.do("close", all=True)
    said = texts(view["blocks"])
    for section in ("All causes", "coming back", "Questions people ask", "numbers rest on", "References"):
        assert re.search(section, said, re.IGNORECASE), section


def test_a_command_too_long_for_a_message_is_attached_whole(walk: Walk) -> None:
    adapters = " ".join(f"adapter-{n}=/models/adapters/team-{n}/checkpoint-{n:06d}" for n in range(60))
    command = f"vllm serve meta-llama/Llama-3.1-8B-Instruct --enable-lora --lora-modules {adapters}"

    channel, ts, reply = a_case(walk, KV_TOO_SMALL.replace("vllm serve meta-llama/Llama-3.1-8B-Instruct", command))

    files = wait_for(lambda: [file for each in walk.said(channel, ts) for file in each.get("files", ())])
    content = walk.maya.do("file", file=files[0]["id"])["content"]
    assert "attached" in texts(reply["blocks"])
    assert "adapter-59=/models/adapters/team-59/checkpoint-000059" in content


def test_hostile_text_pings_nobody_and_formats_nothing(walk: Walk) -> None:
    evil = "<!channel> <@U123> @here *bold* `x` <https://evil.example|click>"
    channel, ts, reply = a_case(walk, f"{NO_ROOM} --served-model-name '{evil}'\nValueError: {evil}")

    walk.settled()
    assert not re.search(r"<[!@]|broadcast|usergroup", f"{reply['text']} {reply['blocks']}")
    assert "evil.example|" not in str(reply["blocks"])
    assert 1 == len(walk.said(channel, ts))


def test_the_budget_comes_as_a_picture_when_somebody_asks_for_it(walk: Walk) -> None:
    channel, ts, reply = a_case(walk)

    walk.jonas.click(channel, reply["ts"], "vt1:more", "draw")

    (drawn,) = wait_for(lambda: [each for each in walk.said(channel, ts) if each.get("files")])
    assert "image/png" == drawn["files"][0]["mimetype"]
    assert "weights" in drawn["files"][0]["alt_txt"]
    walk.settled()
    assert "Picture of the budget" not in texts(walk.reply(channel, ts)["blocks"])
    assert 2 == len(walk.said(channel, ts))
