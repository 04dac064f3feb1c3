"""The Web API methods of the stand-in, a family a file, all listed in `table.py`."""
