"""What takes memory beside weights and the KV cache."""
