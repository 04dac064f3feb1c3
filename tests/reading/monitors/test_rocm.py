import pytest

SHORT = """Device  [Model : Revision]    Temp        Power     Partitions      SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%
        Name (20 chars)       (Junction)  (Socket)  (Mem, Compute)
====================================================================================================================
0       [0x74a1 : 0x00]       45.0°C      173.0W    NPS1, SPX       132Mhz  900Mhz  0%   auto  750.0W   17%   3%
        AMD Instinct MI300X
1       [0x74a1 : 0x00]       41.0°C      179.0W    NPS1, SPX       132Mhz  900Mhz  0%   auto  750.0W    0%   0%
        AMD Instinct MI300X"""


def test_a_share_of_memory_is_no_amount(monitors):
    assert [(0, "AMD Instinct MI300X", None, None, 3), (1, "AMD Instinct MI300X", None, None, 0)] == [
        (g.index, g.name, g.memory_used_mib, g.memory_total_mib, g.utilization_pct) for g in monitors.read(SHORT).gpus
    ]


def test_the_older_table_has_no_names(monitors):
    text = "GPU  Temp   AvgPwr  SCLK     MCLK     Fan  Perf  PwrCap  VRAM%  GPU%\n0    45.0c  35.0W   1502Mhz  1000Mhz  0%   auto  300.0W   10%   7%"

    assert [(0, None, 7)] == [(g.index, g.name, g.utilization_pct) for g in monitors.read(text).gpus]


@pytest.mark.parametrize(
    "text",
    [
        "GPU[1]\t\t: VRAM Total Memory (B): 206141652992\nGPU[1]\t\t: VRAM Total Used Memory (B): 297025536",
        "device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard1,206141652992,297025536",
        '{"card1": {"VRAM Total Memory (B)": "206141652992", "VRAM Total Used Memory (B)": "297025536"}}',
    ],
    ids=["lines", "CSV", "JSON"],
)
def test_bytes_are_rounded_to_mib(monitors, text):
    assert [(1, 283, 196592)] == [(g.index, g.memory_used_mib, g.memory_total_mib) for g in monitors.read(text).gpus]


def test_what_its_options_print_adds_up(monitors):
    text = "GPU[0]\t: Card Series: \tAMD Instinct MI300X\nGPU[0]\t: VRAM Total Memory (B): 206141652992"

    assert [("AMD Instinct MI300X", 196592)] == [(g.name, g.memory_total_mib) for g in monitors.read(text).gpus]


def test_a_process_names_a_count_of_gpus_and_not_which(monitors):
    text = "PID     PROCESS NAME    GPU(s)  VRAM USED       SDMA USED       CU OCCUPANCY\n12345   python3         1       1048576000      0               0"

    assert [(None, 12345, 1000)] == [(p.gpu, p.pid, p.memory_mib) for p in monitors.read(text).processes]
