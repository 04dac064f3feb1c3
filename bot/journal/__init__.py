"""What was said, kept: entries, incidents and digests in a database."""
