"""What Slack tells us: validate, write an entry, acknowledge."""
