"""The installation: how it is, who its users are, its backups; for the instance admin alone."""

ROUTES: dict[str, object] = {}
