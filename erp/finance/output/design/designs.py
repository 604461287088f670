"""The design of papers: the layout, its colour, the room at the top, and the letterhead below each page."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from erp.attachments import stored
from erp.finance.output.models import LetterheadFile
from erp.kernel import caller
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.kernel.paper.letterheads import Letterhead
from erp.kernel.wire import wire_name
from erp.store import events, workspace_settings
from erp.web.schema import known

Layout = Literal["classic", "modern", "plain"]
ACCENT = "#165268"
TOP_MM = 22
PDF = "application/pdf"


class Design(msgspec.Struct, frozen=True, kw_only=True, rename=wire_name):
    """The look of papers; the letterhead is a stored file by its hash."""

    layout: Layout = "classic"
    accent_color: str = ACCENT
    top_mm: int = TOP_MM
    has_office_head: bool = True
    letterhead: str | None = None
    letterhead_pages: int = 0


USUAL = Design()


def of(stored_design: Mapping[str, Any] | None) -> Design:
    """The design that a document or the settings keep; None is the usual one."""
    return msgspec.convert(stored_design or {}, known(Design))


def current() -> Design:
    """The design of documents that are issued now."""
    return of(workspace_settings.current().paper_design)


def change(values: Mapping[str, Any]) -> None:
    """Change the design; issued documents keep theirs.

    Raises:
        VersionMismatch: the caller expects another version of the settings.
    """
    settings = workspace_settings.current()
    settings.check_version()
    before = current()
    after = msgspec.structs.replace(before, **values)
    if after != before:
        _write(after, values)


def set_letterhead(letterhead: Letterhead | None) -> None:
    """Keep a letterhead in place of another one, or none."""
    workspace_settings.current().check_version()
    if letterhead is None:
        if current().letterhead is None:
            raise NoLetterhead
        values: dict[str, Any] = {"letterhead": None, "letterhead_pages": 0}
    else:
        sha256 = stored.keep_bytes(letterhead.content, PDF)
        if LetterheadFile.find_by(sha256=sha256) is None:
            LetterheadFile.create(sha256=sha256)
        values = {"letterhead": sha256, "letterhead_pages": letterhead.pages}
    _write(msgspec.structs.replace(current(), **values), {"letterhead": None})


class NoLetterhead(NotFound):
    """This workspace has no letterhead."""


def _write(design: Design, changed: Mapping[str, Any]) -> None:
    workspace_id = caller.current().workspace_id
    assert workspace_id is not None
    workspace_settings.apply({"paper_design": msgspec.to_builtins(design)})
    data = {"changed": [f"paper.{wire_name(name)}" for name in changed]}
    events.write("workspace.updated", "workspace", workspace_id, data)


def letterhead_of(design: Design) -> bytes | None:
    """The letterhead of a design.

    Raises:
        NotFound: the workspace has lost it.
    """
    if design.letterhead is None:
        return None
    if LetterheadFile.find_by(sha256=design.letterhead) is None:
        raise NotFound(says("The letterhead of this document is missing."))
    return stored.whole(design.letterhead)
