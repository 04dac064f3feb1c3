import pytest

from bot.deployment import Deployment, Gpu
from bot.sizing.card_memory import total_memory
from bot.sizing.terms import Measured
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
