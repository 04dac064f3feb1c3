import pytest

from bot.reading.read import read


@pytest.mark.parametrize(
    "text",
    [
        "vLLM Version: 0.8.5",
        "vLLM Version : 0.8.5",
        "[pip3] vllm==0.8.5",
        "vllm                 0.8.5",
        "Name: vllm\nVersion: 0.8.5",
    ],
)
def test_an_installed_version_is_read_from_each_listing(text: str) -> None:
    assert "0.8.5" == str(read(text).value("vllm_version"))


def test_the_version_of_another_package_is_not_ours() -> None:
    assert read("Name: torch\nVersion: 2.8.0\n[pip3] vllm-flash-attn==2.6.1").value("vllm_version") is None


def test_the_name_of_a_wheel_tells_the_version() -> None:
    assert "0.9.1" == str(
        read("pip install https://x/vllm-0.9.1-cp38-abi3-manylinux1_x86_64.whl").value("vllm_version")
    )
