"""`vllm-triage size`: the GPU-memory budget of a deployment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.json_lines import answer_lines, show_json, standard_input
from bot.cli.text_files import read_whole, rows_of
from bot.cli.what_if import DOES_NOT_FIT, FITS, NOT_SIZED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.consult import Sized
    from bot.diagnosis.options import Load

_LONGEST_DESCRIPTION = 1_000_000
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("size", context_settings={"ignore_unknown_options": True})
@click.argument("text", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--jsonl", is_flag=True, help='Read {"id", "facts" or "text", "measured", "config"} a line; answer each.')
@click.option("--details", is_flag=True, help="Show speed, users, and what each number rests on.")
@click.option("--gpu", metavar="NAME", help="The card or its memory, where the description names none or another one.")
@click.option("--config", type=_FILE, help="The model's own config.json.")
@click.option(
    "--sweep",
    multiple=True,
    metavar="NAME=V,V…",
    help="A table of what-ifs, again and again. As vLLM reads it, 8K is 8192 and 8k 8000.",
)
@click.option("--context", metavar="TOKENS", help="Tokens of one sequence, for speed and users.  [default: 4k]")
@click.option(
    "--active-share", metavar="SHARE", help="Share of the users who wait for text, such as 10%.  [default: 0.1]"
)
@click.option("--picture", type=_FILE, metavar="FILE", help="Draw the budget: FILE.svg, or FILE.png with Pillow.")
def command(  # noqa: PLR0913 - one parameter an option, as click wants it
    text: tuple[str, ...],
    sweep: tuple[str, ...],
    config: Path | None,
    picture: Path | None,
    context: str | None,
    active_share: str | None,
    *,
    gpu: str | None,
    as_json: bool,
    markdown: bool,
    jsonl: bool,
    details: bool,
) -> None:
    """Size a deployment said in words or as a launch command; a dash reads it from standard input.

    \b
    Examples:
      vllm-triage size "8xH100 llama-3.3-70b --max-model-len 32K --kv-cache-dtype fp8"
      vllm-triage size "vllm serve Qwen/Qwen3-14B on one L40S" --details
      vllm-triage size "qwen3-14b on L40S" --sweep max_model_len=8K,16K,32K --sweep tensor_parallel=1,2,4

    \b
    For scripts, it exits with
      0  it fits; of a table, one row at least
      3  it does not fit, or vLLM refuses it
      4  too little is known to size it, or a value of it cannot be read
    With --jsonl each line of the answer says so for itself.
    """  # noqa: D301 - click reads \b as "leave these lines alone"
    from bot.catalog.parsed import Parsed

    Parsed.leaves_traces = True
    if jsonl:
        load = _load(context, active_share)
        answer_lines(rows_of(standard_input()), lambda row: _answer(_size(row), load), needs_text=False)
        return
    if not text and not config:
        click.echo(click.get_current_context().get_help())
        sys.exit(NOT_SIZED)
    from bot.cli.what_if import read_fields, show_what_ifs
    from bot.diagnosis.options import split_options

    said = split_options(" ".join(_words(text)))  # an option within the quotes of the description is one all the same
    load = _load(context or said.context, active_share or said.active_share)
    fields = read_fields((*said.sweeps, *sweep))
    sized = _size_beside(config, {"text": said.text, "facts": {"gpu": gpu}})
    if picture:
        _draw(sized, picture)
    code = _exit_code(sized)
    if fields:
        _say_unused(sized)
        code = show_what_ifs(sized, fields, as_json=as_json, markdown=markdown)
    elif as_json:
        show_json(_answer(sized, load))
    else:
        _show(sized, load, markdown=markdown, details=details)
    sys.exit(code)


def _words(text: tuple[str, ...]) -> Iterator[str]:
    """Yield what was said, where a dash stands for standard input."""
    for word in text:
        yield _described() if word == "-" else word


def _described() -> str:
    text = standard_input().read(_LONGEST_DESCRIPTION + 1)
    if len(text) > _LONGEST_DESCRIPTION:
        raise click.ClickException(
            f"standard input holds more than {_LONGEST_DESCRIPTION:,} characters; a log is for `vllm-triage ask`"
        )
    return text


def _exit_code(sized: Sized) -> int:
    diagnosis = sized.diagnosis
    if diagnosis.refusals or (diagnosis.budget and not diagnosis.budget.fits):
        return DOES_NOT_FIT
    return FITS if diagnosis.budget and not sized.misread else NOT_SIZED  # vLLM refuses a value that says nothing


def _load(context: str | None, active_share: str | None) -> Load:
    from bot.diagnosis.options import read_load

    try:
        return read_load(context, active_share)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _show(sized: Sized, load: Load, *, markdown: bool, details: bool) -> None:
    from bot.cli.look import show_as
    from bot.diagnosis.options import serve
    from bot.reply.compose_size import compose_size

    _say_unused(sized, [*(question.why for question in sized.diagnosis.questions), *sized.misread])
    served = serve(sized.diagnosis, load)
    said = compose_size(sized.diagnosis, sized.command, served, sized.misread)
    show_as(said, markdown=markdown, details=details)


def _say_unused(sized: Sized, said: Sequence[str] = ()) -> None:
    """Say what could not be used, unless a question says it."""
    for sentence in dict.fromkeys(bad.sentence for bad in sized.bad if bad.sentence not in said):
        click.echo(sentence, err=True)


def _draw(sized: Sized, path: Path) -> None:
    from bot.reply.picture import as_png, as_svg, draw

    budget = sized.diagnosis.budget
    if budget is None:
        return
    if path.suffix.lower() not in {".svg", ".png"}:
        raise click.BadParameter(f"{path.name}: a picture is an .svg or a .png file")
    try:
        drawn = draw(budget)
        path.write_bytes(as_svg(drawn).encode() if path.suffix.lower() == ".svg" else as_png(drawn))
    except ImportError as error:
        raise click.ClickException("PNG needs Pillow: pip install pillow, or draw an .svg") from error
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from error
    click.echo(f"Written: {path}", err=True)


def _size_beside(path: Path | None, row: dict[str, Any]) -> Sized:
    """Return what a row says, sized with a config.json; where it names no model, the file's folder does."""
    if path is None:
        return _size(row)
    row["config"] = _config(path)
    sized = _size(row)
    if sized.diagnosis.deployment.model is not None:
        return sized
    name = path.resolve().parent.name if path.name == "config.json" else path.stem
    return _size({**row, "facts": {**row["facts"], "model": name}})


def _config(path: Path) -> dict[str, Any]:
    """Return a config.json with ModelOpt's file beside it."""
    config = _json_object(path)
    second = path.with_name("hf_quant_config.json")
    if second.is_file():
        config["hf_quant_config"] = _json_object(second)
    return config


def _json_object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_whole(path))
    except RecursionError as error:
        raise click.ClickException(f"cannot read {path} as JSON: it nests too deep") from error
    except OSError as error:
        raise click.ClickException(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"cannot read {path} as JSON: it is no text") from error
    except ValueError as error:
        raise click.ClickException(f"cannot read {path} as JSON: {error}") from error
    if not isinstance(found, dict):
        raise click.ClickException(f"{path} holds no JSON object; give the model's config.json")
    return found


def _answer(sized: Sized, load: Load) -> dict[str, Any]:
    from bot.diagnosis.options import serve
    from bot.reply.answer import answer
    from bot.reply.say_serving import answer_serving

    said = answer(sized.diagnosis)
    kept = ("facts", "budget", "refusals", "fixes", "questions", "problem", "confidence")
    served = serve(sized.diagnosis, load)
    return {
        **{key: said[key] for key in kept},
        "throughput": answer_serving(served) if served else None,
        "command": sized.command,
        "unused": [bad.sentence for bad in sized.bad],
    }


def _size(row: dict[str, Any]) -> Sized:
    from bot import consult
    from bot.cli.hub import look_up

    text = str(row.get("text") or "")
    return consult.size(text, row.get("facts"), row.get("measured"), config=row.get("config"), look_up=look_up)
