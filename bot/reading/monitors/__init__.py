"""What monitoring tools print about GPUs: one format a file, and what they share."""
