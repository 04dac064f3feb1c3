"""DeepSeek V4's cache, against start-up logs."""

import pytest

from bot.deployment import Deployment
from bot.model_shape import Layer, LayerKind, LayerRun, ModelShape
from bot.sizing.defaults import with_defaults
from bot.sizing.kv_cache import groups, requests
from bot.sizing.resolved import resolve
from bot.units import Bytes

WINDOW = Layer(kind=LayerKind.SLIDING, window=128)
CLOSE = Layer(kind=LayerKind.FULL, compression=4, has_indexer=True)
FAR = Layer(kind=LayerKind.FULL, compression=128)


@pytest.fixture(scope="module")
def v4_flash():
    pairs = [(WINDOW, 2), *[(CLOSE, 1), (FAR, 1)] * 20, (CLOSE, 1)]
    return ModelShape(
        name="DeepSeek-V4-Flash",
        model_type="deepseek_v4",
        hidden=4096,
        vocab=129_280,
        heads=64,
        kv_heads=1,
        head_dim=512,
        max_position=1_048_576,
        dtype="bfloat16",
        runs=tuple(LayerRun(layer=layer, count=count) for layer, count in pairs),
    )


def planned(shape, **facts):
    run = resolve(
        with_defaults(Deployment(shape=shape, **({"vllm_version": "0.27.1", "max_num_seqs": 256} | facts)))[0]
    )
    return groups.pool(run), run


def test_a_request_needs_what_a_log_said(v4_flash):
    pool, run = planned(v4_flash, max_model_len=131_072, max_num_batched_tokens=65_536)

    assert requests.needed(131_072, pool, run) / 2**30 == pytest.approx(52.66, abs=0.01)


@pytest.mark.parametrize(
    ("kv", "length", "tokens", "estimate"), [(23.37, 131_072, 65_536, 58_148), (5.44, 30_000, 8192, 13_528)]
)
def test_the_estimated_length_is_the_logged_one(v4_flash, kv, length, tokens, estimate):
    pool, run = planned(v4_flash, vllm_version="0.27.1", max_model_len=length, max_num_batched_tokens=tokens)

    found = requests.longest(Bytes.gib(kv), pool, run, length)
    assert found == pytest.approx(estimate, rel=1.1e-3)


def test_printed_tokens_are_the_logged_ones(v4_flash):
    pool, run = planned(v4_flash, max_model_len=98_304, max_num_batched_tokens=8192)
    least, most = (requests.held(Bytes.gib(kv), pool, run).tokens for kv in (50.505, 50.515))

    assert least <= 752_889 <= most


def test_a_larger_batch_takes_more_of_the_cache(v4_flash):
    small, large = (
        requests.blocks_per_request(98_304, *planned(v4_flash, max_model_len=98_304, max_num_batched_tokens=tokens))
        for tokens in (8192, 32_768)
    )

    assert large > 3 * small
