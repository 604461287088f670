"""The supplier's number of a bill: a repeat in a calendar year is most likely the same bill entered twice."""

from datetime import date

from erp.kernel.errors import AlreadyExists, Remedy
from erp.store.router import WORKSPACE


class SupplierNumberTaken(AlreadyExists):
    """{number} of {supplier} in {year} is {other} (id {id}). If this is another document, send force as true."""


_OTHER = (
    "SELECT id, coalesce(number, 'a draft') FROM invoice WHERE contact_id = :contact_id AND kind = :kind"
    " AND lower(supplier_number) = lower(:number) AND substr(issue_date, 1, 4) = :year AND status <> 'void'"
    " AND id <> :own_id ORDER BY id LIMIT 1"
)


def check(kind: str, supplier: tuple[str, str], number: str, day: date, own_id: str = "") -> None:
    """Refuse a number that another bill, or another credit note, of the supplier has in that year.

    Args:
        kind: of the document; credit notes have numbers of their own.
        supplier: id and name of the contact.
        number: the supplier's.
        day: the date of the document.
        own_id: the document itself, where it is on record.

    Raises:
        SupplierNumberTaken: another document that is not void has it.
    """
    year, (contact_id, name) = f"{day.year:04}", supplier
    parameters = {"contact_id": contact_id, "kind": kind, "number": number, "year": year, "own_id": own_id}
    for id, other in WORKSPACE.rows(_OTHER, parameters):
        remedy = Remedy("GET", f"/api/v1/finance/invoices/{id}", {})
        raise SupplierNumberTaken(
            field="supplierNumber", remedy=remedy, number=number, supplier=name, year=year, other=other, id=id
        )
