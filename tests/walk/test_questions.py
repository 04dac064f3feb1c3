"""Questions: buttons, selects and type-ahead, free text, and "I don't know"."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from slack_sdk import WebClient

from tests.walk.pastes import KV_TOO_SMALL, NO_BLOCKS, NO_ROOM
from tests.walk.served import Json, Walk, buttons, texts, wait_for

NO_MODEL = "vllm 0.11.0, one free L4, --gpu-memory-utilization 0.9\n" + NO_BLOCKS


def a_case(walk: Walk, text: str) -> tuple[str, str, Json]:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, text)["ts"]
    return channel, ts, walk.reply(channel, ts)


def asked(message: Json) -> set[str]:
    """Return the facts that a reply asks for."""
    return {action.split(":")[2] for action in buttons(message) if action.startswith(("vt1:answer", "vt1:unsure"))}


def test_an_answer_by_button_changes_the_reply_and_the_question_disappears(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, KV_TOO_SMALL)
    before = texts(reply["blocks"])
    assert "max_model_len_wanted" in asked(reply) or "longest" in before

    action = next(each for each in buttons(reply) if each.startswith("vt1:answer"))
    walk.maya.click(channel, reply["ts"], action)

    fact = action.split(":")[2]
    wait_for(lambda: fact not in asked(walk.said(channel, ts)[0]))
    (now,) = walk.said(channel, ts)
    assert before != texts(now["blocks"])


def test_at_most_two_questions_are_asked_at_once(walk: Walk) -> None:
    _, _, reply = a_case(walk, NO_BLOCKS)

    assert 1 <= len(asked(reply)) <= 2


def test_a_model_is_chosen_by_typing_a_few_letters(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, NO_MODEL)
    select = buttons(reply)["vt1:answer:model"]
    assert "external_select" == select["type"]

    offered = walk.maya.do(
        "suggest", channel=channel, ts=reply["ts"], action_id="vt1:answer:model", query="qwen2.5-14b"
    )
    name = offered["options"][0]["value"]
    walk.maya.click(channel, reply["ts"], "vt1:answer:model", name)

    assert "qwen2.5-14b" in name.lower()
    wait_for(lambda: name.rpartition("/")[2] in texts(walk.said(channel, ts)[0]["blocks"]))


def test_a_gpu_is_chosen_by_typing_a_few_letters(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, f"vllm 0.11.0\n{NO_BLOCKS}\nvllm serve Qwen/Qwen2.5-7B-Instruct")
    while "gpu" not in asked(reply):
        action = next(each for each in buttons(reply) if each.startswith("vt1:answer"))
        walk.maya.click(channel, reply["ts"], action)
        walk.settled()
        (reply,) = walk.said(channel, ts)

    offered = walk.maya.do("suggest", channel=channel, ts=reply["ts"], action_id="vt1:answer:gpu", query="l40s")

    assert any("L40S" in option["value"] for option in offered["options"])


def test_i_do_not_know_shows_the_command_that_tells(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, NO_ROOM)
    action = next(each for each in buttons(reply) if each.startswith("vt1:unsure"))

    walk.maya.click(channel, reply["ts"], action)

    fact = action.split(":")[2]
    wait_for(lambda: fact not in asked(walk.said(channel, ts)[0]))
    said = texts(walk.said(channel, ts)[0]["blocks"])
    assert "nvidia-smi" in said or "vllm --version" in said


def test_an_answer_in_words_counts(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, NO_ROOM)
    assert "vllm_version" in asked(reply)

    walk.maya.post(channel, "we are on vllm 0.11.0", thread_ts=ts)

    wait_for(lambda: "vllm_version" not in asked(walk.said(channel, ts)[0]))


def test_what_was_declined_is_not_asked_again(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, NO_ROOM)
    walk.maya.click(channel, reply["ts"], "vt1:unsure:vllm_version")
    wait_for(lambda: "vllm_version" not in asked(walk.said(channel, ts)[0]))

    walk.jonas.post(channel, "one L4", thread_ts=ts)

    walk.settled()
    assert "vllm_version" not in asked(walk.said(channel, ts)[0])


def test_clicks_at_the_same_moment_leave_one_reply_and_the_last_answer(walk: Walk) -> None:
    channel, ts, reply = a_case(walk, NO_ROOM)
    action, versions = "vt1:answer:vllm_version", ("0.8.5", "0.9.2", "0.11.0", "0.19.0")
    people = [walk.maya, walk.jonas]

    with ThreadPoolExecutor(8) as hands:
        told = list(hands.map(lambda n: people[n % 2].click(channel, reply["ts"], action, versions[n % 4]), range(8)))

    walk.settled()
    assert all(each["ok"] for each in told)
    assert [reply["ts"]] == [each["ts"] for each in walk.said(channel, ts)]
    assert "vllm_version" not in asked(walk.said(channel, ts)[0])


def test_a_guess_from_the_paste_is_chosen_already(walk: Walk) -> None:
    _, _, reply = a_case(walk, f"we use some llama 3.1 8b quant, vllm 0.11, L4, utilization 0.9\n{NO_BLOCKS}")

    chosen = [each for each in buttons(reply).values() if each.get("initial_option")]
    assert not chosen or "llama" in str(chosen).lower()


def test_a_button_of_an_older_version_gets_a_polite_answer(walk: Walk) -> None:
    channel, ts, _ = a_case(walk, NO_ROOM)
    old = as_the_app(walk, channel, ts, "vt0:pick:gpu")

    told = walk.maya.click(channel, old, "vt0:pick:gpu")

    assert told["ok"]
    (said,) = wait_for(lambda: walk.whispers(walk.maya, channel))
    assert "older version" in said["text"]


def test_a_button_of_an_earlier_reply_still_means_what_it_said(walk: Walk) -> None:
    channel, ts, _ = a_case(walk, NO_ROOM)
    old = as_the_app(walk, channel, ts, "vt1:answer:vllm_version:7", "0.11.0")

    walk.maya.click(channel, old, "vt1:answer:vllm_version:7")

    wait_for(lambda: "vllm_version" not in asked(walk.said(channel, ts)[0]))


def as_the_app(walk: Walk, channel: str, ts: str, action: str, value: str = "x") -> str:
    """Post a button as an earlier version of the program would have; return its message's timestamp."""
    button = {"type": "button", "action_id": action, "value": value, "text": {"type": "plain_text", "text": "Old"}}
    client = WebClient(token="xoxb-local", base_url=walk.workspace.api_url)
    blocks = [{"type": "actions", "elements": [button]}]
    return str(client.chat_postMessage(channel=channel, thread_ts=ts, text="old", blocks=blocks)["ts"])
