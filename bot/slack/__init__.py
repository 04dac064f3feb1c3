"""The Slack app: thin listeners and delivery."""
