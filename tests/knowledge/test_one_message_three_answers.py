"""The evidence decides between the causes of one message; neither the message nor its own advice does."""

import pytest

from bot.catalog.load import Knowledge
from bot.diagnosis.verdict import Diagnosis
from bot.proof import decide

NO_BLOCKS = (
    "ValueError: No available memory for the cache blocks. "
    "Try increasing `gpu_memory_utilization` when initializing the engine.\n\n"
)
A100 = """\
|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:0F:00.0 Off |                    0 |
| N/A   36C    P0             66W /  400W |  {used:>6}MiB /  81920MiB |      0%      Default |
"""
NEIGHBOUR = "|    0   N/A  N/A      4711      C   python3 finetune.py                       30720MiB |\n"


def diagnosis(command: str, version: str, knowledge: Knowledge, smi: str = "") -> Diagnosis:
    return decide(f"# vllm {version}\n{command}\n{NO_BLOCKS}{smi}", {}, knowledge)


@pytest.fixture
def low_share(knowledge: Knowledge) -> Diagnosis:
    command = "vllm serve Qwen/Qwen2.5-32B-Instruct --gpu-memory-utilization 0.4"
    return diagnosis(command, "0.11.0", knowledge, A100.format(used=4))


@pytest.fixture
def neighbour(knowledge: Knowledge) -> Diagnosis:
    command = "vllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.95"
    return diagnosis(command, "0.8.5", knowledge, A100.format(used=30730) + NEIGHBOUR)


@pytest.fixture
def full_of_weights(knowledge: Knowledge) -> Diagnosis:
    command = "vllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.95   # one RTX 5090"
    return diagnosis(command, "0.11.0", knowledge)


def test_a_low_share_on_a_free_card_is_raised(low_share: Diagnosis):
    first = low_share.prescriptions[0]

    assert "utilization-too-low" == low_share.cause.cause.id
    assert first.patch["gpu_memory_utilization"] > 0.8
    assert first.budget.fits


def test_a_neighbour_that_this_version_charges_to_us_is_named(neighbour: Diagnosis):
    assert "others-charged-to-us" == neighbour.cause.cause.id
    assert "4711" in neighbour.cause.because
    assert "30.00 GiB" in neighbour.cause.because


def test_no_utilization_is_offered_against_a_neighbour(neighbour: Diagnosis):
    assert [] == [fix.patch for fix in neighbour.prescriptions if "gpu_memory_utilization" in fix.patch]


def test_the_same_neighbour_is_not_the_reason_where_it_is_not_charged(knowledge: Knowledge):
    command = "vllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.5"
    found = diagnosis(command, "0.11.0", knowledge, A100.format(used=30730) + NEIGHBOUR)

    assert "falls" == {each.cause.id: each.verdict for each in found.causes}["others-charged-to-us"]


def test_weights_that_fill_the_card_are_the_reason(full_of_weights: Diagnosis):
    assert "weights-fill-the-card" == full_of_weights.cause.cause.id


def test_a_higher_utilization_is_not_offered_against_weights(full_of_weights: Diagnosis):
    assert [] == [fix.patch for fix in full_of_weights.prescriptions if "gpu_memory_utilization" in fix.patch]


def test_an_unknown_version_leaves_who_pays_open(knowledge: Knowledge):
    text = NO_BLOCKS + A100.format(used=30730) + NEIGHBOUR
    found = decide("vllm serve Qwen/Qwen2.5-14B-Instruct --gpu-memory-utilization 0.95\n" + text, {}, knowledge)

    waiting = {each.cause.id: each.waits_for for each in found.causes if each.verdict == "waits"}
    assert ("vllm_version",) == waiting["others-charged-to-us"]
