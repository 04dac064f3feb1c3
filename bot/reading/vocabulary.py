"""The words of vLLM's, torch's and NCCL's messages: what a torn or misread word may have been."""

from __future__ import annotations

KNOWN_WORDS = frozenset(
    """non_torch_memory total_gpu_memory cudagraph consumed a above access activation actual allocate allocated allocation an and are assertionerror at available avoid based be block blocks by
    bytes cache called calling can capability capacity capture capturing cause cleaned client closed collective common compilation
    compile completion compute config connection context core cuda current decrease decreasing desired device died download driver
    dtype dummy element engine error estimated exceeds explicitly fail failed finished fit flag float16 following for fragmentation
    free from gated gib gpu gpu_memory_utilization graph graphs greater half handle has hub huggingface illegal in including increase
    increasing initialization initializing input inputs instance is its kernel killed kv kv_cache large larger layers least len length
    less limit limits lines load loaded loading lower lowering max max_model_len max_num_seqs maximum memory memory_utilization mib
    model models module more multiple must nccl no non not number of on one or other out outofmemoryerror output outputs parallel peak
    per pipeline please problem process processes profiling prompt pytorch reduce repo request requested requests reserved root
    runtimeerror sampler see seq serve server setting signal single size small startup stored take takes tensor than that the this
    timed timeout to token tokens took tool torch total tried try unallocated unexpectedly usage use used utilization value valueerror
    vllm warming warmup weight weights when which while with worker""".split()  # noqa: SIM905 - a list would be a page long
)
