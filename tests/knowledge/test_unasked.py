"""What nobody asks about gets silence, and what is like it and asked about an answer."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.catalog.load import Knowledge
from bot.diagnosis.verdict import Diagnosis
from bot.proof import decide

HERE = Path(__file__).parent


def texts_of(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the heading and the text of each sample in a folder's files."""
    for path in sorted((HERE / folder).glob("*.txt")):
        _, *parts = re.split(r"^===== (.*)\n", path.read_text("utf-8"), flags=re.MULTILINE)
        yield from zip(parts[::2], parts[1::2], strict=True)


UNASKED = dict(texts_of("unasked"))
ASKED = dict(texts_of("asked"))


def named(found: Diagnosis) -> str | None:
    return found.problem.id if found.problem else None


@pytest.mark.parametrize("heading", UNASKED)
def test_a_message_that_is_quoted_told_or_another_s_gets_silence(heading: str, knowledge: Knowledge):
    found = decide(UNASKED[heading], {}, knowledge)

    assert ("none", None, False, ()) == (found.match, named(found), found.is_for_us, found.questions)


@pytest.mark.parametrize("heading", ASKED)
def test_a_message_that_somebody_in_trouble_shows_in_like_words_is_answered(heading: str, knowledge: Knowledge):
    found = decide(ASKED[heading], {}, knowledge)

    assert (heading.partition(":")[0], True) == (named(found), found.is_for_us)
