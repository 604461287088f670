"""The design of papers, and time sheets, over HTTP."""

from erp.finance.output import time_sheets
from erp.finance.output.design import designs
from erp.finance.output.design.bodies import NewLetterhead, PaperChange, PaperPreview, PreviewQuery
from erp.finance.output.design.designs import NoLetterhead
from erp.finance.output.design.views import PaperView
from erp.finance.output.paper import samples
from erp.finance.output.time_sheets import NoTimeSheet
from erp.kernel.errors import VersionMismatch
from erp.kernel.paper import letterheads
from erp.kernel.paper.letterheads import Letterhead
from erp.web.endpoint import endpoint
from erp.web.inline import shown
from erp.web.schema import File


def _judged(body: NewLetterhead) -> Letterhead:
    """Judge the letterhead of a request, before any lock is taken."""
    letterheads.check_size(body.file.size)
    return letterheads.judged(body.file.whole())


class Paper:
    @endpoint(permission="workspace.read")
    def on_get(self) -> PaperView:
        """Show the design of the office's papers.

        It holds the layout, the colour of titles and lines, the room at the top, and the letterhead.
        """
        return PaperView.current()

    @endpoint(permission="workspace.write", refuses=(VersionMismatch,))
    def on_patch(self, body: PaperChange) -> PaperView:
        """Change the design of the office's papers.

        A colour that is too bright for white paper is refused (422 `low_contrast`). Issued documents keep the design of
        their day.
        """
        designs.change(body.changes())
        return PaperView.current()


class LetterheadItem:
    @endpoint(permission="workspace.write", refuses=(VersionMismatch,), prepare=_judged)
    def on_post(self, body: NewLetterhead, prepared: Letterhead) -> PaperView:
        """Set the letterhead, in place of another.

        It is a PDF of one or two pages of A4, a PNG or a JPEG, of at most 2 MiB. It lies under each page, the second
        page under all after the first. Papers stay PDF/A-3 with their e-invoice. So a file that is encrypted, or that
        has scripts, fonts that are not embedded or CMYK colours, is refused (422 `not_archivable`), and the message
        says which. Issued documents keep the letterhead of their day.
        """
        designs.set_letterhead(prepared)
        return PaperView.current()

    @endpoint(permission="workspace.write", refuses=(NoLetterhead, VersionMismatch))
    def on_delete(self) -> None:
        """Remove the letterhead.

        Documents that were issued with it keep it. Without a letterhead the answer is a 404 `no_letterhead`.
        """
        designs.set_letterhead(None)


class Preview:
    @endpoint(permission="workspace.write", produces="application/pdf")
    def on_get(self, query: PreviewQuery) -> File:
        """Print a paper of made-up data for a frame, with changes to the design that are not saved.

        As `POST`, with the texts of the workspace.
        """
        return shown(samples.preview(query.given()))

    @endpoint(permission="workspace.write", writes=False, produces="application/pdf")
    def on_post(self, body: PaperPreview) -> File:
        """Print a paper of made-up data, with changes to the design and its texts that are not saved.

        Nothing is stored. `intro` and `closing` are the workspace's texts of the kind when absent.
        """
        return shown(samples.preview(body.changes()))


class TimeSheet:
    @endpoint(permission="finance.read", store=None, produces="text/csv", refuses=(NoTimeSheet,))
    def on_get(self, id: str) -> File:
        """Download the time that an invoice bills, as CSV with a row for each time log.

        The hours of a line add up to its quantity. The file of an issued invoice is made at the first request and stays
        the same; `X-Content-SHA256` is its hash. An invoice that bills no time is a 404 `no_time_sheet`.
        """
        return time_sheets.file_of(id)
