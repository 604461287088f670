"""What a person at a desk needs of every area: the feed of changes, the home page."""

from erp.desk import changes

ROUTES: dict[str, object] = {
    "/workspace/changes": changes.Changes(),
}
