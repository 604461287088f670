"""Placeholder."""

ROUTES: dict[str, object] = {}
