"""The document of a row in the books, so that every figure leads to its paper."""

from collections.abc import Collection, Mapping
from typing import Literal

from erp.store import sql
from erp.store.router import WORKSPACE
from erp.web.schema import View


class SourceDocumentView(View):
    """The document behind a posting; a deduction or a settlement leads to its invoice."""

    type: Literal[
        "invoice",
        "payment",
        "journal_entry",
        "offset",
        "transfer",
        "revaluation",
        "payroll_run",
        "depreciation_run",
        "asset",
    ]
    id: str
    number: str


_AMONG = "IN (SELECT value FROM json_each(:ids))"
_NUMBERED = {
    "invoice": "invoice",
    "payment": "payment",
    "offset": "contact_offset",
    "transfer": "transfer",
    "revaluation": "revaluation",
    "payroll_run": "payroll_run",
    "depreciation_run": "depreciation_run",
    "asset": "asset",
}
_OF_INVOICES = f"""
SELECT d.id, 'invoice', i.id, i.number FROM deduction AS d JOIN invoice AS i ON i.id = d.invoice_id WHERE d.id {_AMONG}
UNION ALL SELECT d.id, item.document_type, item.document_id, item.number
FROM deduction AS d JOIN open_item AS item ON item.id = d.of_item_id WHERE d.id {_AMONG}
UNION ALL SELECT a.id, item.document_type, item.document_id, item.number
FROM allocation AS a JOIN open_item AS item ON item.id = a.to_item_id WHERE a.id {_AMONG}
"""
_DOCUMENTS = " UNION ALL ".join(
    [f"SELECT id, '{type}', id, number FROM {table} WHERE id {_AMONG}" for type, table in _NUMBERED.items()]
    + [_OF_INVOICES]
)


def by_source(source_ids: Collection[str | None]) -> Mapping[str | None, SourceDocumentView]:
    """The documents of entries; manual entries have none."""
    ids = sorted({id for id in source_ids if id is not None})
    rows = WORKSPACE.rows(_DOCUMENTS, {"ids": sql.array(ids)}) if ids else []
    return {source: SourceDocumentView(type=type, id=id, number=number) for source, type, id, number in rows}
