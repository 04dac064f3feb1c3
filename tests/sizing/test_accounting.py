import pytest

from bot.deployment import Deployment, Gpu, ModelShape
from bot.sizing.accounting import total_memory
from bot.sizing.size import size
from bot.sizing.terms import Budget, Measured
from bot.units import Bytes

H100 = Gpu(name="NVIDIA H100 80GB HBM3", memory=Bytes.mib(81559), torch_memory=Bytes.gib(79.2))


def a_deployment(gpu_memory: Bytes) -> Deployment:
    return Deployment(card=H100, gpu_memory=gpu_memory)


@pytest.mark.parametrize(
    "stated", [Bytes.mib(81559), Bytes.gib(80), Bytes.mib(80080)], ids=["nvidia-smi", "a shop", "an older driver"]
)
def test_a_known_card_has_what_torch_sees_whatever_others_count(stated: Bytes) -> None:
    assert Bytes.gib(79.2) == total_memory(a_deployment(stated), Measured())


def test_a_total_far_below_the_cards_is_a_slice_and_counts() -> None:
    assert Bytes.mib(40448) == total_memory(a_deployment(Bytes.mib(40448)), Measured())


def test_what_torch_printed_outranks_all() -> None:
    assert Bytes.gib(79.11) == total_memory(a_deployment(Bytes.mib(81559)), Measured(total=Bytes.gib(79.11)))


@pytest.mark.parametrize(("printed", "linux", "wsl"), [(6144, 5.52, 6.0), (32_607, 31.4, 32.0)])
def test_wsl_shows_all_of_a_card(printed: int, linux: float, wsl: float) -> None:
    card = Gpu(name="RTX", memory=Bytes.mib(printed), torch_memory=Bytes.gib(linux))

    assert Bytes.gib(wsl) == total_memory(Deployment(card=card, is_wsl=True), Measured())
    assert Bytes.gib(linux) == total_memory(Deployment(card=card), Measured())


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
