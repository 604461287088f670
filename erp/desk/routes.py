"""What a person at a desk needs of every area: the feed of changes, the home page, the search."""

from erp.desk import changes, search
from erp.desk.home import home

ROUTES: dict[str, object] = {
    "/workspace/changes": changes.Changes(),
    "/workspace/home": home.Home(),
    "/workspace/search": search.Search(),
}
