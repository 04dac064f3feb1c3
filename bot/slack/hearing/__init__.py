"""From what Slack delivers to the text of a case."""
