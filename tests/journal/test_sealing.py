from __future__ import annotations

import pytest
from sqlalchemy import text

from bot.journal.entries import entries, remember
from bot.journal.installations import add_state, drop_installation, installation, save_installation, use_state
from bot.journal.open import Journal
from bot.journal.reseal import reseal
from bot.journal.sealing import Seal, SealError, new_key, open_text
from tests.journal.makers import MONDAY, a_thread, an_entry

OLD, NEW = new_key(), new_key()


def with_seal(journal: Journal, keys: str, *, seals_pastes: bool = True) -> Journal:
    return Journal(journal.engine, Seal(keys), seals_pastes)


def stored(journal: Journal) -> str:
    with journal.engine.connect() as connection:
        return str(connection.execute(text("SELECT text FROM entries")).all())


def test_what_is_sealed_can_be_opened_with_an_older_key() -> None:
    sealed = Seal(OLD).seal("paste")

    assert "paste" not in sealed
    assert "paste" == Seal(f"{NEW}, {OLD}").open(sealed)


def test_what_was_never_sealed_is_read_as_it_is() -> None:
    assert "paste" == open_text(None, "paste") == open_text(Seal(NEW), "paste")


@pytest.mark.parametrize("seal", [None, Seal(NEW)], ids=["none", "wrong"])
def test_a_key_that_is_missing_or_wrong_is_named(seal: Seal | None) -> None:
    with pytest.raises(SealError, match="VLLM_TRIAGE_ENCRYPTION_KEY"):
        open_text(seal, Seal(OLD).seal("paste"))


def test_what_is_no_key_is_refused_with_how_to_make_one() -> None:
    with pytest.raises(SealError, match="new-key"):
        Seal("secret").seal("paste")


def test_pastes_are_sealed_where_the_operator_wants_it(journal: Journal) -> None:
    sealing = with_seal(journal, OLD)

    remember(sealing, a_thread(), an_entry(text="a paste"), ["message:1"])

    assert "a paste" not in stored(journal)
    assert ["a paste"] == [entry.text for entry in entries(sealing, a_thread())]


def test_changing_keys_leaves_nothing_for_the_old_one(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(text="from before"), ["message:1"])
    before = with_seal(journal, OLD)
    remember(before, a_thread(), an_entry(text="a paste"), ["message:2"])
    save_installation(before, "T1", {"bot_token": "xoxb-1"}, MONDAY)

    assert 3 == reseal(with_seal(journal, f"{NEW},{OLD}"))

    after = with_seal(journal, NEW)
    assert ["from before", "a paste"] == [entry.text for entry in entries(after, a_thread())]
    assert ({"bot_token": "xoxb-1"}, None) == installation(after, "T1")


def test_an_installation_without_a_key_is_refused(journal: Journal) -> None:
    with pytest.raises(SealError):
        save_installation(journal, "T1", {"bot_token": "xoxb-1"}, MONDAY)


def test_a_workspace_that_left_has_no_installation(journal: Journal) -> None:
    sealing = with_seal(journal, NEW)
    save_installation(sealing, "T1", {"bot_token": "xoxb-1"}, MONDAY)

    drop_installation(sealing, "T1")

    assert installation(sealing, "T1") is None


def test_a_state_is_used_once_and_not_for_ever(journal: Journal) -> None:
    add_state(journal, "a", MONDAY)
    add_state(journal, "b", MONDAY)

    used = [use_state(journal, "a", MONDAY), use_state(journal, "a", MONDAY)]

    assert [True, False] == used
    assert not use_state(journal, "b", MONDAY.replace(year=2027))
