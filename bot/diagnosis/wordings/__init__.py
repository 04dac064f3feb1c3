"""Finding what the knowledge knows in a paste."""
