import pytest

from bot.reading.blocks import LAST_BLOCKS, LONGEST_BLOCK, LONGEST_COMMANDS, MARKS, Blocks
from bot.reading.read import read

CHATTER = [f'INFO:     127.0.0.1:{port} - "POST /v1/chat/completions HTTP/1.1" 200 OK' for port in range(5_000)]


def held(lines: list[str], chunk: int = 700) -> list[str]:
    blocks = Blocks()
    for first in range(0, len(lines), chunk):
        part = lines[first : first + chunk]
        numbered = enumerate(part, first + 1)
        marked = [(number, mark) for number, line in numbered for mark in MARKS if mark.text in line]
        blocks.take(part, first + 1, marked)
    return [text for _, text in sorted({*blocks.finish()})]


def a_table(used: int = 500) -> list[str]:
    rows = [
        line
        for index in range(8)
        for line in (
            f"|   {index}  NVIDIA L4                      Off |   00000000:0{index}:00.0 Off |                    0 |",
            f"| N/A   40C    P8             12W /   72W | {used + index:8d}MiB /  23034MiB |      0%      Default |",
            "|                                         |                        |                  N/A |",
            "+-----------------------------------------+------------------------+----------------------+",
        )
    ]
    return [
        "| NVIDIA-SMI 570.86.10              Driver Version: 570.86.10      CUDA Version: 12.8     |",
        *rows,
        "| Processes:                                                                              |",
        *(
            f"|    {index}   N/A  N/A          {1000 + index}      C   VLLM::EngineCore             {used}MiB |"
            for index in range(8)
        ),
    ]


def test_a_table_in_the_middle_of_a_long_log_is_read_whole() -> None:
    found = read("\n".join([*CHATTER, *a_table(), *CHATTER]))

    assert (8, 8, "570.86.10", 507) == (
        len(found.gpus),
        len(found.processes),
        found.driver,
        found.gpus[-1].memory_used_mib,
    )


def test_of_tables_that_a_loop_prints_the_last_counts() -> None:
    found = read("\n".join(line for used in range(100, 160) for line in [*CHATTER[:200], *a_table(used)]))

    assert [159 + index for index in range(8)] == [gpu.memory_used_mib for gpu in found.gpus]


def test_lines_without_a_mark_are_not_held() -> None:
    assert [] == held(CHATTER)


@pytest.mark.parametrize("chunk", [1, 7, 40, 5_000])
def test_a_block_is_held_whole_wherever_chunks_meet(chunk: int) -> None:
    table = a_table()

    assert table == [line for line in held([*CHATTER[:50], *table, *CHATTER[:50]], chunk) if line in table]


@pytest.mark.parametrize("mark", [mark.text for mark in MARKS])
def test_what_is_held_is_bounded_however_often_a_mark_stands_there(mark: str) -> None:
    lines = [f"{number} {mark}" for number in range(30_000)]

    assert (LAST_BLOCKS + 1) * LONGEST_BLOCK >= len(held(lines, 4_000))


@pytest.mark.parametrize("chunk", [90, 700, 4_000])
def test_of_commands_side_by_side_the_last_are_held(chunk: int) -> None:
    lines = [f"vllm serve acme/m-{number}b" for number in range(6_000)]
    found = held(lines, chunk)

    assert LONGEST_COMMANDS <= len(found) <= (LAST_BLOCKS + 1) * LONGEST_COMMANDS
    assert lines[-len(found) :] == found


def test_a_table_among_commands_is_read_whole() -> None:
    commands = [f"vllm serve acme/m-{number}b" for number in range(3_000)]
    found = read("\n".join([*commands, *a_table(), *commands[:20]]))

    assert (8, 8, "acme/m-19b") == (len(found.gpus), len(found.processes), found.value("model"))


def test_more_outputs_than_there_is_room_for_are_told() -> None:
    rows = [f"{index}, NVIDIA L4, {'x' * 400} MiB, 23034 MiB" for index in range(3_000)]

    assert any("only the last were read" in told for told in read("\n".join([*CHATTER, *rows, *CHATTER])).unfinished)
