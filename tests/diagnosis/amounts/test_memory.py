"""Named amounts of the budget."""

from __future__ import annotations

import pytest

from bot.deployment import Deployment
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.diagnose import look_into
from bot.diagnosis.situation import Situation
from bot.units import Bytes
from tests.diagnosis.makers import a_situation, evidence_of


@pytest.fixture
def sized(served: Deployment) -> Situation:
    measured = evidence_of(weights=Bytes.gib(14.99), kv_available=Bytes.gib(4.13), total=Bytes.gib(22.03))
    return look_into(measured, served, ())


def of(name: str, situation: Situation) -> object:
    return AMOUNTS[name].of(situation)


def test_without_facts_nothing_is_known_but_what_vllm_does_by_default():
    nothing = a_situation()
    known = {name: value for name in AMOUNTS if (value := of(name, nothing)) is not None}

    assert {"default_max_num_seqs": 256, "leaves_room": False} == known


def test_the_allowance_is_a_share_of_the_card(sized: Situation):
    assert str(Bytes.gib(22.03 * 0.9)) == str(of("allowance", sized))
    assert str(Bytes.gib(22.03 * 0.1)) == str(of("beside_allowance", sized))


def test_a_share_beyond_the_whole_allows_nothing():
    assert of("allowance", a_situation(gpu_memory_utilization=1e308, total=Bytes.gib(24))) is None


def test_what_the_log_measured_counts(sized: Situation):
    assert (Bytes.gib(14.99), Bytes.gib(4.13)) == (of("weights_per_gpu", sized), of("kv_room", sized))
    assert 0.756 == pytest.approx(of("weights_share", sized), abs=0.001)


def test_a_token_takes_its_keys_and_values(sized: Situation):
    assert Bytes(2 * 32 * 8 * 128 * 2) == of("kv_bytes_per_token", sized)
    assert Bytes.gib(16) == of("kv_needed", sized)


def test_the_longest_context_is_what_fits(sized: Situation):
    assert 33_824 == of("longest_context", sized)
    assert 67_000 < int(str(of("longest_context_fp8", sized))) < 68_000


def test_vllm_s_own_estimate_goes_before_ours(served: Deployment):
    assert 33_808 == of("longest_context", look_into(evidence_of(estimated_max_len=33_808), served, ()))


def test_fewest_gpus_is_more_than_there_are(sized: Situation):
    assert 2 == of("fewest_gpus", sized)


def test_halves_are_whole(sized: Situation):
    budget = sized.budget

    assert budget is not None
    assert (budget.deployment.max_num_seqs or 0) // 2 == of("half_sequences", sized)
    assert 0 == int(str(of("half_batched_tokens", sized))) % 16


def test_layouts_divide_the_heads(served: Deployment):
    assert (1, 2, 4, 8) == of("tp_divisors", a_situation(served.with_(gpu_count=8)))


def test_what_ran_tells_how_many_requests_to_admit():
    assert 43 == of("sequences_served", a_situation(running=48))
    assert 1 == of("sequences_served", a_situation(running=1))


def test_two_requests_of_full_length_are_no_limit_to_advise(served: Deployment):
    assert None is of("sequences_served", a_situation(served.with_(max_model_len=131_072)))


def test_what_one_request_lacks_is_what_it_needs_less_what_there_is():
    lacking = a_situation(kv_needed=Bytes.gib(4.81), kv_available=Bytes.gib(4.42))

    assert str(Bytes.gib(4.81) - Bytes.gib(4.42)) == str(of("kv_missing", lacking))
    assert of("kv_missing", a_situation(kv_needed=Bytes.gib(4.81))) is None


def test_a_budget_leaves_room_where_it_fits_with_a_margin(served: Deployment):
    short, long = (look_into(evidence_of(), served.with_(max_model_len=length), ()) for length in (2048, 131_072))

    assert (True, False) == (of("leaves_room", short), of("leaves_room", long))


def test_a_cache_that_is_set_by_hand_holds_one_request_in_whole_gib(served: Deployment):
    long = look_into(evidence_of(), served.with_(max_model_len=100_000), ())

    assert Bytes.gib(13) == of("kv_to_set", long)
    assert of("kv_to_set", a_situation()) is None
