"""Charts for each look."""
