from __future__ import annotations

from bot.workspace.person import wait_until


def test_a_message_reaches_the_app_and_its_reply_is_in_the_thread(echo, maya):
    sent = maya.post("#vllm-help", "CUDA out of memory <&>")

    reply = maya.wait_for_reply("#vllm-help", sent["ts"])

    assert "message: CUDA out of memory &lt;&amp;&gt;" == reply["text"]


def test_the_acknowledgement_of_a_command_is_shown_to_the_user_alone(echo, maya, workspace):
    maya.slash("#vllm-help", "/echo", "8xH100")

    assert "command: 8xH100" == maya.messages("#vllm-help")[-1]["text"]
    assert [] == workspace.human("jonas").messages("#vllm-help")
