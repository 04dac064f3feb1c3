"""Models that the catalogue does not know, read from the Hugging Face Hub or a mirror of it."""
