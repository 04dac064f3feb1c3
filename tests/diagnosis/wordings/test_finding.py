from bot.diagnosis.wordings.finding import MOST_TRIED, find_pattern
from bot.diagnosis.wordings.page import Page
from bot.evidence import Line


def a_page(*texts: str) -> Page:
    return Page([Line(number=number, text=text) for number, text in enumerate(texts, start=1)])


def test_of_many_matches_the_first_and_the_last_are_found_in_order():
    page = a_page(*["Avg prompt throughput: 1.0 tokens/s"] * 500)

    places = [found.index for found in find_pattern(page, r"Avg prompt throughput. \d", MOST_TRIED)]
    assert [*range(32), *range(468, 500)] == places


def test_a_match_between_many_lines_that_only_share_its_words_is_found():
    page = a_page(
        *["CUDA out of memory was last week"] * 200, "CUDA out of memory. Tried", *["CUDA out of memory was"] * 200
    )

    assert [200] == [found.index for found in find_pattern(page, r"CUDA out of memory\. Tried", MOST_TRIED)]


def test_a_message_at_the_end_of_a_long_run_is_tied_to_the_line_before_it():
    page = a_page(*["Running: 3 reqs, Waiting: 0 reqs"] * 300, "torch.OutOfMemoryError")

    last = find_pattern(page, r"Running. \d reqs", MOST_TRIED)[-1]
    assert 299 == last.index


def test_people_s_words_are_found_across_a_wrap():
    page = a_page("x" * 74 + " it ha", "ngs, why").talk()

    assert [0] == [found.index for found in find_pattern(page, "<stuck>")]


def test_what_happens_to_whoever_reads_it_is_nobody_s_complaint():
    page = a_page("Notes: if you see that it hangs, wait.", "When I send ten it hangs.").talk()

    assert [1] == [found.index for found in find_pattern(page, "<stuck>")]
