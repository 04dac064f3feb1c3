"""Changes and wishes told in free sentences, and people in trouble who write alike."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.proposals import is_proposal
from bot.diagnosis.words.roles import roles_of
from bot.diagnosis.words.writing import read_writing
from tests.diagnosis.makers import NEEDED, lines_of

HEADS = "ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (3)."


def _is_proposal(text: str) -> bool:
    lines = [line for line in lines_of(text) if line.text.strip()]
    return is_proposal(read_writing(tuple(zip(lines, roles_of(lines), strict=True))))


@pytest.mark.parametrize(
    "text",
    [
        f"[Core][V1] Say how much memory is missing\n\n```\n{NEEDED}\n```\nThe exception now carries the figures.",
        f"Reject odd sizes early\n\nBefore this change the engine died with\n{HEADS}",
        f"Handle base models in the batch runner\n\n### Problem\nruns end with\n{NEEDED}\n### Solution\nLook it up once.\n### Tests\nboth paths",
        f"[Bugfix] Don't count the graphs twice (#2291)\n\nSmall cards failed with\n{NEEDED}",
        f"Helper for sizes\n\nIntroduces `valid_sizes()`.\n{HEADS}\nNo functional change otherwise.",
        f"chore: retry once\n\nNeighbours trip\n{NEEDED}\nA second try makes the job green in 20 of 20 runs.",
        f"修复：没有模板的模型崩溃\n\n## 问题描述\n会抛出\n{NEEDED}\n## 修改内容\n- 加载时检测模板\n## 测试\n单元测试已通过",
        f"[Misc] Typo in a message\n\n{HEADS}",
        f"deps: relax the pin\n\nIt was added because of\n{NEEDED}",
        f"Attente au démarrage\n\nAvant ce changement, deux serveurs donnaient\n{NEEDED}\nTests unitaires ajoutés.\n## Testing\nlocal",
        f"Wait for free memory\n\n## Approach\nWe query the driver before spawning.\n{NEEDED}\n## Testing\n- unit tests",
    ],
)
def test_a_change_is_told_by_two_of_its_signs(text: str):
    assert _is_proposal(text)


@pytest.mark.parametrize(
    "text",
    [
        f"[Feature]: tell the longest context\n\nIt would be convenient to read a number here:\n{NEEDED}\nhelp wanted on implementing it",
        f"Expose the capability as a label\n\nWe should export it for the scheduler. For instance:\n{HEADS}",
        f"[Feature Request] Choose the size\n\nOn odd machines users land on\n{HEADS}\nCould the launcher choose the largest? Happy to send a PR.",
        f"Allow a percentage\n\nUsers have to guess after\n{NEEDED}\nAn option `--x 80%` would let them skip it.",
        f"It would be useful if the chart checked this. Today the pod only tells\n{NEEDED}\nafter the image was pulled.",
        f"Suggestion\n\nInstead of failing with\n{HEADS}\nthe engine could list the sizes.",
        f"功能建议\n\n希望启动时能自动选择长度，而不是直接报错：\n{NEEDED}",
        f"Wunsch: Grenze vorschlagen\n\nDerzeit endet der Start mit\n{NEEDED}\nSchön wäre es, wenn gewarnt würde.",
        f"Suggestion\n\nActuellement le serveur s'arrête avec\n{NEEDED}\nIl serait utile de proposer une longueur.",
        f"Предложение: было бы удобно, если бы движок сам выбирал длину, а не завершался с\n{NEEDED}",
    ],
)
def test_a_wish_is_told_by_two_of_its_signs(text: str):
    assert _is_proposal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEEDED,
        f"Fix for this?\n{NEEDED}",
        f"[Core] engine dies\n{NEEDED}",
        f"[Feature Request] works, but with three cards\n{HEADS}\nCould it be the driver?",
        f"Make it work on one card\n{NEEDED}",
        f"Since PR #15598 the start fails with\n{NEEDED}",
        f"Add a card to the pool -> the pods crash\n{NEEDED}\nTested on L4.",
        f"Support for 3 GPUs broken\n{HEADS}\nThis change came with 0.9.",
        f"We should add a second card, right?\n{NEEDED}",
        f"## Problem\nit fails\n{NEEDED}\n## Solution\n?",
        f"**What**: no start\n**Why**: unknown\n{NEEDED}",
        f"It would be great if somebody could look at this\n{NEEDED}",
        f"The LoRA feature works, three cards do not:\n{HEADS}",
        f"Currently vllm fails on our cluster:\n{NEEDED}\nIt should work with 24 GB.",
        f"Before the change it ran, with the patch it ends in\n{NEEDED}",
        f"Improve the speed\n\nI tried the new validation, the config now gives\n{NEEDED}",
    ],
)
def test_whoever_is_in_trouble_proposes_nothing(text: str):
    assert not _is_proposal(text)
