"""Projects: what the office works on, for whom, within which budget, and what came of it."""

ROUTES: dict[str, object] = {}
