from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.slack.hearing.unmangle import unmangle, without_mention


def rich(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"text": "the marked-up twin", "blocks": [{"type": "rich_text", "elements": list(elements)}]}


def section(*texts: str) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": [{"type": "text", "text": text} for text in texts]}


def code(*texts: str) -> dict[str, Any]:
    return {**section(*texts), "type": "rich_text_preformatted"}


def test_the_three_entities_are_decoded_once() -> None:
    assert "a < b && c > d &amp;" == unmangle({"text": "a &lt; b &amp;&amp; c &gt; d &amp;amp;"})


def test_a_link_that_slack_made_is_the_text_it_was_made_of() -> None:
    assert "connect to 10.0.0.1:8000" == unmangle({"text": "connect to <http://10.0.0.1:8000|10.0.0.1:8000>"})


def test_a_bare_link_is_its_address() -> None:
    assert "https://vllm.ai/docs?a=1&b=2" == unmangle({"text": "<https://vllm.ai/docs?a=1&amp;b=2>"})


def test_a_mail_address_is_what_was_typed() -> None:
    assert "ops@example.org" == unmangle({"text": "<mailto:ops@example.org|ops@example.org>"})


def test_a_frame_of_a_trace_is_no_link() -> None:
    assert 'File "a.py", line 1, in <module>' == unmangle({"text": 'File "a.py", line 1, in &lt;module&gt;'})


def test_mentions_keep_who_they_mean() -> None:
    assert "@U1 in #gpu says @here" == unmangle({"text": "<@U1> in <#C1|gpu> says <!here>"})


def test_rich_text_wins_over_its_twin() -> None:
    assert "x < y" == unmangle(rich(section("x < y")))


def test_code_keeps_its_lines_and_its_columns() -> None:
    text = unmangle(rich(section("look:\n"), code("|  0  NVIDIA L4 |\n|    123MiB    |"), section("thanks")))

    assert "|  0  NVIDIA L4 |\n|    123MiB    |" in text
    assert ["look:", "thanks"] == [line for line in text.splitlines() if line in {"look:", "thanks"}]


def test_a_list_that_a_client_made_is_lines_again() -> None:
    listed = {"type": "rich_text_list", "style": "ordered", "offset": 1, "elements": [section("b"), section("c")]}

    assert "a\n2. b\n3. c" == unmangle(rich(section("a"), listed))


def nested(part: dict[str, Any], depth: int, kind: str = "rich_text_list") -> dict[str, Any]:
    for _ in range(depth):
        part = {"type": kind, "elements": [part]}
    return part


@pytest.mark.parametrize("kind", ["rich_text_list", "rich_text_quote", "rich_text_section"])
@pytest.mark.parametrize("depth", [2, 5_000])
def test_what_stands_deep_in_rich_text_is_read(kind: str, depth: int) -> None:
    assert "CUDA out of memory" in unmangle(rich(nested(section("CUDA out of memory"), depth, kind)))


def test_a_list_in_a_list_is_read_in_order() -> None:
    inner = {"type": "rich_text_list", "style": "bullet", "indent": 1, "elements": [section("b")]}

    read = unmangle(
        rich({"type": "rich_text_list", "style": "bullet", "elements": [section("a"), inner, section("c")]})
    )

    assert ["a", "b", "c"] == [line.lstrip("- ") for line in read.splitlines() if line.strip("- ")]


def test_a_text_that_is_built_of_parts_is_no_words() -> None:
    deep = nested(section("x"), 5_000)

    assert "seen" == unmangle(rich({"type": "text", "text": deep}, section("seen")) | {"text": deep}).strip()


def test_smart_typography_is_plain_again() -> None:
    pasted = "vllm serve \u201cm\u201d \u2014max-model-len 8192 \u2013dtype\u00a0half \u2018x\u2019"

    assert "vllm serve \"m\" --max-model-len 8192 --dtype half 'x'" == unmangle({"text": pasted})


def test_a_dash_between_words_stays_a_dash() -> None:
    assert "it fails \u2013 always, 3\u20134 times" == unmangle({"text": "it fails \u2013 always, 3\u20134 times"})


def test_a_forwarded_message_is_read() -> None:
    forwarded = {"message_blocks": [{"message": {"blocks": rich(code("OOM"))["blocks"]}}], "text": "OOM again"}

    assert "see this\n\nOOM" == unmangle({"text": "see this", "attachments": [forwarded]})


def test_an_alert_is_read_from_its_attachment() -> None:
    alert = {
        "title": "KubePodCrashLooping",
        "text": "CUDA out of memory",
        "fields": [{"title": "pod", "value": "vllm-0"}],
    }

    assert "KubePodCrashLooping\nCUDA out of memory\npod: vllm-0" == unmangle({"text": "", "attachments": [alert]})


def test_an_alert_that_is_all_blocks_is_read() -> None:
    mrkdwn = {"type": "mrkdwn", "text": "used &gt; 90 %"}
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "GPU <0> is full"}},
        {"type": "section", "text": mrkdwn, "fields": [{"type": "plain_text", "text": "node-7"}]},
        {"type": "context", "elements": [{"type": "plain_text", "text": "Alertmanager"}]},
        {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Silence"}}]},
    ]

    assert "GPU <0> is full\nused > 90 %\nnode-7\nAlertmanager" == unmangle({"attachments": [{"blocks": blocks}]})


def test_the_preview_of_a_link_is_not_what_was_said() -> None:
    preview = {"from_url": "https://example.org", "title": "CUDA out of memory explained"}

    assert "see https://example.org" == unmangle({"text": "see <https://example.org>", "attachments": [preview]})


def test_our_name_is_not_part_of_what_was_said() -> None:
    assert "resolved" == without_mention("@U9 resolved", "U9")


_KEYS = ["type", "text", "blocks", "elements", "attachments", "fields", "url", "indent"]
_WORDS = st.sampled_from(["rich_text", "rich_text_list", "section", "link", "<!here|x>", "&lt;", "\u2014a", ""])


def inner_of(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=3)


@given(st.recursive(_WORDS | st.none() | st.integers(), inner_of, max_leaves=6))
def test_no_payload_is_too_odd(value: object) -> None:
    assert isinstance(unmangle({"text": value, "blocks": value, "attachments": value}), str)
