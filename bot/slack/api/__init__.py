"""Slack's Web API as we use it: clients, accounts, and what we ask of it."""
