"""The ways in: Socket Mode and signed HTTP, with their probes."""
