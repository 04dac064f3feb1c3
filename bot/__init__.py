"""vLLM Triage: reads a vLLM failure, sizes its memory budget, and offers only fixes that fit."""
