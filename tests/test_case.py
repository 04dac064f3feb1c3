from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.case import Attachment, Entry, EntryKind, Thread, fold

START = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
THREAD = Thread(workspace="T1", channel="C1", root="1")


def said(kind: EntryKind = EntryKind.PASTE, seconds: float = 0, **fields: Any) -> Entry:
    return Entry(kind=kind, at=START + timedelta(seconds=seconds), **{"message": "1", "author": "U1", **fields})


def test_a_case_reads_as_its_paste_and_what_was_added() -> None:
    case = fold([said(text="the error"), said(EntryKind.REPLY, 9, message="2", text="it is an L4")])

    assert "the error\n\nit is an L4" == case.text


def test_the_order_of_delivery_does_not_matter() -> None:
    entries = [
        said(text="the error"),
        said(EntryKind.REPLY, 5, message="2", text="more"),
        said(EntryKind.EDITED, 9, text="the whole error"),
        said(EntryKind.RESOLVED, 20),
    ]

    assert fold(entries) == fold(reversed(entries))


def test_a_message_that_is_taken_twice_is_said_once() -> None:
    assert "the error" == fold([said(text="the error"), said(text="the error", order=2)]).text


def test_an_edited_message_says_what_it_says_now() -> None:
    assert "new" == fold([said(text="old"), said(EntryKind.EDITED, 5, text="new")]).text


def test_an_edited_message_keeps_its_file() -> None:
    entries = [
        said(text="old", files=(Attachment(id="F1"),)),
        said(EntryKind.FILE, 1, text="log", value="F1"),
        said(EntryKind.EDITED, 5, text="new"),
    ]

    assert "new\n\nlog" == fold(entries).text


def test_a_file_is_waited_for_until_it_was_read() -> None:
    paste = said(files=(Attachment(id="F1"),))

    assert ("F1",) == tuple(file.id for file in fold([paste]).files)
    assert () == fold([paste, said(EntryKind.FILE, text="log", value="F1")]).files


def test_a_case_whose_first_message_is_deleted_is_withdrawn() -> None:
    assert "withdrawn" == fold([said(text="x"), said(EntryKind.DELETED, 5)]).state


def test_a_deleted_reply_takes_its_facts_along() -> None:
    entries = [said(text="x"), said(EntryKind.REPLY, 2, message="2", text="y"), said(EntryKind.DELETED, 5, message="2")]

    case = fold(entries)

    assert ("open", "x") == (case.state, case.text)


def test_of_two_answers_the_later_click_counts() -> None:
    entries = [
        said(EntryKind.ANSWER, 6, fact="gpu", value="H100", author="U2"),
        said(EntryKind.ANSWER, 5, fact="gpu", value="L4"),
    ]

    assert {"gpu": "H100"} == fold(entries).facts


def test_an_answer_of_i_do_not_know_is_not_asked_again() -> None:
    case = fold([said(EntryKind.ASKED, fact="gpu"), said(EntryKind.ANSWER, 5, fact="gpu")])

    assert ({}, {"gpu"}) == (case.facts, case.declined)


def test_a_mention_takes_the_muzzle_off() -> None:
    muted = [said(text="x"), said(EntryKind.MUTED, 5)]

    assert fold(muted).is_muted
    assert not fold([*muted, said(EntryKind.MENTIONED, 9)]).is_muted


def test_a_reopened_case_has_no_resolver() -> None:
    case = fold([said(text="x"), said(EntryKind.RESOLVED, 5, author="U2"), said(EntryKind.REOPENED, 9)])

    assert ("open", None) == (case.state, case.resolver)


def test_a_second_press_on_solved_keeps_who_solved_it_and_how() -> None:
    case = fold(
        [
            said(),
            said(EntryKind.RESOLVED, 1, author="U1", value="lower-max-model-len"),
            said(EntryKind.RESOLVED, 2, author="U2"),
        ]
    )

    assert ("U1", "lower-max-model-len") == (case.resolver, case.fix)


def test_a_second_press_on_reopen_counts_once() -> None:
    case = fold([said(), said(EntryKind.RESOLVED, 1), said(EntryKind.REOPENED, 2), said(EntryKind.REOPENED, 3)])

    assert 1 == case.reopened


@pytest.mark.parametrize("late", [EntryKind.RESOLVED, EntryKind.REOPENED, EntryKind.NOT_OURS])
def test_a_press_on_a_deleted_case_brings_nothing_back(late: EntryKind) -> None:
    assert "withdrawn" == fold([said(), said(EntryKind.DELETED, 1), said(late, 2)]).state


def test_a_press_on_solved_that_came_after_not_ours_brings_nothing_back() -> None:
    assert "not-ours" == fold([said(), said(EntryKind.NOT_OURS, 1), said(EntryKind.RESOLVED, 2)]).state


def test_everybody_has_one_voice() -> None:
    entries = [
        said(EntryKind.FEEDBACK, 1, value="unhelpful"),
        said(EntryKind.FEEDBACK, 2, value="helpful"),
        said(EntryKind.FEEDBACK, 3, value="helpful", author="U2"),
    ]

    assert {"U1": "helpful", "U2": "helpful"} == fold(entries).feedback


@given(
    st.lists(
        st.builds(
            said,
            st.sampled_from(EntryKind),
            st.integers(0, 9),
            message=st.sampled_from(["1", "2", None]),
            text=st.text(max_size=9),
            fact=st.sampled_from(["gpu", "model", None]),
            value=st.sampled_from(["a", None]),
            order=st.integers(0, 10**6),
        ),
        unique_by=lambda entry: entry.order,
    )
)
def test_any_entries_in_any_order_make_a_case(entries: list[Entry]) -> None:
    assert fold(entries) == fold(sorted(entries, key=lambda entry: -entry.order))


def typed(*more: Entry) -> Mapping[str, str]:
    asked = said(EntryKind.ASKED, 1, fact="longest_request")
    return fold(
        [said(text="the error"), asked, said(EntryKind.REPLY, 2, message="2", text="16k is enough"), *more]
    ).facts


def test_a_reply_in_words_answers_what_was_asked_before_it() -> None:
    asked_later = [said(text="16k"), said(EntryKind.ASKED, 9, fact="longest_request")]

    assert {"longest_request": "16k"} == typed()
    assert {} == fold(asked_later).facts


def test_an_answer_in_words_changes_and_goes_with_its_message() -> None:
    assert {"longest_request": "8k"} == typed(said(EntryKind.EDITED, 5, message="2", text="8k, sorry"))
    assert {} == typed(said(EntryKind.DELETED, 5, message="2"))


def test_a_button_counts_before_words() -> None:
    assert {"longest_request": "32K"} == typed(said(EntryKind.ANSWER, 5, fact="longest_request", value="32K"))
