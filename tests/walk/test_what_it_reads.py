"""What the program reads: text, snippets, logs, several messages, forwarded ones, alerts."""

from __future__ import annotations

import gzip

import pytest

from tests.walk.pastes import KV_TOO_SMALL, NO_BLOCKS, NO_ROOM
from tests.walk.served import Json, Walk, texts, wait_for


def forwarded(text: str) -> Json:
    """A message that somebody else wrote elsewhere, shared by a person of the channel."""
    element = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}
    block = {"type": "rich_text", "elements": [element]}
    part = {"team": "T1", "channel": "C1", "ts": "1764000000.000100", "message": {"blocks": [block]}}
    return {"is_share": True, "is_msg_unfurl": True, "fallback": text[:50], "text": text, "message_blocks": [part]}


def test_a_paste_from_a_phone_with_bent_quotes_and_dashes(walk: Walk) -> None:
    channel = walk.a_channel()

    ts = walk.maya.do("post", channel=channel, text=f"{NO_ROOM}\nvllm 0.11.0 on one free L4", smart=True)["ts"]

    assert "utilization is too low" in texts(walk.reply(channel, ts)["blocks"])


def test_text_without_rich_text(walk: Walk) -> None:
    channel = walk.a_channel()
    escaped = KV_TOO_SMALL.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    ts = walk.maya.post(channel, "x", raw={"text": escaped, "blocks": []})["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


@pytest.mark.parametrize("name", ["snippet.txt", "vllm.log", "error.log.1"])
def test_a_snippet_or_log_file(walk: Walk, name: str) -> None:
    channel = walk.a_channel()

    ts = walk.maya.upload(channel, KV_TOO_SMALL, name=name)["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_a_long_log_whose_error_is_at_its_end(walk: Walk) -> None:
    channel = walk.a_channel()
    chatter = "INFO 11-20 10:12:01 [loggers.py:123] Engine 000: Running: 3 reqs, Waiting: 0 reqs\n" * 20_000

    ts = walk.maya.upload(channel, chatter + KV_TOO_SMALL, name="vllm.log")["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_a_log_beyond_the_cap_is_read_at_its_end_too(walk: Walk) -> None:
    channel = walk.a_channel()
    chatter = "2026-11-20 10:12:01 ingress GET /v1/models 200 12ms\n" * 200_000

    ts = walk.maya.upload(channel, chatter + KV_TOO_SMALL, name="vllm.log")["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_a_log_that_is_packed(walk: Walk) -> None:
    channel = walk.a_channel()

    ts = walk.maya.upload(channel, "", hex=gzip.compress(KV_TOO_SMALL.encode()).hex(), name="vllm.log.gz")["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_a_file_in_the_thread_adds_to_the_case(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_BLOCKS)["ts"]
    walk.reply(channel, ts)

    walk.maya.upload(channel, "vllm serve meta-llama/Llama-3.1-8B-Instruct\nNVIDIA L4", thread_ts=ts)

    wait_for(lambda: "Llama-3.1-8B" in texts(walk.said(channel, ts)[0]["blocks"]))
    assert 1 == len(walk.said(channel, ts))


def test_several_messages_in_a_row_are_one_paste(walk: Walk) -> None:
    channel = walk.a_channel()
    command, error = "vllm serve Qwen/Qwen2.5-14B-Instruct --max-model-len 8192", NO_BLOCKS
    first = walk.maya.post(channel, command)["ts"]
    walk.maya.post(channel, "it is one L4 btw, vllm 0.11.0")
    walk.settled()

    last = walk.maya.post(channel, error)["ts"]

    said = texts(walk.reply(channel, last)["blocks"])
    assert "Qwen2.5-14B" in said
    assert [] == walk.said(channel, first)


def test_a_traceback_that_the_client_split_is_read_whole(walk: Walk) -> None:
    channel = walk.a_channel()
    middle = KV_TOO_SMALL.index("models's max seq len")
    first = walk.maya.post(channel, f"```{KV_TOO_SMALL[:middle]}```")["ts"]

    second = walk.maya.post(channel, f"```{KV_TOO_SMALL[middle:]}```")["ts"]

    walk.settled()
    said = wait_for(lambda: [*walk.said(channel, first), *walk.said(channel, second)])
    assert 1 == len(said)
    assert "131,072" in texts(said[0]["blocks"])


def test_what_two_people_post_is_not_one_paste(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.jonas.post(channel, "vllm serve Qwen/Qwen2.5-14B-Instruct --max-model-len 8192")

    said = walk.answer(NO_BLOCKS, channel)

    assert "Qwen2.5-14B" not in said


def test_a_forwarded_message(walk: Walk) -> None:
    channel = walk.a_channel()

    ts = walk.maya.post(channel, "anybody?", raw={"attachments": [forwarded(KV_TOO_SMALL)]})["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_the_attachment_of_an_alert_that_is_allowed(walk: Walk) -> None:
    channel = walk.a_channel()
    walk.reply(channel, walk.maya.post(channel, "@vllm-triage allow alerts")["ts"])
    alert = {"title": "CrashLoopBackOff: vllm-0", "text": KV_TOO_SMALL, "fallback": "alert", "color": "danger"}

    ts = walk.maya.do("bot_post", channel=channel, text="", raw={"attachments": [alert]})["ts"]

    assert "131,072" in texts(walk.reply(channel, ts)["blocks"])


def test_a_thread_reply_that_adds_facts_counts(walk: Walk) -> None:
    channel = walk.a_channel()
    ts = walk.maya.post(channel, NO_ROOM)["ts"]
    walk.reply(channel, ts)

    walk.jonas.post(channel, "we run vllm 0.11.0 on one L4", thread_ts=ts)

    wait_for(lambda: "L4" in texts(walk.said(channel, ts)[0]["blocks"]))


def test_a_mention_in_a_thread_reads_what_was_said_before_it(walk: Walk) -> None:
    channel = walk.a_channel("mention only")
    ts = walk.maya.post(channel, NO_ROOM)["ts"]

    walk.jonas.post(channel, "@vllm-triage please look", thread_ts=ts)

    assert "KV cache" in texts(walk.reply(channel, ts)["blocks"])


@pytest.mark.parametrize("text", ["vllm crashes on our L4, see the screenshot", "@vllm-triage look"])
def test_a_screenshot_gets_a_polite_request_for_text(walk: Walk, text: str) -> None:
    channel = walk.a_channel()

    ts = walk.maya.upload(channel, "", hex="89504e470d0a1a0a00", name="Screenshot.png", text=text)["ts"]

    wait_for(lambda: any("cannot read pictures" in each["text"] for each in walk.said(channel, ts)))


def test_a_screenshot_of_something_else_gets_silence(walk: Walk) -> None:
    channel = walk.a_channel()

    ts = walk.maya.upload(channel, "", hex="89504e470d0a1a0a00", name="lunch.png", text="look at my lunch")["ts"]

    walk.settled()
    assert [] == walk.said(channel, ts)


def test_a_binary_file_is_declined(walk: Walk) -> None:
    channel = walk.a_channel()

    ts = walk.maya.upload(channel, "", hex="00ff00ff" * 20, name="core.bin", text=f"@vllm-triage {NO_ROOM}")["ts"]

    wait_for(lambda: any("is not text" in each["text"] for each in walk.said(channel, ts)))


def test_a_token_is_never_said_back(walk: Walk) -> None:
    said = walk.answer(f"export HF_TOKEN=hf_{'aB3dE5gH' * 4}\n{NO_ROOM} --api-key sk-{'q1W2e3R4' * 4}")

    assert "aB3dE5gH" not in said
    assert "q1W2e3R4" not in said
