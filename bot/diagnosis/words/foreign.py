"""Whether a paste is about vLLM at all, or about another program that fails in like words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.diagnosis.words.owners import name_owner
from bot.evidence import Line
from bot.reading.late import Late

# Text that only vLLM, its commands or its libraries' frames write.
_SURE = Late(
    r"""
      [/\\]vllm[/\\] | \bvllm\.(?:entrypoints|engine|v1|worker|executor|model_executor|_C|platforms|distributed)\b
    | \bvllm\s+(?:serve|bench|chat)\b | \bVLLM::\w | \bVLLM_[A-Z]\w+ | \bvllm:\w+ | \bvllm(?:==|\ v?\d+\.\d)
    | \b(?:EngineCore|APIServer|VllmWorker|RayWorker|Worker_TP\d)\w*\b
    | \b(?:gpu_worker|gpu_model_runner|kv_cache_utils|multiproc_executor|api_server|async_llm|llm_engine|model_runner|worker_base|core_client|weight_utils)\.py:\d+
    | \[(?:core|loggers|metrics|launcher|backends|scheduler|worker)\.py:\d+ | \b(?:core|loggers|metrics|launcher|backends|scheduler|worker)\.py:\d+\]
    | gpu[_-]memory[_-]utili[sz]ation | max[_-]model[_-]len | max[_-]num[_-](?:seqs|batched[_-]tokens)
    | \bPreemptionMode\. | \bAsyncLLMEngine\b | \bEngineDeadError\b | \bfrom\ vllm\b | \bimport\ vllm\b | \bKV\ cache\ size:
    """,
    re.VERBOSE,
)

# Words that make vLLM likely.
_LIKELY = Late(
    r"""
      vllm | tensor[_-]parallel[_-]size | \bkv[ _-]?cache\b | \bpaged\s?attention\b | \bmax(?:imum)?\ concurrency\ for\b
    | --(?:enforce-eager|kv-cache-dtype|cpu-offload-gb|swap-space|served-model-name|tool-call-parser|enable-auto-tool-choice
        |enable-(?:prefix-caching|chunked-prefill|lora|expert-parallel)|max-(?:lora-rank|num-batched-tokens)|speculative-config)\b
    | "(?:POST|GET)\ /v1/(?:chat/completions|completions|models|embeddings)\ HTTP/ | \bsafetensors\ checkpoint\ shards\b
    | \benforce_eager\b | \bprefix\ cache\ hit\ rate\b | \btokens/s\b.{0,80}\breqs\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

# The trade's words: a message with none of them may be any program's (a full disk, a driver, a gated repository).
_SERVING = Late(
    r"""
      vllm | \bkv[ _-]?cache\b | \bcache\ blocks?\b | \bengine\b | \b(?:max\ seq|model)\ len | \bmax_\w+ | \btensor[ _-]parallel
    | \bworld[ _]size\b | \bsampler\b | \bquanti[sz]\w+ | \battention\b | \blora\b | \btool\ choice\b | \bchat\ template\b
    | \bcontext\ length\b | \bpreempt\w* | \btokens?\b | \bcheckpoint | \bweights?\b | \bdtype\b | \bbfloat16\b | \bmodel\b
    | \butili[sz]ation\b | \bcuda\ graph | \bprofil\w+ | \bworkers?\b | \bbroadcast\b | \brpc\b | \bserv(?:e|ing)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Those of them that memory, the Hub, drivers and networks have no use for.
_TRADE = Late(
    r"""vllm | \bkv[ _-]?cache\b | \bcache\ blocks?\b | \bengine\b | \b(?:max\ seq|model)\ len | \bmax_\w+ | \btensor[ _-]parallel | \bsampler\b
      | \btool\ choice\b | \bchat\ template\b | \bcontext\ length\b | \bpreempt\w* | \battention\ (?:heads|backend)""",
    re.VERBOSE | re.IGNORECASE,
)

# Programs that share vLLM's words, by text that only they write. What they say of memory, NCCL or the Hub is theirs.
# Their mere names stand in `_NAMES`: people compare vLLM with them.
PROGRAMS: Mapping[str, Late] = {
    "training": Late(
        r"""loss\.backward|\.backward\(|\boptimizer\.(?:step|zero)|\btrain(?:er|ing_step|_step|_loader)?\.py|['"](?:grad_norm|learning_rate)['"]
          |\bFSDP\b|\b(?:DDP|DistributedDataParallel)\(|\bhorovod\w*\b|accelerate\s+launch|\btorchrun\b|\bChildFailedError\b
          |torch[./]distributed[./](?:elastic|launch|run)\b
          |\b(?:val|training|train)\ loop\b|\bepoch\s*\d|\bpytorch_lightning\b|\bmegatron\b|\bOpType=_?REDUCE_SCATTER|\bcompute_loss\b
          |Expected\ to\ have\ finished\ reduction|\b(?:sft|train|finetune|pretrain)\w*\.(?:py|sh)\b|\btrainer\.(?:train|fit)\(""",
        re.VERBOSE | re.IGNORECASE,
    ),
    "llama.cpp": Late(
        r"\bllama[_-](?:server|cli|model_load|init|kv_cache|new_context|decode)|\bggml_|[/\\]llama\.cpp[/\\]|slot update_slots|\bconvert[_-]hf[_-]to[_-]gguf\b|\bsrv\s+\w+:|\bn_gpu_layers\b|-ngl\b",
        re.IGNORECASE,
    ),
    "Ollama": Late(
        r"\bollama(?:\[\d+\]:|/ollama|\s+(?:run|serve|pull|create|ps)\b)|\bllama runner process\b|\bOLLAMA_\w+|cudaMalloc failed",
        re.IGNORECASE,
    ),
    "ExLlama and kin": Late(r"\bexllama\w*[/.]\w|\bmlx_lm[./]|\bkoboldcpp\.py\b", re.IGNORECASE),
    "Text Generation Inference": Late(
        r"text_generation_(?:launcher|server|router|client)\b|\bmax_batch_(?:prefill|total)_tokens\b|\bWebserverFailed\b|\bUnable to warmup model\b",
        re.IGNORECASE,
    ),
    "SGLang": Late(
        r"\bServerArgs\(|\bsglang(?:[/.]\w|::|\s+serve)|Retract requests|#running-req|--schedule-conservativeness|--mem-fraction-static|\breq_to_token_pool\b",
        re.IGNORECASE,
    ),
    "TensorRT": Late(r"\[TRT(?:-LLM)?\]|\btensorrt_llm\b|\btrtllm-|\btrtexec\b", re.IGNORECASE),
    "Triton server": Late(r"\btritonserver\b|\bonnx\s?runtime\b|\bmodel\.onnx\b", re.IGNORECASE),
    "LMDeploy": Late(r"\blmdeploy\b|\bturbomind\b", re.IGNORECASE),
    "image generation": Late(
        r"\bComfyUI Error Report\b|\bPrompt executed in\b|[/\\]ComfyUI[/\\]|\bcomfy[./]\w|\bdiffusers[./]\w|\bKSampler\b|\bAllocation on device\b|\bpipe\.to\(",
        re.IGNORECASE,
    ),
    "JAX or TensorFlow": Late(
        r"\bjaxlib\b|\bxla_extension\b|\btensorflow\b|\bkeras\b|\bBufferAssignment\b", re.IGNORECASE
    ),
    "Python services": Late(
        r"\bdjango\.\w|\bpsycopg\w*|\bsqlalchemy\.\w|\bredis\.exceptions|\bmanage\.py\b|\bmemcache\.go\b",
        re.IGNORECASE,
    ),
    "the JVM": Late(
        r"\bjava\.\w+\.|\bat\s+[\w.$]+\([\w]+\.java:\d+\)|(?-i:\bYARN\b)|\bspark\.|\bExecutorLostFailure\b|\bkafka\b|\bjenkins\b",
        re.IGNORECASE,
    ),
    "JavaScript": Late(r"\bJavaScript heap\b|\bnpm ERR!|\bnode_modules\b|Mark-Compact", re.IGNORECASE),
    "building and packaging": Late(
        r"pip's dependency resolver|\bResolutionImpossible\b|Cannot install -r|\bcc1plus\b|\bcompilation terminated\b|toomanyrequests|\bLFS bandwidth\b"
        r"|\bterraform\b|state lock\b|##\[error\]|\bactions[-/]runner\b|/runners?/",
        re.IGNORECASE,
    ),
    "batch systems": Late(
        r"\bsbatch\b|\bslurmstepd\b|\bsacct\b|\bexceeded quota\b|\bray\.data\b|ephemeral-storage", re.IGNORECASE
    ),
    "monitoring": Late(
        r"\[FIRING:\d+\]|\bnode_exporter\b|:9100\b|\bDatasource\b|\bGpuTemperatureHigh\b|\bHostOutOfMemory\b",
        re.IGNORECASE,
    ),
    "databases": Late(r"\bPostgreSQL\.\d+|\bmaxmemory\b|\bmongod\b", re.IGNORECASE),
    "hosted models": Late(
        r"\bRateLimitError\b|\bgpt-4\w*\b.{0,80}\borganization\b|\banthropic\.\w+Error|\bbedrock\b", re.IGNORECASE
    ),
    "the API of hosted models": Late(
        r"\byour messages resulted in \d{1,9} tokens|['\"]context_length_exceeded\b", re.IGNORECASE
    ),
    "games and desktops": Late(r"\bD3D1[12]\b|\bDXGI_ERROR\w+|\bVulkan\b.{0,40}device lost", re.IGNORECASE),
}

# Their names, but for those of owners of models, and what proxies write of whatever is behind them.
_NAMES = Late(
    r"""\bnginx\b.{0,40}\berror\b | \[error\]\s\d+\#\d+
      | (?<!/)\b(?:(?:q?lora|full|sft|dpo|fine)[- ]?(?:finetun\w+|tun(?:ed|ing)|training)|finetun\w+|deepspeed|unsloth|axolotl|llama-?factory|ollama|llama\.cpp|LM\ Studio|tabbyAPI|koboldcpp|exllama\w*|exl[23]|text-(?:generation|embeddings)-(?:webui|inference)|oobabooga|GPT4All|Jan\.ai|mlx_lm
       |sglang|tensorrt[- ]llm|tgi|mlc[- ]?llm|llamafile|ktransformers|lmdeploy|comfyui|diffusers|stable[- ]diffusion|automatic1111|flux[ .-]?(?:dev|schnell|1)|invokeai|whisper|tritonserver|django|flask|celery|airflow|kafka|redis|postgres\w*|mysqld?|mongod?b?|elasticsearch|grafana|jenkins)\b(?!/\w)""",
    re.VERBOSE | re.IGNORECASE,
)
_OURS = Late(r"vllm", re.IGNORECASE)
_DENIED = Late(
    r"\b(?:not?|isn't|without)\s(?:(?:a|an|about|even|in|on|related\sto|running|the|using|with)\s){0,2}vllm\b",
    re.IGNORECASE,
)
# A frame of somebody's own file: of vLLM's frames one at least names vLLM.
_OWN_SCRIPT = Late(
    r"""File\ "(?![^"\n]{0,300}(?:site-packages|dist-packages|/lib/python|<))[^"\n]{1,300}\.py",\ line\ \d""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a paste is about."""

    is_surely_vllm: bool
    is_likely_vllm: bool
    is_script: bool = False  # frames of somebody's own file, and nothing of vLLM: what any program says is not vLLM's
    owner: str | None = None  # another program that its frames, commands or records name; what any may say is its own
    program: str | None = None  # another program whose words stand in it; not looked for where it is surely vLLM

    @property
    def is_foreign(self) -> bool:
        """Whether it is another program's matter: that program's words, and none of vLLM's own lines."""
        return self.program is not None


EDGE_LINES = 100
"""Lines at either end that tell whose text it is; a long one tells it there, in a heading or an exception."""

MOST_TEXT = 32_000
"""Characters of either end that are looked at."""


def name_subject(lines: Sequence[Line], kinds: frozenset[str] = frozenset()) -> Subject:
    """Return what a paste is about.

    Args:
        lines: The paste.
        kinds: What readers found in it; a vLLM log is vLLM's.
    """
    text = _edges(lines)
    is_hosted = PROGRAMS["the API of hosted models"].regex.search(text) is not None  # its errors read as vLLM's
    if "vllm-log" in kinds and not is_hosted:
        return Subject(is_surely_vllm=True, is_likely_vllm=True)
    if "vllm" in text.lower():
        text = _DENIED.regex.sub(" ", text)
    if _SURE.regex.search(text) or _is_sure_inside(lines):
        return Subject(is_surely_vllm=True, is_likely_vllm=True)
    program = next((name for name, pattern in PROGRAMS.items() if pattern.regex.search(text)), None)
    if program is None and not _OURS.regex.search(text) and (named := _NAMES.regex.search(text)):
        program = named[0]
    is_likely = _LIKELY.regex.search(text) is not None
    is_script = not is_likely and _OWN_SCRIPT.regex.search(text) is not None
    owner = None if _OURS.regex.search(text) else name_owner(text)
    return Subject(is_surely_vllm=False, is_likely_vllm=is_likely, program=program, is_script=is_script, owner=owner)


def _edges(lines: Sequence[Line]) -> str:
    head = "\n".join(line.text for line in lines[:EDGE_LINES])[:MOST_TEXT]
    tail = "\n".join(line.text for line in lines[max(EDGE_LINES, len(lines) - EDGE_LINES) :])[-MOST_TEXT:]
    return f"{head}\n{tail}"


def _is_sure_inside(lines: Sequence[Line]) -> bool:
    """Return whether a line anywhere is vLLM's own; only those with its name are looked at."""
    return any(_SURE.regex.search(line.text) for line in lines if "vllm" in line.text or "EngineCore" in line.text)


def speaks_of_vllm(text: str) -> bool:
    """Return whether a message holds a word of the trade that other programs' messages hardly do."""
    return _TRADE.regex.search(text) is not None


def speaks_of_serving(text: str) -> bool:
    """Return whether a text holds a word of the trade."""
    return _SERVING.regex.search(text) is not None
