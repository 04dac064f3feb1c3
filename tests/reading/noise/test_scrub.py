import re
from collections import Counter
from pathlib import Path

import pytest

from bot.reading.noise.scrub import scrub

ROOT = Path(__file__).parents[3]
SAMPLES = [*sorted((ROOT / "knowledge").rglob("*.yaml")), *sorted((ROOT / "tests" / "golden").rglob("*.txt"))]
HIDDEN = re.compile("<(?:secret|token|credentials|private key|key)>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HF_TOKEN=hf_" + "a1B2" * 8, "HF_TOKEN=<token>"),
        ("Authorization: Bearer abcdef0123456789xyz", "Authorization: Bearer <token>"),
        ("http://ann:s3cret@proxy:3128/", "http://<credentials>@proxy:3128/"),
        ("ask ann.lee@acme.example please", "ask <email> please"),
        ("at 10.1.2.3:8000", "at <ip>:8000"),
        ("/home/ann/models/acme-8b", "/home/<user>/models/acme-8b"),
        ("s3://acme-weights/llm/acme-8b", "s3://<bucket>/llm/acme-8b"),
        ("--api-key token-abc123", "--api-key <secret>"),
        ('aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"', 'aws_secret_access_key = "<secret>"'),
    ],
)
def test_a_secret_is_replaced_by_what_it_was(text: str, expected: str) -> None:
    assert expected == scrub(text)


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-cudnn-cu12==9.1.0.70",
        "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-num-batched-tokens 8192",
        "max_num_batched_tokens=8192, bos_token_id=128000, token_budget=2048",
        "Uvicorn running on http://0.0.0.0:8000",
        "Driver Version: 550.54.15   CUDA Version: 12.4",
        "GPU KV cache size: 33,824 tokens",
    ],
)
def test_what_diagnosis_needs_stays(text: str) -> None:
    assert text == scrub(text)


def test_a_private_key_goes_and_lines_keep_their_number() -> None:
    text = "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nb"

    assert ["a", "<private key>", "", "", "", "b"] == scrub(text).split("\n")


def test_one_gpu_keeps_one_identity() -> None:
    first, second = "GPU-5c2f1d8e-70aa-5b1c-9c40-d1e0a2b7f3c6", "GPU-11111d8e-70aa-5b1c-9c40-d1e0a2b7f3c6"
    place = "GPU-00000000-0000-0000-0000-00000000000"

    assert f"{place}1 {place}2 {place}1" == scrub(f"{first} {second} {first}")


def test_a_secret_that_touches_another_goes_too() -> None:
    assert "<email><email>" == scrub("a@b.cd10.1.2.310.1.2.3a@b.cd")


@pytest.mark.parametrize("before", ["", "token\n", "a token of it\nand more\n", "plain\n", "keys\n\n"])
@pytest.mark.parametrize("behind", ["", "\ntoken", "\nplain", "\n\nmy key"])
def test_a_name_and_its_value_are_found_wherever_other_names_stand(before: str, behind: str) -> None:
    assert f"{before}name: HF_TOKEN\n  value: <secret>{behind}" == scrub(
        f"{before}name: HF_TOKEN\n  value: a1b2c3d4e5f6{behind}"
    )


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_no_sample_of_ours_holds_a_secret(path: Path) -> None:
    text = path.read_text()
    once = scrub(text)

    assert ({}, once) == (Counter(HIDDEN.findall(once)) - Counter(HIDDEN.findall(text)), scrub(once))
