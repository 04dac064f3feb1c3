import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NAMES = (
    "NVIDIA A100-SXM4-80GB",
    "NVIDIA H100 80GB HBM3",
    "NVIDIA GeForce RTX 4090",
    "NVIDIA RTX 6000 Ada Generation",
    "Tesla T4",
    "GRID A100D-40C",
    "NVIDIA L4",
    "Orin (nvgpu)",
)
PROGRAMS = (
    "python3",
    "VLLM::Worker_TP0",
    "...envs/vllm/bin/python3.11",
    "C:\\Windows\\explorer.exe",
    "[Not Found]",
    "",
)
ERAS = ("340", "390", "440", "470", "535", "550", "580", "591 Windows", "610")
NOISES = (
    "nothing", "collapsed blanks", "lost indent", "lost right bar", "lost frame", "lost frame and blanks", "one line",
    "wrapped at 80", "wrapped at 72", "wrapped at 60", "a JSON string", "JSON lines", "box drawing", "bars as letters",
    "tabs", "no-break spaces", "entities", "CRLF", "blank lines between", "inline code", "OCR", "a diff", "quote marks",
    "comment signs", "line numbers", "line numbers and bars", "compose", "CRI", "journald", "vLLM's logger",
    "another logger", "a host",
)  # fmt: skip
FIRST_NOISES = ("collapsed blanks", "lost frame", "lost right bar", "wrapped at 80", "tabs", "OCR")
SECOND_NOISES = ("quote marks", "comment signs", "compose", "journald", "another logger", "a host", "entities", "CRLF")


def machines(monitors, *, has_mig=False):
    def build(count, name, total, share, pids, memories):
        cards = [
            monitors.Card(n, name, int(total * share), total, mig="Enabled" if has_mig else "Disabled")
            for n in range(count)
        ]
        devices = (
            [monitors.Device(n, gi, 0, gi - 1, 17 * gi) for n in range(count) for gi in (1, 2, 9)] if has_mig else []
        )
        processes = [
            monitors.Process(
                n % count,
                pid,
                memory,
                PROGRAMS[pid % len(PROGRAMS)],
                gi=9 if has_mig else None,
                ci=0 if has_mig else None,
            )
            for n, (pid, memory) in enumerate(zip(pids, memories, strict=False))
        ]
        return monitors.Machine(cards, processes, devices)

    return st.builds(
        build,
        st.sampled_from((1, 2, 8)),
        st.sampled_from(NAMES),
        st.sampled_from((8192, 24564, 81920, 143771, 183359)),
        st.floats(0, 1),
        st.lists(st.integers(2, 4_194_304), max_size=8, unique=True),
        st.lists(st.none() | st.integers(2, 99_999), min_size=8, max_size=8),
    )


@pytest.mark.parametrize("noise", NOISES)
@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_printed_machine_is_read_back_through_noise(monitors, noise, data):
    machine = data.draw(machines(monitors))
    era = data.draw(st.sampled_from(ERAS))
    text = "\n".join(monitors.NOISE[noise](monitors.print_table(machine, era)))

    assert monitors.state_shown(machine, era) == monitors.state_of(monitors.read(text))


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_two_kinds_of_noise_are_no_harder_than_one(monitors, data):
    machine = data.draw(machines(monitors))
    era = data.draw(st.sampled_from(ERAS))
    first, second = data.draw(st.sampled_from(FIRST_NOISES)), data.draw(st.sampled_from(SECOND_NOISES))
    lines = monitors.NOISE[second](monitors.NOISE[first](monitors.print_table(machine, era)))

    assert monitors.state_shown(machine, era) == monitors.state_of(monitors.read("\n".join(lines)))


@pytest.mark.parametrize("noise", ["nothing", "collapsed blanks", "lost frame", "wrapped at 80", "one line", "CRI"])
@given(data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mig_devices_are_read_back_through_noise(monitors, noise, data):
    machine = data.draw(machines(monitors, has_mig=True))
    era = data.draw(st.sampled_from(("470", "535", "580", "610")))
    text = "\n".join(monitors.NOISE[noise](monitors.print_table(machine, era)))

    assert monitors.state_shown(machine, era) == monitors.state_of(monitors.read(text))


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_table_cut_anywhere_shows_nothing_that_was_not_printed(monitors, data):
    machine = data.draw(machines(monitors))
    text = "\n".join(monitors.print_table(machine, "580"))
    end = data.draw(st.integers(0, len(text)))
    shown, seen = monitors.state_shown(machine, "580"), monitors.read(text[:end])

    used, totals = {card.used for card in machine.cards}, {card.total for card in machine.cards}
    assert all(gpu.memory_used_mib in used | {None} and gpu.memory_total_mib in totals | {None} for gpu in seen.gpus)
    assert {p.memory_mib for p in seen.processes} <= {memory for *_, memory in shown["processes"]} | {None}


def test_two_tables_count_as_the_last(monitors):
    first = monitors.print_table(monitors.Machine([monitors.Card(used=1), monitors.Card(1)]), "535")
    last = monitors.Machine([monitors.Card(name="NVIDIA L4", total=23034)])

    seen = monitors.read("\n".join([*first, *monitors.print_table(last, "580")]))
    assert monitors.state_shown(last, "580") == monitors.state_of(seen)


def test_tables_side_by_side_are_refused(monitors):
    lines = monitors.print_table(monitors.Machine(processes=[monitors.Process()]), "580")
    seen = monitors.read("\n".join(f"{line:<95}{line}" for line in lines))

    assert ((), ()) == (seen.gpus, seen.processes)
    assert "side by side" in seen.unfinished[0]


def test_a_cell_that_holds_nothing_is_nothing(monitors):
    machine = monitors.Machine()
    text = "\n".join(monitors.print_table(machine, "580")).replace(" 803MiB /  46068MiB", "      Not Supported ")

    assert [(0, "NVIDIA L40S", None, None)] == monitors.state_of(monitors.read(text))["gpus"]


def test_cuda_that_the_driver_does_not_know_is_unknown(monitors):
    text = "\n".join(monitors.print_table(monitors.Machine(), "580")).replace(
        "CUDA Version: 13.0", "CUDA Version: N/A "
    )

    assert ("580.95.05", None) == (monitors.read(text).driver, monitors.read(text).cuda)


def test_the_tool_and_the_driver_may_have_different_numbers(monitors):
    text = "\n".join(monitors.print_table(monitors.Machine(), "580")).replace(
        "NVIDIA-SMI 580.95.05", "NVIDIA-SMI 575.51.02"
    )

    assert "580.95.05" == monitors.read(text).driver
