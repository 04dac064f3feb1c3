from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from bot.case import Attachment, EntryKind
from bot.journal.entries import entries, is_known, remember, span_of_messages, thread_with
from bot.journal.open import Journal
from tests.journal.makers import a_thread, an_entry


def test_an_entry_is_read_back_as_it_was_taken(journal: Journal) -> None:
    entry = an_entry(text="CUDA out of memory", author="U1", files=(Attachment(id="F1", name="vllm.log"),))

    remember(journal, a_thread(), entry, ["message:C1:1"])

    (read,) = entries(journal, a_thread())
    assert entry == read.model_copy(update={"order": 0})


def test_a_second_delivery_with_any_known_key_changes_nothing(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(text="first"), ["event:E1", "message:C1:1"])

    was_added = remember(journal, a_thread(), an_entry(text="again"), ["event:E2", "message:C1:1"])

    assert not was_added
    assert ["first"] == [entry.text for entry in entries(journal, a_thread())]


def test_the_same_key_in_another_workspace_is_another_message(journal: Journal) -> None:
    remember(journal, a_thread(workspace="T1"), an_entry(), ["message:C1:1"])

    assert remember(journal, a_thread(workspace="T2"), an_entry(), ["message:C1:1"])


def test_what_a_newer_version_wrote_is_passed_over(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(text="first"), ["message:1"])
    remember(journal, a_thread(), an_entry(EntryKind.DRAWN), ["action:1"])
    with journal.writing() as connection:
        connection.exec_driver_sql("UPDATE entries SET kind = 'sung' WHERE kind = 'drawn'")

    assert ["first"] == [entry.text for entry in entries(journal, a_thread())]


def test_entries_come_back_in_the_order_they_were_taken(journal: Journal) -> None:
    for number in range(3):
        remember(journal, a_thread(), an_entry(EntryKind.REPLY, text=str(number)), [f"message:{number}"])

    assert ["0", "1", "2"] == [entry.text for entry in entries(journal, a_thread())]


def test_many_at_once_take_one_message_once(journal: Journal) -> None:
    with ThreadPoolExecutor(8) as hands:
        added = list(hands.map(lambda _: remember(journal, a_thread(), an_entry(), ["message:C1:1"]), range(16)))

    assert 1 == sum(added)
    assert 1 == len(entries(journal, a_thread()))


def test_secrets_never_reach_the_database(journal: Journal) -> None:
    secret = "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH"

    remember(journal, a_thread(), an_entry(text=f"export HF_TOKEN={secret}"), ["message:C1:1"])

    assert secret not in entries(journal, a_thread())[0].text


def test_secrets_in_the_name_of_a_file_never_reach_the_database(journal: Journal) -> None:
    named = Attachment(
        id="F1", name=f"hf_{'aB3' * 10}\x00.log.gz", url=f"https://files.slack.com/hf_{'aB3' * 10}.log.gz"
    )

    remember(journal, a_thread(), an_entry(files=(named,)), ["message:C1:1"])

    ((file,),) = [entry.files for entry in entries(journal, a_thread())]
    assert ("<token>.log.gz", None) == (file.name, file.url)


def test_text_that_a_database_cannot_hold_is_taken_all_the_same(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(text="before\x00after \ud800 end"), ["message:C1:1"])

    assert entries(journal, a_thread())[0].text.startswith("before")


def test_a_thread_is_known_once_something_was_taken_in_it(journal: Journal) -> None:
    assert not is_known(journal, a_thread())

    remember(journal, a_thread(), an_entry(), ["message:C1:1"])

    assert is_known(journal, a_thread())


def test_the_thread_of_any_message_is_found_again(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(EntryKind.POSTED, message="18.2"), ["posted:1"])

    assert a_thread() == thread_with(journal, "T1", "C1", "18.2")
    assert thread_with(journal, "T1", "C1", "99.9") is None


def test_the_span_of_a_channel_is_known(journal: Journal) -> None:
    remember(journal, a_thread(), an_entry(message="1764000000.000100"), ["message:1"])
    remember(journal, a_thread(), an_entry(EntryKind.REPLY, message="1764000009.000100"), ["message:2"])

    assert ("1764000000.000100", "1764000009.000100") == span_of_messages(journal, "T1", "C1")
