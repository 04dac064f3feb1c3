import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.catalog.gpus import cards, find_gpu, instances
from bot.units import Bytes


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"),
        ("NVIDIA H100 80G...", "H100 SXM5 80GB"),
        ("NVIDIA RTX PRO 6000 Blac…", "RTX PRO 6000 Blackwell Server Edition"),
        ("4090", "GeForce RTX 4090"),
        ("a100 80gb", "A100 SXM4 80GB"),
        ("A100-40GB", "A100 SXM4 40GB"),
        ("rtx 6000 ada", "RTX 6000 Ada Generation"),
        ("L40S", "L40S"),
        ("L4", "L4"),
        ("mi300x", "Instinct MI300X"),
        ("rtx4090 laptop", "GeForce RTX 4090 Laptop GPU"),
        ("RTX A6000", "RTX A6000"),
        ("H100 MIG 3g.40gb", "H100 80GB MIG 3g.40gb"),
        ("GRID A100-40C", "vGPU GRID A100-40C"),
        ("some card (T4 class)", "Tesla T4"),
        ("NVIDIA GeForce RTX 5070 Ti + RTX 5090 D", "GeForce RTX 5070 Ti"),
    ],
)
def test_one_card_has_many_names(name, card):
    assert card == find_gpu(name).card.name


@pytest.mark.parametrize(
    ("name", "card", "count"),
    [
        ("g6.12xlarge", "L4", 4),
        ("a2-highgpu-8g", "A100 SXM4 40GB", 8),
        ("Standard_ND96asr_A100_v4", "A100 SXM4 40GB", 8),
        ("4x A100 80GB", "A100 SXM4 80GB", 4),
        ("8 × H100", "H100 SXM5 80GB", 8),
        ("two 3090s", "GeForce RTX 3090", 2),
        ("NVIDIA A10G (g5.2xlarge)", "A10G", 1),
    ],
)
def test_machines_and_counts_tell_how_many(name, card, count):
    match = find_gpu(name)

    assert (card, count) == (match.card.name, match.count)


@pytest.mark.parametrize(
    ("memory", "card"), [(Bytes.mib(16380), "GeForce RTX 4060 Ti 16GB"), (Bytes.mib(8188), "GeForce RTX 4060 Ti")]
)
def test_memory_decides_between_cards_of_one_name(memory, card):
    assert card == find_gpu("NVIDIA GeForce RTX 4060 Ti", memory).card.name


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("A100 (40 GB)", "A100 SXM4 40GB"),
        ("GeForce RTX 4060 Ti (16,380 MiB)", "GeForce RTX 4060 Ti 16GB"),
        ("RTX 4060 Ti 16380MiB", "GeForce RTX 4060 Ti 16GB"),
        ("2x RTX 3090 (48 GB)", "GeForce RTX 3090"),
        ("T4 16GB", "Tesla T4"),  # of which nvidia-smi counts 15
        ("2x A100 (80 GB in all)", "A100 SXM4 80GB"),
    ],
)
def test_memory_beside_a_name_decides_too(name, card):
    rows = [row.card for row in cards() if row.card.name == card]

    assert [find_gpu(name).card] == rows


def test_a_card_that_no_row_has_is_taken_as_its_text_states_it():
    card = find_gpu("NVIDIA Ember 900 (GA100, sm_80, 65536 MiB)").card

    assert ("NVIDIA Ember 900", Bytes.gib(64), 8.0) == (card.name, card.memory, card.compute_capability)
    assert (True, False) == (card.has_bf16, card.has_fp8)


def test_a_card_of_another_capability_than_the_row_of_its_name_is_another():
    card = find_gpu("RTX 3090 X (SM120, 85,651 MiB)").card

    assert ("RTX 3090 X", Bytes.mib(85_651), 12.0) == (card.name, card.memory, card.compute_capability)
    assert "GeForce RTX 3090" == find_gpu("RTX 3090 (sm_86, 24576 MiB)").card.name


@pytest.mark.parametrize("name", ["Ember 900", "Ember 900 (65536 MiB)", "Ember 900 (sm_80)", "GA100", "AD102 board"])
def test_neither_half_of_a_description_nor_a_chip_makes_a_card(name):
    assert None is find_gpu(name).card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("NVIDIA A100 40GB (GCE a2-highgpu-1g)", "A100 SXM4 40GB"),
        ("NVIDIA H100 80GB HBM3, 81559 MiB", "H100 SXM5 80GB"),
        ("A10G (g5.2xlarge)", "A10G"),
    ],
)
def test_a_machine_or_a_column_beside_the_name_is_no_other_memory(text, card):
    found = find_gpu(text).card

    assert (card, find_gpu(card).card.torch_memory) == (found.name, found.torch_memory)


def test_a_modded_card_keeps_its_chip_and_gets_the_memory_it_prints():
    card = find_gpu("NVIDIA GeForce RTX 4090", Bytes.mib(49140)).card

    assert (Bytes.mib(49140), 8.9, False) == (card.memory, card.compute_capability, card.torch_memory_is_measured)


def test_a_bare_name_of_cards_with_unequal_memory_says_so():
    match = find_gpu("A100")

    assert "A100 SXM4 80GB" == match.card.name
    assert "A100 SXM4 40GB" in match.candidates


def test_a_slice_without_its_card_could_be_any():
    assert 3 == len(find_gpu("1g.10gb").candidates)


@pytest.mark.parametrize(
    ("name", "gib"),
    [
        ("NVIDIA H100 80GB HBM3", 79.19),
        ("NVIDIA H200", 139.8),
        ("NVIDIA GeForce RTX 3090", 23.57),
        ("NVIDIA A100-SXM4-80GB", 79.32),
        ("NVIDIA GeForce RTX 5090", 31.4),
        ("Tesla T4", 14.58),
        ("Tesla V100-SXM2-32GB", 31.74),
        ("NVIDIA GB10", 121.6),
        ("NVIDIA B300", 267.69),
        ("NVIDIA L4", 22.05),
        ("NVIDIA A10G", 22.05),
        ("NVIDIA RTX A6000", 47.4),
    ],
)
def test_what_torch_sees_is_what_logs_showed(name, gib):
    card = find_gpu(name).card

    assert card.torch_memory_is_measured
    assert Bytes.gib(gib) == card.torch_memory


def test_a_card_without_a_reading_is_not_marked_as_measured():
    assert not find_gpu("RTX PRO 4000 Blackwell").card.torch_memory_is_measured


@pytest.mark.parametrize("name", ["", "hello", "gpu", "Ascend NPU"])
def test_other_words_name_no_card(name):
    assert None is find_gpu(name).card


def test_every_machine_holds_a_card_that_is_known():
    names = {row.card.name for row in cards()}

    assert set() == {machine.gpu for machine in instances().values()} - names


@settings(deadline=None)  # the first call reads the cards
@given(st.text(max_size=50))
def test_any_text_gets_an_answer(text):
    assert find_gpu(text).count is None or find_gpu(text).count >= 0


@pytest.mark.parametrize("name", ["NVIDIA GH200 480GB", "GH200 480GB", "GH200 with 480GB", "GH200 120GB"])
def test_memory_of_the_host_in_a_name_is_not_the_card_s(name):
    assert Bytes.gib(94.5) == find_gpu(name).card.torch_memory


@pytest.mark.parametrize(
    ("name", "gib", "card"),
    [
        ("A16-4Q", 4, "vGPU A16-4Q"),
        ("GRID A100D-20C", 20, "vGPU GRID A100D-20C"),
        ("NVIDIA H100-2-20C", 20, "vGPU NVIDIA H100-2-20C"),
        ("NVIDIA A10-8Q", 8, "vGPU NVIDIA A10-8Q"),
    ],
)
def test_a_virtual_card_has_the_memory_that_its_profile_names(name, gib, card):
    found = find_gpu(name).card

    assert (card, Bytes.gib(gib)) == (found.name, found.memory)


def test_a_number_behind_a_card_is_its_memory():
    assert ("A100 SXM4 80GB", ()) == (find_gpu("A100-80").card.name, find_gpu("A100-80").candidates)
    assert "A100 SXM4 40GB" == find_gpu("A100-40").card.name


@pytest.mark.parametrize("memory", [40, 80])
def test_a_slice_is_of_the_card_with_the_memory_that_was_named(memory):
    assert f"A100 {memory}GB MIG 1g.10gb" == find_gpu(f"NVIDIA A100-SXM4-{memory}GB MIG 1g.10gb").card.name
