"""What a person at a desk needs of every area: the feed of changes, the home page."""

from erp.desk import changes
from erp.desk.home import home

ROUTES: dict[str, object] = {
    "/workspace/changes": changes.Changes(),
    "/workspace/home": home.Home(),
}
