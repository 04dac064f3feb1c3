import pytest


@pytest.mark.parametrize(
    "text",
    [
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that it is running.",
        "NVIDIA-SMI has failed because it couldn’t communicate with the NVIDIA driver.",
        "Failed to initialize NVML: Driver/library version mismatch",
        "> Failed to initialize NVML: Unknown Error",
        "No devices were found",
        "Unable to determine the device handle for GPU0000:91:00.0: Unknown Error",
        "Unable to determine the device handle for gpu 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU",
    ],
)
def test_an_error_is_a_failure_and_no_gpu(monitors, text):
    seen = monitors.read(text)

    assert (1, ()) == (len(seen.failures), seen.gpus)
    assert "nvidia-smi-error" in seen.kinds


def test_the_other_gpus_may_follow_an_error(monitors):
    text = "Unable to determine the device handle for GPU1: 0000:0A:00.0: GPU is lost.\nGPU 0: NVIDIA L4 (UUID: GPU-0a1b2c3d-1111-2222-3333-444455556666)"

    assert [0] == [gpu.index for gpu in monitors.read(text).gpus]


def test_a_version_of_the_library_is_not_the_drivers(monitors):
    assert (
        None
        is monitors.read(
            "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.54"
        ).driver
    )
