"""What we say in a thread, and saying it exactly once."""
