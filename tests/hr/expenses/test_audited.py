"""The receipts of expense claims in the export for the auditor."""

import hashlib

from tests.finance.closing.test_auditing import Export
from tests.hr.expenses.claims import approved, posted, receipt


def test_the_receipts_of_a_posted_claim_are_in_the_export(office, dan):
    claim = posted(dan, office, receipt("32.10"))
    approved(dan, office, receipt("99.00"))
    export = Export(office)
    (file,) = export.rows("Dateien")
    (entry,) = [row for row in export.rows("Journal") if row["Quelle_ID"] == claim["id"]]
    assert (file["Beleg_ID"], file["Belegnummer"]) == (claim["id"], entry["Buchungsnummer"])
    assert hashlib.sha256(export.zip.read(file["Pfad"])).hexdigest() == file["SHA256"]
