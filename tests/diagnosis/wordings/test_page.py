"""Lines of a paste and the ways they were torn."""

from __future__ import annotations

from bot.diagnosis.wordings.page import Page
from bot.evidence import Line
from tests.diagnosis.makers import lines_of


def test_a_place_leads_back_to_its_line():
    page = Page(lines_of("one\ntwo\nthree"))

    assert 1 == page.index_at(page.flat.index("two"))


def test_a_line_that_a_terminal_cut_is_glued_to_the_next():
    page = Page(lines_of("x" * 76 + " uti\n" + "lization " + "y" * 30))

    assert [False, True] == ["utilization" in window.text for window in page.windows_from(0)]


def test_lines_of_odd_lengths_were_not_cut():
    page = Page(lines_of("x" * 70 + " uti\n" + "lization " + "y" * 100))

    assert not [window for window in page.windows_from(0) if "utilization" in window.text]


def test_a_message_goes_on_behind_a_repeated_prefix():
    prefix = "ERROR 01-02 10:00:00 [core.py:7] "
    lines = [
        Line(number=number, text=prefix + text, start=len(prefix), level="ERROR")
        for number, text in enumerate(("ValueError: nothing is left for the", "cache blocks"), 1)
    ]

    assert "for the cache blocks" in Page(lines).mended


def test_a_new_record_does_not_continue_the_line_before():
    page = Page(lines_of("ValueError: nothing is left\nINFO 01-02 10:00:00 [x.py:1] ready"))

    assert [] == page.windows_from(0)


def test_an_empty_page_has_no_lines():
    assert ("", "") == (Page(()).flat, Page(()).mended)
