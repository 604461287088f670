"""The auditor's export and the process description over HTTP."""

from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.closing import fiscal_years
from erp.finance.closing.auditing import export, process
from erp.kernel import caller, language
from erp.kernel.errors import NotFound, StorageFull
from erp.kernel.language import Language
from erp.web.endpoint import endpoint
from erp.web.schema import File, Query

MARKDOWN = "text/markdown; charset=utf-8"


class AuditorExportQuery(Query):
    """The content of the export."""

    files: Annotated[bool, Meta(description="Whether it contains the files of documents.")] = True


class Resource:
    @endpoint(permission="finance.read", produces="application/zip", refuses=(NotFound, StorageFull))
    def on_get(self, year: str, query: AuditorExportQuery) -> File:
        """Download a fiscal year for an auditor (GoBD, formerly GDPdU, data carrier "Z3").

        The zip has a CSV file for each table, with German names, decimal commas and semicolons: accounts with their
        sums, journal, postings, contacts, invoices, bills and quotes with their lines, reminders with their items and
        charges, payments, allocations, tax rates, lines of bank statements, files, and the log of locks and filed tax
        returns. `index.xml` describes them after `gdpdu-01-09-2004.dtd`. `Dateien/` has the files of documents by their
        hashes, and `Verfahrensdokumentation.md` is the process description. Drafts are in no table.
        """
        shown = fiscal_years.find(year)
        name = f"auditor-export-{shown.year}"
        about = process.markdown(shown, "de")
        return export.make(shown.start_date, shown.end_date, name, with_files=query.files, about=about)


class ProcessDescriptionQuery(Query):
    """The form of the description."""

    format: Annotated[Literal["md", "pdf"], Meta(description="Markdown or paper.")] = "pdf"
    language: Annotated[Language, Meta(description="The user's own when absent.")] | None = None


class ProcessDescription:
    @endpoint(
        permission="finance.read", produces=("application/pdf", "text/markdown; charset=utf-8"), refuses=(NotFound,)
    )
    def on_get(self, year: str, query: ProcessDescriptionQuery) -> File:
        """Describe how the books of a fiscal year are kept, for an auditor (GoBD, Verfahrensdokumentation).

        The chapters come from the settings and the log: roles, number formats, the way of bills and invoices, approval,
        tax basis, locks, imports, backups and the version of the program. The office's own chapters follow, with each
        wording that was in force in the year.
        """
        shown = fiscal_years.find(year)
        tongue = query.language or language.spoken(caller.current().locale) or language.ENGLISH
        name = f"process-description-{shown.year}.{query.format}"
        if query.format == "md":
            return File(process.markdown(shown, tongue), name, MARKDOWN)
        return File(process.pdf(shown, tongue), name)
