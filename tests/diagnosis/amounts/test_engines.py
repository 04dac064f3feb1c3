"""Processes that call themselves vLLM's are summed and named, whoever started them."""

from bot.consult import complete
from bot.diagnosis.amounts.table import AMOUNTS
from bot.diagnosis.diagnose import look_into
from bot.reading.read import read


def amount(name: str, text: str) -> object:
    evidence = read(text)
    return AMOUNTS[name].of(look_into(evidence, complete(evidence), ()))


def test_processes_that_call_themselves_vllm_are_summed_and_named():
    table = (
        "|    0   N/A  N/A     11001      C   VLLM::EngineCore                        20100MiB |\n"
        "|    1   N/A  N/A     11950      C   VLLM::Worker_TP1                        18800MiB |\n"
        "|    0   N/A  N/A      4242      C   python3 train.py                         1000MiB |\n"
    )

    assert "19.63 GiB" == str(amount("vllm_process_memory", table))
    assert (11001, 11950) == amount("vllm_process_pids", table)
