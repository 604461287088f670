"""Tasks, the board, comments, time logs and timers."""

ROUTES: dict[str, object] = {}
