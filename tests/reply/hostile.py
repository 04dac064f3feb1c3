"""Documents whose every text is chosen to do harm."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.reply.document import (
    Ask,
    BudgetRow,
    BudgetTable,
    Bullets,
    Command,
    Details,
    Document,
    Part,
    Prose,
    Quote,
    Span,
    Table,
    Title,
)
from tests.reply.samples import a_question

HOSTILE = st.text(max_size=300) | st.sampled_from(
    [
        "", " ", "\x00", "<!channel>", "<!here>", "<@U0123456>", "<#C0123456>", "<!subteam^S1>", "@everyone", ":tada:",
        "*bold* _it_ ~no~ `x`", "```", "&lt;!channel&gt;", "<javascript:alert(1)|x>", "</script>", "x" * 4_000,
        "word " * 3_000, "\n" * 300, "😀" * 400, "\u202eabc", "e" + "\u0301" * 200,
    ]
)  # fmt: skip
SPANS = st.lists(
    st.builds(Span, text=HOSTILE, style=st.sampled_from(["plain", "bold", "italic", "code"]), url=st.none()),
    min_size=1,
    max_size=4,
)
PROSE = st.builds(Prose, spans=SPANS.map(tuple))
ROWS = st.lists(st.builds(BudgetRow, label=HOSTILE, amount=HOSTILE, note=HOSTILE), min_size=1, max_size=6)
SHARES = st.lists(st.tuples(HOSTILE, st.floats(0, 1)), max_size=6)
QUESTIONS = st.builds(
    lambda name, text, choices, guess: a_question(name=name, text=text, choices=tuple(choices), guess=guess),
    st.sampled_from(["model", "gpu", "max_model_len", "log"]),
    HOSTILE,
    st.lists(HOSTILE, max_size=130),
    HOSTILE,
)
FLAT: st.SearchStrategy[Part] = st.one_of(
    st.builds(Title, text=HOSTILE, aside=HOSTILE),
    PROSE,
    st.builds(Bullets, items=st.lists(PROSE, min_size=1, max_size=8).map(tuple)),
    st.builds(Quote, line=st.none() | st.integers(1, 10**9), text=HOSTILE),
    st.builds(BudgetTable, rows=ROWS.map(tuple), bar=SHARES.map(tuple), footnote=HOSTILE),
    st.builds(Command, title=HOSTILE, text=HOSTILE, gives=HOSTILE, costs=HOSTILE, risk=HOSTILE),
    st.tuples(HOSTILE, HOSTILE).map(lambda row: Table(headers=row, rows=(row, row), caption=row[0])),
    st.builds(Ask, question=QUESTIONS),
)
DOCUMENTS = st.builds(
    Document,
    summary=HOSTILE,
    parts=st.lists(
        FLAT | st.builds(Details, title=HOSTILE, parts=st.lists(FLAT, max_size=5).map(tuple)), max_size=30
    ).map(tuple),
    files=st.just(()),
)
