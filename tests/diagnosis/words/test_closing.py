"""Whether a matter is over."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.closing import is_closed
from bot.diagnosis.words.roles import roles_of
from tests.diagnosis.makers import NEEDED, lines_of


def _is_closed(text: str) -> bool:
    lines = lines_of(text)
    return is_closed(tuple(zip(lines, roles_of(lines), strict=True)))


@pytest.mark.parametrize(
    "end",
    [
        "Fixed by raising it to 0.9, thanks",
        "solved by another card",
        "Update: resolved. It was an old process.",
        "it works now, sorry for the noise",
        "解决了，谢谢",
        "EDIT: got it fixed. No error any more",
        "^ fixed now, was the sidecar",
        "the fix was to raise the share, thanks",
        "Found and fixed: the sidecar held it. We see no errors",
        "No need to look, resolved itself:",
        "it was not enough to raise the share, but a restart fixed it.",
        "solved, and still running after two days",
        "turned out to be our own notebook",
        "Turned out that my old server had the card",
        "it was the proxy's fault",
        "Cause identified: a full disk",
        "the real cause was a second engine",
    ],
)
def test_an_end_is_told_above_or_below_what_is_pasted(end: str):
    assert (True, True) == (_is_closed(f"{end}\n{NEEDED}"), _is_closed(f"it failed with\n{NEEDED}\n{end}"))


def test_an_end_is_told_above_the_command_that_brought_it():
    assert _is_closed(f"{NEEDED}\nfixed by this:\nvllm serve org/m --gpu-memory-utilization 0.9")


def test_an_end_is_told_on_the_line_of_an_error_once_a_person_is_heard():
    assert _is_closed("ValueError: boom @ann you can close it")
    assert not _is_closed("ValueError: names that were not resolved.")


@pytest.mark.parametrize(
    "line",
    [
        "INFO 01-02 10:00:00 [config.py:1] deprecated; fixed by the new scheduler.",
        "- [Bugfix] leak in the sampler resolved",
        "* fixed it by moving the run",
        "> bob: I solved it by lowering the length",
        "    # this was fixed in 0.9, resolved upstream.",
        "- [x] I searched; the like of it was closed, fixed by another.",
        'I read "Solved by setting the variable" somewhere.',
        "vllm serve org/m # fixed by bob",
    ],
)
def test_an_end_that_a_log_a_list_or_a_quotation_tells_is_nobody_s(line: str):
    assert (False, False) == (_is_closed(f"{line}\n{NEEDED}"), _is_closed(f"{NEEDED}\n{line}"))


def test_an_end_in_the_middle_of_a_long_report_is_none():
    story = "We have looked at the logs of all hosts, one by one, and at the drivers.\n" * 12

    assert not _is_closed(f"{story}the wheel was fixed by a rebuild\n{story}{NEEDED}")
    assert _is_closed(f"{story}the wheel was fixed by a rebuild\n{NEEDED}")


def test_an_end_between_two_outputs_is_none():
    assert not _is_closed(f"{NEEDED}\nwhich was solved by a restart\n{NEEDED}")


@pytest.mark.parametrize(
    "text",
    [
        "In the issue it was fixed by a driver. I did this and it still fails:",
        "Fixed the CUDA error, now it runs into this:",
        "the same command runs fine now on the A100, but on my L4:",
        "nvm the download, that works. The server does not:",
        "it was fixed by a restart yesterday, today the same:",
        "the network is fixed. Next problem:",
        "Das Netz ist gelöst, aber jetzt kommt:",
        "之前的问题解决了，但是现在又报错：",
        "started again, and then:",
        "the one on card 1 is solved now. On card 0 I get:",
        "the wheel was fixed by a rebuild. Why do I see this?",
        "CVE 1 fixed by 0.9.1 in our image. any idea what this is:",
    ],
)
def test_an_end_that_is_taken_back_is_none(text: str):
    assert not _is_closed(f"{text}\n{NEEDED}")


@pytest.mark.parametrize(
    "text",
    [
        "Shouldn't this be fixed in 0.9?",
        "PR 12 says this is fixed in 0.11, we run 0.11.0",
        "a colleague thinks it's solved by an update",
        "a similar ticket was solved by an update",
        "fixed by a reboot? no.",
        "supposedly it's fixed now",
        "has anyone got this fixed?",
        "it turned out to be an OOM",
        "I guess the root cause was the update",
        "maybe it was the proxy's fault",
        "hope to see it fixed in 0.9",
        "I am hoping that gets fixed by the next one",
        "this will surely be fixed in the next release",
        "waiting for it to get fixed in 0.9.2",
        "turned out to be the driver, but the new one says the same",
    ],
)
def test_an_end_that_is_asked_for_or_that_others_tell_is_none(text: str):
    assert not _is_closed(f"{text}\n{NEEDED}")
