"""Predictions held against start-up logs."""

from bot.sizing.calibrate import coverage, residuals_of, tokens_of_printed_memory
from bot.sizing.size import size
from bot.sizing.terms import Measured
from bot.units import Bytes


def by_term(budgets, logged):
    pairs = zip(budgets, logged, strict=True)
    return {found.term: found for found in coverage(each for pair in pairs for each in residuals_of(*pair))}


def test_a_figure_inside_the_range_counts(llama_on_h100):
    budget = size(llama_on_h100)
    close = Measured(kv_available=budget.kv_available + 2**20)

    coverage = by_term([budget], [close])["kv_available"]
    assert (coverage.logs, coverage.inside, coverage.median_error) == (1, 1, -(2**20))


def test_a_figure_outside_the_range_does_not(llama_on_h100):
    budget = size(llama_on_h100)

    assert 0 == by_term([budget], [Measured(activation=Bytes.gib(20))])["activations"].share_inside


def test_the_rounding_of_the_print_is_allowed_for(llama_on_h100):
    budget = size(llama_on_h100)
    at_the_edge = Measured(
        weights=Bytes(budget.term("weights").high + 2**22), kv_available=Bytes(budget.kv_low - 2**22)
    )
    beyond = Measured(kv_available=Bytes(budget.kv_low - 2**23))

    assert {"weights": 1, "kv_available": 1} == {
        name: found.inside for name, found in by_term([budget], [at_the_edge]).items()
    }
    assert 0 == by_term([budget], [beyond])["kv_available"].inside


def test_terms_that_no_log_printed_are_left_out(llama_on_h100):
    assert {"kv_tokens"} == by_term([size(llama_on_h100)], [Measured(kv_tokens=1)]).keys()


def test_the_estimate_of_graphs_is_held_against_the_printed_estimate(llama_on_h100):
    budget = size(llama_on_h100.with_(vllm_version="0.20.0"))
    seen = Measured(cudagraph=Bytes.gib(9), cudagraph_estimated=budget.term("cuda_graphs").amount)

    assert 0 == by_term([budget], [seen])["cuda_graphs"].median_error


def test_blocks_stand_for_tokens_where_nothing_else_is_printed(llama_on_h100):
    budget = size(llama_on_h100.with_(vllm_version="0.4.2", engine="V0"))

    assert 0 == by_term([budget], [Measured(gpu_blocks=budget.blocks)])["kv_tokens"].median_error


def test_a_peak_that_holds_the_graphs_is_held_against_nothing_without_their_estimate(llama_on_h100):
    budget = size(llama_on_h100.with_(vllm_version="0.33.0"))

    assert {} == by_term([budget], [Measured(activation=Bytes.gib(1.44))])


def test_nothing_is_said_of_nothing():
    assert () == coverage([])


def test_the_printed_memory_alone_gives_the_printed_tokens(llama_on_h100):
    seen = Measured(
        kv_available=Bytes.gib(43.61), kv_tokens=size(llama_on_h100, Measured(kv_available=Bytes.gib(43.61))).kv_tokens
    )

    assert [True] == [each.is_inside for each in tokens_of_printed_memory(llama_on_h100, seen)]


def test_tokens_far_from_the_printed_memory_are_outside(llama_on_h100):
    seen = Measured(kv_available=Bytes.gib(43.61), kv_tokens=1_000)

    assert [False] == [each.is_inside for each in tokens_of_printed_memory(llama_on_h100, seen)]


def test_stages_of_a_pipeline_print_memory_and_tokens_of_their_own(llama_on_h100):
    seen = Measured(kv_available=Bytes.gib(40), kv_tokens=500_000)

    assert () == tokens_of_printed_memory(llama_on_h100.with_(pipeline_parallel=2), seen)


def test_what_is_printed_as_nothing_is_no_measure_of_an_error(llama_on_h100):
    budget = size(llama_on_h100)
    seen = [Measured(kv_available=Bytes(0), kv_tokens=0), Measured(kv_available=Bytes.gib(-3), kv_tokens=0)]

    assert [None, None] == [found.median_share for found in by_term([budget, budget], seen).values()]


def test_no_range_of_what_cannot_be_negative_begins_below_zero(llama_on_h100):
    eager = llama_on_h100.with_(enforce_eager=True)
    found = residuals_of(size(eager), Measured(cudagraph=Bytes(0), weights=Bytes.gib(15)))
    held = tokens_of_printed_memory(eager, Measured(kv_available=Bytes(0), kv_tokens=0))

    assert [0, 0] == [min(each.low, 0) for each in (*found, *held) if each.term != "weights"]
