import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.evidence import Line
from bot.facts import Origin
from bot.reading.gpu_monitors import read

UUID = "GPU-0a1b2c3d-1111-2222-3333-44445555666"
LISTING = (
    f"GPU 0: NVIDIA RTX 6000 Ada Generation (UUID: {UUID}0)\nGPU 1: NVIDIA RTX 6000 Ada Generation (UUID: {UUID}1)\n"
)
HEAD = "|   {0}  NVIDIA RTX 6000 Ada Gene...      On  |   00000000:4{0}:00.0 Off |                  Off |\n"
FIGURES = "| N/A   39C    P0             80W /  350W |     803MiB /  {}MiB |      7%      Default |\n"
MIG = "|                                         |                        |              Enabled |\n"
TABLE = HEAD.format(0) + FIGURES.format(49140) + HEAD.format(1) + FIGURES.format(49140)


def seen_in(text):
    return read(tuple(Line(number=number, text=line) for number, line in enumerate(text.split("\n"), 1)))


def facts(text):
    return {name: fact.value for name, fact in seen_in(text).facts.items()}


@pytest.mark.parametrize("text", [TABLE + LISTING, LISTING + TABLE], ids=["table first", "list first"])
def test_what_one_tool_leaves_open_another_fills(text):
    assert [
        ("NVIDIA RTX 6000 Ada Generation", f"{UUID}0", 803),
        ("NVIDIA RTX 6000 Ada Generation", f"{UUID}1", 803),
    ] == [(g.name, g.uuid, g.memory_used_mib) for g in seen_in(text).gpus]


def test_another_card_fills_nothing():
    text = TABLE + "GPU 0: NVIDIA L4 (UUID: GPU-0a1b2c3d-1111-2222-3333-444455556667)"

    assert [("NVIDIA L4", None)] == [(gpu.name, gpu.memory_total_mib) for gpu in seen_in(text).gpus]


def test_processes_of_a_sheet_replace_those_of_a_table_before():
    text = TABLE + "|  0  N/A  N/A   11   C   a   12MiB |\n" + LISTING
    text += f"gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n{UUID}1, 77, python3, 1200 MiB"

    assert [(1, 77, 1200)] == [(p.gpu, p.pid, p.memory_mib) for p in seen_in(text).processes]


def test_one_kind_of_card_states_card_count_and_memory():
    assert {"gpu": "NVIDIA RTX 6000 Ada Gene...", "gpu_count": 2, "gpu_memory": 49140 * 2**20} == facts(TABLE)


def test_facts_are_measured_and_quote_their_line():
    fact = seen_in("our box:\n" + TABLE).facts["gpu"]

    assert (Origin.MEASURED, 2) == (fact.origin, fact.line)
    assert fact.quote is not None
    assert fact.quote.startswith("|   0  NVIDIA RTX 6000")


def test_different_cards_state_neither_card_nor_memory():
    assert {"gpu_count": 2} == facts(
        HEAD.format(0) + FIGURES.format(49140) + HEAD.format(1).replace("6000", "4000") + FIGURES.format(20475)
    )


def test_a_single_gpu_picked_out_of_a_host_states_no_count():
    assert "gpu_count" not in facts(HEAD.format(3) + FIGURES.format(49140))


def test_sliced_cards_state_neither_count_nor_memory():
    assert {"gpu": "NVIDIA RTX 6000 Ada Gene..."} == facts(HEAD.format(0) + FIGURES.format(49140) + MIG)


def test_outputs_are_named_by_kind():
    assert {"nvidia-smi", "nvidia-smi-list"} == seen_in(TABLE + LISTING).kinds


PIECES = (
    TABLE, LISTING, HEAD, FIGURES, "GPU[0] : VRAM", "[0] a | 1C, 2 % | 3 / 4 MB | a(1M)", "<gpu id='0'><fb_memory_usage><used>",
    "index, name", "# gpu pid sm mem", "FB Memory Usage\nTotal : 1 MiB", "AMD-SMI 1", "0000:01:00.0 AMD | 1 %", "GPU: 0", "PID: 1",
    "MIG 1g.5gb Device 0:", "Processes:", "0 N/A N/A 1 C a 1MiB", "\\n", '"', "|", "1 MiB /", "99999999999999999999", "NVIDIA-SMI 1",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=30).map("\n".join))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_it(text):
    assert isinstance(seen_in(text).gpus, tuple)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=40).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_no_line_breaks_it(text):
    assert isinstance(seen_in(text).gpus, tuple)
