"""Weights against what vLLM itself says: its model classes on the meta device, and start-up logs."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment, Speculation
from bot.sizing.weights.per_gpu import loaded_stages, weights_of_stages, weights_per_gpu
from bot.units import Bytes


def weights(model, **facts):
    shape = find_model(model).shape
    return weights_per_gpu(Deployment(shape=shape, **{"vllm_version": "0.33.0", **facts})).in_gib


def test_llama_8b_is_exact_to_the_byte():
    deployment = Deployment(shape=find_model("meta-llama/Llama-3.1-8B").shape, vllm_version="0.33.0")

    assert Bytes(16_094_077_440) == weights_per_gpu(deployment)


@pytest.mark.parametrize(
    ("model", "ranks", "gib"),
    [
        ("meta-llama/Llama-3.1-8B", 2, 7.5103),
        ("meta-llama/Llama-3.1-8B", 8, 1.9014),
        ("Qwen/Qwen2.5-7B-Instruct", 1, 14.193),
        ("Qwen/Qwen3-30B-A3B", 1, 56.8803),
        ("Qwen/Qwen3-30B-A3B", 8, 7.1629),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", 4, 37.215),
        ("zai-org/GLM-4.5", 4, 164.539),
        ("google/gemma-2-9b-it", 4, 4.3083),
        ("zai-org/chatglm3-6b", 4, 2.936),
    ],
)
def test_unquantized_weights_are_what_the_model_classes_allocate(model, ranks, gib):
    assert weights(model, tensor_parallel=ranks) == pytest.approx(gib, abs=6e-5)


@pytest.mark.parametrize(
    ("model", "facts", "gib"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", {"vllm_version": "0.22.0"}, 14.29),
        ("Qwen/Qwen3.5-4B", {"vllm_version": "0.23.0"}, 8.61),
        ("openbmb/MiniCPM5-1B", {"vllm_version": "0.23.0"}, 2.09),
        ("google/gemma-4-31B-it", {"vllm_version": "0.23.0"}, 58.99),
        ("Qwen/Qwen3-32B", {"vllm_version": "0.27.1"}, 61.03),
        ("Qwen/Qwen3-32B", {"vllm_version": "0.27.1", "tensor_parallel": 2}, 30.59),
        ("Qwen/Qwen3-32B", {"vllm_version": "0.27.1", "pipeline_parallel": 2}, 30.52),
        ("Qwen/Qwen3.8-27B-FP8", {"vllm_version": "0.26.0"}, 28.51),
        ("meta-llama/Llama-3.1-8B", {"vllm_version": "0.31.0"}, 15.0),
    ],
)
def test_weights_and_rests_are_what_start_up_logs_printed_since_large_blocks_are_not_cut(model, facts, gib):
    deployment = Deployment(shape=find_model(model).shape, **facts)
    stages = zip(weights_of_stages(deployment), loaded_stages(deployment), strict=True)
    printed = max(weights + stage.rests for weights, stage in stages)

    assert gib == pytest.approx(printed / 2**30, abs=0.016)


@pytest.mark.parametrize("facts", [{"vllm_version": "0.20.2"}, {"card": find_gpu("MI300X").card}])
def test_there_are_no_rests_before_or_on_other_cards(facts):
    deployment = Deployment(shape=find_model("Qwen/Qwen3-32B").shape, **facts)

    assert 0 == loaded_stages(deployment)[0].rests


@pytest.mark.parametrize(
    ("model", "ranks", "gib"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", 1, 14.2487),
        ("Qwen/Qwen2.5-72B-Instruct", 2, 67.80),
        ("meta-llama/Llama-3.1-8B-Instruct", 4, 3.77),
        ("google/gemma-3-4b-it", 1, 8.58),
        ("google/gemma-3-12b-it", 1, 23.31),
        ("google/gemma-3-27b-it", 1, 51.45),
        ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", 1, 44.76),
        ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", 2, 22.80),
        ("mistralai/Mistral-Small-3.1-24B-Instruct-2503", 4, 11.86),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 1, 29.43),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 2, 14.83),
        ("deepseek-ai/DeepSeek-V2-Lite-Chat", 4, 7.51),
        ("moonshotai/Kimi-Dev-72B", 4, 34.01),
        ("RedHatAI/Qwen2.5-7B-Instruct-quantized.w8a8", 1, 8.14),
    ],
)
def test_weights_are_what_a_start_up_log_of_0_19_printed(model, ranks, gib):
    assert weights(model, tensor_parallel=ranks, vllm_version="0.19.0") == pytest.approx(gib, abs=0.012)


@pytest.mark.parametrize(
    ("model", "ranks", "gib"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", 1, 14.2487),
        ("Qwen/Qwen2.5-7B-Instruct", 2, 7.1216),
        ("Qwen/Qwen2.5-7B-Instruct", 4, 3.5547),
        ("Qwen/Qwen2.5-72B-Instruct", 2, 67.8002),
        ("meta-llama/Llama-3.1-8B", 4, 3.7711),
    ],
)
def test_rests_of_up_to_1_mib_were_counted_before_0_21(model, ranks, gib):
    assert weights(model, tensor_parallel=ranks, vllm_version="0.19.0") == pytest.approx(gib, abs=1e-4)


@pytest.mark.parametrize(
    ("model", "facts", "gib", "off"),
    [
        ("Qwen/Qwen3-4B-Instruct-2507-FP8", {"vllm_version": "0.8.5"}, 4.23, 0.01),
        ("moonshotai/Kimi-VL-A3B-Instruct", {"vllm_version": "0.19.0"}, 30.74, 0.02),
        ("moonshotai/Kimi-VL-A3B-Instruct", {"vllm_version": "0.19.0", "tensor_parallel": 2}, 15.53, 0.06),
        ("openai/gpt-oss-20b", {"vllm_version": "0.19.0", "card": find_gpu("H100").card}, 13.67, 0.25),  # 13.64 to 13.7
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", {"vllm_version": "0.7.3"}, 19.86, 0.05),
        ("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8", {}, 67.72, 0.1),
        ("google/gemma-4-26B-A4B", {}, 48.5, 0.1),
        ("MiniMaxAI/MiniMax-M2.5", {"tensor_parallel": 4}, 53.75, 0.15),
        (
            "AEON-7/Qwen3.6-27B-AEON-Ultimate-Uncensored-Multimodal-NVFP4-MTP",
            {"tensor_parallel": 4, "vllm_version": "0.20.2", "speculation": Speculation(method="mtp", tokens=3)},
            6.89,
            0.06,
        ),
        (
            "XiaomiMiMo/MiMo-V2.6-Flash-MOPD",
            {"tensor_parallel": 8, "expert_parallel": True, "language_model_only": True},
            20.10,
            0.05,
        ),
        ("zai-org/GLM-5.2-NVFP4", {"tensor_parallel": 4}, 106.86, 0.8),
        ("deepseek-ai/DeepSeek-V4-Flash", {"tensor_parallel": 2}, 74.34, 0.3),
        ("Qwen/Qwen2.5-Omni-7B", {"vllm_version": "0.10.0"}, 16.74, 0.05),
        ("Qwen/Qwen3-VL-2B-Instruct", {}, 4.24, 0.04),
    ],
)
def test_weights_are_near_what_other_logs_printed(model, facts, gib, off):
    assert weights(model, **facts) == pytest.approx(gib, abs=off)


@pytest.mark.parametrize(("version", "gib"), [("0.14.1", 64.38), ("0.10.1", 65.97)])
def test_mxfp4_is_padded_by_the_kernel_of_the_version(version, gib):
    card = find_gpu("H100").card

    assert weights("openai/gpt-oss-120b", card=card, vllm_version=version) == pytest.approx(gib, abs=0.12)


def test_a_pipeline_stage_has_one_end_of_the_model():
    shape = find_model("meta-llama/Llama-3.1-8B").shape
    halves = weights_of_stages(Deployment(shape=shape, pipeline_parallel=2))
    whole = weights_per_gpu(Deployment(shape=shape))

    assert sum(halves) == pytest.approx(whole, rel=0.003)


def test_qwen_moe_keeps_both_ends_on_every_stage():
    assert weights(
        "Qwen/Qwen3-30B-A3B-Instruct-2507", tensor_parallel=4, pipeline_parallel=2, vllm_version="0.10.1"
    ) == pytest.approx(7.3272, abs=0.01)


def test_expert_parallel_gives_whole_experts_to_each_gpu():
    cut = weights("Qwen/Qwen3-30B-A3B", tensor_parallel=4)
    whole = weights("Qwen/Qwen3-30B-A3B", tensor_parallel=4, expert_parallel=True)

    assert whole == pytest.approx(cut, rel=1e-6)


def test_data_parallel_repeats_attention_and_cuts_experts():
    alone = weights("Qwen/Qwen3-30B-A3B")

    assert alone / 4 < weights("Qwen/Qwen3-30B-A3B", data_parallel=4) < alone / 2


def test_prediction_layers_are_loaded_only_for_speculative_decoding():
    plain = weights("deepseek-ai/DeepSeek-V3", tensor_parallel=8)
    speculating = weights("deepseek-ai/DeepSeek-V3", tensor_parallel=8, speculation=Speculation(method="mtp", tokens=1))

    assert 0.5 < speculating - plain < 3


def test_lora_slots_are_counted():
    slots = {"lora": True, "max_loras": 4, "max_lora_rank": 64}

    assert weights("meta-llama/Llama-3.1-8B", **slots) - weights("meta-llama/Llama-3.1-8B") == pytest.approx(1.25)


def test_the_tower_stays_out_of_a_language_model_only_server():
    whole = weights("google/gemma-3-4b-it")

    assert whole - weights("google/gemma-3-4b-it", language_model_only=True) == pytest.approx(0.782, abs=0.01)


def test_a_flag_quantizes_a_plain_checkpoint():
    assert weights("meta-llama/Llama-3.1-8B", quantization="fp8") == pytest.approx(8.49, abs=0.05)


def test_a_model_without_a_shape_is_refused():
    with pytest.raises(ValueError, match=r"config\.json"):
        weights_per_gpu(Deployment(model="acme/Anvil"))


def test_weights_offloaded_to_the_host_are_not_on_the_gpu():
    assert weights("meta-llama/Llama-3.1-8B", cpu_offload_gib=4) == pytest.approx(
        weights("meta-llama/Llama-3.1-8B") - 4
    )


@pytest.mark.parametrize(("version", "rows"), [("0.11.0", 256), ("0.12.0", 0)])
def test_adapters_could_add_words_until_0_12(version, rows):
    facts = {"lora": True, "vllm_version": version}
    plain = {"lora": True, "vllm_version": "0.12.0"}

    assert weights("meta-llama/Llama-3.1-8B", **facts) - weights("meta-llama/Llama-3.1-8B", **plain) == pytest.approx(
        2 * rows * 4096 * 2 / 2**30, abs=1e-5
    )


def test_the_size_of_a_repository_is_dealt_out_like_the_layers():
    experts_apart = weights("deepseek-ai/DeepSeek-V4-Flash", data_parallel=8, expert_parallel=True)

    assert 148.68 / 8 < experts_apart < 148.68 / 4


_ON_HOST = (("VLLM_PLE_CPU_OFFLOAD", "1"),)


@pytest.mark.parametrize(
    ("environment", "text_only", "gib"), [((), None, 42.2), (_ON_HOST, None, 31.42), (_ON_HOST, True, 31.42)]
)
def test_tables_that_stay_on_the_host_take_no_gpu_memory(environment, text_only, gib):
    shape = find_model("Qwen/Qwen3.8-Flash-Next").shape
    deployment = Deployment(
        shape=shape, tensor_parallel=8, vllm_version="0.30.0", environment=environment, language_model_only=text_only
    )

    assert gib == pytest.approx(weights_per_gpu(deployment) / 2**30, rel=0.002)


def test_a_partition_set_by_hand_decides_what_each_stage_holds():
    shape = find_model("Qwen/Qwen3-30B-A3B").shape
    environment = (("VLLM_PP_LAYER_PARTITION", "16,32"),)
    run = Deployment(shape=shape, pipeline_parallel=2, environment=environment, vllm_version="0.15.2")
    small, large = (each.in_gib for each in weights_of_stages(run))

    assert large == pytest.approx(2 * small, rel=0.05)  # but for an embedding at either end


def test_scales_in_a_parameter_count_are_no_second_tower():
    assert weights("moonshotai/Kimi-K2.5") == pytest.approx(554.32, rel=0.003)  # the files of the int4 checkpoint


def test_kimi_k2_packs_its_experts_alone():
    assert 553.2 == pytest.approx(weights("moonshotai/Kimi-K2-Thinking"), rel=0.003)  # 594 GB of files


def test_the_files_of_a_packed_checkpoint_hold_its_prediction_layer_in_16_bits():
    found = weights("Qwen/Qwen3.5-27B-GPTQ-Int4", speculation=Speculation(method="mtp", tokens=1))

    assert Bytes(30_235_043_808).in_gib == pytest.approx(found, rel=0.003)


@pytest.mark.parametrize(("model", "gib"), [("zai-org/GLM-5.3", 703.7), ("zai-org/GLM-5.3-Flash", 306.0)])
def test_fp8_is_what_a_repository_without_a_suffix_has_beside_one_in_16_bits(model, gib):
    """The size of its files, a layer for prediction among them."""
    assert gib == pytest.approx(weights(model, speculation=Speculation(method="mtp", tokens=1)), rel=0.005)


@pytest.mark.parametrize(
    ("model", "card", "facts", "gib"),
    [
        ("TheBloke/Mistral-7B-Instruct-v0.2-GPTQ", "GB10", {"vllm_version": "0.11.0", "quantization": "gptq"}, 3.8844),
        ("Qwen/Qwen2.5-32B-Instruct-GPTQ-Int4", "Quadro RTX 6000", {"vllm_version": "0.8.5"}, 18.14),
    ],
)
def test_gptq_without_marlin_keeps_its_zero_points(model, card, facts, gib):
    assert gib == pytest.approx(weights(model, card=find_gpu(card).card, **facts), abs=0.03)
