import pytest

HEADING = "| Processes:                                                                              |\n"


def processes(monitors, text):
    return [(p.gpu, p.pid, p.name, p.memory_mib) for p in monitors.read(text).processes]


@pytest.mark.parametrize(
    ("cell", "memory"),
    [("16901...", None), ("N/A", None), ("73.6 GB", None), ("75404", None), ("75404MiB", 75404), ("[N/A]", None)],
)
def test_memory_is_known_when_it_is_written_whole(monitors, cell, memory):
    text = HEADING + f"|    0   N/A  N/A          211940      C   VLLM::Worker_TP0                      {cell} |"

    assert [(0, 211940, "VLLM::Worker_TP0", memory)] == processes(monitors, text)


def test_the_end_of_a_table_lists_processes_and_no_gpu(monitors):
    text = "|    1   N/A  N/A          211940      C   python3                      75404MiB |\n+------+"

    assert ([(1, 211940, "python3", 75404)], ()) == (processes(monitors, text), monitors.read(text).gpus)


def test_memory_on_the_next_line_belongs_to_the_process(monitors):
    text = HEADING + "     0   N/A  N/A          211940      C   python3\n    75404MiB"

    assert [(0, 211940, "python3", 75404)] == processes(monitors, text)


@pytest.mark.parametrize("text", ["|  No running processes found   |", "| nothing runs here |", "|    |"])
def test_words_in_place_of_rows_are_no_processes(monitors, text):
    assert [] == processes(monitors, HEADING + text)


def test_two_compute_instances_share_the_memory_of_one_gpu_instance(monitors):
    text = """| MIG devices:                                                                            |
|  0    2   0   0  |           16925MiB / 71424MiB    | 16      0 |  3   0    3    0    3 |
|                  |               0MiB / 59237MiB    |           |                       |
|  0    2   1   1  |           16925MiB / 71424MiB    | 32      0 |  3   0    3    0    3 |
|                  |               0MiB / 59237MiB    |           |                       |"""

    assert [
        (0, 2, 0, 0, 71424),
        (0, 2, 1, 1, 71424),
    ] == [(d.gpu, d.gi, d.ci, d.dev, d.memory_total_mib) for d in monitors.read(text).mig_devices]
