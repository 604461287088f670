"""What a person at a desk needs of every area: the search."""

from erp.desk import search

ROUTES: dict[str, object] = {
    "/workspace/search": search.Search(),
}
