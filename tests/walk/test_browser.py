"""`vllm-triage try` in headless Chromium: paste, read, answer, resolve, and the week's digest, by mouse and by keyboard."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from bot.workspace.person import Person, wait_until
from tests.walk.pastes import KV_TOO_SMALL
from tests.walk.served import ROOT

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # milliseconds: what comes is waited for no longer than it takes
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
PASTE = f"does anybody know what to set here?\n```\n{KV_TOO_SMALL}```"


@dataclass(frozen=True)
class Trial:
    """The program as a newcomer starts it, with the page's address and the journal it keeps."""

    url: str
    journal: Path

    @property
    def maya(self) -> Person:
        return Person(self.url.rstrip("/"), "maya")

    def forget(self) -> None:
        """Forget what other tests pasted: what was met before is answered in short."""
        with closing(sqlite3.connect(self.journal, timeout=60)) as connection, connection:
            connection.execute("DELETE FROM incidents")

    def digest(self, *arguments: str) -> str:
        """Tell the week in the terminal, or post it where the arguments say."""
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": f"sqlite:///{self.journal}",
            "SLACK_BOT_TOKEN": "xoxb-local",
            "SLACK_API_URL": f"{self.url}api/",
        }
        command = [sys.executable, "-m", "bot", "digest", *arguments]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert 0 == run.returncode, run.stderr
        return run.stdout


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    directory = tmp_path_factory.mktemp("try")
    journal = directory / "journal.sqlite3"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(directory), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "bot", "try", "--journal", str(journal)]
    process = subprocess.Popen(command, env=environment, cwd=directory, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    yield Trial(process.stdout.readline().split()[-1], journal)
    process.terminate()
    process.wait(60)
    process.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go, for people to look at."""
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture
def page(browser: Browser, trial: Trial) -> Iterator[Page]:
    yield from a_page(browser, trial)


@pytest.fixture
def phone(browser: Browser, trial: Trial) -> Iterator[Page]:
    yield from a_page(browser, trial, width=390, height=844, scheme="light")


@pytest.fixture
def night(browser: Browser, trial: Trial) -> Iterator[Page]:
    yield from a_page(browser, trial, scheme="dark")


def a_page(
    browser: Browser, trial: Trial, *, width: int = 1400, height: int = 1000, scheme: str = "light"
) -> Iterator[Page]:
    trial.forget()
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    opened = context.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    opened.goto(trial.url)
    expect(opened.get_by_role("heading", name="# vllm-help")).to_be_visible()
    expect(opened.get_by_role("log", name="Messages").locator("> *").first).to_be_visible()  # what was said before too
    yield opened
    context.close()
    assert [] == troubles


def thread_of(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Thread")


def paste(page: Page) -> Locator:
    """Paste a start-up failure and return its thread, once the reply stands there."""
    mark = f"This is paste {uuid.uuid4().hex}."  # those of other tests may come in while we look
    page.get_by_role("textbox", name="Write a message").fill(f"{mark} {PASTE}")
    page.keyboard.press("Enter")
    pasted = page.get_by_role("log", name="Messages").get_by_role("article").filter(has_text=mark)
    answered = pasted.get_by_role("button", name=re.compile(r"^\d+ repl"))
    expect(answered).to_be_visible()
    thread = thread_of(page)
    if (page.viewport_size or {})["width"] < 600:  # a phone shows one thing at a time
        answered.click()
    expect(thread.get_by_text("cannot hold one request of 131,072 tokens")).to_be_visible()
    return thread


def budget_adds_up(text: str) -> bool:
    """Say whether the terms between the allowance and the KV cache leave what the last line says."""
    rows = re.findall(r"^(\w[\w, ]*?) +([−+]?\d+\.\d\d)(?:  |$)", text, re.MULTILINE)
    amounts = {label: float(amount.replace("−", "-")) for label, amount in rows}
    spent = sum(amount for label, amount in amounts.items() if label not in {"card, GiB", "allowance", "KV cache"})
    return abs(amounts["allowance"] + spent - amounts["KV cache"]) < 0.03


def fits(code: Locator) -> bool:
    """Say whether no line of code needs to be wrapped."""
    code.locator("code").evaluate("code => code.style.whiteSpace = 'pre'")
    return bool(code.evaluate("pre => pre.scrollWidth <= pre.clientWidth"))


def test_paste_question_answer_resolve_digest(page: Page, trial: Trial, pictures: Path) -> None:
    thread = paste(page)
    page.screenshot(path=pictures / "reply.png")
    assert budget_adds_up(thread.locator("pre", has_text="allowance").inner_text())
    expect(thread.locator("pre", has_text="--max-model-len 32768").first).to_be_visible()

    thread.get_by_role("button", name="16K", exact=True).click()
    expect(thread.get_by_role("button", name="16K", exact=True)).to_be_hidden()
    expect(thread.get_by_text("of 16,384").first).to_be_visible()
    page.screenshot(path=pictures / "question-answered.png")

    thread.get_by_role("button", name="Solved").click()
    solved = page.get_by_role("dialog", name="Solved")
    page.screenshot(path=pictures / "modal.png")
    solved.get_by_role("radio").first.check()
    solved.get_by_role("button", name="Send").click()
    expect(thread.get_by_text("Resolved by")).to_be_visible()

    trial.digest("--post", "vllm-help")
    wait_until(lambda: [each for each in trial.maya.messages("#vllm-help") if "incident" in each["text"]])
    expect(page.get_by_role("log", name="Messages").get_by_text("The KV cache cannot hold").last).to_be_visible()
    page.screenshot(path=pictures / "digest.png")


def test_the_home_tab(page: Page, pictures: Path) -> None:
    page.get_by_role("button", name="Home").click()

    expect(page.get_by_role("heading", name="Your open cases")).to_be_visible()
    page.screenshot(path=pictures / "home.png")


def test_a_budget_by_the_form(page: Page, pictures: Path) -> None:
    page.get_by_role("textbox", name="Write a message").fill("/vllm-size")
    page.keyboard.press("Enter")
    form = page.get_by_role("dialog", name="Size a deployment")
    words = form.get_by_label("Anything else")

    words.fill("2xL4 qwen2.5-14b --max-model-len 8k")
    words.press("Tab")

    expect(form.locator("pre", has_text="KV cache")).to_be_visible()
    expect(words).to_have_value("2xL4 qwen2.5-14b --max-model-len 8k")
    page.screenshot(path=pictures / "size.png")
    form.get_by_role("button", name="Show").click()
    expect(page.get_by_role("log", name="Messages").get_by_text("Only visible to you").last).to_be_visible()


def test_the_keyboard_alone_will_do(page: Page) -> None:
    page.get_by_role("textbox", name="Write a message").focus()
    page.keyboard.insert_text(PASTE)
    page.keyboard.press("Enter")
    thread = thread_of(page)
    expect(thread.get_by_text("cannot hold one request of 131,072 tokens")).to_be_visible()

    press(page, thread.get_by_role("button", name="Details").last)
    expect(page.get_by_role("dialog", name="Details")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Details")).to_be_hidden()
    press(page, thread.get_by_role("button", name="Solved").last)
    expect(page.get_by_role("dialog", name="Solved")).to_be_visible()
    page.keyboard.press("Escape")

    expect(thread.get_by_text("Resolved by").last).to_be_visible()


def press(page: Page, button: Locator) -> None:
    """Go to a button by Tab alone, and press it."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab never reaches the button")


def test_a_phone(phone: Page, pictures: Path) -> None:
    thread = paste(phone)
    phone.screenshot(path=pictures / "phone.png")

    assert 390 == phone.evaluate("document.documentElement.scrollWidth")
    assert fits(thread.locator("pre", has_text="allowance"))
    expect(thread.get_by_role("button", name="Solved").last).to_be_attached()
    thread.get_by_role("button", name="Solved").last.scroll_into_view_if_needed()
    phone.screenshot(path=pictures / "phone-end.png")


def test_the_form_of_sizes_on_a_phone(phone: Page, trial: Trial, pictures: Path) -> None:
    phone.get_by_role("textbox", name="Write a message").fill("/vllm-size")
    phone.keyboard.press("Enter")
    form = phone.get_by_role("dialog", name="Size a deployment")
    expect(form.get_by_role("combobox", name="Model")).to_be_focused()
    form.get_by_role("textbox", name="Anything else").fill(
        "8xMI300X deepseek-v3 --gpu-memory-utilization 0.85 vllm 0.12"
    )

    budget = form.locator("pre", has_text="allowance")
    expect(budget).to_be_visible()
    budget.scroll_into_view_if_needed()
    phone.screenshot(path=pictures / "phone-form.png")
    is_whole = fits(budget)
    trial.maya.do("close", all=True)  # what is open would be so for other tests too
    assert is_whole


def test_dark(night: Page, pictures: Path) -> None:
    paste(night)

    night.screenshot(path=pictures / "dark.png")
    assert "dark" == night.evaluate("getComputedStyle(document.documentElement).colorScheme.split(' ').pop()")
