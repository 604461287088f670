"""Addresses of earlier versions, which lead to where their pages are now."""

from falcon import HTTPMovedPermanently, Request, Response
from falcon.uri import encode_value

PAGES = {
    "/year-end": "/close/year",
    "/datev": "/close/advisor",
    "/revaluations": "/close/revaluation",
    "/revaluations/{id}": "/close/revaluation/{id}",
    "/close/tax": "/reports/tax",
    **{f"/docs/using/{area}": "/docs" for area in ("finance", "work", "people", "office")},
}
"""Where a page is now, by its earlier address, as Falcon templates."""


class Moved:
    """A page at another address."""

    def __init__(self, now: str) -> None:
        self._now = now

    def on_get(self, req: Request, resp: Response, **params: str) -> None:
        """Lead to the present address, with the query."""
        query = f"?{req.query_string}" if req.query_string else ""
        parts = {name: encode_value(value) for name, value in params.items()}
        raise HTTPMovedPermanently(self._now.format(**parts) + query)
