"""A question as Slack's buttons, select or type-ahead."""

from __future__ import annotations

from collections.abc import Sequence

from bot.diagnosis.verdict import Question
from bot.reply.block_elements import (
    ID,
    MAX_ID,
    MAX_OPTION_VALUE,
    Block,
    button,
    option,
    plain,
    rich_text,
    runs,
    runs_of,
    section,
)
from bot.reply.document import Ask
from bot.reply.spans import spans

MAX_OPTIONS = 100
MAX_PLACEHOLDER = 150
MAX_BUTTONS_IN_A_ROW = 5
# Facts whose answer is a name of the catalogue: a type-ahead beats buttons.
TYPE_AHEAD = frozenset({"model", "gpu"})


def ask(part: Ask, place: str) -> list[Block]:
    """Return a question with what answers it; `place` is the case and the part's number, `CASE:NUMBER`."""
    asked = part.question
    told = runs_of(asked.text, bold=True) + ([*runs_of(" "), *runs(spans(asked.why))] if asked.why else [])
    said = rich_text(section(told))
    choices = _choices_of(asked)
    if not choices and asked.name not in TYPE_AHEAD:  # answered by a reply in the thread
        return [said]
    elements = _elements(asked, choices, place.rsplit(":", 1)[0])
    return [said, {"type": "actions", "block_id": f"{ID}:ask:{asked.name}:{place}"[:MAX_ID], "elements": elements}]


def _choices_of(asked: Question) -> list[str]:
    """Return the choices that can be told apart; a blank one is none."""
    distinct = {choice[:MAX_OPTION_VALUE]: choice for choice in asked.choices if choice.strip()}
    return list(distinct.values())


def _elements(asked: Question, choices: Sequence[str], case: str) -> list[Block]:
    unsure = button("I don't know", f"{ID}:unsure:{asked.name}", case)
    if asked.name in TYPE_AHEAD:
        return [*_guessed(asked, _type_ahead(asked)), *_buttons(asked, choices[: MAX_BUTTONS_IN_A_ROW - 2]), unsure]
    if len(choices) <= MAX_BUTTONS_IN_A_ROW - 1:
        return [*_buttons(asked, choices), unsure]
    known = asked._replace(guess=asked.guess if asked.guess in choices[:MAX_OPTIONS] else None)
    return [*_guessed(known, _select(asked, choices)), unsure]


def _guessed(asked: Question, select: Block) -> list[Block]:
    """Return a select that begins at the guess, and a button to confirm it: choosing it again tells Slack nothing."""
    if not asked.guess:
        return [select]
    confirm = button(f"Yes, {asked.guess}", f"{ID}:answer:{asked.name}:guess", asked.guess)
    return [select | {"initial_option": option(asked.guess)}, confirm]


def _buttons(asked: Question, choices: Sequence[str]) -> list[Block]:
    return [button(choice, f"{ID}:answer:{asked.name}:{n}", choice) for n, choice in enumerate(choices)]


def _select(asked: Question, choices: Sequence[str]) -> Block:
    options = [option(choice) for choice in choices[:MAX_OPTIONS]]
    return {
        "type": "static_select",
        "action_id": f"{ID}:answer:{asked.name}"[:MAX_ID],
        "placeholder": plain("Choose", MAX_PLACEHOLDER),
        "options": options,
    }


def _type_ahead(asked: Question) -> Block:
    return {
        "type": "external_select",
        "action_id": f"{ID}:answer:{asked.name}"[:MAX_ID],
        "placeholder": plain("Type a few letters", MAX_PLACEHOLDER),
        "min_query_length": 2,
    }
