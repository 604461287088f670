"""Hooks of the areas whose records go out by mail; `erp.app` registers them."""

from collections.abc import Callable

from erp.mail.models import Message

SENT: dict[str, Callable[[str, str, str], None]] = {}
"""Called in the transaction that notes a message as sent or handed over, with the id of its record, and the instant."""

LINKS: dict[str, Callable[[Message], str]] = {}
"""Makes a fresh secret link of a message that has one, outside of any transaction; the one before ends.

Its text says `{link}`, which each try replaces. A refusal (404, 409) says that there is no link any more.
"""

SENDABLE: dict[str, Callable[[str], None]] = {}
"""Refuses a record that can no longer be sent, by its id: what has gone wrong once is not sent again as it was."""

MAY_SEND: dict[str, Callable[[str], None]] = {}
"""Refuses a caller who may not have a fresh secret link of a record, by its id: each download or try makes one.

The links of these kinds are for one reader: the office's hidden copy of all mail is not sent to anyone.
"""

PLACE = "{link}"
