"""What is said of a monitor's output alone."""

from __future__ import annotations

from bot.evidence import Evidence, GpuReading, ProcessReading
from bot.reply.document import Bullets, Document
from bot.reply.markdown import render
from bot.reply.say_holders import say_holders

CARD = GpuReading(index=0, name="NVIDIA L40S", memory_used_mib=45012, memory_total_mib=46068)
ENGINE = ProcessReading(gpu=0, pid=20111, type="C", name="VLLM::EngineCore", memory_mib=33742)
SCRIPT = ProcessReading(gpu=0, pid=20987, type="C", name="/opt/venv/bin/python3 -m tool --key abc", memory_mib=11264)


def said(*processes: ProcessReading, cards: tuple[GpuReading, ...] = (CARD,)) -> str:
    parts = say_holders(Evidence(gpus=cards, processes=processes))
    return render(Document(summary="", parts=tuple(parts), tone="unknown"))


def test_each_holder_of_a_card_is_named_with_its_share():
    text = "GPU 0, L40S: 43.96 GiB of 44.99 GiB in use: VLLM::EngineCore (PID 20111) 32.95 GiB; python3 (PID 20987) 11.00 GiB"

    assert text in said(SCRIPT, ENGINE)


def test_it_is_no_failure_by_itself():
    assert "by itself no failure" in said(ENGINE)


def test_vllms_share_is_explained_where_vllm_holds_one():
    assert "takes its share of a card at start" in said(ENGINE)
    assert "takes its share of a card at start" not in said(SCRIPT)


def test_what_no_process_in_the_list_holds_is_told():
    assert "32.96 GiB by nobody who is listed" in said(SCRIPT)
    assert "nobody" not in said(ENGINE, SCRIPT)


def test_a_list_without_processes_is_explained():
    assert "It lists no process" in said()


def test_many_cards_and_holders_stay_a_few_lines():
    cards = tuple(CARD.model_copy(update={"index": place}) for place in range(72))
    (bullets,) = [
        part for part in say_holders(Evidence(gpus=cards, processes=(SCRIPT,) * 30)) if isinstance(part, Bullets)
    ]

    assert 8 == len(bullets.items)
    assert "26 more" in bullets.items[0].spans[0].text


def test_without_a_cards_memory_nothing_is_said():
    assert [] == say_holders(Evidence(processes=(ENGINE,)))
