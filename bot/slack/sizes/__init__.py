"""`/vllm-size`: the form, the answer, and names to choose from."""
