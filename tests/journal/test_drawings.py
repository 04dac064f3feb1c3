from __future__ import annotations

from datetime import timedelta

from bot.journal.drawings import Drawing, drawing, note_drawing
from bot.journal.open import Journal
from bot.journal.presses import KEPT, Press, forget_presses, press_of
from tests.journal.makers import MONDAY

SECOND = timedelta(seconds=1)


def a_view(name: str = "V1") -> Press:
    return press_of("T1", "", ["drawn", name])


def test_nothing_is_known_of_a_view_that_was_never_drawn(journal: Journal) -> None:
    assert drawing(journal, a_view()) is None


def test_the_later_change_counts_whichever_is_written_down_last(journal: Journal) -> None:
    later = Drawing(MONDAY + SECOND, "2.b")
    for each in (Drawing(MONDAY, "1.a"), later, Drawing(MONDAY, "3.c")):
        note_drawing(journal, a_view(), each)

    assert later == drawing(journal, a_view())


def test_the_same_change_drawn_again_has_its_new_mark(journal: Journal) -> None:
    note_drawing(journal, a_view(), Drawing(MONDAY, "1.a"))
    note_drawing(journal, a_view(), Drawing(MONDAY, "2.b"))

    assert Drawing(MONDAY, "2.b") == drawing(journal, a_view())


def test_each_view_has_drawings_of_its_own(journal: Journal) -> None:
    note_drawing(journal, a_view(), Drawing(MONDAY, "1.a"))

    assert drawing(journal, a_view("V2")) is None


def test_what_was_drawn_is_forgotten_with_the_presses(journal: Journal) -> None:
    note_drawing(journal, a_view(), Drawing(MONDAY, "1.a"))
    forget_presses(journal, MONDAY + KEPT + SECOND)

    assert drawing(journal, a_view()) is None
