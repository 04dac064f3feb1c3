from __future__ import annotations

import sys

import pytest

from bot.reply.charts.png import draw
from tests.reply.given_chart import a_chart


@pytest.mark.parametrize("kind", ["bars", "lines"])
def test_a_chart_is_a_png(kind: str) -> None:
    assert (draw(a_chart(3, 1, kind=kind)) or b"").startswith(b"\x89PNG")


def test_without_pillow_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)

    assert draw(a_chart()) is None
