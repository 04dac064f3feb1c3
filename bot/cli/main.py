"""The program: its commands, each loaded only when it is called."""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import sys
from pathlib import Path

import click

# Pydantic looks for plugins in every installed package, which takes longer than a sizing; we use none.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

COMMANDS = {
    "ask": "Read a paste and say what is wrong, why, and which command fixes it.",
    "size": "Compute the GPU-memory budget of a deployment.",
    "try": "Open a local workspace in the browser and talk to the bot, without Slack.",
    "serve": "Run the Slack app.",
    "worker": "Answer what the serving processes took in; for more than one process.",
    "doctor": "Look for what would keep the Slack app from working.",
    "manifest": "Print the manifest that makes the Slack app.",
    "db": "Look after the database: migrations and encryption keys.",
    "check": "Prove the knowledge files.",
    "calibrate": "Hold our predictions against your own start-up logs.",
    "digest": "Show or post a team's weekly incident digest.",
    "team": "Look after teams: who owns incidents, and where each is told of its week.",
    "export": "Search incidents, and write them out as CSV or JSON Lines.",
    "replay": "Build incidents anew, and list the verdicts that newer knowledge changes.",
    "forget": "Forget a person, a channel, or what has expired.",
}
_MODULES = {"try": "try_"}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands, in the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import `bot.cli.NAME` and return its command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"bot.cli.{_MODULES.get(cmd_name, cmd_name)}")
        return module.command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="vllm-triage", message="%(prog)s %(version)s")
def program() -> None:
    """Read a vLLM failure, compute its GPU-memory budget, and offer only fixes that fit.

    \b
    Start here:
      vllm-triage try                       a local workspace in your browser
      vllm-triage ask paste.txt             or pipe a log: vllm serve … 2>&1 | vllm-triage ask -
      vllm-triage size "8xH100 llama-3.3-70b --max-model-len 32K"
    """  # noqa: D301 - click reads \b as "leave these lines alone"


def main(arguments: list[str] | None = None) -> None:
    """Run the program; a fault becomes one sentence, never a traceback."""
    _search_for_garbage_seldom()
    _settle_streams()
    _settle_home()
    try:
        program.main(args=arguments, prog_name="vllm-triage", standalone_mode=True)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:  # noqa: BLE001 - the last door: whatever went wrong, a person reads one sentence
        code = _say_fault(error)
        _let_go_of_output()
        sys.exit(code)


def _search_for_garbage_seldom() -> None:
    """What is imported stays, and what ends is let go of anyway: both searches are a tenth of a cold start each."""
    gc.set_threshold(100_000, 20, 20)  # a sizing makes half as many objects
    atexit.register(gc.freeze)


def _settle_streams() -> None:
    """Let nothing depend on what we were started with: a stream that is closed, or one that has no word for "×"."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we live
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _settle_home() -> None:
    """Let a user whom the system knows nothing of have an empty home.

    Slack's SDK asks for one as it is loaded, and uses none of it; whoever keeps files takes an empty one for none.
    """
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = ""


def _let_go_of_output() -> None:
    """Drop what standard output does not take; some Pythons try it again as they end, and then end with 120."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_fault(error: Exception) -> int:
    """Say what went wrong, and return the exit code: 1 when somebody can set it right outside, 70 when we have to."""
    if expected := _expected(error):
        click.echo(f"vllm-triage: {expected}", err=True)
        return 1
    click.echo(f"vllm-triage: {type(error).__name__}: {error}", err=True)
    click.echo("This is a fault of ours. Run again with VLLM_TRIAGE_DEBUG=1 to see where.", err=True)
    if os.environ.get("VLLM_TRIAGE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return 70


def _expected(error: Exception) -> str | None:
    """Return a sentence for what is no fault of ours: knowledge, settings, the database; None for a fault."""
    from pydantic import ValidationError

    from bot.catalog.load import KnowledgeError

    if isinstance(error, KnowledgeError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ValidationError) and error.title == "Settings":
        return "; ".join(f"{_setting(fault['loc'])}: {fault['msg']}" for fault in error.errors())
    if "sqlalchemy" in sys.modules:  # nothing else can have raised its errors
        from bot.journal.refusals import sentence

        return sentence(error)
    return None


def _setting(where: tuple[int | str, ...]) -> str:
    return ".".join(map(str, where)).upper() or "The settings"


if __name__ == "__main__":
    main()
