import pytest

from bot.reading.prose_gpus import Said, find_cards


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("RTX PRO 6000 Blackwell 96GB", Said("RTX PRO 6000 Blackwell 96GB", None, 96)),
        ("4090 x2", Said("4090", 2)),
        ("my 3090 Ti", Said("3090 Ti")),
        ("2張4090", Said("4090", 2)),
        ("8块4090（24G）", Said("4090 24GB", 8, 24)),
        ("NVIDIA A100-SXM4-80GB", Said("NVIDIA A100-SXM4 80GB", None, 80)),
        ("a2-highgpu-4g", Said("a2-highgpu-4g")),
        ("ml.p4d.24xlarge", Said("p4d.24xlarge")),
        ("AMD MI300X", Said("AMD MI300X")),
        ("two nodes of 8xH100", Said("H100", 8, None, 2)),
        ("one GPU with 24 GB VRAM", Said(None, 1, 24)),
        ("port 4090", Said()),
        ("after 3090 tokens", Said()),
        ("T4x is no card, L4x neither", Said()),
    ],
)
def test_cards_are_named_in_many_ways(sentence: str, said: Said) -> None:
    assert said == find_cards(sentence)
