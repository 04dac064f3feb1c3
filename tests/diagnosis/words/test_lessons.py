"""Lessons on errors, and people who met one."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.lessons import is_lesson
from bot.diagnosis.words.roles import roles_of
from bot.diagnosis.words.writing import read_writing
from tests.diagnosis.makers import NEEDED, lines_of


def _is_lesson(text: str) -> bool:
    lines = [line for line in lines_of(text) if line.text.strip()]
    return is_lesson(read_writing(tuple(zip(lines, roles_of(lines), strict=True))))


@pytest.mark.parametrize(
    "text",
    [
        f"In production you will sooner or later meet this:\n{NEEDED}\nFor example, a share of 0.8 plans with 80 % of the card.",
        f"5 errors everyone meets\n\n1. {NEEDED}\nMeaning: the budget is spent.\nFix: more share.",
        f"### No room\nIt looks like this:\n{NEEDED}\nThis happens when the weights are large. To fix it, shard them.\n### Next steps\nread on",
        f"部署时经常会遇到下面的报错：\n{NEEDED}\n这个错误的意思是没有空间。",
        f"よくあるエラーと対処法\n{NEEDED}\n原因：重み\n対処法：減らす",
        f"Im Betrieb trifft man häufig auf diese Meldung:\n{NEEDED}\nSie bedeutet, dass nichts übrig ist.",
        f"Es habitual encontrarse con este error:\n{NEEDED}\nSignifica que la caché no alcanza.",
        f"Erreurs fréquentes\n{NEEDED}\nCe message signifie que le cache ne suffit pas.",
        f"Часто встречается такая ошибка:\n{NEEDED}\nЭто означает, что память закончилась.",
        f"배포하다 보면 다음과 같은 에러를 마주하게 됨\n{NEEDED}\n예를 들어 0.9 는 90%라는 뜻입니다.",
        f"That message means there is no room. Lower the length or add a card. If that does not help you need less.\n> {NEEDED}",
        f"Stack Overflow answer\n> {NEEDED}\nYour model is long. Start with half of it.",
        f"避坑指南\n坑一：长度\n{NEEDED}\n改小即可。",
        "@bob the error you quoted (ValueError: it is 3 too long) is because it is too long. Use half of it.",
        f"# Troubleshooting\n\n**No room**\nIncrease the share.\n{NEEDED}\n## License\nfree",
        f"Too little may make the engine stop. For example, the output below shows less than nothing:\n{NEEDED}\nMore brings nothing.",
        f"- a: this option sets how many cards are used; one may say {NEEDED}\n- b: this option limits the share, for example 0.9",
        f"- a：该参数用于指定几张卡，太大会报错：\n{NEEDED}\n- b：该参数控制最大长度。\n例如一张卡即可。",
        f"部署笔记\n先加载权重，如果没有剩余，就会抛出：\n{NEEDED}\n所以要预留 20%。下一篇讲量化。",
    ],
)
def test_a_lesson_tells_what_anybody_meets_and_what_it_means(text: str):
    assert _is_lesson(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        NEEDED,
        f"When you start it with 65536 you get\n{NEEDED}",
        f"This means something else uses the card. For example GPU 0 shows 0 MiB.\n{NEEDED}",
        f"This happens when I set 32768. To fix it I tried 0.95.\n{NEEDED}",
        f"A common error?\n{NEEDED}\nWhat it means is unclear, for example here",
        f"部署时遇到下面的报错：\n{NEEDED}\n解决方案？",
        f"띄우면 다음과 같은 에러가 발생합니다\n{NEEDED}\n예를 들어 0.9 로 해도 같습니다.",
        f"Beim Start erscheint\n{NEEDED}\nBeispiel: 0.95 ändert nichts.",
        f"При запуске появляется\n{NEEDED}\nНапример, с 0.95 то же самое.",
        f"The docs say: raise it if you need more. The real error is\n{NEEDED}",
        f"Long contexts can cause the engine to stop. For example, the log below shows it, and I set 0.9:\n{NEEDED}",
        f"For example this log shows how it ends:\n{NEEDED}",
        f"This option sets the length, this option limits the share, and I changed both:\n{NEEDED}",
        f"Use this command. You can see the log below:\n{NEEDED}",
        f"It means too little memory. You can see that the card is empty, but it ends\n{NEEDED}",
        f"Erreurs fréquentes : signifie\n{NEEDED}",
    ],
)
def test_whoever_met_an_error_teaches_nothing(text: str):
    assert not _is_lesson(text)
