import pytest

from bot.catalog.config.quantization import quantization_of, shorten


def test_a_16_bit_checkpoint_has_no_quantization():
    assert None is quantization_of(None)


def test_awq_stores_zero_points():
    found = quantization_of({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True})

    assert ("awq", 4, 128, False) == (found.method, found.bits, found.group_size, found.symmetric)


def test_block_scales_of_fp8_are_kept():
    found = quantization_of({"quant_method": "fp8", "weight_block_size": [128, 128]})

    assert (8, (128, 128)) == (found.bits, found.block)


def test_groups_of_compressed_tensors_tell_bits_and_symmetry():
    weights = {"num_bits": 4, "group_size": 32, "symmetric": True}
    config = {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": {"weights": weights}},
        "ignore": ["lm_head"],
    }
    found = quantization_of(config)

    assert (4, 32, True, ("lm_head",)) == (found.bits, found.group_size, found.symmetric, found.excluded)


def test_the_second_file_of_modelopt_counts():
    extra = {
        "quantization": {
            "quant_algo": "NVFP4",
            "kv_cache_quant_algo": "FP8",
            "group_size": 16,
            "exclude_modules": ["lm_head"],
        }
    }
    found = quantization_of(None, extra)

    assert ("modelopt", "NVFP4", "fp8", ("lm_head",)) == (found.method, found.algorithm, found.kv_cache, found.excluded)


def test_the_second_file_does_not_set_the_cache_where_the_first_packs_layers():
    found = quantization_of({"quant_method": "modelopt"}, {"quantization": {"kv_cache_quant_algo": "FP8"}})

    assert found.kv_cache is None


def test_a_mixed_checkpoint_names_the_algorithm_of_each_layer():
    layers = {f"model.layers.{n}.mlp.experts.{e}.w1": {"quant_algo": "NVFP4"} for n in range(3) for e in range(2)}
    found = quantization_of(None, {"quantization": {"quant_algo": "MIXED_PRECISION", "quantized_layers": layers}})

    assert (("model.layers.{0-2}.mlp.experts.w1", "NVFP4"),) == found.mixed


def test_names_that_differ_in_the_layer_only_are_folded():
    names = [f"model.layers.{number}.mlp.gate" for number in (0, 1, 2, 5)]

    assert ("model.layers.{0-2,5}.mlp.gate",) == shorten(names)


def test_experts_in_a_narrower_format_are_seen():
    assert 4.25 == quantization_of({"quant_method": "fp8"}, None, "fp4").expert_bits
    assert 4.25 == quantization_of({"quant_method": "fp8", "store_dtype": "mxfp4"}).expert_bits


@pytest.mark.parametrize(
    ("config", "bits"),
    [
        ({"quant_method": "gptq", "bits": 8}, 8),
        ({"quant_method": "awq", "w_bit": 4}, 4),
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, 8),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4),
        ({"quant_method": "mxfp4"}, 4),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 8),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, 4),
        ({"quant_method": "hqq"}, None),
    ],
)
def test_bits_are_stated_or_follow_from_algorithm_or_method(config, bits):
    assert bits == quantization_of(config).bits
