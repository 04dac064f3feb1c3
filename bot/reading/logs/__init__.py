"""What programs print about themselves."""
