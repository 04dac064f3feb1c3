"""What is captured as CUDA graphs, and what the largest batch of them keeps."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Gpu, Speculation
from bot.model_shape import Wiring
from bot.sizing import constants
from bot.sizing.defaults import with_defaults
from bot.sizing.overhead import beside, captures
from bot.sizing.resolved import resolve
from bot.sizing.terms import Measured
from bot.units import Bytes

GB10 = Gpu(name="GB10", torch_memory=Bytes.gib(121.6), compute_capability=12.1, is_unified=True)
MIB = 2**20


def run(shape, card, **facts):
    facts = {"vllm_version": "0.19.0", "max_num_seqs": 1024, "max_num_batched_tokens": 8192} | facts
    return resolve(with_defaults(Deployment(shape=shape, card=card, **facts))[0])


def kept(shape, card, *, counted=True, **facts):
    found = run(shape, card, **facts)
    return captures.kept_by_attention(found, captures.captured(found), counted=counted) / MIB


@pytest.mark.parametrize(
    ("facts", "graphs"),
    [
        ({}, 102),
        ({"max_num_seqs": 256}, 86),
        ({"max_num_seqs": 16}, 12),
        ({"cudagraph_mode": "PIECEWISE"}, 51),
        ({"cudagraph_mode": "FULL_DECODE_ONLY"}, 51),
        ({"cudagraph_mode": "NONE"}, 0),
        ({"max_cudagraph_capture_size": 8}, 8),
        ({"vllm_version": "0.10.2"}, 67),
        ({"cudagraph_mode": "FULL"}, 51),
        ({"cudagraph_mode": "FULL", "vllm_version": "0.10.2"}, 67),
        ({"optimization_level": 0}, 0),
        ({"optimization_level": 1}, 51),
        ({"cudagraph_capture_sizes": (1, 2, 4), "max_cudagraph_capture_size": 4}, 6),
        ({"cudagraph_capture_sizes": (16, 8, 8, 9000), "max_cudagraph_capture_size": 9000}, 4),
        ({"performance_mode": "interactivity"}, 152),  # 1 to 32, 40 to 248 by eights, 256 to 512 by sixteens
        ({"performance_mode": "interactivity", "vllm_version": "0.16.0"}, 102),
        ({"max_num_batched_tokens": 500, "max_num_seqs": 500, "vllm_version": "0.22.0"}, 102),
        ({"max_num_batched_tokens": 500, "max_num_seqs": 500}, 100),
        ({"lora": True}, 204),
        ({"lora": True, "vllm_version": "0.11.0"}, 134),
    ],
)
def test_graphs_are_captured_for_each_size_and_mode(llama_8b, h100, facts, graphs):
    assert graphs == captures.captured(run(llama_8b, h100, **facts)).graphs


@pytest.mark.parametrize(
    ("version", "mode", "graphs"),
    [
        ("0.11.0", None, (19, 9)),  # 1, 2, 4, 8, … 128, and of these what 16 sequences of 4 reach, from 4 on
        ("0.19.0", None, (17, 9)),  # 4, 8, 16, … 128: all are multiples of 4
        ("0.19.0", "PIECEWISE", (19, 0)),
        ("0.28.0", None, (19, 9)),  # model runner V2 leaves what prefills as it is
    ],
)
def test_drafts_are_captured_in_multiples_of_what_a_sequence_has(llama_8b, h100, version, mode, graphs):
    """vLLM 0.11.1 `config/compilation.py`, adjust_cudagraph_sizes_for_spec_decode, and 0.28 `v1/worker/gpu/cudagraph_utils.py`."""
    drafting = {
        "max_num_seqs": 16,
        "speculation": Speculation(method="eagle3", tokens=3),
        "max_cudagraph_capture_size": 128,
    }

    assert graphs == captures.captured(run(llama_8b, h100, vllm_version=version, cudagraph_mode=mode, **drafting))[:2]


@pytest.mark.parametrize(
    ("version", "context_parallel", "graphs"), [("0.12.0", 2, 51), ("0.12.0", 1, 102), ("0.13.0", 2, 102)]
)
def test_a_context_cut_over_gpus_is_in_whole_graphs_from_0_13_on(llama_8b, h100, version, context_parallel, graphs):
    found = run(llama_8b, h100, vllm_version=version, tensor_parallel=2, decode_context_parallel=context_parallel)

    assert graphs == captures.captured(found).graphs


@pytest.mark.parametrize(("card", "graphs"), [("H100", (0, 51)), ("L40S", (51, 51))])
def test_whole_graphs_of_any_batch_are_where_attention_takes_them(llama_8b, card, graphs):
    """vLLM 0.19 `v1/attention/backends/flash_attn.py`: version 3 takes them, 2 only batches that decode."""
    found = run(llama_8b, find_gpu(card).card, cudagraph_mode="FULL")

    assert graphs == captures.captured(found)[:2]


def test_what_a_log_counts_stands_for_what_the_settings_come_to(llama_8b, h100):
    found = run(llama_8b, h100)

    assert (19, 11, 128, 64) == captures.printed_captures(
        found, Measured(graphs_piecewise=19, graphs_full=11, graphs_largest=128, graphs_decoding=64)
    )
    assert (19, 0, 512, 512) == captures.printed_captures(found, Measured(graphs_piecewise=19, graphs_full=0))


def test_the_estimate_follows_what_a_log_counts(llama_8b, h100):
    """0.19, piecewise: 32 layers × (51 − 11) graphs fewer than by the settings."""
    found = run(llama_8b, h100, cudagraph_mode="PIECEWISE")
    own, printed = beside.cuda_graphs(found).amount, beside.cuda_graphs(found, Measured(graphs_piecewise=11)).amount

    assert 32 * 40 * constants.GRAPH_DENSE.value == pytest.approx((own - printed) / MIB, abs=0.01)


def test_the_estimate_grows_with_the_sizes_that_are_listed(llama_8b, h100):
    """0.19, piecewise: 32 layers × (2 − 1) sizes more, whatever the largest."""
    few, many = (
        beside.cuda_graphs(
            run(
                llama_8b,
                h100,
                cudagraph_mode="PIECEWISE",
                cudagraph_capture_sizes=sizes,
                max_cudagraph_capture_size=512,
            )
        ).amount
        for sizes in ((512,), (256, 512))
    )

    assert 32 * constants.GRAPH_DENSE.value == pytest.approx((many - few) / MIB, abs=0.01)


def test_models_that_embed_are_captured_piecewise(llama_8b, h100):
    """vLLM 0.11 and later `config/vllm.py`: pooling models lack full graphs."""
    embedding = llama_8b.model_copy(update={"wiring": Wiring(has_lm_head=False)})

    assert 51 == captures.captured(run(embedding, h100)).graphs


def test_attention_to_chunks_is_in_no_graph(h100):
    """Llama 4 Scout on 4 H100 with 0.19 captures 51 graphs, piecewise."""
    shape = find_model("meta-llama/Llama-4-Scout-17B-16E-Instruct").shape

    assert 51 == captures.captured(run(shape, h100, tensor_parallel=4)).graphs


@pytest.mark.parametrize(
    ("card", "version", "graphs"), [("A100 80GB", "0.21.0", 51), ("A100 80GB", "0.22.0", 102), ("H100", "0.21.0", 102)]
)
def test_tritons_latent_attention_is_in_graphs_from_0_22_on(deepseek_v3, card, version, graphs):
    assert graphs == captures.captured(run(deepseek_v3, find_gpu(card).card, vllm_version=version)).graphs


@pytest.mark.parametrize(
    ("name", "ranks", "printed"),
    [
        ("google/gemma-2-27b-it", 1, 212),
        ("Qwen/Qwen1.5-MoE-A2.7B", 1, 96),
        ("meta-llama/Llama-3.3-70B-Instruct", 2, 108),
        ("mistralai/Mistral-Small-24B-Instruct-2501", 1, 198),
    ],
)
def test_the_largest_batch_leaves_what_first_captures_print(h100, name, ranks, printed):
    found = captures.largest_batch(512, run(find_model(name).shape, h100, tensor_parallel=ranks))

    assert printed == pytest.approx(found / MIB, rel=0.12)


@pytest.mark.parametrize(
    ("name", "ranks", "mib"),
    [
        (
            "meta-llama/Llama-3.1-8B-Instruct",
            1,
            256,
        ),  # 260 are printed for the first whole graph, with the graph itself
        ("meta-llama/Llama-3.3-70B-Instruct", 2, 256),  # 268
        ("Qwen/Qwen1.5-MoE-A2.7B", 1, 128),  # 136
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 1, 512),
        ("openai/gpt-oss-20b", 1, 0),  # 8 with two
    ],
)
def test_hopper_keeps_the_outputs_of_splits(h100, name, ranks, mib):
    assert mib == kept(find_model(name).shape, h100, tensor_parallel=ranks)


def test_splits_follow_the_sequences_that_decode(llama_8b, h100):
    assert 64 == kept(llama_8b, h100, max_num_seqs=128)


@pytest.mark.parametrize(
    ("facts", "mib"),
    [
        ({"cudagraph_mode": "PIECEWISE"}, 0),
        ({"attention_backend": "TRITON_ATTN"}, 0),
        ({"attention_backend": "FLASHINFER"}, 394),
    ],
)
def test_only_attention_in_graphs_by_flash_attention_splits(llama_8b, h100, facts, mib):
    assert mib == kept(llama_8b, h100, **facts)


def test_other_cards_do_not_split(llama_8b, l4):
    assert 0 == kept(llama_8b, l4)


def test_heads_that_flash_attention_does_not_know_are_not_split(llama_8b, h100):
    assert 0 == kept(llama_8b.model_copy(update={"head_dim": 512}), h100)


@pytest.mark.parametrize(
    ("card", "facts", "mib"),
    [
        ("B200", {}, 394),
        ("RTX 5090", {}, 0),
        ("RTX 5090", {"kv_cache_dtype": "fp8"}, 394),
        ("RTX 3090", {"kv_cache_dtype": "fp8_e5m2"}, 0),
        ("RTX 3090", {"kv_cache_dtype": "fp8_e5m2", "attention_backend": "FLASHINFER"}, 394),
        ("B200", {"vllm_version": "0.11.0"}, 256),
        ("B200", {"environment": (("VLLM_FLASHINFER_WORKSPACE_BUFFER_SIZE", str(512 * MIB)),)}, 512),
    ],
)
def test_flashinfer_keeps_a_workspace(llama_8b, card, facts, mib):
    assert mib == kept(llama_8b, find_gpu(card).card, **facts)


def test_flashinfer_is_warmed_before_graphs_are_captured_unless_states_are_beside(llama_8b):
    hybrid = find_model("Qwen/Qwen3.6-27B").shape
    facts = {"kv_cache_dtype": "fp8", "max_num_seqs": 8}

    assert [0, 394] == [kept(shape, GB10, counted=False, **facts) for shape in (llama_8b, hybrid)]


def test_flashinfer_plans_each_whole_graph_but_for_tensorrts_kernels(llama_8b):
    found = [run(llama_8b, card, kv_cache_dtype="fp8", max_num_seqs=16) for card in (GB10, find_gpu("B200").card)]

    assert [5 * 8 * MIB, 0] == [captures.kept_by_plans(each, captures.captured(each)) for each in found]
