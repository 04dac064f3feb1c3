import pytest

from bot.deployment import Deployment, Gpu
from bot.model_shape import Layer, LayerKind, LayerRun, ModelShape
from bot.sizing.size import size
from bot.sizing.terms import Budget, Measured
from bot.units import Bytes


def a_budget(shape: ModelShape, **facts: object) -> Budget:
    sizes = {"memory": Bytes.mib(32_607), "torch_memory": Bytes.gib(31.4), "torch_memory_is_measured": True}
    card = Gpu(name="GeForce RTX 5090", compute_capability=12.0, **sizes)
    return size(Deployment.model_validate({"shape": shape, "card": card, "max_model_len": 8192, **facts}))


def test_without_a_version_graphs_may_be_taken_off_the_cache(llama_8b: ModelShape) -> None:
    either, old = a_budget(llama_8b, engine="V1"), a_budget(llama_8b, vllm_version="0.11.0")

    assert either.kv_available == old.kv_available
    assert either.kv_low < old.kv_low - Bytes.gib(1)  # 1.9 GiB less was printed behind one such log


def test_a_log_of_old_wording_takes_no_graphs_off(llama_8b: ModelShape) -> None:
    old = a_budget(llama_8b, engine="V1", version_until="0.19.1")

    assert old.kv_available - old.kv_low < Bytes.gib(0.5)


def test_a_consumer_card_may_turn_out_to_be_under_wsl(llama_8b: ModelShape) -> None:
    either, wsl = (a_budget(llama_8b, vllm_version="0.24.0", is_wsl=told) for told in (None, False))

    assert either.kv_high > wsl.kv_high


def on_an_a100(shape: ModelShape, **facts: object) -> Budget:
    a100 = Gpu(name="A100 80GB", torch_memory=Bytes.gib(79.32), torch_memory_is_measured=True, compute_capability=8.0)
    usual = {"shape": shape, "card": a100, "vllm_version": "0.10.1.1", "max_model_len": 16_384}
    return size(Deployment.model_validate(usual | {"gpu_memory_utilization": 0.5} | facts))


def test_the_cache_behind_the_other_sampler_lies_in_the_range(llama_8b: ModelShape) -> None:
    either, other = on_an_a100(llama_8b), on_an_a100(llama_8b, flashinfer_sampler=True)

    assert either.kv_high >= other.kv_high


def test_a_peak_that_was_printed_leaves_no_choice_of_samplers(llama_8b: ModelShape) -> None:
    known = size(on_an_a100(llama_8b).deployment, Measured(activation=Bytes.gib(1.2)))

    assert known.kv_high - known.kv_available < Bytes.gib(0.3)


@pytest.mark.parametrize("version", ["0.7.3", "0.9.0.1", "0.11.0", "0.33.0"])
@pytest.mark.parametrize("printed", [0.26, 15.14])
def test_the_concurrency_of_a_log_tells_its_cache(llama_8b: ModelShape, version: str, printed: float) -> None:
    told = a_budget(llama_8b, vllm_version=version).deployment
    found = size(told, Measured(concurrency=printed))

    assert found.kv_measured
    assert pytest.approx(printed, abs=0.005) == found.concurrency
    assert found.kv_low < found.kv_available < found.kv_high


def test_the_tokens_of_a_log_tell_more_than_its_concurrency(llama_8b: ModelShape) -> None:
    told = a_budget(llama_8b, vllm_version="0.11.0").deployment

    assert 20_000 == size(told, Measured(kv_tokens=20_000, concurrency=2.44)).kv_tokens


def test_a_log_that_rounds_to_none_tells_nothing(llama_8b: ModelShape) -> None:
    told = a_budget(llama_8b, vllm_version="0.11.0").deployment

    assert not size(told, Measured(concurrency=0.0)).kv_measured


def test_of_several_groups_it_tells_the_cache_of_a_known_release_only(gemma_27b: ModelShape) -> None:
    versions: tuple[dict[str, object], ...] = ({}, {"vllm_version": "0.11.0"})
    told = [a_budget(gemma_27b, **facts).deployment for facts in versions]
    unsaid = told[0].with_(vllm_version=None)

    assert [False, True] == [size(each, Measured(concurrency=2.0)).kv_measured for each in (unsaid, told[1])]


def test_a_model_without_a_cache_has_none_whatever_its_log_counts(llama_8b: ModelShape) -> None:
    embedding = llama_8b.model_copy(update={"runs": (LayerRun(layer=Layer(kind=LayerKind.ENCODER), count=12),)})
    budget = size(Deployment(shape=embedding, gpu_memory=Bytes.gib(15)), Measured(kv_tokens=1_000))

    assert (0, 0, 0) == (budget.kv_low, budget.kv_available, budget.kv_high)
