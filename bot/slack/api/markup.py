"""Text that Slack reads as markup: a person's words in it must stay words."""

from __future__ import annotations


def escape(text: str) -> str:
    """Return a text in which nothing is a mention, a link or an entity.

    >>> escape("<!channel> & co")
    '&lt;!channel&gt; &amp; co'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
