"""What several GPUs take beside torch."""

import pytest

from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead import beside
from bot.sizing.overhead.links import fuses_all_reduce
from bot.sizing.overhead.samplers import sampler_states
from bot.sizing.resolved import resolve
from bot.units import Bytes

CARD_3090 = Gpu(name="RTX 3090", torch_memory=Bytes.gib(23.57), compute_capability=8.6, has_nvlink=True)
B200 = Gpu(name="B200", torch_memory=Bytes.gib(178.4), compute_capability=10.0, has_nvlink=True)


def run(shape, card, **facts):
    facts = {"vllm_version": "0.19.0", "max_num_seqs": 1024, "max_num_batched_tokens": 8192} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=card, **facts))[0])


@pytest.mark.parametrize(
    ("version", "ranks", "logged"),
    [
        ("0.11.2", 4, 0.66),  # Llama-3.3-70B and Qwen3-235B on H200
        ("0.13.0", 4, 0.66),  # Llama-3.3-70B on H200
        ("0.18.0", 4, 2.18),  # Llama-3.3-70B on H200
        ("0.19.0", 2, 2.09),  # 8 models on H100, 2.07 to 2.14
        ("0.19.0", 4, 2.17),  # 9 models on H100, 2.13 to 2.22
    ],
)
def test_hopper_over_nvlink(llama_8b, h100, version, ranks, logged):
    found = beside.non_torch(run(llama_8b, h100, vllm_version=version, tensor_parallel=ranks), h100.torch_memory)

    assert found.amount / 2**30 == pytest.approx(logged, abs=0.03)


@pytest.mark.parametrize(("facts", "logged"), [({}, 0.57), ({"vllm_version": "0.11.2", "enforce_eager": False}, 0.92)])
def test_eight_ranks_lie_in_the_range(llama_8b, h100, facts, logged):
    """GLM-5.1 eager with 0.19.1 and DeepSeek-R1 with 0.11.2, both on 8 H200."""
    found = beside.non_torch(run(llama_8b, h100, tensor_parallel=8, **({"enforce_eager": True} | facts)), 80 << 30)

    assert found.low / 2**30 < logged < found.high / 2**30


def test_replicas_are_peers_as_ranks_are(llama_8b, h100):
    """Eager, so that nothing is fused: 0.55 and 0.04 for each peer."""
    facts = {"enforce_eager": True, "expert_parallel": True, "data_parallel": 8}
    found = beside.non_torch(run(llama_8b, h100, **facts), h100.torch_memory)

    assert found.amount / 2**30 == pytest.approx(0.83)


def test_data_center_blackwell_over_nvlink(llama_8b):
    """Llama-3.3-70B on 4 B200 with 0.18."""
    found = beside.non_torch(run(llama_8b, B200, vllm_version="0.18.0", tensor_parallel=4), B200.torch_memory)

    assert found.amount / 2**30 == pytest.approx(2.2, abs=0.04)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, True),
        ({"vllm_version": "0.16.0"}, False),
        ({"enforce_eager": True}, False),
        ({"tensor_parallel": 6}, False),
        ({"pipeline_parallel": 2}, False),
        ({"pipeline_parallel": 2, "vllm_version": "0.21.0"}, True),
        ({"pipeline_parallel": 2, "vllm_version": "0.23.0"}, False),
        ({"pipeline_parallel": 2, "vllm_version": "0.24.0"}, True),
        ({"pipeline_parallel": 2, "vllm_version": "0.27.0"}, True),
        ({"data_parallel": 2}, False),
        ({"data_parallel": 2, "vllm_version": "0.23.0"}, True),
        ({"card": CARD_3090}, False),
        ({"card": Gpu(name="MI300X", vendor="amd")}, False),
    ],
)
def test_compiling_fuses_the_all_reduce_from_0_17_on(llama_8b, h100, facts, expected):
    facts = {"card": h100, "tensor_parallel": 2} | facts

    assert expected is fuses_all_reduce(run(llama_8b, **facts))


@pytest.mark.parametrize(("version", "gib"), [("0.24.0", 1.5), ("0.25.0", 0.5)])
def test_fusing_takes_three_multicast_buffers_and_later_one(llama_8b, h100, version, gib):
    fused, plain = (
        beside.non_torch(run(llama_8b, h100, vllm_version=version, tensor_parallel=8, enforce_eager=is_eager), 80 << 30)
        for is_eager in (False, True)
    )

    assert gib == pytest.approx((fused.amount - plain.amount) / 2**30)


def test_a_buffer_of_the_fused_all_reduce_is_in_what_a_log_of_0_31_printed(h100):
    """39.98 GiB of weights and the rest on each of 8 H200, of which 38.24 are weights: GLM-5.3-Flash."""
    shape = find_model("zai-org/GLM-5.3-Flash").shape
    found = run(shape, h100, vllm_version="0.31.0", tensor_parallel=8, max_num_seqs=512)

    assert 1.74 == pytest.approx((beside.non_torch(found, 80 << 30).amount + sampler_states(found)) / 2**30, abs=0.12)


@pytest.mark.parametrize(
    ("facts", "logged"),
    [({}, 1.38), ({"engine": "V0", "vllm_version": "0.8.5"}, 0.74), ({"tensor_parallel": 4}, 2.4)],
)
def test_linked_gpus_of_older_versions_lie_in_the_range(llama_8b, h100, facts, logged):
    facts = {"vllm_version": "0.10.2", "tensor_parallel": 2} | facts
    found = beside.non_torch(run(llama_8b, h100, **facts), 80 << 30)

    assert found.low / 2**30 < logged < found.high / 2**30


@pytest.mark.parametrize(
    ("facts", "logged"),
    [
        ({"vllm_version": "0.7.3", "tensor_parallel": 8}, 7.16),  # 8 H200
        ({"vllm_version": "0.8.4", "tensor_parallel": 16, "nodes": 2}, 4.2),  # 2 × 8 H20
    ],
)
def test_what_deepseek_r1_left_is_the_far_end(deepseek_v3, h100, facts, logged):
    found = beside.non_torch(run(deepseek_v3, h100, **facts), 130 << 30)

    assert found.amount / 2**30 < logged < found.high / 2**30


def test_the_first_v1_versions_count_the_context_of_linked_gpus_too(llama_8b):
    older, newer = (
        beside.non_torch(run(llama_8b, CARD_3090, vllm_version=version, tensor_parallel=2), 24 << 30).amount
        for version in ("0.8.4", "0.9.1")
    )

    assert (older - newer) / 2**30 == pytest.approx(0.34)


def test_a_bridge_between_consumer_cards_is_no_nvlink_domain(llama_8b):
    found = beside.non_torch(run(llama_8b, CARD_3090, tensor_parallel=4), CARD_3090.torch_memory)

    assert found.amount / 2**30 < 0.2


def linked(shape, **facts):
    a100 = Gpu(name="A100 SXM4 80GB", torch_memory=Bytes.gib(79.32), compute_capability=8.0, has_nvlink=True)
    facts = {"vllm_version": "0.10.1.1", "tensor_parallel": 2} | facts
    return beside.non_torch(run(shape, a100, **facts), 79 << 30)


def test_several_a100_whose_link_is_untold_span_both(llama_8b):
    found = linked(llama_8b)

    assert found.low / 2**30 <= 0.14  # without P2P in three logs
    assert found.high / 2**30 >= 2.10  # over NVLink in one
    assert "topo" in found.doubt


@pytest.mark.parametrize(
    ("facts", "high"), [({"gpu_link": "pcie"}, 0.4), ({"gpu_link": "network"}, 2.3), ({"nodes": 2}, 2.3)]
)
def test_a_log_knows_the_link_better_than_a_cards_name(llama_8b, facts, high):
    found = linked(llama_8b, gpu="A100-SXM4-80GB", **facts)

    assert found.amount / 2**30 == pytest.approx(0.16)
    assert found.high / 2**30 == pytest.approx(high)


def test_a_board_sold_with_nvlink_only_is_taken_at_its_name(llama_8b):
    assert linked(llama_8b, gpu="NVIDIA A100-SXM4-80GB").amount / 2**30 == pytest.approx(1.4)


def test_eight_a100_are_linked(llama_8b):
    """DeepSeek-Coder-V2-Lite on a cloud machine of 8 A100 with 0.7.1 printed 2.10 GiB."""
    found = linked(llama_8b, tensor_parallel=8, vllm_version="0.7.1")

    assert found.amount / 2**30 == pytest.approx(2.1, abs=0.05)


@pytest.mark.parametrize(("ranks", "logged"), [(1, 1.13), (1, 1.27), (8, 3.4)])
def test_rocm_takes_more_beside_torch(llama_8b, ranks, logged):
    """Llama-3.3-70B on one MI300X in two widths, DeepSeek-R1 on eight, all with 0.14."""
    card = Gpu(name="Instinct MI300X", vendor="amd", memory=Bytes.gib(192), torch_memory=Bytes.gib(192))
    found = beside.non_torch(run(llama_8b, card, vllm_version="0.14.1", tensor_parallel=ranks), 192 << 30)

    assert found.low / 2**30 < logged < found.high / 2**30
    assert found.amount / 2**30 == pytest.approx(1.2)
