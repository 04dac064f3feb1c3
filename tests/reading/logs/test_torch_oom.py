import pytest

from bot.reading.read import read
from bot.units import Bytes


@pytest.mark.parametrize(
    ("message", "amounts"),
    [
        (
            (
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB (GPU 0; 23.69 GiB total capacity; 22.50 GiB "
                "already allocated; 120.50 MiB free; 22.60 GiB reserved in total by PyTorch)"
            ),
            {
                "oom_tried": Bytes.mib(256),
                "total": Bytes.gib(23.69),
                "oom_allocated": Bytes.gib(22.5),
                "oom_free": Bytes.mib(120.5),
            },
        ),
        (
            (
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 KiB. GPU 0 has a total capacty of 14.58 GiB of which "
                "0 bytes is free."
            ),
            {"oom_tried": Bytes(448 * 1024), "total": Bytes.gib(14.58), "oom_free": Bytes(0)},
        ),
        (
            (
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 1 has a total capacity of 79.11 GiB of which 1.20 GiB "
                "is free. Including non-PyTorch memory, this process has 77.90 GiB memory in use. Of the allocated memory 75.00 GiB is allocated "
                "by PyTorch, with 512.00 MiB allocated in private pools (e.g., CUDA Graphs), and 1.10 GiB is reserved by PyTorch but unallocated."
            ),
            {"oom_process": Bytes.gib(77.9), "oom_allocated": Bytes.gib(75), "oom_reserved": Bytes.gib(1.1)},
        ),
    ],
)
def test_every_amount_is_read_in_every_wording(message: str, amounts: dict[str, Bytes]) -> None:
    evidence = read(message)

    assert amounts == {name: evidence.value(name) for name in amounts}


def test_free_memory_of_a_failed_allocation_is_not_that_of_the_start() -> None:
    assert read("GPU 0 has a total capacity of 14.58 GiB of which 1.00 GiB is free.").value("free") is None


def test_what_other_processes_and_pools_hold_is_read() -> None:
    found = read(
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which "
        "15.94 MiB is free. Process 10 has 30.25 GiB memory in use. Process 11 has 40.50 GiB memory in use. 63.50 GiB allowed; "
        "Of the allocated memory 48.00 GiB is allocated by PyTorch, with 46.00 MiB allocated in private pools (e.g., CUDA Graphs), "
        "and 200.00 MiB is reserved by PyTorch but unallocated."
    )

    assert (Bytes.gib(40.5), Bytes.gib(63.5), Bytes.mib(46)) == tuple(
        found.value(name) for name in ("oom_listed", "oom_allowed", "oom_graphs")
    )
