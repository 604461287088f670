"""The auditor's export over HTTP."""

from typing import Annotated

from msgspec import Meta

from erp.finance.closing import fiscal_years
from erp.finance.closing.auditing import export
from erp.kernel.errors import NotFound, StorageFull
from erp.web.endpoint import endpoint
from erp.web.schema import File, Query


class AuditorExportQuery(Query):
    """The content of the export."""

    files: Annotated[bool, Meta(description="Whether it contains the files of documents.")] = True


class Resource:
    @endpoint(permission="finance.read", produces="application/zip", refuses=(NotFound, StorageFull))
    def on_get(self, year: str, query: AuditorExportQuery) -> File:
        """Download a fiscal year for an auditor (GoBD, formerly GDPdU, data carrier "Z3").

        The zip has a CSV file for each table, with German names, decimal commas and semicolons: accounts with their
        sums, journal, postings, contacts, invoices and bills with their lines, payments, allocations, tax rates, lines
        of bank statements, files, and the log of locks and filed tax returns. `index.xml` describes them after
        `gdpdu-01-09-2004.dtd`. `Dateien/` has the files of documents by their hashes. Drafts are in no table.
        """
        shown = fiscal_years.find(year)
        name = f"auditor-export-{shown.year}"
        return export.make(shown.start_date, shown.end_date, name, with_files=query.files)
