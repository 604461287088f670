"""Hooks of the areas whose records go out by mail; `erp.app` registers them."""

from collections.abc import Callable

SENT: dict[str, Callable[[str, str, str], None]] = {}
"""Called in the transaction that notes a message as sent or handed over, with the id of its record, and the instant."""

LINKS: dict[str, Callable[[str], str]] = {}
"""Makes a fresh secret link of a record by its id, outside of any transaction; the one before ends.

A message of such a kind says `{link}`, which each try replaces. A refusal says that the record has no link any more.
"""

MAY_SEND: dict[str, Callable[[str], None]] = {}
"""Refuses a caller who may not have a fresh secret link of a record, by its id: each download or try makes one."""

PLACE = "{link}"
