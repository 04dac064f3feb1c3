"""What a person can do in the stand-in, a verb a function; `verbs.py` lists them all."""
