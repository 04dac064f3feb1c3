"""What the stand-in remembers, and the only functions that change it."""
