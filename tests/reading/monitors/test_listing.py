import pytest

UUID = "0a1b2c3d-1111-2222-3333-444455556666"


def test_cards_are_listed_with_their_full_names(monitors):
    text = f"GPU 0: NVIDIA L4 (UUID: GPU-{UUID})\nGPU 1: NVIDIA RTX 6000 Ada Generation (UUID: GPU-{UUID[:-1]}7)"

    assert [
        (0, "NVIDIA L4"),
        (1, "NVIDIA RTX 6000 Ada Generation"),
    ] == [(g.index, g.name) for g in monitors.read(text).gpus]


@pytest.mark.parametrize(
    ("uuid", "instances"), [(f"MIG-{UUID}", (None, None)), (f"MIG-GPU-{UUID}/7/1", (7, 1))], ids=["new", "old"]
)
def test_mig_devices_are_listed_without_memory(monitors, uuid, instances):
    text = f"GPU 2: NVIDIA H100 80GB HBM3 (UUID: GPU-{UUID})\n  MIG 2g.20gb     Device  3: (UUID: {uuid})"
    (device,) = monitors.read(text).mig_devices

    assert (2, *instances, 3, "2g.20gb", None) == (
        device.gpu, device.gi, device.ci, device.dev, device.profile, device.memory_total_mib,
    )  # fmt: skip


def test_an_environment_report_names_cards_and_driver(monitors):
    text = """PyTorch version: 2.8.0+cu128
CUDA runtime version: 12.4.99
GPU models and configuration:
GPU 0: NVIDIA A10G
GPU 1: NVIDIA A10G
Nvidia driver version: 550.1.2"""
    seen = monitors.read(text)

    assert (["NVIDIA A10G"] * 2, "550.1.2", None) == ([g.name for g in seen.gpus], seen.driver, seen.cuda)


@pytest.mark.parametrize(
    "text", ["GPU 0: half full", "GPU 1: is lost", "GPU 0: 800MiB of 24564MiB", "GPU 0: Unknown Error"]
)
def test_sentences_about_a_gpu_list_nothing(monitors, text):
    assert () == monitors.read(text).gpus
