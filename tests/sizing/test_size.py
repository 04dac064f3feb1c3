"""Budgets as vLLM would count them."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu
from bot.model_shape import Layer, LayerKind, LayerRun
from bot.sizing.size import UnknownFactsError, size
from bot.sizing.terms import Measured
from bot.units import Bytes


def test_a_start_up_log_of_an_8b_model_agrees(llama_on_h100):
    budget = size(llama_on_h100)

    shown = (budget.term("activations").amount.in_gib, budget.kv_available.in_gib)
    assert shown == pytest.approx((1.89, 58.1), abs=0.05)


@pytest.mark.parametrize(
    ("version", "activation"), [("0.15.0", 5.64), ("0.16.0", 5.64), ("0.17.0", 2.23), ("0.18.0", 2.23)]
)
def test_a_14b_model_peaked_lower_from_0_17_on(llama_8b, h100, version, activation):
    shape = llama_8b.model_copy(update={"hidden": 5120, "vocab": 151_936, "intermediate": 17_408, "heads": 40})
    budget = size(Deployment(shape=shape, card=h100, vllm_version=version))

    assert budget.term("activations").amount.in_gib == pytest.approx(activation, abs=0.006)


def test_terms_and_kv_cache_add_up_to_the_allowance(llama_on_h100):
    budget = size(llama_on_h100)

    spent = sum(term.amount for term in budget.terms if term.inside)
    assert budget.allowance == spent + budget.kv_available


def test_what_v0_prints_of_its_terms_adds_up_to_what_it_may_use(t4):
    shape = find_model("Qwen/Qwen2.5-3B-Instruct").shape
    printed = {"total": 14.20, "weights": 7.51, "non_torch": 0.39, "activation": 2.53}
    told = Deployment(shape=shape, card=t4, vllm_version="0.6.6", gpu_memory_utilization=1.0, max_model_len=2048)
    budget = size(told, Measured(**{name: Bytes.gib(gib) for name, gib in printed.items()}))

    assert 3.76 == pytest.approx(budget.kv_available.in_gib, abs=0.011)


def test_every_term_lies_in_its_own_range(llama_on_h100):
    assert all(term.low <= term.amount <= term.high for term in size(llama_on_h100).terms)


def test_the_kv_cache_lies_in_its_range(llama_on_h100):
    budget = size(llama_on_h100)

    assert budget.kv_low < budget.kv_available < budget.kv_high
    assert budget.kv_tokens_low < budget.kv_tokens < budget.kv_tokens_high


@pytest.mark.parametrize("name", ["weights", "activation", "non_torch", "cudagraph"])
def test_what_was_measured_replaces_the_estimate(llama_on_h100, name):
    budget = size(llama_on_h100, Measured(**{name: Bytes.gib(3)}))

    term = budget.term({"activation": "activations", "cudagraph": "cuda_graphs"}.get(name, name))
    assert (term.amount, term.measured) == (Bytes.gib(3), True)


def test_a_measured_pool_is_taken_as_it_is(llama_on_h100):
    budget = size(llama_on_h100, Measured(kv_available=Bytes.gib(10)))

    assert (budget.kv_available, budget.kv_measured, budget.kv_tokens) == (Bytes.gib(10), True, 81_920)


def test_the_rounding_of_a_measured_pool_is_its_range(llama_on_h100):
    budget = size(llama_on_h100, Measured(kv_available=Bytes.gib(10)))

    assert (budget.kv_low.in_gib, budget.kv_high.in_gib) == pytest.approx((9.995, 10.005))


def test_counted_blocks_fix_the_pool(llama_on_h100):
    assert 16_000 == size(llama_on_h100, Measured(gpu_blocks=1000)).kv_tokens


@pytest.mark.parametrize("version", ["0.7.3", "0.8.5", "0.10.2", "0.19.0", "0.33.0"])
def test_printed_tokens_fix_the_pool(llama_on_h100, gemma_27b, version):
    windowed = llama_on_h100.with_(vllm_version=version, shape=gemma_27b)
    tokens = size(windowed, Measured(kv_available=Bytes.gib(20))).kv_tokens

    again = size(windowed, Measured(kv_tokens=tokens))
    assert again.kv_measured
    assert again.kv_tokens == pytest.approx(tokens, abs=1)


def test_consumed_memory_less_weights_is_the_rest(llama_on_h100):
    seen = Measured(consumed=Bytes.gib(16.5), weights=Bytes.gib(15))

    assert size(llama_on_h100.with_(vllm_version="0.27.0"), seen).term("non_torch").amount == Bytes.gib(1.5)


def test_two_cards_keep_the_states_of_the_sampler(llama_on_h100):
    """Qwen3-32B on two RTX PRO 6000 with 0.27.1 and 0.426 of 95.01 GiB printed 8.22 GiB, its weights 30.59."""
    found = size(llama_on_h100.with_(vllm_version="0.27.1", max_num_seqs=1024)).term("non_torch")

    assert "0.52 GiB of the sampler's states" in found.formula  # 4.25 B × 1,024 × 128,256


def test_a_printed_peak_holds_the_graphs_from_0_27_on(llama_on_h100):
    seen = Measured(activation=Bytes.gib(3), cudagraph_estimated=Bytes.gib(1))

    assert size(llama_on_h100.with_(vllm_version="0.29.0"), seen).term("activations").amount == Bytes.gib(2)


@pytest.mark.parametrize(
    ("version", "inside"), [("0.19.0", False), ("0.20.0", True), ("0.27.0", False), ("0.29.0", True)]
)
def test_graphs_are_charged_from_0_20_on_where_the_runner_estimates_them(llama_on_h100, version, inside):
    assert size(llama_on_h100.with_(vllm_version=version)).term("cuda_graphs").inside is inside


def test_a_flag_takes_graphs_out_of_the_allowance(llama_on_h100):
    off = (("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS", "0"),)

    assert not size(llama_on_h100.with_(vllm_version="0.33.0", environment=off)).term("cuda_graphs").inside


def test_eager_mode_captures_nothing(llama_on_h100):
    assert 0 == size(llama_on_h100.with_(enforce_eager=True)).term("cuda_graphs").amount


@pytest.mark.parametrize(
    ("version", "engine", "paid"), [("0.8.5", "V1", True), ("0.6.4", "V0", True), ("0.19.0", "V1", False)]
)
def test_neighbours_are_paid_for_by_era(llama_on_h100, version, engine, paid):
    alone = size(llama_on_h100.with_(vllm_version=version, engine=engine))
    shared = size(llama_on_h100.with_(vllm_version=version, engine=engine), Measured(other_processes=Bytes.gib(10)))

    assert alone.kv_available - shared.kv_available == (Bytes.gib(10) if paid else 0)


def test_a_pool_set_by_hand_ignores_the_utilization(llama_on_h100):
    assert size(llama_on_h100.with_(kv_cache_memory=Bytes.gib(4))).kv_available == Bytes.gib(4)


def test_an_automatic_context_is_lowered_until_it_fits(llama_8b, l4):
    budget = size(Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0", auto_max_model_len=True))

    assert budget.fits
    assert budget.deployment.max_model_len == budget.longest_context < 131_072


def test_minus_one_is_an_automatic_context(llama_8b, l4):
    assert size(Deployment(shape=llama_8b, card=l4, vllm_version="0.19.0", max_model_len=-1)).fits


@pytest.mark.parametrize("name", ["tensor_parallel", "max_num_seqs", "max_num_batched_tokens", "max_model_len"])
def test_numbers_that_mean_nothing_raise_nothing(llama_on_h100, name):
    assert size(llama_on_h100.with_(**{name: 0})).total > 0


def test_an_unknown_version_stretches_the_peak_to_the_old_sampler(llama_on_h100):
    known = size(llama_on_h100.with_(vllm_version="0.33.0"))
    unknown = size(llama_on_h100.model_copy(update={"vllm_version": None}))

    assert unknown.term("activations").high > 2 * known.term("activations").amount


def test_a_card_known_to_nvidia_smi_only_loses_half_a_gib(llama_on_h100):
    card = Gpu(name="some card", memory=Bytes.gib(24))

    assert size(llama_on_h100.with_(card=card)).total == Bytes.gib(23.5)


def test_a_total_that_was_read_is_measured(llama_on_h100):
    budget = size(llama_on_h100, Measured(total=Bytes.gib(79.32)))

    assert (budget.total, budget.total_measured) == (Bytes.gib(79.32), True)


def test_an_unknown_model_is_asked_for(h100):
    with pytest.raises(UnknownFactsError) as caught:
        size(Deployment(card=h100))

    assert ("model",) == caught.value.names


def test_an_unknown_card_is_asked_for(llama_8b):
    with pytest.raises(UnknownFactsError) as caught:
        size(Deployment(shape=llama_8b))

    assert ("gpu",) == caught.value.names


def test_both_are_asked_for_at_once():
    with pytest.raises(UnknownFactsError) as caught:
        size(Deployment())

    assert ("model", "gpu") == caught.value.names


def test_a_verdict_that_the_ranges_contain_both_ways_is_within_the_margin(llama_on_h100):
    close = llama_on_h100.with_(gpu_memory_utilization=0.9)
    enough = size(close).kv_available // size(close).bytes_per_block * 16

    assert size(close.with_(max_model_len=min(131_072, int(enough)))).is_within_margin or enough > 131_072
    assert not size(close.with_(max_model_len=4096)).is_within_margin


def test_the_last_stage_alone_has_logits(llama_on_h100):
    whole = llama_on_h100.with_(max_num_seqs=256)
    staged = size(whole.with_(pipeline_parallel=2))

    handed_on = 2 * staged.deployment.max_num_batched_tokens * 4096 * 2
    assert staged.term("activations").amount == size(whole).term("activations").amount + handed_on
    assert staged.term("weights").amount < 0.6 * size(whole).term("weights").amount


def test_the_stage_with_the_fewest_blocks_binds(llama_on_h100):
    uneven = llama_on_h100.with_(pipeline_parallel=2, environment=(("VLLM_PP_LAYER_PARTITION", "24,8"),))

    assert size(uneven).bytes_per_block == 24 * 65_536


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model_type": "deepseek_v41"}, "not modelled"),
        ({"confidence": "low"}, "one weak source"),
    ],
)
def test_what_is_not_known_well_is_said(llama_on_h100, changes, words):
    shape = llama_on_h100.shape.model_copy(update=changes)

    assert any(words in warning for warning in size(llama_on_h100.with_(shape=shape)).warnings)


def test_an_fp8_cache_without_fp8_arithmetic_is_remarked_on(llama_on_h100):
    ampere = Gpu(name="A10", torch_memory=Bytes.gib(22.05), compute_capability=8.6)

    (warning,) = size(llama_on_h100.with_(card=ampere, kv_cache_dtype="fp8")).warnings
    assert "FlashInfer only" in warning


def test_unified_memory_is_remarked_on(llama_on_h100):
    spark = Gpu(name="GB10", torch_memory=Bytes.gib(121.6), compute_capability=12.1, is_unified=True)

    (warning,) = size(llama_on_h100.with_(card=spark)).warnings
    assert "shares its memory with the host" in warning


def test_a_model_that_keeps_nothing_needs_nothing(llama_on_h100):
    idle = llama_on_h100.shape.model_copy(
        update={"runs": (LayerRun(layer=Layer(kind=LayerKind.NONE), count=12),)},
    )

    assert size(llama_on_h100.with_(shape=idle)).fits


@pytest.mark.parametrize("stages", [-1, 10**11])
def test_fewer_stages_than_one_or_more_than_layers_have_no_budget(llama_on_h100, stages):
    with pytest.raises(UnknownFactsError):
        size(llama_on_h100.with_(pipeline_parallel=stages))


def test_a_printed_total_decides_the_limits_of_a_batch(llama_on_h100):
    bare = llama_on_h100.with_(card=None, gpu_memory=None, max_num_seqs=None)

    assert 1024 == size(bare, Measured(total=Bytes.gib(139.8))).deployment.max_num_seqs
    assert 256 == size(bare, Measured(total=Bytes.gib(23.6))).deployment.max_num_seqs


def test_what_only_transformers_code_may_run_is_warned_of(llama_8b, h100):
    shape = llama_8b.model_copy(update={"architecture": "Qwen3ForCausalLM"})
    found = size(Deployment(shape=shape, card=h100, vllm_version="0.8.3"))

    assert ["vLLM 0.8.3 does not list Qwen3ForCausalLM"] == [text.partition(";")[0] for text in found.warnings]


def test_without_a_cache_what_is_left_of_the_card_stays_free(encoder, l4):
    budget = size(Deployment(shape=encoder, card=l4, vllm_version="0.19.0"))

    spent = sum(term.amount for term in budget.terms if term.inside)
    assert (False, True, budget.total - spent) == (budget.keeps_cache, budget.fits, budget.kv_available)


@pytest.mark.parametrize("share", [0.02, 0.9])
def test_without_a_cache_the_share_of_the_card_is_no_limit(encoder, l4, share):
    """vLLM 0.19 `v1/engine/core.py`: without KV specs nothing is profiled, and no memory is asked for."""
    told = Deployment(shape=encoder, card=l4, vllm_version="0.19.0", gpu_memory_utilization=share)

    assert size(told).failed_check is None


def test_without_a_cache_the_free_memory_is_checked_all_the_same(encoder, l4):
    told = Deployment(shape=encoder, card=l4, vllm_version="0.19.0")

    assert "free-memory-below-utilization" == size(told, Measured(free=Bytes.gib(10))).failed_check.problem


def test_a_version_that_is_the_last_to_run_it_is_named(llama_8b):
    volta = Gpu(name="V100", torch_memory=Bytes.gib(31.7), compute_capability=7.0, has_bf16=False)
    (warning,) = size(Deployment(shape=llama_8b, card=volta)).warnings

    assert warning.startswith("vLLM 0.19.1 is the last release that runs this card")
