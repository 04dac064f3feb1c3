import pytest

LOST = """|   1  ERR!                           On  |   00000000:61:00.0 Off |                 ERR! |
|ERR!  ERR!  ERR!           ERR! / ERR!   |       0MiB /  46068MiB |    ERR!         ERR! |"""
HEAD = "|   0  NVIDIA L40S                    On  |   00000000:4A:00.0 Off |                    0 |\n"
FIGURES = "| N/A   39C    P0             80W /  350W |     803MiB /  46068MiB |      7%      Default |"


def cards(monitors, text):
    return [(g.index, g.name, g.memory_used_mib, g.memory_total_mib) for g in monitors.read(text).gpus]


def test_of_a_lost_gpu_only_the_printed_total_is_known(monitors):
    assert [(1, None, None, 46068)] == cards(monitors, LOST)


def test_an_unknown_power_cap_harms_nothing_else(monitors):
    assert [(0, "NVIDIA L40S", 803, 46068)] == cards(monitors, HEAD + FIGURES.replace("350W", "ERR!"))


@pytest.mark.parametrize("end", ["803MiB", "803MiB /", "803MiB /  460", "803MiB /  46068", "803MiB /  46068M"])
def test_a_total_that_is_cut_off_is_unknown(monitors, end):
    text = HEAD + FIGURES[: FIGURES.index("803")] + end

    assert [None] == [total for *_, total in cards(monitors, text)]


def test_a_row_whose_first_line_is_cut_is_known_by_its_position(monitors):
    assert [
        (0, None, 803, 46068),
        (1, "NVIDIA L40S", 803, 46068),
    ] == cards(monitors, FIGURES + "\n" + HEAD.replace("  0 ", "  1 ", 1) + FIGURES)


def test_first_lines_alone_list_gpus(monitors):
    assert [
        (0, "NVIDIA L40S", None, None),
        (3, "NVIDIA L40S", None, None),
    ] == cards(monitors, HEAD + HEAD.replace("  0 ", "  3 ", 1))


def test_rows_picked_by_grep_are_gpus(monitors):
    assert [0, 1] == [index for index, *_ in cards(monitors, f"$ nvidia-smi | grep MiB\n{FIGURES}\n{FIGURES}")]


def test_a_row_shortened_by_hand_is_a_gpu(monitors):
    assert [(0, "NVIDIA L40S", 5, 46068)] == cards(monitors, "|   0  NVIDIA L40S    5MiB / 46068MiB    0%   |")


@pytest.mark.parametrize(
    "text",
    [
        "GPU0: 803MiB / 46068MiB (2%)",
        "the first card is half full, 12000MiB / 24576MiB",
        "0 requests took 803MiB / 46068MiB",
        "gpu 1 at 00000000:4A:00.0 is lost",
        "[12.3] NVRM: Xid (PCI:0000:4a:00): 79, GPU has fallen off the bus.",
    ],
)
def test_sentences_list_no_gpu(monitors, text):
    assert [] == cards(monitors, text)


def test_temperature_power_load_and_display_are_read(monitors):
    (gpu,) = monitors.read(HEAD + FIGURES).gpus

    assert (39, 80.0, 7, False, "00000000:4A:00.0") == (
        gpu.temperature_c, gpu.power_w, gpu.utilization_pct, gpu.display, gpu.bus_id,
    )  # fmt: skip


NVITOP = """│ NVITOP 1.3.2       Driver Version: 535.129.03      CUDA Driver Version: 12.2 │
│   0  GeForce RTX 3090    Off  │ 00000000:01:00.0 Off │                  N/A │ MEM: ███▏ 45%
│ 30%   41C    P8    25W / 350W │   10.5GiB / 24.00GiB │     12%      Default │ UTL: █ 12%
│ Processes:                                                    alice@box │
│ GPU     PID      USER  GPU-MEM %SM  %CPU  %MEM      TIME  COMMAND │
│   0   12345 C   alice  10.1GiB  12 101.3   2.1   3:12:01  python train.py --x 3 │
│   0   12399 G    root   52.0MiB  0   0.3   0.1   10 days  /usr/lib/xorg/Xorg │"""


def test_nvitop_counts_in_gib(monitors):
    seen = monitors.read(NVITOP)

    assert ([(0, "GeForce RTX 3090", 10752, 24576)], "535.129.03", "12.2") == (
        cards(monitors, NVITOP),
        seen.driver,
        seen.cuda,
    )
    assert [
        (0, 12345, "alice", "python train.py --x 3", 10342),
        (0, 12399, "root", "/usr/lib/xorg/Xorg", 52),
    ] == [(p.gpu, p.pid, p.user, p.name, p.memory_mib) for p in seen.processes]


def test_letters_that_a_scan_made_of_digits_are_digits(monitors):
    text = """|   O  NVIDIA L40S                    0n  |   OOOOOOOO:4A:OO.O 0ff |                    O |
| NIA   39C    P0             80W /  350W |     8O3MlB /  46O68MlB |      7%      Default |
|    O   NIA  N/4          2ll940      C   python3                      754O4MlB |"""
    seen = monitors.read(text)

    assert [(0, "NVIDIA L40S", 803, 46068)] == cards(monitors, text)
    assert [(0, None, None, 211940, 75404)] == [(p.gpu, p.gi, p.ci, p.pid, p.memory_mib) for p in seen.processes]
