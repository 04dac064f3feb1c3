"""What a deployment does once it runs."""

import pytest

from bot.deployment import Deployment
from bot.sizing.serving import serving
from bot.sizing.size import size


def test_a_batch_is_as_many_sequences_as_are_held(llama_on_h100):
    served = serving(size(llama_on_h100), 4096)

    assert served.kv_of_batch == served.kv_per_sequence * served.sequences
    assert 4096 * 131_072 == served.kv_per_sequence


def test_a_batch_stays_within_the_kv_cache(llama_on_h100):
    budget = size(llama_on_h100)

    assert serving(budget, 4096).kv_of_batch <= budget.kv_available


def test_a_sequence_is_no_longer_than_the_context(llama_on_h100):
    assert 8192 == serving(size(llama_on_h100), 1_000_000).context_tokens


def test_ten_times_the_idle_people_are_ten_times_the_people(llama_on_h100):
    budget = size(llama_on_h100)

    assert serving(budget, 4096, 0.1).users_by_memory == 10 * serving(budget, 4096, 1.0).users_by_memory


def test_speed_never_serves_more_people_than_memory(llama_on_h100):
    served = serving(size(llama_on_h100), 1024)

    assert served.users <= served.users_by_memory


def test_replicas_add_up(llama_on_h100):
    one, two = (serving(size(llama_on_h100.with_(data_parallel=count)), 4096) for count in (1, 2))

    assert (2 * one.sequences, 2) == (two.sequences, two.gpus)
    assert one.sequences_per_gpu == pytest.approx(two.sequences_per_gpu)


def test_a_card_without_data_has_no_speed_but_holds_people(llama_on_h100, h100):
    unknown = h100.model_copy(update={"bandwidth_gbs": None, "bf16_tflops": None})
    served = serving(size(llama_on_h100.with_(card=unknown)))

    assert (None, None, None, None) == (served.decode, served.prefill, served.users, served.users_per_gpu)
    assert served.users_by_memory > 0


def test_a_model_that_reads_both_ways_has_a_speed_of_reading_alone(encoder, l4):
    served = serving(size(Deployment(shape=encoder, card=l4, vllm_version="0.33.0")), 512)

    assert (None, None, None, False) == (served.decode, served.users_by_memory, served.users, served.writes)
    assert 16 == served.sequences  # of 8,192 tokens a step
    assert served.prefill.typical > 0
