from __future__ import annotations

from bot.reading.monitors.query_records import Record, read_gpus, read_processes

UUID = "GPU-5b0c1f3e-0000-0000-0000-000000000000"


def gpus(*cells: dict[str, str]) -> list[Record]:
    return [(number, {"name": "NVIDIA L4", **row}) for number, row in enumerate(cells, start=1)]


def test_of_a_loop_each_cards_last_sample_counts():
    records = gpus({"index": "0", "memory.used": "10 MiB"}, {"index": "0", "memory.used": "20 MiB"})

    assert [(0, 20, 2)] == [(gpu.index, gpu.memory_used_mib, gpu.line) for gpu in read_gpus(records)[0]]


def test_cards_that_nothing_names_are_counted():
    assert [0, 1] == [gpu.index for gpu in read_gpus(gpus({}, {}))[0]]


def test_an_amount_that_lost_its_unit_was_cut():
    records = gpus({"index": "0", "memory.used": "10 MiB", "memory.total": "230"})

    assert [(10, None)] == [(gpu.memory_used_mib, gpu.memory_total_mib) for gpu in read_gpus(records)[0]]


def test_without_units_bare_figures_are_mib():
    assert [23_034] == [gpu.memory_total_mib for gpu in read_gpus(gpus({"memory.total": "23034"}))[0]]


def test_the_driver_is_told_when_all_rows_agree():
    one, other = {"index": "0", "driver_version": "550.54.15"}, {"index": "1", "driver_version": "535.1.1"}

    assert ("550.54.15", None) == (read_gpus(gpus(one))[1], read_gpus(gpus(one, other))[1])


def test_a_process_is_listed_once_with_what_names_its_card():
    row = {"uuid": UUID, "pid": "4242", "process_name": "python3", "used_memory": "800 MiB"}
    (listed,) = read_processes([(1, row), (2, {**row, "used_memory": "900 MiB"})])

    assert (UUID, 4242, 900) == (listed.uuid, listed.reading.pid, listed.reading.memory_mib)


def test_a_broken_row_is_no_process():
    assert () == read_processes([(1, {"pid": "0", "process_name": "x", "used_memory": "1 MiB"})])
