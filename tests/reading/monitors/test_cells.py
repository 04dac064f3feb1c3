from __future__ import annotations

from bot.reading.monitors.cells import columns_of

UUID = "GPU-5b0c1f3e-0000-0000-0000-000000000000"


def test_a_row_of_a_gpu_is_told_by_the_looks_of_its_cells():
    cells = ["0", "NVIDIA L4", UUID, "23034 MiB", "120 MiB"]

    assert ("index", "name", "uuid", "memory.total", "memory.used") == columns_of(cells)


def test_of_two_amounts_the_smaller_is_used():
    assert ("name", "memory.used", "memory.total") == columns_of(["NVIDIA L4", "120 MiB", "23034 MiB"])


def test_bare_figures_above_any_load_are_memory():
    assert ("index", "name", "memory.used", "memory.total") == columns_of(["0", "NVIDIA L4", "1200", "23034"])


def test_a_row_of_a_process_has_a_pid_a_name_and_memory():
    assert ("uuid", "pid", "process_name", "used_memory") == columns_of([UUID, "4242", "/usr/bin/python3", "800 MiB"])


def test_words_are_no_row():
    assert columns_of(["hello", "world", "again"]) is None


def test_one_cell_is_no_row():
    assert columns_of(["23034 MiB"]) is None
