"""A deployment to its memory budget, one file a term."""
