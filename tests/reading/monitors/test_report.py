import pytest

REPORT = """==============NVSMI LOG==============
Driver Version                            : 590.1.2
CUDA Version                              : 13.1
Attached GPUs                             : 2
GPU 00000000:01:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    MIG Mode
        Current                           : Enabled
        Pending                           : Enabled
    MIG Device
        Index                             : 0
        GPU Instance ID                   : 2
        Compute Instance ID               : 1
        FB Memory Usage
            Total                         : 40448 MiB
            Used                          : 37 MiB
        BAR1 Memory Usage
            Total                         : 32767 MiB
            Used                          : 1 MiB
    Accounting Mode                       : Disabled
    GPU UUID                              : GPU-0a1b2c3d-1111-2222-3333-444455556666
    FB Memory Usage
        Total                             : 81559 MiB
        Reserved                          : 479 MiB
        Used                              : 1234 MiB
        Free                              : 79846 MiB
    BAR1 Memory Usage
        Total                             : 131072 MiB
        Used                              : 5 MiB
    Conf Compute Protected Memory Usage
        Total                             : 0 MiB
        Used                              : 0 MiB
    Utilization
        GPU                               : 12 %
    Temperature
        GPU Current Temp                  : 59 C
    Processes
        GPU instance ID                   : 2
        Compute instance ID               : 1
        Process ID                        : 77
            Type                          : C
            Name                          : /opt/python3
            Used GPU Memory               : 1200 MiB
        Process ID                        : 78
            Type                          : G
            Name                          : X
            Used GPU Memory               : Not available in WDDM driver model
GPU 00000000:02:00.0
    Product Name                          : NVIDIA L4
    FB Memory Usage
        Total                             : 23034 MiB
        Used                              : 5 MiB"""


@pytest.fixture(params=["indented", "indent lost"])
def seen(monitors, request):
    lines = REPORT.split("\n")
    return monitors.read(
        "\n".join(lines if "indented" == request.param else [" ".join(line.split()) for line in lines])
    )


def test_only_the_frame_buffer_is_memory(seen):
    assert [
        (0, 1234, 81559, 479),
        (1, 5, 23034, None),
    ] == [(g.index, g.memory_used_mib, g.memory_total_mib, g.memory_reserved_mib) for g in seen.gpus]


def test_driver_names_and_state_are_read(seen):
    first, second = seen.gpus

    assert ("590.1.2", "13.1") == (seen.driver, seen.cuda)
    assert ("NVIDIA H100 80GB HBM3", "Enabled", 12, 59) == (
        first.name,
        first.mig_mode,
        first.utilization_pct,
        first.temperature_c,
    )
    assert "NVIDIA L4" == second.name


def test_a_process_belongs_to_the_block_it_stands_in(seen):
    assert [
        (0, 2, 1, 77, 1200),
        (0, None, None, 78, None),
    ] == [(p.gpu, p.gi, p.ci, p.pid, p.memory_mib) for p in seen.processes]


def test_a_mig_device_has_its_own_memory(seen):
    assert [(0, 2, 1, 0, 37, 40448)] == [
        (d.gpu, d.gi, d.ci, d.dev, d.memory_used_mib, d.memory_total_mib) for d in seen.mig_devices
    ]


def test_a_report_of_memory_alone_has_no_names(monitors):
    text = "GPU 00000000:01:00.0\n    FB Memory Usage\n        Total : 81559 MiB\n        Used : 3 MiB"

    assert [(0, None, 3)] == [(g.index, g.name, g.memory_used_mib) for g in monitors.read(text).gpus]


def test_what_names_the_instance_of_a_process_is_no_field_of_a_gpu(monitors):
    text = "====NVSMI LOG====\n    Process ID : 20\n    GPU instance ID : N/A\n    Process ID : 21"

    assert ((20, 21), ()) == (tuple(p.pid for p in monitors.read(text).processes), monitors.read(text).unfinished)
