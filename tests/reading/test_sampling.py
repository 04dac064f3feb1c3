from bot.reading.sampling import EDGE, MOST_LINES, Sieve, chunks_of


def _kept(lines: list[str]) -> list[tuple[int, str]]:
    sieve = Sieve()
    for chunk in chunks_of(lines):
        sieve.take(chunk)
    return sieve.finish()


def test_beginning_and_end_are_kept_whole() -> None:
    lines = ["row"] * (4 * EDGE)
    numbers = {number for number, _ in _kept(lines)}

    assert {*range(1, EDGE + 1), *range(3 * EDGE + 1, 4 * EDGE + 1)} <= numbers


def test_lines_that_differ_in_figures_only_are_of_one_kind() -> None:
    chatter = [f"GET /health took {number} ms" for number in range(10_000)]

    assert len(_kept(chatter)) < 3 * EDGE


def test_the_figures_of_every_rank_are_kept() -> None:
    chatter = ["GET /health"] * 1_000
    ranks = [f"(Worker_TP{rank} pid={rank}) Available KV cache memory: 9.{rank} GiB" for rank in range(64)]
    kept = [text for _, text in _kept([*chatter, *ranks, *chatter])]

    assert set(ranks) <= set(kept)


def test_what_is_kept_is_bounded_and_the_end_is_there() -> None:
    lines = ["".join(chr(97 + int(digit)) for digit in str(number)) + " Error zz" for number in range(60_000)]
    lines = [
        line.replace("a", "q").replace("b", "w").replace("c", "x").replace("d", "y").replace("e", "v").replace("f", "u")
        for line in lines
    ]
    kept = _kept(lines)

    assert (True, 60_000) == (len(kept) <= MOST_LINES + EDGE, kept[-1][0])


def test_no_line_is_kept_twice() -> None:
    numbers = [number for number, _ in _kept(["a", "b"] * 100)]

    assert sorted(set(numbers)) == numbers


def test_the_latest_periodic_line_is_kept() -> None:
    lines = [f"Running: {number % 7} reqs, Waiting: 0 reqs, GPU KV cache usage: 1.0%" for number in range(2_000)]
    kept = _kept([*lines, *["GET /health"] * 1_000])

    assert 2_000 in {number for number, _ in kept}
