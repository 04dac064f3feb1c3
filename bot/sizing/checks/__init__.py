"""What cannot run at all, and which of vLLM's own checks would fail first."""
