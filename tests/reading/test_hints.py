from hypothesis import given
from hypothesis import strategies as st

from bot.reading.hints import find_hints

TEXTS = st.lists(st.text(alphabet="ab KV", max_size=8), max_size=8)


@given(TEXTS)
def test_every_line_with_a_hint_is_found_once(texts: list[str]) -> None:
    hints = ["KV", "a b", "bb"]
    squeezed = [" ".join(part for part in text.replace("\t", " ").split(" ")) for text in texts]
    expected = [
        (place, number)
        for place, text in enumerate(squeezed)
        for number, hint in enumerate(hints)
        if hint in " ".join([""] * text.startswith(" ") + text.split())
    ]

    assert expected == find_hints(texts, hints)
