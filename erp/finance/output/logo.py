"""The logo of papers."""

from erp.attachments import stored
from erp.finance.output.models import Logo
from erp.kernel.errors import NotFound
from erp.kernel.language import says


def content(sha256: str | None) -> bytes | None:
    """The image with that hash.

    Raises:
        NotFound: the workspace has lost it.
    """
    if sha256 is None:
        return None
    if Logo.find_by(sha256=sha256) is None:
        raise NotFound(says("The logo of this document is missing."))
    return stored.whole(sha256)
