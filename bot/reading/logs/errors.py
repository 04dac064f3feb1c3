"""The numbers inside vLLM's error messages and warnings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.evidence import Evidence, Line
from bot.reading.figures import AMOUNT, COUNT, Template, read_figures

_of = Template.of

# Source: raise statements and warnings of vLLM 0.1.7 to 0.33.
TEMPLATES: tuple[Template, ...] = (
    _of("max seq len", rf"max seq len \((?P<max_model_len>{COUNT})\)"),
    _of("derived max_model_len", rf"derived max_model_len \((?:[\w. ]+=)(?P<derived_max_model_len>{COUNT})"),
    _of("User-specified max_model_len", rf"User-specified max_model_len \((?P<max_model_len>{COUNT})\)"),
    _of(
        "attention heads",
        r"number of attention heads \((?P<attention_heads>\d+)\) must be divisible by tensor parallel size \((?P<tensor_parallel>\d+)\)",
    ),
    _of("dummy requests", r"warming up (?:the )?\w+(?: \(task=\w+\))? with (?P<dummy_requests>\d+) dummy requests"),
    _of(
        "number of available GPUs",
        r"ensor parallel size \((?P<tensor_parallel>\d+)\) cannot be larger than the number of available GPUs \((?P<gpu_count>\d+)\)",
    ),
    _of(
        "number of available GPUs",
        r"World size \(\d+\) is larger than the number of available GPUs \((?P<gpu_count>\d+)\)",
    ),
    _of(
        "is smaller than max_model_len",
        r"max_num_batched_tokens \((?P<max_num_batched_tokens>\d+)\) is smaller than max_model_len \((?P<max_model_len>\d+)\)",
    ),
    _of(
        "equal to max_num_seqs",
        r"max_num_batched_tokens \((?P<max_num_batched_tokens>\d+)\) must be greater than or equal to max_num_seqs \((?P<max_num_seqs>\d+)\)",
    ),
    # the settings that other sentences of vLLM's mention; a product of two is none
    _of("max_num_batched_tokens (", r"\bmax_num_batched_tokens \((?P<max_num_batched_tokens>\d+)\)"),
    _of("max_num_batched_tokens=", r"\b[Gg]ot max_num_batched_tokens=(?P<max_num_batched_tokens>\d+)"),
    _of("max_num_seqs (", r"\bmax_num_seqs \((?P<max_num_seqs>\d+)\)"),
    _of("Mamba cache blocks", r"max_num_seqs \((?P<max_num_seqs>\d+)\) exceeds available Mamba cache blocks"),
    _of(
        "The quantization method",
        r"The quantization method (?P<quantization>[A-Za-z][\w-]+) is not supported for the current GPU",
    ),
    _of("GPU has compute capability", r"Your (?P<gpu>[\w ./()-]{2,60}?) GPU has compute capability"),
    _of("exit code", r"died(?: unexpectedly[\w ,]*)?(?:, exit code: | \(exit code: )(?P<exit_code>-?\d+)"),
    _of("long context length", rf"has a long context length \((?P<max_model_len>{COUNT})\)"),
    _of("maximum context length is", rf"maximum context length is (?P<max_model_len>{COUNT})"),
    _of(
        "tp_size=", r"\btp_size=(?P<tensor_parallel>\d+) must be divisible by dcp_size=(?P<decode_context_parallel>\d+)"
    ),
    _of("Externally held weights", r"gpu_memory_utilization \((?P<gpu_memory_utilization>\d\.\d+)\)"),
    _of(
        "exceeds available GPUs",
        r"ensor parallel size \((?P<tensor_parallel>\d+)\) exceeds available GPUs \((?P<gpu_count>\d+)\)",
    ),
    _of(
        "is bigger than a reserved number",
        r"tensor_parallel_size=(?P<tensor_parallel>\d+) is bigger than a reserved number",
    ),
    _of("num kv heads", r"tensor parallel size (?P<tensor_parallel>\d+) (?:must be greater than|//)"),
    _of("exit code", r"died with exit code:? (?P<exit_code>-?\d+)"),
    # requests that were refused
    _of("Input prompt (", rf"Input prompt \((?P<longest_request>{COUNT}) tokens\)"),
    _of("exceeds limit of", rf"too long and exceeds limit of (?P<max_model_len>{COUNT})"),
    _of("prompt (length", rf"prompt \((?:total )?length (?P<longest_request>{COUNT})\)"),
    _of("prompt (total length", rf"prompt \(total length (?P<longest_request>{COUNT})\)"),
    _of("Prompt length of", rf"Prompt length of (?P<longest_request>{COUNT}) is longer"),
    _of("longer than the maximum model length", rf"longer than the maximum model length of (?P<max_model_len>{COUNT})"),
    _of("fit into the model (context length", rf"fit into the model \(context length (?P<max_model_len>{COUNT})\)"),
    _of(
        "Input length (",
        rf"Input length \((?P<longest_request>{COUNT})\) exceeds model's maximum context length \((?P<max_model_len>{COUNT})\)",
    ),
    # memory of the host
    _of("total CPU memory", rf"out of the (?P<host_memory>{AMOUNT}) total CPU memory"),
)


def read(lines: Sequence[Line]) -> Evidence:
    """Return the figures that errors and warnings state."""
    return read_figures(lines, TEMPLATES, "vllm-log")
