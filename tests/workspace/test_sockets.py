"""Socket Mode as bare frames: what a client gets and what it must say."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import aiohttp
import pytest

from bot.workspace.server import Workspace


@asynccontextmanager
async def a_workspace(**settings):
    made = Workspace(clock_factor=2000, **({"ack_seconds": 30} | settings))
    await made.start()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(60)) as session:
        try:
            yield made, session
        finally:
            await made.stop()


async def an_address(workspace, session):
    login = {"Authorization": "Bearer xapp-local"}
    async with session.post(f"{workspace.api_url}apps.connections.open", headers=login) as answer:
        return (await answer.json())["url"]


async def a_socket(workspace, session):
    socket = await session.ws_connect(await an_address(workspace, session), timeout=aiohttp.ClientWSTimeout(60, 5))
    return socket, await socket.receive_json()


async def drive(workspace, session, verb, **fields):
    async with session.post(f"{workspace.rig.base}/driver/{verb}", json=fields) as answer:
        return await answer.json()


def test_hello_counts_the_connections():
    async def scene():
        async with a_workspace() as (workspace, session):
            return [await a_socket(workspace, session) for _ in range(2)]

    hellos = [hello for _, hello in asyncio.run(scene())]

    assert ["hello", "hello"] == [each["type"] for each in hellos]
    assert [1, 2] == [each["num_connections"] for each in hellos]


def test_the_eleventh_socket_is_one_too_many():
    async def scene():
        async with a_workspace() as (workspace, session):
            return [await a_socket(workspace, session) for _ in range(11)]

    assert {"type": "disconnect", "reason": "too_many_websockets"} == asyncio.run(scene())[-1][1]


def test_an_address_works_once():
    async def scene():
        async with a_workspace() as (workspace, session):
            address = await an_address(workspace, session)
            await session.ws_connect(address)
            with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
                await session.ws_connect(address)
            return caught.value.status

    assert 404 == asyncio.run(scene())


def test_an_event_is_an_envelope_that_takes_no_answer():
    async def scene():
        async with a_workspace() as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            await drive(workspace, session, "post", channel="#vllm-help", text="x")
            return await socket.receive_json()

    envelope = asyncio.run(scene())
    assert ("events_api", False, 0, "") == tuple(
        envelope[name] for name in ("type", "accepts_response_payload", "retry_attempt", "retry_reason")
    )


def test_an_unacknowledged_envelope_comes_again_as_another_with_the_same_event():
    async def scene():
        async with a_workspace(ack_seconds=0.1) as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            await drive(workspace, session, "post", channel="#vllm-help", text="x")
            return [await socket.receive_json() for _ in range(4)]

    tries = asyncio.run(scene())
    assert [0, 1, 2, 3] == [each["retry_attempt"] for each in tries]
    assert ["", "timeout", "timeout", "timeout"] == [each["retry_reason"] for each in tries]
    assert 1 == len({each["payload"]["event_id"] for each in tries})
    assert 4 == len({each["envelope_id"] for each in tries})


def test_what_a_lost_socket_carried_comes_again_on_another():
    async def scene():
        async with a_workspace() as (workspace, session):
            first, _ = await a_socket(workspace, session)
            await drive(workspace, session, "post", channel="#vllm-help", text="x")
            await first.receive_json()
            second, _ = await a_socket(workspace, session)
            first._conn.transport.abort()
            return await second.receive_json()

    again = asyncio.run(scene())
    assert (1, "connection_failed") == (again["retry_attempt"], again["retry_reason"])


def test_an_acknowledged_envelope_comes_once():
    async def scene():
        async with a_workspace() as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            await drive(workspace, session, "post", channel="#vllm-help", text="x")
            envelope = await socket.receive_json()
            await socket.send_str("no JSON at all")
            await socket.send_json({"envelope_id": envelope["envelope_id"]})
            await drive(workspace, session, "settle")
            return (await drive(workspace, session, "deliveries"))["deliveries"]

    assert [True] == [each["is_ok"] for each in asyncio.run(scene())]


def test_many_sockets_share_the_events():
    async def scene():
        async with a_workspace() as (workspace, session):
            sockets = [(await a_socket(workspace, session))[0] for _ in range(3)]
            counts = [0, 0, 0]
            listeners = [asyncio.create_task(answer(socket, counts, at)) for at, socket in enumerate(sockets)]
            for _ in range(60):
                await drive(workspace, session, "post", channel="#vllm-help", text="x")
            await drive(workspace, session, "settle")
            for each in listeners:
                each.cancel()
            return counts

    async def answer(socket, counts, at):
        async for message in socket:
            counts[at] += 1
            await socket.send_json({"envelope_id": message.json()["envelope_id"]})

    counts = asyncio.run(scene())
    assert 60 == sum(counts)
    assert all(count > 0 for count in counts)


@pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled"])
def test_a_farewell_is_told_before_the_socket_closes(reason):
    async def scene():
        async with a_workspace() as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            told, _ = await asyncio.gather(socket.receive_json(), drive(workspace, session, "sockets", farewell=reason))
            return told["reason"], (await socket.receive()).type

    assert (reason, aiohttp.WSMsgType.CLOSE) == asyncio.run(scene())


def test_a_warning_leaves_the_socket_open():
    async def scene():
        async with a_workspace() as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            await drive(workspace, session, "sockets", farewell="warning")
            return (await socket.receive_json())["reason"], (await drive(workspace, session, "sockets"))["open"]

    assert ("warning", 1) == asyncio.run(scene())


def test_a_cut_socket_is_gone_without_a_word():
    async def scene():
        async with a_workspace() as (workspace, session):
            socket, _ = await a_socket(workspace, session)
            await drive(workspace, session, "sockets", cut=True)
            return (await socket.receive()).type, (await drive(workspace, session, "sockets"))["open"]

    kind, still_open = asyncio.run(scene())
    assert kind in {aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR, aiohttp.WSMsgType.CLOSING}
    assert 0 == still_open
