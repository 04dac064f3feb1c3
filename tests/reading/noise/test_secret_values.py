from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD=hunter2",
        'password: "correct horse battery"',
        "os.environ.setdefault('API_KEY', 'a1b2c3d4e5')",
        "the password is swordfish",
        "--api-key letmein1 --port 8000",
        "密码是hunter2",
    ],
)
def test_a_value_behind_its_name_is_hidden(text: str):
    assert "<secret>" in scrub(text)


@pytest.mark.parametrize(
    "text",
    [
        "password: required",
        "API_KEY=$OPENAI_API_KEY",
        "api_key: YOUR_API_KEY",
        'token = os.environ["TOKEN"]',
        "max_new_tokens=512, eos_token: 2",
        "the token: Slack says so",
        "PWD=/srv/models",
        "passed: 12, pass: 3",
        '["token", "model"]',
        "the token is invalid",
        "密码：错误",
    ],
)
def test_what_is_no_secret_stays(text: str):
    assert text == scrub(text)


def test_the_full_stop_of_a_sentence_is_no_part_of_a_value():
    assert "my password is <secret>." == scrub("my password is swordfish7.")


def test_a_word_behind_a_password_is_its_value_only_where_something_says_so():
    assert "password swordfish" == scrub("password swordfish")
    assert "password <secret>" == scrub("password sw0rdf1sh")
    assert "password is <secret>" == scrub("password is swordfish")
