"""Checks of stored files, byte for byte."""

import hashlib

from erp.attachments import stored
from erp.store.router import WORKSPACE
from erp.system.checks.findings import Findings

_NAMED = """
SELECT form || ' of ' || coalesce(invoice.number, 'draft ' || invoice.id), sha256
FROM document_file JOIN invoice ON invoice.id = document_file.invoice_id
UNION ALL SELECT 'paper of ' || quote.number, sha256 FROM quote_file JOIN quote ON quote.id = quote_file.quote_id
UNION ALL SELECT 'letter ' || number, pdf_sha256 FROM reminder WHERE pdf_sha256 IS NOT NULL
UNION ALL SELECT name || ' of ' || coalesce(resource_type || ' ' || resource_id, 'the inbox'), sha256 FROM attachment
UNION ALL SELECT name || ' of message ' || message_id, sha256 FROM message_file
UNION ALL SELECT 'logo of the workspace', sha256 FROM logo
UNION ALL SELECT 'letterhead of the workspace', sha256 FROM letterhead
ORDER BY 1
"""
_STORED = "SELECT sha256, size FROM stored_file ORDER BY sha256"
_IDLE = (
    "SELECT count(*) FROM stored_file WHERE sha256 NOT IN (SELECT sha256 FROM attachment"
    " UNION ALL SELECT sha256 FROM document_file UNION ALL SELECT sha256 FROM quote_file"
    " UNION ALL SELECT pdf_sha256 FROM reminder WHERE pdf_sha256 IS NOT NULL UNION ALL SELECT sha256 FROM message_file"
    " UNION ALL SELECT sha256 FROM logo UNION ALL SELECT sha256 FROM letterhead)"
)


def check(findings: Findings) -> None:
    """Compare the bytes of each file with its hash in the events of its records."""
    sound = {sha256 for sha256, size in WORKSPACE.rows(_STORED) if _is_sound(sha256, size)}
    for name, sha256 in WORKSPACE.run(_NAMED):
        if sha256 not in sound:
            findings.add(f"The file {name} is not what was kept: another program has changed it.")
    ((idle,),) = WORKSPACE.rows(_IDLE)
    if idle:
        findings.add(f"{idle} kept files belong to no record: another program has added them, or deleted the record.")


def _is_sound(sha256: str, size: int) -> bool:
    digest, length = hashlib.sha256(), 0
    for part in stored.parts(sha256):
        digest.update(part)
        length += len(part)
    return digest.hexdigest() == sha256 and length == size
