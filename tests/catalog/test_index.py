from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.catalog.index import index, named_by
from bot.catalog.names import MAKERS, tokens_of
from bot.catalog.places import KNOWLEDGE

NAMES = st.lists(
    st.sampled_from([*MAKERS, "llama", "llama31", "gpt-oss", "phi", "4.0", "2p5", "2_5", "2___5", "v1.5", "10", "7b", "-", "_", " ", "é"]),
    min_size=1,
    max_size=6,
).map("".join)  # fmt: skip


def test_every_row_is_listed_once():
    lines = [
        line
        for path in (KNOWLEDGE / "models").glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]

    assert sorted(json.loads(line)["id"] for line in lines) == sorted(head.id for head in index().heads)


def test_a_row_is_read_where_its_head_stands():
    assert [head.id for head in index().heads] == [head.row()["id"] for head in index().heads]


def test_rows_are_found_by_the_words_of_their_names():
    by_words: dict[tuple[str, ...], list[str]] = {}
    for head in index().heads:
        by_words.setdefault(tokens_of(head.base), []).append(head.id)

    assert by_words == {words: [head.id for head in named_by(words)] for words in by_words}


@given(NAMES)
def test_names_of_the_same_words_are_looked_for_in_one_place(name):
    from bot.catalog.index import _letters

    assert _letters("".join(tokens_of(name))) == _letters(name)
