"""`files.*`: uploads in three steps, and what is known of a file."""

from __future__ import annotations

from bot.workspace.methods.chat import author
from bot.workspace.rig import Call, Method
from bot.workspace.state import shelf, talk
from bot.workspace.state.records import Channel, File
from bot.workspace.wire import ApiError, Json


def info(call: Call) -> Json:
    """Return a file's description."""
    return {"ok": True, "file": shelf.as_json(_find(call, call.need("file", "file_not_found")), call.rig.base)}


def get_upload_url(call: Call) -> Json:
    """Return the address that takes the bytes of a new file."""
    name = call.need("filename")
    if call.number("length", 0) <= 0:
        raise ApiError("invalid_arguments", "[ERROR] must be a number greater than 0 [json-pointer:/length]")
    file = shelf.put_file(call.world, call.caller.team, call.caller.bot_user, name)
    file.alt = call.words("alt_txt") or ""
    return {"ok": True, "upload_url": f"{call.rig.base}/upload/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> Json:
    """Share uploaded files, in a channel if one is named."""
    wanted = call.json("files")
    if not isinstance(wanted, list) or not wanted:
        raise ApiError("invalid_arguments", "[ERROR] missing required field: files")
    files = [_titled(call, entry) for entry in wanted]
    names = call.words("channel_id") or call.words("channels")
    for name in names.split(",") if names else ():
        _share(call, files, name)
    return {"ok": True, "files": [shelf.as_json(file, call.rig.base) for file in files]}


def _find(call: Call, file_id: str) -> File:
    file = call.world.files.get(file_id)
    if file is None or file.team != call.caller.team:
        raise ApiError("file_not_found")
    return file


def _titled(call: Call, entry: Json) -> File:
    file = _find(call, str(entry.get("id")))
    file.title = str(entry.get("title") or file.name)
    file.is_complete = True
    return file


def _share(call: Call, files: list[File], name: str) -> None:
    channel = Call(call.rig, call.method, {"channel": name}, call.install).channel()
    if call.caller.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    for file in files:
        shelf.share(file, channel.id)
    talk.post(call.world, channel, _message(call, channel, files))


def _message(call: Call, channel: Channel, files: list[File]) -> Json:
    shown = [shelf.as_json(file, call.rig.base) for file in files]
    body: Json = {"subtype": "file_share", "text": call.words("initial_comment") or "", "files": shown, "upload": True}
    if thread := call.words("thread_ts"):
        parent = talk.find_message(call.world, channel.id, thread)
        body["thread_ts"] = parent.root if parent else thread
    return body | author(call)


METHODS: dict[str, Method] = {
    "files.info": info,
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
}
