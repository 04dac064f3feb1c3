"""The page in headless Chromium, as a person with eyes, a mouse and a keyboard uses it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.workspace.person import wait_until
from bot.workspace.server import Workspace
from tests.workspace.makers import a_button, a_section, an_echo_app, an_input, plain

pytestmark = pytest.mark.browser
expect.set_options(timeout=30_000)  # milliseconds: what comes is waited for no longer than it takes
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]


@pytest.fixture(scope="module")
def workspace():
    made = Workspace(ack_seconds=30)
    with made.run_in_thread():
        handler = SocketModeHandler(an_echo_app(made), "xapp-local")
        handler.connect()
        wait_until(lambda: made.stage.hub.sockets)
        yield made
        handler.close()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser, workspace) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    opened = context.new_page()
    troubles: list[str] = []
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    opened.goto(workspace.url)
    expect(opened.get_by_role("log", name="Messages").locator("> *").first).to_be_visible()
    yield opened
    context.close()
    assert [] == troubles


def test_a_reply_opens_its_thread_beside_the_channel(page):
    page.get_by_role("textbox", name="Write a message").fill("CUDA out of memory")
    page.keyboard.press("Enter")

    thread = page.get_by_role("complementary", name="Thread")
    expect(thread.get_by_text("message: CUDA out of memory")).to_be_visible()


def test_an_example_fills_the_box_and_does_not_send(page):
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("button", name="The context does not fit").last.click()

    expect(page.get_by_role("textbox", name="Write a message")).to_have_value(
        re.compile("larger than the available KV")
    )


def test_a_command_leaves_the_box_empty(page):
    box = page.get_by_role("textbox", name="Write a message")
    box.fill("/echo once")
    box.press("Enter")

    expect(page.get_by_text("command: once")).to_be_visible()
    expect(box).to_have_value("")


def test_shift_enter_starts_a_line(page):
    box = page.get_by_role("textbox", name="Write a message")
    box.press_sequentially("one")
    box.press("Shift+Enter")
    box.press_sequentially("two")

    expect(box).to_have_value("one\ntwo")


def test_a_modal_opens_complains_and_closes(page, client):
    client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section("Try", accessory=a_button("open"))])
    page.get_by_role("log", name="Messages").get_by_role("button", name="Press").last.click()
    modal = page.get_by_role("dialog", name="Size")
    modal.get_by_label("Model").fill("nonsense")
    modal.get_by_role("button", name="Go").click()
    expect(modal.get_by_role("alert")).to_have_text("unknown model")

    modal.get_by_label("Model").fill("Qwen/Qwen3-8B")
    modal.get_by_label("Model").press("Enter")

    expect(modal).to_be_hidden()


def test_several_people_are_chosen_by_name(page, client):
    pick = {"type": "multi_users_select", "action_id": "who", "placeholder": plain("Who?")}
    client.chat_postMessage(channel="vllm-help", text="x", blocks=[an_input("crew", pick)])
    box = page.locator("details.many").last
    box.get_by_text("Who?").click()

    box.get_by_label("Jonas Weber").check()

    expect(box.locator("summary")).to_have_text("Jonas Weber")


def test_hostile_text_is_shown_and_not_run(page, maya):
    maya.post("#vllm-help", "<img src=x onerror=alert(1)> <script>alert(2)</script>")

    expect(page.get_by_role("log", name="Messages").get_by_text("<script>alert(2)</script>").first).to_be_visible()


def test_another_person_sees_no_ephemeral_message(page, maya):
    maya.slash("#vllm-help", "/echo", "for maya")
    expect(page.get_by_text("command: for maya")).to_be_visible()

    page.get_by_role("combobox", name="Acting as").select_option("Jonas Weber")

    expect(page.get_by_text("command: for maya")).to_be_hidden()


def test_the_theme_can_be_turned(page):
    page.get_by_role("button", name="Light or dark").click()

    assert "dark" == page.evaluate("getComputedStyle(document.documentElement).colorScheme")


def test_a_phone_shows_the_channels_on_demand(page):
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("navigation", name="Channels")).to_be_hidden()

    page.get_by_role("button", name="Channels").click()

    expect(page.get_by_role("button", name="general")).to_be_visible()
    assert 390 == page.evaluate("document.documentElement.scrollWidth")


def test_a_permalink_opens_the_thread(page, client, maya, workspace):
    root = maya.post("#general", "look here")
    client.chat_postMessage(channel="general", thread_ts=root["ts"], text="an answer to look at")
    link = client.chat_getPermalink(channel=root["channel"], message_ts=root["ts"])["permalink"]

    page.goto(link)

    expect(page.get_by_role("complementary", name="Thread").get_by_text("an answer to look at")).to_be_visible()


def test_a_link_of_the_app_into_slack_stays_on_the_page(page, client, maya):
    root = maya.post("#general", "the case")
    client.chat_postMessage(channel="general", thread_ts=root["ts"], text="what was said of it")
    where = f"https://slack.com/app_redirect?channel={root['channel']}&message_ts={root['ts']}"
    client.chat_postMessage(channel="vllm-help", text="x", blocks=[a_section(f"<{where}|the earlier case>")])

    page.get_by_role("link", name="the earlier case").last.click()

    expect(page.get_by_role("heading", name="# general")).to_be_visible()
    expect(page.get_by_role("complementary", name="Thread").get_by_text("what was said of it")).to_be_visible()


def test_blocks_that_hold_others_are_drawn_and_pressed(page: Page, workspace: Workspace) -> None:
    rich = {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "10 s"}]}],
    }
    row = {"type": "actions", "block_id": "row", "elements": [a_button("inner", text=plain("Inner"))]}
    inner = [a_section("held inside"), row]
    blocks = [
        {"type": "container", "title": plain("More"), "is_collapsible": True, "child_blocks": inner},
        {"type": "carousel", "elements": [{"type": "card", "title": plain("A card"), "body": plain("with a body")}]},
        {
            "type": "plan",
            "title": "Steps",
            "tasks": [{"task_id": "1", "title": "Read", "status": "complete", "output": rich}],
        },
        {"type": "data_table", "caption": "Cards", "rows": [[{"type": "raw_text", "text": "L4"}]] * 2},
    ]
    client = an_echo_app(workspace).client
    channel = next(each["id"] for each in workspace.human().do("world")["channels"] if each["name"] == "vllm-help")
    client.chat_postMessage(channel=channel, text="grouped", blocks=blocks)

    log = page.get_by_role("log", name="Messages")
    for text in ("held inside", "with a body", "10 s", "Cards"):
        expect(log.get_by_text(text).last).to_be_visible()
    log.get_by_role("button", name="Inner").last.click()
    expect(log.get_by_text("pressed inside").last).to_be_visible()
