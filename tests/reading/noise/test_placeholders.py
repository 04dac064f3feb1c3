"""What stands where a secret would."""

from __future__ import annotations

import pytest

from bot.reading.noise.placeholders import is_placeholder
from bot.reading.noise.scrub import scrub

HOLDS_NONE = (
    "hf_xxxxxxxx", "hf_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "hf_...", "hf_…", "hf_****", "sk-***", "sk-proj-xxxxxxxxxxxxxxxx", "nvapi-xxxxxxxxxxxxxxxxxxxx", "AKIAXXXXXXXXXXXXXXXX", "xoxb-xxxxxxxxxxxx-xxxxxxxxxx",
    "<token>", "<YOUR-HF-TOKEN>", "hf_$TOKEN", "$HF_TOKEN", "${HF_TOKEN}", "$(cat token)", "$env:HF_TOKEN", "${{ secrets.HF_TOKEN }}", "%HF_TOKEN%", "{token}", "{{ .Values.token }}", "YOUR_TOKEN_HERE", "your-api-key", "hf_your_token_here",
    "sk-your-api-key-here", "PUT_TOKEN_HERE", "INSERT_YOUR_KEY", "[REDACTED]", "REDACTED", "***", "••••••••", "xxx", "...", "EMPTY", "dummy", "not-needed", "sk-no-key-required", "changeme", "hf_dummy",
)  # fmt: skip
PLACES = (
    "{}", "HF_TOKEN={}", "-e HF_TOKEN={} image", "--api-key {}", "--api-key={}", "HF_TOKEN: {}", '"HF_TOKEN": "{}"', "- name: HF_TOKEN\n  value: {}", 'api_key="{}"', "-H 'Authorization: Bearer {}'", 'os.environ["HF_TOKEN"] = "{}"',
    "docker login -u x -p {} r", "curl -u bob:{} u", "http://h/x?token={}", "echo {} | docker login --password-stdin", "password: {}", "ENV HF_TOKEN {}", "--from-literal=token={}", "curl -b session={} u",
)  # fmt: skip


@pytest.mark.parametrize("value", HOLDS_NONE)
def test_what_only_says_where_a_secret_belongs_stays_wherever_it_stands(value: str) -> None:
    texts = [place.replace("{}", value) for place in PLACES]

    assert texts == [scrub(text) for text in texts]


@pytest.mark.parametrize("value", ["hf_<token>", "sk-<key>"])
@pytest.mark.parametrize("place", ["HF_TOKEN={}", "--api-key {}", "password: {}"])
def test_what_begins_as_a_token_and_goes_on_as_none_stays(value: str, place: str) -> None:
    assert place.format(value) == scrub(place.format(value))


@pytest.mark.parametrize(
    "value",
    ["xxxLetmein2", "letmein_xxx1", "$letmein!", "%letmein", "your_letmein9", "as-letmein", "not-letmein7", "true-letmein", "letmein...", "XXX9letmein", "hf_letmein***x", "redacted-letmein"],
)  # fmt: skip
def test_a_secret_that_begins_as_what_holds_none_goes(value: str) -> None:
    shown = [scrub(place.replace("{}", value)) for place in ("DB_PASSWORD={}", "--api-key '{}'", '"token": "{}"')]

    assert [] == [text for text in shown if "etmein" in text]


def test_a_variable_of_a_shell_is_written_in_capitals_or_named_for_what_it_holds() -> None:
    assert (True, True, False) == (is_placeholder("$DB_1"), is_placeholder("$my_token"), is_placeholder("$sesame"))
