"""What AMD cards hold beside the tensors."""

import pytest

from bot.catalog.gpus import find_gpu
from bot.catalog.models import find_model
from bot.deployment import Deployment
from bot.sizing.weights.per_gpu import weights_per_gpu
from bot.sizing.weights.quantized import Scheme
from bot.sizing.weights.rocm import padding_bytes, taken_beside
from bot.sizing.weights.tensors import Matrix

MI300X = find_gpu("MI300X").card
OUTPUT = Matrix(("self_attn.o_proj",), 4096, 1024)
EXPERTS = Matrix(("mlp.experts.down_proj",), 4096, 512, 8)
BLOCK, TENSOR, CHANNEL, PLAIN = (Scheme(name) for name in ("fp8_block", "fp8_tensor", "fp8", "plain"))


@pytest.mark.parametrize(
    ("model", "ranks", "gib"),
    [
        ("meta-llama/Llama-3.3-70B-Instruct", 1, 131.62),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", 1, 68.36),
        ("deepseek-ai/DeepSeek-R1-0528", 8, 81.31),
    ],
)
def test_weights_are_what_a_start_up_log_of_0_14_printed(model: str, ranks: int, gib: float):
    deployment = Deployment(
        model=model, shape=find_model(model).shape, card=MI300X, vllm_version="0.14.1", tensor_parallel=ranks
    )

    assert gib == pytest.approx(weights_per_gpu(deployment).in_gib, abs=0.006 * gib)


@pytest.mark.parametrize(
    ("matrix", "scheme", "release", "rows"),
    [
        (OUTPUT, BLOCK, (0, 14), 4096),
        (OUTPUT, TENSOR, (0, 33), 4096),
        (OUTPUT, CHANNEL, (0, 14), 0),
        (OUTPUT._replace(inputs=1025), BLOCK, (0, 14), 0),
        (OUTPUT, PLAIN, (0, 14), 0),
        (EXPERTS, PLAIN, (0, 8, 1), 0),
        (EXPERTS, PLAIN, (0, 8, 2), 8 * 4096),
        (EXPERTS, PLAIN, (0, 19, 1), 8 * 4096),
        (EXPERTS, PLAIN, (0, 20), 0),
        (EXPERTS, PLAIN, (0, 24), 0),
        (EXPERTS, PLAIN, (0, 25), 8 * 4096),
        (EXPERTS, PLAIN, (0, 29), 8 * 4096),
        (EXPERTS, PLAIN, (0, 30), 0),
        (EXPERTS, BLOCK, (0, 14), 0),
    ],
)
def test_rows_of_a_multiple_of_512_bytes_are_lengthened(
    matrix: Matrix, scheme: Scheme, release: tuple[int, ...], rows: int
):
    assert 256 * rows == padding_bytes(matrix, scheme, 2.0, release)


def test_the_mask_of_the_largest_fp8_matrix_stays():
    alone = taken_beside((), MI300X, (0, 14))

    assert alone + 8 * 4096 * 512 == taken_beside(((OUTPUT, BLOCK), (EXPERTS, BLOCK)), MI300X, (0, 14))
    assert alone == taken_beside(((OUTPUT, PLAIN),), MI300X, (0, 14))


@pytest.mark.parametrize(("card", "release"), [("MI300X", (0, 21)), ("H100", (0, 14))])
def test_what_torch_counts_is_no_more_than_the_tensors(card: str, release: tuple[int, ...]):
    assert 0 == taken_beside(((OUTPUT, BLOCK),), find_gpu(card).card, release)


def test_cards_with_the_usual_floats_look_for_no_zeros():
    assert taken_beside(((OUTPUT, BLOCK),), find_gpu("MI355X").card, (0, 14)) == taken_beside((), MI300X, (0, 14))
