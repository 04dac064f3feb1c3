"""A user's name with a password beside it."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

# Each holds "letmein", which must go.
PAIRS = (
    "creds bob:letmein", "creds: bob:letmein", "Creds are bob:letmein", "credentials bob:letmein!", "the credentials (bob:letmein)", "creds=bob:letmein", "creds `bob:letmein`", "creds -> bob:letmein", "creds are bob / letmein", "creds: bob letmein9x", "creds ann.lee@acme.example:letmein",
    '"credentials": "bob:letmein"', "user:pass bob:letmein", "user:pass is bob:letmein", "user:password = bob:letmein", "username:password bob:letmein", "user/pass bob/letmein", "username/password: bob/letmein", "login/pw: bob/letmein", "user and password: bob letmein77", "creds user:pass bob:letmein",
    "login bob:letmein", "login bob:123letmein", "login: bob:letmein", "log in with bob:letmein", "log in as bob/letmein", "auth bob:letmein", "basic auth: bob:letmein", "proxy auth bob:letmein", "--auth bob:letmein", "account bob:letmein", "admin:letmein@gpu01", "ssh bob:letmein@h",
    "user bob pass letmein", "user bob password letmein", "username: bob, pass letmein", "account bob, password letmein", "sqlplus bob/letmein@db", "jdbc:oracle:thin:bob/letmein@//h:1521/x", "wpa_passphrase ssid letmein", "wpa_passphrase 'my ssid' 'letmein'", "nmcli d wifi connect x password letmein",
    "iwconfig wlan0 key letmein", "openssl passwd -6 letmein", "mkpasswd -m sha-512 letmein",
)  # fmt: skip
KEPT = (
    "login gpu01:22", "login node: gpu01", "Last login: Mon Nov 30 12:34:56 2026", "auth service:8080", "auth nginx:1.25", "auth vllm:0.11.0rc2-py3", "docker login quay.io", "login quay.io/acme/vllm:v0.11", "auth: https://h/x", "auth error: no such user", "authentication failed: 401", "auth.py:123", "the account acme", "login failed: code 1",
    "-v /root/.aws/credentials:/root/.aws/credentials:ro", "credentials are wrong", "credentials for the registry", "user:pass bob:<password>", "creds $USER:$PASSWORD", "use credentials and/or a token", "user changed password yesterday", "vllm/vllm-openai@sha256:9f8e7d6c", "at 12:30 bob@gpu01 said",
    "pip install vllm@git+https://h/x", "login 12:34:56", "log in to gpu01", "auth std::string", "user: root, pass: 12",
)  # fmt: skip


@pytest.mark.parametrize("text", PAIRS)
def test_a_password_beside_a_name_goes(text: str) -> None:
    once = scrub(text)

    assert ("letmein" in once, scrub(once)) == (False, once)


@pytest.mark.parametrize("text", KEPT)
def test_doors_versions_times_and_talk_stay(text: str) -> None:
    assert text == scrub(text)
