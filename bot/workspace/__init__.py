"""A stand-in for Slack on loopback, with a page to look at."""
