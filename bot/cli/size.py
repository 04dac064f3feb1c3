"""`vllm-triage size`: the GPU-memory budget of a deployment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bot.consult import Sized


@click.command("size")
@click.argument("text", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option(
    "--jsonl",
    is_flag=True,
    help='Read {"id", "facts" or "text", "measured", "config"} a line, print one answer a line.',
)
@click.option("--details", is_flag=True, help="Show what each number rests on.")
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="The model's own config.json."
)
def command(
    text: tuple[str, ...],
    config: Path | None,
    *,
    as_json: bool,
    markdown: bool,
    jsonl: bool,
    details: bool,
) -> None:
    """Size a deployment said in words or as a launch command.

    Examples: `vllm-triage size "8xH100 llama-3.3-70b --max-model-len 32k --kv-cache-dtype fp8"`,
    `vllm-triage size "vllm serve Qwen/Qwen3-14B on one L40S"`.
    """
    if jsonl:
        _answer_lines()
        return
    if not text and not config:
        click.echo(click.get_current_context().get_help())
        return
    from bot import consult
    from bot.hub.look_up import look_up

    read, name = _config(config)
    sized = consult.size(" ".join(text), name, config=read, look_up=look_up)
    if as_json:
        click.echo(json.dumps(_answer(sized), ensure_ascii=False))
        return
    _show(sized, markdown=markdown, details=details)


def _show(sized: Sized, *, markdown: bool, details: bool) -> None:
    from bot.reply.compose_size import compose_size

    for bad in sized.bad:
        click.echo(bad.sentence, err=True)
    document = compose_size(sized.diagnosis, sized.command)
    if markdown:
        from bot.reply import markdown as look

        click.echo(look.render(document), nl=False)
        return
    from bot.cli.look import show

    show(document, details=details)


def _config(path: Path | None) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return a config.json, and the model's name as its folder says it."""
    if path is None:
        return None, {}
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"cannot read {path} as JSON: {error}") from error
    if not isinstance(config, dict):
        raise click.ClickException(f"{path} holds no JSON object; give the model's config.json")
    name = path.resolve().parent.name if path.name == "config.json" else path.stem
    return config, {"model": name}


def _answer(sized: Sized) -> dict[str, Any]:
    from bot.reply.answer import answer

    said = answer(sized.diagnosis)
    kept = ("facts", "budget", "refusals", "fixes", "questions", "problem", "confidence")
    return {**{key: said[key] for key in kept}, "command": sized.command, "unused": [bad.sentence for bad in sized.bad]}


def _answer_lines() -> None:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        row, problem = _row(line, number)
        said = {"error": problem} if problem else _answer(_size_row(row))
        click.echo(json.dumps({"id": row.get("id"), **said}, ensure_ascii=False))


def _size_row(row: dict[str, Any]) -> Sized:
    from bot import consult
    from bot.hub.look_up import look_up

    config = row.get("config")
    known = config if isinstance(config, dict) else None
    return consult.size(
        str(row.get("text") or ""), row.get("facts"), row.get("measured"), config=known, look_up=look_up
    )


def _row(line: str, number: int) -> tuple[dict[str, Any], str | None]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return {}, f"line {number} is no JSON: {error.msg} at column {error.colno}"
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("facts", {}), dict)
        or not isinstance(row.get("measured") or {}, dict)
    ):
        return {}, f'line {number}: wanted an object with "facts"'
    return row, None
