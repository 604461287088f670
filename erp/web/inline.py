"""Files that a page shows beside a form, where others are downloaded."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from erp.kernel.errors import Refusal
from erp.web.schema import File

SHOWN = frozenset({"image/png", "image/jpeg", "application/pdf"})
"""The kinds of files that a browser shows and never runs."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'"
    )
}
"""Chromium draws its PDF viewer as an `<embed>` with a style of its own, within the policy of the file."""

Inline = Annotated[bool, Meta(description="Show the file in the page, instead of downloading it.")]


class NotShown(Refusal):
    """This kind of file cannot be shown here. Download it."""

    status = 422


def check(media_type: str) -> None:
    """Refuse to show a kind of file that browsers might run.

    Raises:
        NotShown: it is of such a kind.
    """
    if media_type not in SHOWN:
        raise NotShown


def shown(file: File) -> File:
    """A file as a page of this program shows it in a frame."""
    return replace(file, is_inline=True, headers=file.headers | _HEADERS)
