import pytest

from bot.catalog.gpu_rows import Instance, Row, cards, instances
from bot.catalog.gpus import find_gpu
from bot.reading.prose.gpus import Said, find_cards


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("RTX PRO 6000 Blackwell 96GB", Said("RTX PRO 6000 Blackwell 96GB", None, 96)),
        ("4090 x2", Said("4090", 2)),
        ("my 3090 Ti", Said("3090 Ti")),
        ("2張4090", Said("4090", 2)),
        ("8块4090（24G）", Said("4090 24GB", 8, 24)),
        ("2 x GeForce RTX 3060 8GB", Said("GeForce RTX 3060 8GB", 2, 8)),
        ("RTX 3090 with 8GB free, RTX 3090 8GB free", Said("RTX 3090")),
        ("NVIDIA A100-SXM4-80GB", Said("NVIDIA A100-SXM4 80GB", None, 80)),
        ("a2-highgpu-4g", Said("a2-highgpu-4g")),
        ("ml.p4d.24xlarge", Said("p4d.24xlarge")),
        ("AMD MI300X", Said("AMD MI300X")),
        ("two nodes of 8xH100", Said("H100", 16, None, 2)),
        ("2x 8xH100 nodes", Said("H100", 16, None, 2)),
        ("two 8-GPU H100 servers", Said("H100", 16, None, 2)),
        ("2x8xH100", Said("H100", 16, None, 2)),
        ("2 nodes with 16 H100 in total", Said("H100", 16, None, 2)),
        ("2 servers of llama on an H100", Said("H100", None, None, 2)),
        ("an H100 with 24GB", Said("H100 24GB", None, 24)),
        ("an H100 with 512GB RAM", Said("H100")),
        ("one GPU with 24 GB VRAM", Said(None, 1, 24)),
        ("port 4090", Said()),
        ("2x Tesla V100-PCIE-32GB", Said("Tesla V100-PCIE 32GB", 2, 32)),
        ("RTX 4000 SFF Ada Generation x2", Said("RTX 4000 SFF Ada Generation", 2)),
        ("a titan rtx", Said("titan rtx")),
        ("four A100-80", Said("A100 80GB", 4, 80)),
        ("nvidia-l40s x4", Said("nvidia-l40s x4")),
        ("on a3-edgegpu-8g", Said("a3-edgegpu-8g")),
        ("gpu-h100x8-640gb", Said("gpu-h100x8-640gb")),
        ("NVIDIA A16-8Q", Said("NVIDIA A16-8Q")),
        ("2000xL4", Said("L4")),
        ("after 3090 tokens", Said()),
        ("T4x is no card, L4x neither", Said()),
    ],
)
def test_cards_are_named_in_many_ways(sentence: str, said: Said) -> None:
    assert said == find_cards(sentence)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("on an H100 MIG 1g.10gb", "H100 MIG 1g.10gb"),
        ("MIG 3g.40gb of an A100 80GB", "A100 80GB MIG 3g.40gb"),
        ("a 1g.5gb slice", "MIG 1g.5gb"),
    ],
)
def test_a_slice_is_not_the_whole_card(text: str, name: str):
    assert name == find_cards(text).name


def test_machines_before_a_cloud_machine_are_counted():
    assert 2 == find_cards("on 2x g6.12xlarge").nodes
    assert find_cards("on g6.12xlarge").nodes is None


def test_a_count_may_stand_behind_its_name() -> None:
    assert 4 == find_cards("- GPU Count: 4").cards


@pytest.mark.parametrize(
    ("sentence", "name"),
    [("llama 3.1 8b, l4", "l4"), ("4090 24gb, yi-34b", "4090 24GB"), ("(t4)", "t4"), ("step 4090 of 24", None)],
)
def test_a_card_may_stand_alone(sentence: str, name: str | None) -> None:
    assert name == find_cards(sentence).name


@pytest.mark.parametrize(("sentence", "cards"), [("80xL4", 80), ("100 x H100", 100), ("4 x L4", 4)])
def test_a_count_of_a_cluster_is_read_like_that_of_a_machine(sentence: str, cards: int) -> None:
    assert cards == find_cards(sentence).cards


@pytest.mark.parametrize("row", [row for row in cards() if not row.mig], ids=lambda row: row.card.name)
def test_every_card_is_read_as_the_driver_prints_it(row: Row) -> None:
    for spelt in (spelt for spelt in row.prints if " " in spelt and "(" not in spelt):
        said = find_cards(f"qwen2.5-7b on 2x {spelt}, vllm 0.19.0")
        found = find_gpu(said.name or "", row.card.memory).card
        whole = find_gpu(spelt, row.card.memory).card
        assert (spelt, whole, 2) == (spelt, found, said.cards)


@pytest.mark.parametrize("name", [name for name in instances() if any(sign in name for sign in "-._=")])
def test_every_cloud_machine_is_read_with_its_cards(name: str) -> None:
    said = find_cards(f"qwen2.5-7b on {name}, vllm 0.19.0")
    found = find_gpu(said.name or "")

    assert instances()[name] == Instance(found.card.name if found.card else "", found.count or 0)


def test_a_card_is_taken_with_what_its_brackets_state():
    said = find_cards("it starts on 2x NVIDIA Ember 900 (GA100, sm_80, 65536 MiB) with 0.27")

    assert ("NVIDIA Ember 900 (GA100, sm_80, 65536 MiB)", 2) == (said.name, said.cards)


def test_brackets_without_a_capability_describe_no_card():
    assert None is find_cards("it starts on Ember 900 (65536 MiB)").name


@pytest.mark.parametrize(
    ("sentence", "name", "cards"),
    [
        ("gemma 27b on 4 A100 40s", "A100 40GB", 4),
        ("does it fit on a100 40?", "a100 40GB", None),
        ("on 2 A100 80s with 0.9", "A100 80GB", 2),
        ("on H20 96", "H20 96GB", None),
    ],
)
def test_a_bare_number_behind_a_card_is_its_memory_if_the_card_is_sold_with_it(
    sentence: str, name: str, cards: int | None
) -> None:
    said = find_cards(sentence)

    assert (name, cards) == (said.name, said.cards)


@pytest.mark.parametrize("sentence", ["on 2 A100 40 requests", "on A100 24", "on A100 40 users at once"])
def test_a_number_behind_a_card_that_counts_something_is_no_memory(sentence: str) -> None:
    assert "A100" == find_cards(sentence).name
