import pytest

UUID = "GPU-0a1b2c3d-1111-2222-3333-444455556666"


def gpus(monitors, text):
    return [(g.index, g.name, g.memory_used_mib, g.memory_total_mib) for g in monitors.read(text).gpus]


def processes(monitors, text):
    return [(p.gpu, p.pid, p.name, p.memory_mib) for p in monitors.read(text).processes]


SHEET = """index, name, memory.total [MiB], memory.used [MiB]
0, NVIDIA L4, 23034 MiB, 812 MiB
1, NVIDIA L4, 23034 MiB, 1 MiB"""


@pytest.mark.parametrize(
    "change",
    [
        ("", ""),
        (" MiB", ""),
        (", ", ","),
        (", ", ";"),
        (", ", "\t"),
        (", ", " | "),
        ("\n", "\r\n"),
        ("\n", "\n\n"),
        ("\n", "\nnode-7: "),
    ],
)
def test_a_sheet_is_read_by_the_names_of_its_columns(monitors, change):
    text = SHEET.replace(*change)
    text = "node-7: " + text if "node-7" in text else text

    assert [(0, "NVIDIA L4", 812, 23034), (1, "NVIDIA L4", 1, 23034)] == gpus(monitors, text)


def test_an_index_in_the_last_column_counts(monitors):
    text = "name, memory.used [MiB], index\nNVIDIA L4, 5 MiB, 3\nNVIDIA L4, 6 MiB, 1"

    assert [(3, "NVIDIA L4", 5, None), (1, "NVIDIA L4", 6, None)] == gpus(monitors, text)


def test_without_an_index_the_position_counts(monitors):
    text = "name, memory.used [MiB]\nNVIDIA L4, 5 MiB\nNVIDIA L4, 6 MiB"

    assert [(0, "NVIDIA L4", 5, None), (1, "NVIDIA L4", 6, None)] == gpus(monitors, text)


@pytest.mark.parametrize(
    "row", ["0, NVIDIA L4, 812 MiB, 23034 MiB", "0, NVIDIA L4, 23034, 812, 3", "0,NVIDIA L4,812,23034"]
)
def test_without_a_heading_the_smaller_of_two_figures_is_used(monitors, row):
    assert [(0, "NVIDIA L4", 812, 23034)] == gpus(monitors, row)


def test_the_command_line_names_the_columns_that_no_heading_names(monitors):
    text = (
        "$ nvidia-smi --query-gpu=memory.total,memory.free,memory.used --format=csv,noheader,nounits\n23034, 1, 23033"
    )

    assert [(0, None, 23033, 23034)] == gpus(monitors, text)


def test_a_row_whose_beginning_is_cut_is_no_gpu(monitors):
    text = "X4-80GB, 812 MiB, 81920 MiB\n1, NVIDIA A100-SXM4-80GB, 1 MiB, 81920 MiB"

    assert [(1, "NVIDIA A100-SXM4-80GB", 1, 81920)] == gpus(monitors, text)


def test_a_figure_cut_before_its_unit_is_unknown(monitors):
    assert [(0, "NVIDIA L4", 812, 23034), (1, "NVIDIA L4", None, 23034)] == gpus(monitors, SHEET.removesuffix(" MiB"))


def test_thousands_marks_of_a_spreadsheet_are_none_of_the_figure(monitors):
    text = SHEET.replace("23034 MiB", "23.034 MiB")

    assert [23034, 23034] == [total for *_, total in gpus(monitors, text)]


def test_of_a_loop_each_gpu_counts_once_with_its_newest_figures(monitors):
    text = SHEET + "\n0, NVIDIA L4, 23034 MiB, 900 MiB\n1, NVIDIA L4, 23034 MiB, 2 MiB"

    assert [(0, "NVIDIA L4", 900, 23034), (1, "NVIDIA L4", 2, 23034)] == gpus(monitors, text)


@pytest.mark.parametrize(("second", "driver"), [("550.1.2", "550.1.2"), ("535.1.2", None)])
def test_drivers_that_disagree_are_unknown(monitors, second, driver):
    text = f"index, driver_version, name\n0, 550.1.2, NVIDIA L4\n1, {second}, NVIDIA L4"

    assert driver == monitors.read(text).driver


APPS = f"""gpu_uuid, pid, process_name, used_gpu_memory [MiB]
{UUID}, 77, /opt/a, b/python, 1200 MiB
{UUID}, 78, [Not Found], [N/A]"""


def test_a_process_of_an_unlisted_card_has_no_gpu(monitors):
    assert [(None, 77, "/opt/a, b/python", 1200), (None, 78, "[Not Found]", None)] == processes(monitors, APPS)


def test_a_process_belongs_to_the_card_of_its_uuid(monitors):
    cards = f"index, uuid, name\n0, {UUID[:-1]}7, NVIDIA L4\n1, {UUID}, NVIDIA L4\n"

    assert [1, 1] == [gpu for gpu, *_ in processes(monitors, cards + APPS)]


def test_processes_are_told_from_cards_without_a_heading(monitors):
    text = "77, python3, 1200 MiB\n78, /usr/bin/x, 3 MiB"

    assert ([(None, 77, "python3", 1200), (None, 78, "/usr/bin/x", 3)], []) == (
        processes(monitors, text),
        gpus(monitors, text),
    )


@pytest.mark.parametrize(
    "text", ["a, b and c", "1, 2, 3", "index, of, names", "0, I think, it is 3 MiB", "driver, version"]
)
def test_lists_in_prose_are_no_sheets(monitors, text):
    assert ((), ()) == (monitors.read(text).gpus, monitors.read(text).processes)


@pytest.mark.parametrize("width", [46, 52, 60, 72, 80])
def test_rows_broken_at_a_width_are_read(monitors, width):
    heading = "index, name, uuid, pci.bus_id, memory.total [MiB], memory.used [MiB]"
    rows = [f"{n}, NVIDIA_L4, {UUID[:-1]}{n}, 00000000:0{n}:00.0, 23034 MiB, {800 + n} MiB" for n in range(3)]
    pieces = [line[at : at + width] for line in (heading, *rows) for at in range(0, len(line), width)]

    assert [(n, 800 + n, 23034) for n in range(3)] == [
        (index, used, total) for index, _, used, total in gpus(monitors, "\n".join(pieces))
    ]


def test_of_two_sheets_of_one_command_the_last_counts(monitors):
    command = "$ nvidia-smi --query-gpu=memory.used,memory.total --format=csv,noheader,nounits"
    found = monitors.read(f"{command}\n70123, 81559\n12, 81559\n{command}\n70124, 81559\n13, 81559")

    assert [70124, 13] == [gpu.memory_used_mib for gpu in found.gpus]
