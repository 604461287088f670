"""Views of the design of papers."""

from typing import Annotated

from msgspec import Meta

from erp.finance.output.design import designs
from erp.finance.output.design.designs import Layout
from erp.store import workspace_settings
from erp.web.schema import View


class LetterheadView(View):
    """A letterhead: a PDF of one page for every page, or of two, the second for all after the first."""

    sha256: str
    pages: int


class PaperView(View):
    """The design of the office's papers, with the version of the workspace's settings."""

    version: int
    layout: Layout
    accent_color: str
    top_mm: int
    has_office_head: bool
    letterhead: Annotated[LetterheadView | None, Meta(description="Laid under each page.")]

    @classmethod
    def current(cls) -> "PaperView":
        design = designs.current()
        letterhead = design.letterhead and LetterheadView(sha256=design.letterhead, pages=design.letterhead_pages)
        return cls(
            version=workspace_settings.current().version,
            layout=design.layout,
            accent_color=design.accent_color,
            top_mm=design.top_mm,
            has_office_head=design.has_office_head,
            letterhead=letterhead or None,
        )
