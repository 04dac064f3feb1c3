from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.reply.block_elements import MAX_RUN, button, header, option, runs, runs_of, section
from bot.reply.document import Span


def test_what_has_no_text_says_so_where_slack_wants_one():
    assert "…" == header("  ")["text"]["text"]
    assert "…" == button("", "a", "v")["text"]["text"]


def test_a_button_is_cut_to_what_slack_takes():
    made = button("x" * 100, "a" * 300, "v" * 3_000)

    assert (75, 255, 2_000) == (len(made["text"]["text"]), len(made["action_id"]), len(made["value"]))


def test_an_option_is_cut_to_what_slack_takes():
    assert (75, 150) == (len(option("x" * 200)["text"]["text"]), len(option("x" * 200)["value"]))


@given(st.text(min_size=1, max_size=20), st.integers(1, 500))
def test_a_long_text_is_split_and_none_of_it_lost(text: str, times: int):
    made = runs_of(text * times)

    assert text * times == "".join(run["text"] for run in made)
    assert max(len(run["text"]) for run in made) <= MAX_RUN


def test_a_style_is_written_only_where_there_is_one():
    assert [{"type": "text", "text": "a"}, {"type": "text", "text": "b", "style": {"bold": True}}] == runs(
        (Span(text="a"), Span(text="b", style="bold"))
    )


def test_a_link_without_words_shows_its_address():
    assert [{"type": "link", "url": "https://x", "text": "https://x"}] == runs((Span(text="", url="https://x"),))


def test_a_paragraph_is_never_empty():
    assert [{"type": "text", "text": " "}] == section([])["elements"]
