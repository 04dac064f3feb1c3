"""Reports of what was measured, found and settled, and of what goes on."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.reports import is_report
from bot.diagnosis.words.roles import roles_of
from bot.diagnosis.words.writing import read_writing
from tests.diagnosis.makers import NEEDED, lines_of

SHORT = "ValueError: No available memory for the cache blocks."


def _is_report(text: str) -> bool:
    lines = [line for line in lines_of(text) if line.text.strip()]
    return is_report(read_writing(tuple(zip(lines, roles_of(lines), strict=True))))


@pytest.mark.parametrize(
    "text",
    [
        f'- longest: 32k. 64k was refused, as it should be: "{SHORT}"',
        f'The engine rightly refuses three cards ("{SHORT}"), so two were measured.',
        f'The old card refuses it as documented ("{SHORT}").',
        f"128 users did not start, by design: `{SHORT}`",
        f'Asking for more gets a clean rejection ("{SHORT}").',
        f'长度设大时按预期拒绝："{SHORT}"',
        f'Wie erwartet lehnt vLLM das ab: "{SHORT}"',
    ],
)
def test_a_refusal_that_is_held_for_right_is_no_trouble(text: str):
    assert _is_report(text)


@pytest.mark.parametrize(
    "text",
    [
        f"The first launch ended with `{SHORT}` since the old pod was there; the second launch came up fine.",
        f"It died on its first try: `{SHORT}`\nStarting it again a minute later went through.",
        f"Three cards are out ({SHORT}). We settled on four.",
        f"## Takeaways\n- `{SHORT}` came once\n- keep 10 % free",
        f"+ live\n- an hour lost on `{SHORT}` (killed the old one, fine since)",
        f"結論：3枚は不可（{SHORT}）。4枚に変更して稼働中。",
        f"What we learned\n- never start both together: {SHORT}",
        f"第一次启动失败，报 {SHORT}，原因是旧进程。之后重新启动成功。",
        f"一开始用 3 卡，报 {SHORT}，换成 4 卡就好了",
        f"Mon: the first start ended so ({SHORT}). The restart came up green.\nTue: nothing.",
        f"Der zweite Versuch war erfolgreich, der erste endete mit {SHORT}",
        f"AssertionError: it shrank`. It tripped on the old one. Relaunching later succeeded.\n{NEEDED[:0]}",
    ],
)
def test_what_was_overcome_is_no_trouble(text: str):
    assert _is_report(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEEDED,
        f"Expected: it starts\n{SHORT}",
        f"As expected the small one works. The large one:\n{SHORT}",
        f"The first launch failed on a typo, the second launch failed with {SHORT}",
        f"Relaunching succeeded, but an hour later\n{SHORT}",
        f"The restart worked, served ten minutes and the end was\n{SHORT}",
        f'"{SHORT}" is the correct behaviour?',
        f"My findings: it dies with\n{SHORT}",
        f"Findings\n{SHORT}\nRaising the share makes it worse.",
        f"Restart worked yesterday. Today:\n{SHORT}",
    ],
)
def test_what_goes_on_is_no_report(text: str):
    assert not _is_report(text)
