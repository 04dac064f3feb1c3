"""Cookies, and what is called a session."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

# Each holds "letmein", which must go.
SPELLINGS = (
    "session_id=letmein123", "sessionid=letmein123", "sessionid: letmein", "sess_id=letmein", "sid=letmein123; path=/", "session=letmein123", "JSESSIONID=letmein", "PHPSESSID=letmein", "ASP.NET_SessionId=letmein", '"sessionId": "letmein"',
    "connect.sid=s%3Aletmein123", "csrftoken=letmein", "XSRF-TOKEN=letmein", "_xsrf=letmein", "csrf: letmein", "cf_clearance=letmein", "__Secure-next-auth.session-token=letmein", "__Host-session=letmein1", "laravel_session=letmein1", "MoodleSession=letmein1",
    "_oauth2_proxy=letmein", "AWSALB=letmein", ".ASPXAUTH=letmein", "wordpress_logged_in_9f=bob%7Cletmein", "li_at=letmein", "sessionKey=letmein", "auth_cookie=letmein1", "cookie: letmein123", "session id letmein123abc9", "session id: letmein",
    "Cookie: a=1; b=letmein", "COOKIE: a=letmein", "cookie: _ga=1;b=letmein", "Set-Cookie: session=letmein; Path=/; HttpOnly", "< set-cookie: foo=letmein", '{"Cookie": "a=1; b=letmein"}', "-H 'Cookie: a=1; b=letmein'", 'Cookie: user="2|1:0|letmein"; b=1',
    "curl -b 'a=1; b=letmein' u", "curl --cookie a=letmein u", "curl --cookie='a=1; b=letmein' u", "cookies={'a': '1', 'b': 'letmein'}", 'cookies = {"sid": "letmein"}', "document.cookie = 'sid=letmein'", "jar.cookies.set('a', 'letmein')",
)  # fmt: skip
KEPT = (
    "session_timeout=30", "sessionAffinity: ClientIP", "session: main", "session=vllm", "session = requests.Session()", "session=<aiohttp.client.ClientSession object at 0x7f00>", "/tmp/ray/session_2025-01-01_00-00-00_123456_1/logs", "--session-len 8192", "session closed",
    "helper says :cookie: to that", "cookie: chocolate", "Cookie: session=${SESSION}; a=<token>", "cookies are off", "curl -b cookies.txt u", "srun -b x", "inside=1 sid: 5", "Cookie: session=$SESSION_2",
)  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_what_lets_a_session_in_goes_whatever_it_is_called(text: str) -> None:
    assert "letmein" not in scrub(text)


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_session_scrubbed_twice_is_scrubbed_once(text: str) -> None:
    assert scrub(text) == scrub(scrub(text))


@pytest.mark.parametrize("text", KEPT)
def test_what_is_only_called_a_session_or_a_cookie_stays(text: str) -> None:
    assert text == scrub(text)


def test_the_names_of_cookies_and_where_they_count_stay() -> None:
    assert "Set-Cookie: a=<token>; Path=/; HttpOnly" == scrub("Set-Cookie: a=letmein; Path=/; HttpOnly")
