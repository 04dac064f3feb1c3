import pytest

TABLE = """| AMD-SMI 26.0.0+37d158ab      amdgpu version: 6.14.14  ROCm version: 7.0.0    |
| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |
| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |
|=====================================+========================================|
| 0000:05:00.0    AMD Instinct MI300X | 0 %      34 °C   0           132/750 W |
|   0       0       4        SPX/NPS1 | 0 %        N/A           283/196288 MB |
|-------------------------------------+----------------------------------------|
| 0000:26:00.0    AMD Instinct MI300X | 0 %      33 °C   0           134/750 W |
|   1       1       5        SPX/NPS1 | 0 %        N/A        177152/196288 MB |
+------------------------------------------------------------------------------+
| Processes:                                                                   |
|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |
|==============================================================================|
|    1     220145  python3.12             2.0 MB  172.5 GB   172.9 GB    0.0 % |"""
SHOWN = [(0, "AMD Instinct MI300X", 283, 196288), (1, "AMD Instinct MI300X", 177152, 196288)]


def cards(seen):
    return [(g.index, g.name, g.memory_used_mib, g.memory_total_mib) for g in seen.gpus]


def test_the_table_is_read(monitors):
    seen = monitors.read(TABLE)

    assert (SHOWN, "6.14.14") == (cards(seen), seen.driver)
    assert [(1, 220145, "python3.12", 176640)] == [(p.gpu, p.pid, p.name, p.memory_mib) for p in seen.processes]


def test_of_two_tables_the_last_counts(monitors):
    assert SHOWN == cards(monitors.read(TABLE.replace("283", "999") + "\n" + TABLE))


@pytest.mark.parametrize(
    "text",
    [
        "GPU  POWER  GPU_T  MEM_T  GFX_CLK  GFX%  MEM%  VRAM_USED  VRAM_TOTAL\n  1  140 W  38 °C  33 °C  132 MHz   0 %   0 %     283 MB   196288 MB",
        "GPU  XCP  POWER  GPU_T  GFX%  VRAM_USAGE\n  1    0  152 W  45 °C   0 %   283/196288 MB",
        "GPU: 1\n    MEM_USAGE:\n        TOTAL_VRAM: 196288 MB\n        USED_VRAM: 283 MB",
    ],
    ids=["monitor", "monitor since 7.0", "metric"],
)
def test_other_commands_say_the_same(monitors, text):
    assert [(1, None, 283, 196288)] == cards(monitors.read(text))


def test_static_facts_name_the_card(monitors):
    text = "GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X\n    DRIVER:\n        VERSION: 6.10.5\n    VRAM:\n        SIZE: 196288 MB"
    seen = monitors.read(text)

    assert ([(0, "AMD Instinct MI300X", None, 196288)], "6.10.5") == (cards(seen), seen.driver)


def test_a_list_of_processes_belongs_to_its_card(monitors):
    text = "GPU: 1\n    PROCESS_INFO:\n        NAME: python3\n        PID: 5123\n        MEMORY_USAGE:\n            VRAM_MEM: 1.5 GB"

    assert [(1, 5123, "python3", 1536)] == [(p.gpu, p.pid, p.name, p.memory_mib) for p in monitors.read(text).processes]
