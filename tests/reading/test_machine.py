import pytest

from bot.reading.read import read


@pytest.mark.parametrize(("link", "told"), [("NV12", "nvlink"), ("PHB", "pcie"), ("SYS", "pcie")])
def test_a_matrix_of_links_tells_the_link(link, told):
    matrix = f"\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \t{link}\t0-31\nGPU1\t{link}\t X \t0-31\n"

    assert told == read(matrix).value("gpu_link")


def test_a_kernel_of_wsl_tells_it():
    assert True is read("OS : Linux-5.15.167.4-microsoft-standard-WSL2-x86_64-with-glibc2.35").value("is_wsl")


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("WARNING 05-01 10:00:00 [a.py:1] Using 'pin_memory=False' as WSL is detected.", "is_wsl", True),
        ("I run it in WSL2 on my laptop", "is_wsl", True),
        ("this is plain Ubuntu, no WSL", "is_wsl", None),
        ("vllm serve /mnt/c/models/qwen", "is_wsl", True),
        ("2x A100 connected over NVLink", "gpu_link", "nvlink"),
        ("4x A100, no NVLink between them", "gpu_link", "pcie"),
        ("A100-SXM4-80GB x 2", "gpu_link", None),
    ],
)
def test_people_and_logs_tell_of_the_machine(said, name, value):
    assert value == read(said).value(name)


def test_a_matrix_outranks_what_somebody_says():
    matrix = "it has NVLink\n\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPHB\t0-31\nGPU1\tPHB\t X \t0-31\n"

    assert "pcie" == read(matrix).value("gpu_link")
