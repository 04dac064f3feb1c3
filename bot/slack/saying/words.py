"""The few sentences that the app says for itself; what it says about a problem comes from the knowledge base."""

from __future__ import annotations

from collections.abc import Mapping

from bot.journal.channels import Mode

HELP = (
    "Paste a vLLM error, a start-up log or `nvidia-smi` output and I say which problem it is, why, and which command "
    "fixes it.\n"
    "• In a channel: mention me with `enable` and I answer every paste; `mention only` and `off` do what they say.\n"
    "• In a thread: `resolved`, `reopen`, `mute`, `escalate`, or just add what was missing.\n"
    "• `/vllm-size 8xH100 llama-3.3-70b --max-model-len 32k` computes a memory budget."
)
MODES: Mapping[Mode, str] = {
    "auto": "From now on I answer every vLLM problem that is pasted in this channel, in its thread. "
    "`mention only` or `off` change that.",
    "mention": "From now on I speak in this channel only when somebody mentions me.",
    "off": "I keep quiet in this channel. Mention me with `enable` when you want me back.",
}
ALERTS: Mapping[str, str] = {
    "allow alerts": "From now on I also read what other bots post in this channel.",
    "ignore alerts": "From now on I ignore what other bots post in this channel.",
}
HELPERS = "When a case is escalated in this channel, I mention that group, once."
NO_HELPERS = "I mention nobody by name on an escalation. Say `helpers @group` to change that."
EDITED = "Worked out again after the message was edited."
OFFER = "That may be about vLLM, but I am not sure. Shall I take a look, in its thread?"
READING = "is reading your log…"
TOO_LATE = "I was too slow for Slack to open that window: press the button or send the command once more, please."
BUSY = "Slack is too busy to open that window: press the button or send the command once more in {seconds} s, please."
NO_WINDOW = "Slack did not answer when I opened that window. If there is none, press the button or send the command once more, please."
UNDER_WAY = "I am at it already: you pressed that a moment ago."
SHARED = "That budget is in the channel already."
NOT_SHARED = "Slack did not take it. If it is not in the channel, press the button once more or send the command again."
NOT_YOURS = "Only admins of the workspace and the team's leads may change this."
NOT_AN_ADMIN = "Only admins of the workspace may change this."
NO_TEAM = "There is no team {name} any more."
OLD_BUTTON = "That button is from an older version of me. Reply in the thread instead, and I take it from there."
DRAWN = "The picture is in our direct messages."
NOT_DRAWN = "Slack did not take the picture; try again, or ask an admin to allow me files. `vllm-triage size --picture` draws it too."
ASKING = (
    "The catalogue does not list that model, so I am asking {host} for it. The budget comes here, and to the channel."
)
OLD_BUDGET = "That button is from an older version of me. Ask `/vllm-size` again, please."
WELCOME = (
    "Hello. I read vLLM errors, start-up logs and `nvidia-smi` output, say which problem it is, and offer only fixes "
    "that I have checked by computing the memory budget again. I answer in threads. When shall I speak here?"
)
REMINDER = (
    "Is this solved? Press *Solved* above, or add here what is still wrong. I close the case in {days} days otherwise."
)
DELETED = "The message that this was about was deleted."
MEMORY = "Seen {times} {when}"
ADD_SCOPES = "Add them at https://api.slack.com/apps under *OAuth & Permissions* and reinstall the app."
INVITE_ME = (
    "I am not in this channel, so only you see this. Invite me, and I answer in the thread and keep it up to date."
)
FAILED = "I could not work this out: something on my side went wrong (reference {reference}). The log has the details."
MISSING_SCOPE = (
    "Slack does not let me go on: the app lacks the scope `{scope}`. An admin can add it at https://api.slack.com/apps "
    "and reinstall the app (reference {reference})."
)
