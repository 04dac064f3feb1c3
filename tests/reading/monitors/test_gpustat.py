import pytest

TEXT = """box-17          Mon Nov 30 07:58:12 2026  550.1.2
[0] NVIDIA L40S | 41°C,  98 % | 45417 / 46068 MB | alice(402M) bob:python/77(45000M)
[1] NVIDIA L40S | 36'C,   0 % |    ?? /    ?? MB | python/78(?M)
 ├─     77 ( 101%,  257MB): python"""


@pytest.mark.parametrize("change", [("", ""), (" | ", " "), ("   ", " "), ("°", "º")])
def test_a_line_is_a_gpu(monitors, change):
    seen = monitors.read(TEXT.replace(*change))

    assert [
        (0, "NVIDIA L40S", 45417, 46068, 41),
        (1, "NVIDIA L40S", None, None, 36),
    ] == [(g.index, g.name, g.memory_used_mib, g.memory_total_mib, g.temperature_c) for g in seen.gpus]


def test_processes_have_users_names_and_pids_as_far_as_shown(monitors):
    assert [
        (0, None, "alice", None, 402),
        (0, 77, "bob", "python", 45000),
        (1, 78, None, "python", None),
    ] == [(p.gpu, p.pid, p.user, p.name, p.memory_mib) for p in monitors.read(TEXT).processes]


def test_the_first_line_names_the_driver(monitors):
    assert "550.1.2" == monitors.read(TEXT).driver


def test_of_two_outputs_the_last_counts(monitors):
    seen = monitors.read(TEXT + "\n[0] NVIDIA L4 | 41C, 9 % | 17 / 23034 MB |")

    assert ([(0, "NVIDIA L4", 17)], ()) == ([(g.index, g.name, g.memory_used_mib) for g in seen.gpus], seen.processes)


@pytest.mark.parametrize("width", [30, 40, 50, 60])
def test_a_line_that_a_window_broke_is_one_line(monitors, width):
    lines = TEXT.split("\n")[1:3]
    broken = "\n".join(line[at : at + width] for line in lines for at in range(0, len(line), width))

    assert monitors.state_of(monitors.read("\n".join(lines))) == monitors.state_of(monitors.read(broken))


def test_a_heading_may_be_indented(monitors):
    text = "    host  Tue Jan  7 10:00:00 2025  550.54.14\n    [0] NVIDIA L4 | 33'C,  0 % |  1024 / 23034 MB |"

    assert "550.54.14" == monitors.read(text).driver
