from bot.reading.read import read


def test_an_xid_is_a_failure_of_its_number() -> None:
    assert (
        "Xid 79"
        == read("[26002.1] NVRM: Xid (PCI:0000:41:00): 79, pid=12, GPU has fallen off the bus.").failures[0].kind
    )


def test_the_kernels_killer_is_a_failure() -> None:
    assert "OOM killer" == read("[1.2] Out of memory: Killed process 57 (python) total-vm:78521468kB").failures[0].kind


def test_an_exit_code_is_a_fact() -> None:
    assert 137 == read("  Last State: Terminated\n    Exit Code:    137").value("exit_code")
