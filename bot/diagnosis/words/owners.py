"""Which program a paste's own machinery names: the packages of its frames, the module started, the process that wrote.

Or which work people tell that it did, where no machinery is shown: models are trained and pictures made by other programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.reading.late import Late

# What vLLM itself is built on: frames of these tell of no other program, since a torn traceback may show them alone.
_LIBRARIES = frozenset(
    """accelerate aiohttp anyio av bitsandbytes blake3 cachetools click cloudpickle compressed_tensors cpuinfo cupy cupyx cuda cutlass cv2 datasets deep_ep deep_gemm
    depyf diskcache einops fastapi filelock flash_attn flashinfer functorch gguf gunicorn h11 hf_transfer hf_xet httpcore httptools httpx huggingface_hub importlib jinja2
    jiter jsonschema kserve lark lightllm_kernel lmcache lm_format_enforcer mcp mistral_common modelscope mooncake msgpack msgspec multiprocess ninja nixl numba numpy openai openai_harmony
    opentelemetry outlines outlines_core partial_json_parser peft PIL pip pkg_resources prometheus_client prometheus_fastapi_instrumentator protobuf psutil pybase64 pycountry
    pydantic pydantic_core pynvml python_multipart ray regex requests runai_model_streamer rpyc safetensors scipy sentencepiece sentence_transformers setproctitle setuptools six soundfile starlette
    tensorizer tiktoken tilelang timm tokenizers torch torchaudio torchvision tqdm transformers triton trl typer typing_extensions urllib3 uvicorn uvloop watchfiles
    websockets wheel xformers xgrammar yaml yarl zmq""".split()  # noqa: SIM905 - a list would be a page long
)

_FRAME = Late(r"""File\ "[^"\n]{0,300}?[/\\](?:site|dist)-packages[/\\](?P<package>\w{1,60})[/\\.]""", re.VERBOSE)
# "python -m sglang.launch_server"; launchers of other modules are none.
_MODULE = Late(r"\bpython[\d.]{0,5}\s(?:-\w\s){0,2}-m\s(?P<package>\w{1,60})\.\w")
_LAUNCHERS = frozenset({"torch", "pip", "venv", "ray", "http", "accelerate", "debugpy", "uvicorn"})
# A program of one's own subcommands, started with settings: "axolotl train config.yml", "swift sft --model org/m".
_STARTED = Late(
    r"^\s{0,8}(?:[$>]\s)?(?P<package>[a-z][\w-]{2,30})\s(?:serve|train|launch|start|finetune|webui|run|sft|infer|deploy)\s(?:[\w./-]{1,120}\s){0,2}(?:--[a-z]|\S{1,80}\.ya?ml\b)",
    re.MULTILINE,
)
# Launchers of anything, and the words that stand before a verb in a sentence.
_GENERIC = frozenset(
    """accelerate bentoml conda docker helm kubectl modal nerdctl npm pipenv podman poetry python ray service sky srun systemctl torchrun uvicorn
    and but can cannot could did does how let may might must not now please shall should tell that then they try who why will would you""".split()  # noqa: SIM905
)
# Records of other kinds of programs: Rust's, with the crate, and Ray's, with the actor.
_CRATE = Late(r"\b(?:INFO|WARN|ERROR|DEBUG)\s{1,2}(?:[\w.-]{1,40}(?:\{[^}\n]{0,200}\})?:\s){0,2}(?P<package>[a-z][a-z0-9_]{2,40})::[a-z]\w{0,60}")  # fmt: skip
# Python's own forms: "open_webui.main - ERROR - x", "ERROR:open_webui.main:x".
_LOGGER = Late(
    r"^(?:[\d:., T-]{10,30}[\s-]{1,3})?(?:(?P<package>[a-z]\w{2,40})(?:\.\w{1,40}){0,6}\s-\s(?:ERROR|CRITICAL)\s-\s|(?:ERROR|CRITICAL):(?P<logger>[a-z]\w{2,40})(?:\.\w{1,40}){0,6}:)",
    re.MULTILINE,
)
_ACTOR = Late(r"^\((?:ServeReplica:)?(?P<package>[A-Za-z_][\w:.()>-]{1,80})\spid=\d", re.MULTILINE)
_OURS = Late(r"vllm|llm|engine|\bworker|rayworker|api_?server|\bdp\d", re.IGNORECASE)
_NOBODY_S = frozenset({"raylet", "autoscaler", "ServeController", "ProxyActor", "pid"})
_TRACEBACK = Late(r"""Traceback\ \(most\ recent\ call\ last\):\s{1,40}(?:[^\n]{0,60}\s)?File\ "(?P<path>[^"\n]{1,300})",\ line\ \d{1,6}""", re.VERBOSE)  # fmt: skip
# A file of somebody's own that a command starts; one named for serving or measuring a model may be ours.
_RUN = Late(r"^(?:[\w ]{1,20}:)?\s{0,8}(?:[$>#]\s)?(?:\w+=\S+\s){0,6}python[\d.]{0,5}\s(?:-\w\s){0,2}(?P<path>[\w./-]{1,160}\.py)\b", re.MULTILINE)  # fmt: skip
_MAY_SERVE = Late(r"api_server|benchmark|bench_|serv(?:e|ing)|infer|llm|collect_env|engine|chat|generate", re.IGNORECASE)  # fmt: skip
_CELL = Late(r"\bCell In ?\[\d{1,5}\], line \d|<ipython-input-\d{1,5}-|/ipykernel_\d{1,9}/")
_INSTALLED = Late(r"(?:site|dist)-packages|/lib/python|\A<|/bin/")

# Work that vLLM does not do, told as going on: a model that was trained may be served. Of pictures, the parts of their models.
_WORK = Late(
    r"""\b(?P<training>(?:(?:run|runs|running|start|starts|started|starting|launch|launching|resume|resuming|during|while|when|in|my|our|the|a|this|lora|lokr|distributed)\ )(?:\w{1,12}\ )?training(?!\ (?:data|set|went|worked|finished|is\ done))
        |training\ (?:run|job|script|loop|step)s?|(?:(?:try|tried|trying|want)\ to|when\ (?:i|we)|i|we|can(?:no|')t|cannot)\ (?:pre-?)?train\b|train(?:ing)?\ (?:[\w.]{1,12}\ ){0,3}lora
        |(?:sft|dpo|kto|orpo|grpo|ppo|reward|seq2seq)_?trainer|dreambooth|textual\ inversion|kohya\w*|sd-scripts|onetrainer|fluxgym|ai-toolkit|resize_token_embeddings|learning\ rate|gradient\ (?:checkpointing|accumulation))\b
      | \b(?P<pictures>t5-?xxl|sdxl|unet|(?:image|text|frames?)-to-(?:image|video)|wan ?2\.\d|hunyuan-?video|ltx-?video|controlnet|ip-?adapter|forge\ ui|a1111|latents?\ upscal\w+)\b""",
    re.VERBOSE | re.IGNORECASE,
)


def name_owner(text: str) -> str | None:
    """Return the program that the machinery in a text names, where that is not vLLM; None where nothing is named.

    A library that vLLM stands on names nobody. Of processes each must be another's: those of vLLM's engine are not.
    """
    return next(_packages(text), None) or _actor(text) or _script(text) or _work(text)


def _work(text: str) -> str | None:
    """Return the work that is told, by the group of its words."""
    found = _WORK.regex.search(text)
    return found.lastgroup if found else None


def _packages(text: str) -> Iterator[str]:
    for pattern, others in (
        (_FRAME, _LIBRARIES),
        (_MODULE, _LAUNCHERS),
        (_STARTED, _GENERIC),
        (_CRATE, frozenset[str]()),
        (_LOGGER, _LIBRARIES | {"root", "asyncio"}),
    ):
        found = (match[match.lastgroup or 0] for match in pattern.regex.finditer(text))
        yield from (name for name in found if name not in others and not name.startswith("_"))


def _actor(text: str) -> str | None:
    actors = [match["package"] for match in _ACTOR.regex.finditer(text)]
    if any(map(_OURS.regex.search, actors)):
        return None
    return next((actor for actor in actors if actor not in _NOBODY_S), None)


def _script(text: str) -> str | None:
    """Return the script, or the cell of a notebook, that a whole traceback begins in, or the script that a command runs."""
    if "LLM(" in text:
        return None
    first = _TRACEBACK.regex.search(text)
    if first and not _INSTALLED.regex.search(first["path"]) and first["path"].endswith(".py"):
        return first["path"]
    started = (found["path"] for found in _RUN.regex.finditer(text))
    own = next(
        (path for path in started if not _INSTALLED.regex.search(path) and not _MAY_SERVE.regex.search(path)), None
    )
    cell = _CELL.regex.search(text)
    return cell[0] if cell else own
