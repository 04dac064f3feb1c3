"""Signed HTTP: how Slack calls the request URL of an app."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from urllib.parse import urlencode

import aiohttp

from bot.workspace.carrying import Answer, Attempt, Kind
from bot.workspace.rig import Rig
from bot.workspace.wire import Json


def signature(secret: str, timestamp: str, body: str) -> str:
    """Return the v0 signature of a request body."""
    base = f"v0:{timestamp}:{body}".encode()
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


class HttpCarrier:
    """Posts to the request URL, with a signature, and waits three seconds."""

    def __init__(self, rig: Rig, ack_seconds: float) -> None:
        self._rig = rig
        self._limit = ack_seconds
        self._session: aiohttp.ClientSession | None = None

    async def carry(self, kind: Kind, payload: Json, attempt: Attempt) -> Answer:
        """Post a payload in the form that its kind has."""
        content_type, body = _body(kind, payload)
        headers = {"Content-Type": content_type, "User-Agent": "Slackbot 1.0", **self._signed(body)}
        if attempt.number:
            headers |= {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": attempt.reason}
        try:
            async with asyncio.timeout(self._limit):
                return await self._post(body, headers)
        except TimeoutError:
            return Answer(is_ok=False, reason="http_timeout")
        except aiohttp.ClientError:
            return Answer(is_ok=False, reason="connection_failed")

    async def verify(self) -> bool:
        """Send the challenge that Slack sends when a request URL is entered."""
        challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"
        token = self._rig.app.verification_token
        answer = await self.carry(
            "events_api", {"type": "url_verification", "token": token, "challenge": challenge}, Attempt()
        )
        said = answer.payload
        return answer.is_ok and (said == challenge or (isinstance(said, dict) and said.get("challenge") == challenge))

    async def close(self) -> None:
        """Close the connections."""
        if self._session:
            await self._session.close()

    def _signed(self, body: str) -> dict[str, str]:
        stamp = str(int(self._rig.clock.now()))
        return {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": signature(self._rig.app.signing_secret, stamp, body),
        }

    async def _post(self, body: str, headers: dict[str, str]) -> Answer:
        self._session = self._session or aiohttp.ClientSession()
        url = self._rig.app.request_url or ""
        async with self._session.post(url, data=body.encode(), headers=headers) as response:
            text = await response.text()
            no_retry = response.headers.get("X-Slack-No-Retry") == "1"
            if response.status >= 300:
                return Answer(is_ok=False, payload=text, reason="http_error", no_retry=no_retry)
            return Answer(is_ok=True, payload=_parsed(text))


def _body(kind: Kind, payload: Json) -> tuple[str, str]:
    form = "application/x-www-form-urlencoded"
    if kind == "events_api":
        return "application/json", json.dumps(payload)
    return form, urlencode({"payload": json.dumps(payload)} if kind == "interactive" else payload)


def _parsed(text: str) -> object:
    """Return the JSON of an answer; plain text, as a command may answer, stays text."""
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
