"""Exceptions and error lines: which of them is the root, which only report another one, and at which stage they arose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.evidence import Evidence, Failure, Line
from bot.reading.figures import quote
from bot.reading.late import Late

MOST_FAILURES = 100
MOST_FRAMES = 400

_FRAME = Late(r'\s*File "?(?P<path>[^"\n]{1,400})"?, line \d+(?:, in (?P<function>[\w<>.]+))?')
_EXCEPTION = re.compile(
    r"""\s{0,3}["'*_`]{0,3}(?P<kind>(?:[A-Za-z_]\w{0,60}\.){0,6}(?:[A-Z]\w{0,60}|[a-z]{1,20}(?:Error|Exception)))
        (?::\s+(?P<message>\S.*) | \((?P<called>['"].*)\)\s*\Z | :?\s*\Z)""",
    re.VERBOSE,
)
_NAMED_LIKE_ONE = Late(
    r"(?:Error|Exception|Exit|Interrupt|Timeout|OutOfResources|OutOfMemory|Died|Unavailable|NotFound|Failed|Refused|Killed)\Z"
)
_INSIDE = Late(
    r"""(?<![A-Za-z0-9.])(?P<kind>(?:[a-z_]\w{0,40}\.){0,5}[A-Z]\w{0,60}(?:Error|Exception))
        (?::\s+(?P<message>[^\s].*) | \((?P<called>['"].{3,})\))""",
    re.VERBOSE,
)
_ERROR_LINE = re.compile(
    r"\s{0,3}(?:docker: )?(?:(?:Error|ERROR|FATAL|Fatal|Failed)\b[: ]|(?:error|fatal):)\s*\S.{3,}|Killed\b|Segmentation fault|Aborted\b|Bus error"
)
_CODE = Late(r"\s*(?:raise|except|class|def|return|import|from|assert|self\.|await|if|for|with|try|\^+|~+)\b")

_WRAPPERS = Late(
    r"""Engine[ ]core[ ]initialization[ ]failed | WorkerProc[ ]initialization[ ]failed | EngineCore[ ](?:failed[ ]to[ ]start|encountered)
      | WorkerProc[ ](?:failed[ ]to[ ]start|hit[ ]an[ ]exception) | EngineDeadError | Engine[ ](?:core[ ])?proc(?:ess)?\b.{0,60}(?:died|failed[ ]to[ ]start)
      | Worker[ ]proc\b.{0,60}died | Worker\b.{0,40}\bdied | Engine[ ]loop[ ]is[ ](?:not[ ]running|dead) | Background[ ]loop | Task[ ]finished[ ]unexpectedly
      | Error[ ]executing[ ]method | Exception[ ]in[ ](?:worker|ASGI|callback) | See[ ](?:root[ ]cause|stack[ ]trace) | ActorDiedError | ChildFailedError
      | KeyboardInterrupt:[ ]terminated | CancelledError | SystemExit | shutting[ ]down | BrokenPipeError | Executor[ ]failed | Failed[ ]core[ ]proc
      | Engine[ ]is[ ]dead | CalledProcessError | AsyncEngineDeadError | MQEngineDeadError | raised[ ]in[ ]its[ ]creation[ ]task
      | The[ ]actor[ ]died | worker[ ]died | Exception[ ]ignored[ ]in | resource_tracker""",
    re.VERBOSE | re.IGNORECASE,
)

# What a frame's function says about the stage; the first stage of this order that any frame names is the stage,
# because a capture or a profile run calls what serving calls too.
_STAGES: tuple[tuple[str, frozenset[str]], ...] = (
    ("capture", frozenset({"capture_model", "_capture_cudagraphs", "capture_graphs", "_capture_model", "profile_cudagraph_memory"})),
    ("load", frozenset({"load_model", "create_weights", "process_weights_after_loading", "load_weights", "_load_model", "get_model"})),
    ("profile", frozenset({"profile_run", "determine_available_memory", "determine_num_available_blocks", "profile_num_available_blocks"})),
    ("warmup", frozenset({"compile_or_warm_up_model", "kernel_warmup", "_dummy_sampler_run", "_warm_up_model", "warmup"})),
    (
        "kv_cache",
        frozenset(
            {"initialize_kv_cache", "_allocate_kv_cache_tensors", "initialize_kv_cache_tensors", "initialize_from_config", "get_kv_cache_config",
             "get_kv_cache_configs", "check_enough_kv_cache_memory", "_check_enough_kv_cache_memory", "raise_if_cache_size_invalid",
             "initialize_cache", "_allocate_kv_cache", "_init_cache_engine", "verify_kv_cache"}
        ),
    ),
    ("serving", frozenset({"execute_model", "step", "run_busy_loop", "run_engine_loop", "sample_tokens", "engine_step", "generate"})),
)  # fmt: skip


@dataclass(slots=True)
class _Stack:
    """The frames of one process since its last exception."""

    functions: set[str] = field(default_factory=set[str])
    is_open: bool = False


def read(lines: Sequence[Line]) -> Evidence:
    """Return every distinct exception and error line, processes kept apart."""
    failures = _first_of_each(_find_failures(lines))
    return Evidence(failures=failures, kinds=frozenset({"traceback"}) if failures else frozenset())


def _first_of_each(failures: Iterator[Failure]) -> tuple[Failure, ...]:
    kept: dict[tuple[str | None, str], Failure] = {}
    for failure in failures:
        kept.setdefault((failure.kind, failure.message), failure)
        if len(kept) >= MOST_FAILURES:
            break
    return tuple(kept.values())


def _find_failures(lines: Sequence[Line]) -> Iterator[Failure]:
    stacks: dict[str | None, _Stack] = {}
    for place, line in enumerate(lines):
        text = line.message
        stack = stacks.setdefault(line.process, _Stack())
        if _takes_frame(stack, text):
            continue
        failure = _read_failure(line, text, stack)
        if failure:
            yield _complete(failure, lines[place + 1 : place + 4])
            stacks[line.process] = _Stack()


def _takes_frame(stack: _Stack, text: str) -> bool:
    """Note a line that belongs to a traceback's frames."""
    if "File " in text and (frame := _FRAME.match(text)):
        stack.is_open = True
        if frame["function"] and len(stack.functions) < MOST_FRAMES:
            stack.functions.add(frame["function"])
        return True
    if "Traceback (most recent call last)" in text:
        stack.functions.clear()
        stack.is_open = True
        return True
    return stack.is_open and text[:2] == "  "


def _read_failure(line: Line, text: str, stack: _Stack) -> Failure | None:
    found = _match_exception(text, stack)
    if found:
        kind, message = found["kind"], (found["message"] or found["called"] or "").strip()
        return _failure(line, kind, message or kind, stack)
    is_error = line.level in {"ERROR", "CRITICAL", "FATAL"} or _ERROR_LINE.match(text)
    if (
        not is_error
        or len(text.strip()) < 4
        or set(text.strip()) <= set("^~-=* ")
        or text[:1] in " \t"
        or _CODE.match(text)
    ):
        return None
    return _failure(line, None, quote(line), stack if stack.is_open else _Stack())


def _complete(failure: Failure, following: Sequence[Line]) -> Failure:
    """Return a failure with the lines that carry its message, where its own line only announces it."""
    texts = [line.message.strip() for line in following]
    if failure.message == failure.kind and texts and texts[0] and not _EXCEPTION.match(texts[0]):
        return failure._replace(message=" ".join(text for text in texts[:2] if text))
    if "validation error" in failure.message:
        told = next(
            (text for text in texts if text.startswith(("Value error", "Assertion failed", "Input should"))), ""
        )
        return failure._replace(message=f"{failure.message} {told}".strip())
    return failure


def _match_exception(text: str, stack: _Stack) -> re.Match[str] | None:
    found = _EXCEPTION.match(text)
    if found:
        is_named = _NAMED_LIKE_ONE.search(found["kind"]) is not None
        has_words = found["message"] or found["called"]
        if (is_named and (has_words or stack.is_open or text.rstrip().endswith(":"))) or (
            stack.is_open and "." in found["kind"]
        ):
            return found
    if "Error" not in text and "Exception" not in text:
        return None
    inside = _INSIDE.search(text)
    return None if inside and inside["called"] and _CODE.match(text) else inside


def _failure(line: Line, kind: str | None, message: str, stack: _Stack) -> Failure:
    says = f"{kind or ''}: {message}"
    return Failure(
        kind=kind,
        message=message[:2_000],
        line=line.number,
        process=line.process,
        stage=_stage_of(stack.functions),
        is_wrapper=_WRAPPERS.search(says[:1_000]) is not None,
    )


def _stage_of(functions: set[str]) -> str | None:
    return next((stage for stage, names in _STAGES if not names.isdisjoint(functions)), None)
