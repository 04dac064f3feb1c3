"""Speed by a roofline, and the people it serves."""

import pytest

from bot.catalog.models import find_model
from bot.model_shape import Quantization
from bot.sizing import throughput
from bot.sizing.resolved import resolve
from bot.sizing.size import size


def test_one_sequence_reads_the_weights_once_a_token(llama_on_h100):
    budget = size(llama_on_h100)

    rate = throughput.decode_rate(budget, 1, 1)
    assert rate.typical == pytest.approx(3350e9 * 0.65 / budget.term("weights").amount, rel=0.01)


def test_decoding_few_sequences_is_bound_by_memory(llama_on_h100):
    assert "memory bandwidth" == throughput.decode_rate(size(llama_on_h100), 8, 2048).bound


def test_decoding_many_short_sequences_is_bound_by_arithmetic(llama_on_h100):
    assert "arithmetic" == throughput.decode_rate(size(llama_on_h100), 1024, 1).bound


def test_more_sequences_share_the_weights(llama_on_h100):
    budget = size(llama_on_h100)

    one, many = (throughput.decode_rate(budget, count, 1024).typical for count in (1, 32))
    assert 16 * one < many < 32 * one


def test_a_longer_context_is_slower(llama_on_h100):
    budget = size(llama_on_h100)

    short, long = (throughput.decode_rate(budget, 32, context).typical for context in (512, 8192))
    assert long < short


def test_a_rate_lies_in_its_range(llama_on_h100):
    rate = throughput.decode_rate(size(llama_on_h100), 32, 1024)

    assert rate.low < rate.typical < rate.high


def test_prefill_is_bound_by_arithmetic(llama_on_h100):
    rate = throughput.prefill_rate(size(llama_on_h100))

    assert 15_000 < rate.low < rate.high < 45_000


def test_experts_that_no_token_meets_are_not_read(qwen3_next, llama_on_h100):
    budget = size(llama_on_h100.with_(shape=qwen3_next, tensor_parallel=4))
    run = resolve(budget.deployment)

    one, many = (throughput.weights_read(budget, run, count) for count in (1, 1000))
    assert one < 0.2 * many


def test_nothing_is_said_of_an_unknown_card(llama_on_h100):
    card = llama_on_h100.card.model_copy(update={"bandwidth_gbs": None, "bf16_tflops": None})
    budget = size(llama_on_h100.with_(card=card))

    assert (None, None) == (throughput.decode_rate(budget, 1, 1), throughput.prefill_rate(budget))


def test_sequences_are_held_as_the_cache_allows(llama_on_h100):
    budget = size(llama_on_h100)

    assert throughput.sequences_held(budget, 8192) == int(budget.kv_available / (8192 * 131_072))


def test_windowed_layers_hold_more_sequences(gemma_27b, llama_on_h100):
    budget = size(llama_on_h100.with_(shape=gemma_27b))
    run = resolve(budget.deployment)

    assert throughput.kv_read(run, 100_000) < 62 * 131_072 / 16 * 100_000 / 4


@pytest.mark.parametrize(("share", "factor"), [(0.5, 2), (0.1, 10)])
def test_people_who_pause_make_room_for_others(llama_on_h100, share, factor):
    budget = size(llama_on_h100)

    everyone = throughput.connected_users(budget, 8192, 1.0, 1)
    assert throughput.connected_users(budget, 8192, share, 1) == everyone * factor


def test_faster_answers_are_for_fewer_people(llama_on_h100):
    budget = size(llama_on_h100)

    slow, fast = (throughput.connected_users(budget, 8192, 1.0, speed) for speed in (5, 100))
    assert fast < slow


@pytest.mark.parametrize("share", [0, -1, 1.5])
def test_a_share_is_a_share(llama_on_h100, share):
    assert throughput.connected_users(size(llama_on_h100), 8192, share) is None


@pytest.mark.parametrize(
    ("facts", "gain"),
    [
        ({"method": "fp8", "bits": 8}, 1979 / 989),
        ({"method": "compressed-tensors", "bits": 8, "algorithm": "FP8"}, 1979 / 989),
        ({"method": "modelopt", "bits": 4, "algorithm": "NVFP4"}, 1.0),
        ({"method": "awq", "bits": 4, "group_size": 128}, 1.0),
    ],
)
def test_matrices_of_eight_bits_run_at_the_cards_eight_bit_rate(llama_on_h100, facts, gain):
    card = llama_on_h100.card.model_copy(update={"bf16_tflops": 989.0, "fp8_tflops": 1979.0})
    plain = llama_on_h100.with_(card=card)
    shape = plain.shape.model_copy(update={"quantization": Quantization(**facts), "parameters": 8_030_000_000})
    packed = throughput.prefill_rate(size(plain.with_(shape=shape)))
    usual = throughput.prefill_rate(size(plain.with_(shape=shape.model_copy(update={"quantization": None}))))

    assert packed.typical == pytest.approx(gain * usual.typical)
    assert packed.low == pytest.approx(usual.low)


@pytest.mark.parametrize(
    ("name", "share"), [("mistralai/Mixtral-8x7B-Instruct-v0.1", 0.966), ("Qwen/Qwen3-30B-A3B", 0.949)]
)
def test_most_of_a_mixture_is_experts(name, share):
    shape = find_model(name).shape

    assert throughput.expert_share(shape, shape.moe) == pytest.approx(share, abs=0.02)


def test_a_token_passes_through_the_experts_that_it_is_sent_to(llama_on_h100):
    budget = size(llama_on_h100.with_(shape=find_model("Qwen/Qwen3-30B-A3B").shape))

    assert throughput.active_parameters(budget, resolve(budget.deployment)) == pytest.approx(3.3e9, rel=0.03)
