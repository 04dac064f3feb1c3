"""Launch commands in every form."""
