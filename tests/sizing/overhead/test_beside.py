"""Memory beside weights, activations and the KV cache."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead import beside
from bot.sizing.resolved import resolve
from bot.sizing.size import size
from bot.units import Bytes


def run(shape, card, **facts):
    facts = {"vllm_version": "0.19.0", "max_num_seqs": 1024, "max_num_batched_tokens": 8192} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=card, **facts))[0])


CARD_3090 = Gpu(name="RTX 3090", torch_memory=Bytes.gib(23.57), compute_capability=8.6, has_nvlink=True)
GB10 = Gpu(name="GB10", torch_memory=Bytes.gib(121.6), compute_capability=12.1, is_unified=True)


@pytest.mark.parametrize(
    ("facts", "gib"),
    [
        ({"vllm_version": "0.16.0"}, 0.13),
        ({"vllm_version": "0.19.0"}, 0.25),
        ({"vllm_version": "0.10.0", "engine": "V0"}, 0.13),
    ],
)
def test_non_torch_memory_on_hopper(llama_8b, h100, facts, gib):
    found = beside.non_torch(run(llama_8b, h100, **facts), h100.torch_memory)

    assert found.amount / 2**30 == pytest.approx(gib)


@pytest.mark.parametrize("logged", [0.13, 0.19, 0.30, 0.56])
def test_a_consumer_card_of_newer_versions_lies_in_the_range(llama_8b, logged):
    found = beside.non_torch(run(llama_8b, CARD_3090, vllm_version="0.24.0"), CARD_3090.torch_memory)

    assert found.low / 2**30 < logged < found.high / 2**30


def test_a_card_that_shows_all_of_its_memory_runs_under_windows(llama_8b):
    card = CARD_3090.model_copy(update={"memory": Bytes.gib(24)})
    linux, windows = (
        beside.non_torch(run(llama_8b, card, vllm_version="0.27.0"), Bytes.gib(total)) for total in (23.57, 23.99)
    )

    assert windows.high > linux.high


def test_a_large_card_under_linux_keeps_back_no_larger_share(llama_8b):
    """An H200 shows nvidia-smi 140.4 GiB and torch 139.8."""
    card = Gpu(name="H200", memory=Bytes.gib(140.4), torch_memory=Bytes.gib(139.8), compute_capability=9.0)
    found = beside.non_torch(run(llama_8b, card), card.torch_memory)

    assert found.amount / 2**30 == pytest.approx(0.25)


def test_a_card_of_another_maker_shows_all_of_its_memory_anyway(llama_8b):
    card = CARD_3090.model_copy(update={"memory": Bytes.gib(24), "vendor": "amd"})

    assert "Windows" not in beside.non_torch(run(llama_8b, card, vllm_version="0.27.0"), Bytes.gib(24)).doubt


def test_before_0_6_4_torchs_unused_cache_may_count_too(llama_8b, h100):
    older, newer = (
        beside.non_torch(run(llama_8b, h100, vllm_version=version, engine="V0"), h100.torch_memory)
        for version in ("0.2.6", "0.6.5")
    )

    assert 1.2 == pytest.approx((older.high - newer.high) / 2**30)


@pytest.mark.parametrize(("card", "total"), [(GB10, 121.6), (None, 119.63)])
def test_unified_memory_has_a_wide_range(llama_8b, card, total):
    found = beside.non_torch(run(llama_8b, card), Bytes.gib(total))

    assert found.low / 2**30 < -2.0  # one log printed 2 GiB less than its weights alone
    assert 5.4 < found.high / 2**30  # Qwen3.5-35B-A3B-FP8 with 0.18
    assert 2.7 == pytest.approx(found.amount / 2**30)  # the middle of 11 logs


@pytest.mark.parametrize(
    ("name", "ranks", "estimated", "taken"),
    [
        ("google/gemma-2-2b-it", 1, 0.52, 0.71),
        ("Qwen/Qwen3-8B", 1, 0.84, 0.96),
        ("microsoft/phi-4", 1, 0.81, 1.07),
        ("Qwen/Qwen2.5-72B-Instruct", 2, 1.63, 1.61),
        ("Qwen/Qwen2.5-72B-Instruct", 4, 1.51, 1.54),
        ("Qwen/Qwen3-30B-A3B", 1, 1.24, 1.41),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", 2, 0.82, 0.93),
        ("Qwen/Qwen1.5-MoE-A2.7B", 1, 0.82, 1.10),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 1, 1.39, 1.57),
    ],
)
def test_graphs_take_what_logs_of_hopper_print(h100, name, ranks, estimated, taken):
    found = run(find_model(name).shape, h100, tensor_parallel=ranks)

    assert estimated == pytest.approx(beside.cuda_graphs(found, counted=True).amount / 2**30, rel=0.16)
    assert taken == pytest.approx(beside.cuda_graphs(found).amount / 2**30, rel=0.12)


@pytest.mark.parametrize(("seqs", "gib"), [(1, 0.43), (8, 0.61)])
def test_few_graphs_still_take_flashinfers_workspace(seqs, gib):
    """Qwen3.6 on GB10 with an 8-bit cache: 35B-A3B of two graphs, 27B of nine."""
    name, largest = ("Qwen/Qwen3.6-35B-A3B", 1) if seqs == 1 else ("Qwen/Qwen3.6-27B", 16)
    facts = {"max_num_seqs": seqs, "max_cudagraph_capture_size": largest, "kv_cache_dtype": "fp8"}
    found = beside.cuda_graphs(run(find_model(name).shape, GB10, **facts), counted=True)

    assert gib == pytest.approx(found.amount / 2**30, rel=0.25)
    assert found.low / 2**30 < gib < found.high / 2**30


def test_few_graphs_may_take_more_than_their_number_tells(llama_8b, h100):
    found = beside.cuda_graphs(run(llama_8b, h100, max_num_seqs=1, max_cudagraph_capture_size=4), counted=True)

    assert all(found.low < logged * 2**30 < found.high for logged in (0.26, 0.39))


@pytest.mark.parametrize(
    ("name", "gib"), [("Qwen/Qwen2.5-1.5B", 0.18), ("Qwen/Qwen2.5-0.5B", 0.13), ("microsoft/phi-4", 0.27)]
)
def test_graphs_of_v0_hold_the_whole_model_once(name, gib):
    found = beside.cuda_graphs(
        run(find_model(name).shape, CARD_3090, vllm_version="0.6.6", engine="V0", max_num_seqs=256)
    )

    assert gib == pytest.approx(found.amount / 2**30, rel=0.2)
    assert 1.92 < found.high / 2**30  # UI-TARS with 0.6.6


def test_the_first_v1_versions_count_the_context_as_ours(llama_8b):
    facts = {"vllm_version": "0.6.4", "engine": "V0"}

    found = beside.non_torch(run(llama_8b, CARD_3090, **facts), CARD_3090.torch_memory)

    assert found.low / 2**30 < 0.35 < found.high / 2**30


def test_what_is_taken_beside_is_more_than_the_estimate(llama_8b, h100):
    found = run(llama_8b, h100)

    assert beside.cuda_graphs(found).amount > beside.cuda_graphs(found, counted=True).amount


@pytest.mark.parametrize(
    ("layers", "facts", "logged"),
    [
        (80, {"vllm_version": "0.13.0", "tensor_parallel": 4}, -0.04),  # Llama-3.3-70B on 4 H200
        (40, {"vllm_version": "0.13.0"}, -0.80),  # Ministral-3-14B on one
        (80, {"vllm_version": "0.18.0", "tensor_parallel": 4}, 0.94),  # Llama-3.3-70B on 4
    ],
)
def test_on_hopper_capturing_gives_back_what_tuning_took_before_0_18(llama_8b, h100, layers, facts, logged):
    sizes = {"hidden": 8192, "intermediate": 28_672} if layers == 80 else {"hidden": 5120, "intermediate": 16_384}
    shape = llama_8b.model_copy(update=sizes | {"runs": (llama_8b.runs[0].model_copy(update={"count": layers}),)})
    found = beside.cuda_graphs(run(shape, h100, **facts))

    assert found.low / 2**30 <= logged < found.amount / 2**30


@pytest.mark.parametrize(
    ("version", "layers", "logged"),
    [("0.8.4", 28, 1.44), ("0.9.2", 36, 2.24), ("0.10.1.1", 32, 0.52), ("0.10.2", 36, 0.68)],
)
def test_without_tuning_more_is_printed_before_0_18(llama_8b, version, layers, logged):
    """Qwen2.5-7B on a 3090, Qwen3-8B and Llama-3.1-8B on A100, and Qwen3-8B-FP8 on a card of 24 GB."""
    shape = llama_8b.model_copy(update={"runs": (llama_8b.runs[0].model_copy(update={"count": layers}),)})
    older, newer = (
        beside.cuda_graphs(run(shape, CARD_3090, vllm_version=each, max_num_seqs=256, cudagraph_mode="PIECEWISE"))
        for each in (version, "0.19.0")
    )

    assert older.low / 2**30 < logged < older.high / 2**30
    assert older.amount > 2 * newer.amount  # of fewer sizes


def test_other_cards_take_less(llama_8b, h100, l4):
    hopper, other = (beside.cuda_graphs(run(llama_8b, card)).amount for card in (h100, l4))

    assert other < hopper


def test_latent_attention_takes_more(llama_8b, deepseek_v3, h100):
    dense, latent = (beside.cuda_graphs(run(shape, h100)).amount / shape.layers for shape in (llama_8b, deepseek_v3))

    assert latent > 1.5 * dense


def test_where_the_host_shares_the_memory_graphs_may_seem_to_give_some_back(llama_8b, h100):
    """-0.03 GiB of Mistral-7B with 0.11, and 0.04 where 1.65 were estimated with 0.18, both on GB10."""
    shared, own = (beside.cuda_graphs(run(llama_8b, card, vllm_version="0.18.1")) for card in (GB10, h100))

    assert shared.low < -0.03 * 2**30
    assert own.low > 0


def test_eager_mode_takes_nothing(llama_8b, h100):
    assert 0 == beside.cuda_graphs(run(llama_8b, h100, enforce_eager=True)).amount


@pytest.mark.parametrize(
    ("vocab", "logged"),
    [
        (49_155, 0.46),
        (49_159, 0.46),
        (51_200, 0.24),
        (102_400, 0.26),
        (256_000, 0.25),
    ],  # Granite 3, Phi 2, DeepSeek V2, Gemma
)
def test_a_sampler_that_spills_takes_more_beside_torch(llama_on_h100, vocab, logged):
    wide = llama_on_h100.with_(shape=llama_on_h100.shape.model_copy(update={"vocab": vocab}), vllm_version="0.19.0")
    found = size(wide).term("non_torch")

    assert found is not None
    assert logged == pytest.approx(found.amount.in_gib, abs=0.011)
    assert found.low.in_gib < 0.25


@pytest.mark.parametrize(
    "facts", [{"vllm_version": "0.16.0"}, {"vllm_version": "0.24.0"}, {"tensor_parallel": 2}, {"max_num_seqs": 4}]
)
def test_where_triton_does_not_sample_nothing_spills(llama_8b, h100, facts):
    odd, even = (
        beside.non_torch(run(llama_8b.model_copy(update={"vocab": vocab}), h100, **facts), h100.torch_memory)
        for vocab in (49_155, 49_152)
    )

    assert even[:3] == odd[:3]


@pytest.mark.parametrize("card", ["RTX 4090", "H100"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_without_a_version_the_range_holds_old_and_new(llama_on_h100, card, ranks):
    older_runner = (("VLLM_USE_V2_MODEL_RUNNER", "0"),)  # the other's sampler keeps what this one's takes at its peak
    known = llama_on_h100.with_(card=find_gpu(card).card, tensor_parallel=ranks, environment=older_runner)
    known = known.with_(vllm_version=None)
    either = size(known).term("non_torch")
    ends = [size(known.with_(vllm_version=version)).term("non_torch") for version in ("0.16.0", "0.33.0")]

    assert either.low <= min(end.low for end in ends) + Bytes.mib(64)  # and what torch leaves uncut
    assert either.high >= max(end.high for end in ends)
