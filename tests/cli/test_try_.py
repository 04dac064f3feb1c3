from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from bot.workspace.person import Person

ROOT = Path(__file__).parent.parent.parent


def test_a_newcomer_pastes_into_the_page_and_is_answered(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    environment["PYTHONFAULTHANDLER"] = "1"
    command = [sys.executable, "-m", "bot.cli.main", "try"]
    process = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    address = process.stdout.readline().split()[-1]
    maya = Person(address.rstrip("/"), "maya")
    try:
        ts = maya.post("#vllm-help", "ValueError: No available memory for the cache blocks.")["ts"]

        assert "KV cache" in maya.wait_for_reply("#vllm-help", ts)["text"]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)  # the fault handler shows where each thread stands
            process.wait(10)
            raise
        finally:
            process.stdout.close()
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]
