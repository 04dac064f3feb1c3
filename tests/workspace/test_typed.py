from __future__ import annotations

import pytest

from bot.workspace.typed import smartened, typed

NAMES = {"maya": "U1", "vllm-triage": "U2"}


def elements(text):
    return typed(text, NAMES)[1][0]["elements"]


def only_section(text):
    (section,) = elements(text)
    return section["elements"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("see https://docs.vllm.ai/en/latest.", "see <https://docs.vllm.ai/en/latest>."),
        ("run foo.py now", "run <http://foo.py|foo.py> now"),
        ("curl 10.0.0.1:8000", "curl <http://10.0.0.1:8000|10.0.0.1:8000>"),
        ("@maya and @nobody", "<@U1> and @nobody"),
        ("@here look", "<!here> look"),
        ("`--dtype` it", "`--dtype` it"),
        ("```\nx < y\n```", "```x &lt; y```"),
        ("so *bold* and _odd_ and ~gone~", "so *bold* and _odd_ and ~gone~"),
        ("> quoted\nplain", "&gt; quoted\nplain"),
        ("", ""),
    ],
)
def test_the_text_is_what_slack_would_send(text, said):
    assert said == typed(text, NAMES)[0]


def test_a_fence_is_preformatted_with_its_newlines_and_without_entities():
    (fence,) = elements("```\na <b>\n  c\n```")

    assert {"type": "rich_text_preformatted", "border": 0} == {name: fence[name] for name in ("type", "border")}
    assert "a <b>\n  c" == fence["elements"][0]["text"]


def test_an_address_in_code_is_a_link_and_a_file_name_is_not():
    (fence,) = elements("```\ncore.py https://vllm.ai/x\n```")

    assert ["text", "link"] == [each["type"] for each in fence["elements"]]


def test_words_around_a_fence_are_sections():
    kinds = [each["type"] for each in elements("before\n```\nx\n```\nafter")]

    assert ["rich_text_section", "rich_text_preformatted", "rich_text_section"] == kinds


@pytest.mark.parametrize("text", ["gpu_memory_utilization", "2*3*4", "a~b~c", "torch.cuda", "key:value:pair"])
def test_what_is_no_markup_stays_plain(text):
    assert [{"type": "text", "text": text}] == only_section(text)


def test_styles_are_marked_on_their_text():
    assert {"type": "text", "text": "x", "style": {"code": True}} in only_section("see `x` here")


def test_a_phone_bends_quotes_and_dashes_outside_code():
    bent = smartened('say "hi" --flag  \n```\n"x" --y\n```')

    assert 'say “hi” —flag\n```\n"x" --y\n```' == bent
