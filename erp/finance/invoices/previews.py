"""The totals of what can be worked out of a document that someone is typing, and what it still lacks."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.documents.figures import Figures, compute_figures
from erp.finance.invoices.preview_bodies import TypedInvoice, TypedLine, TypedQuantity
from erp.kernel.complaints import Collected
from erp.kernel.errors import Complaint
from erp.kernel.language import Word, says

NONE = TypedQuantity(0)

REQUIRED = ("required", "This field is required.")


class Preview(NamedTuple):
    """What a document comes to so far; what is wrong with its lines is by their place."""

    figures: Figures
    of_document: list[Complaint]
    of_lines: list[list[Complaint]]


def preview(body: TypedInvoice) -> Preview:
    """Work out a document as far as it is typed; nothing is written.

    A line that lacks something counts nothing, one whose tax rate is unknown has no tax.

    Raises:
        Invalid: its total is larger than the books can hold.
    """
    complaints = Collected()
    complaints.items += [each for i, line in enumerate(body.lines) for each in _of_quantity(line, f"lines[{i}]")]
    if body.contact_id is None and body.new_contact is None:
        message = says("Choose a {party}, or add a new one.", party=Word(body.party))
        complaints.add(f"{body.party}Id", "required", message)
    if not body.lines:
        complaints.add("lines", "required", "Add a line.")
    known = len(complaints.items)
    typed = replace(body, lines=[_with_quantity(line) for line in body.lines])
    figures = compute_figures(typed, complaints, are_lines_new=True)
    items = complaints.items[:known] + [each for each in complaints.items[known:] if not _is_known(each, body)]
    of_lines = [[each for each in items if each.field.startswith(f"lines[{i}].")] for i in range(len(body.lines))]
    return Preview(figures, [each for each in items if not each.field.startswith("lines[")], of_lines)


def _of_quantity(line: TypedLine, path: str) -> Iterator[Complaint]:
    if line.quantity is None:
        yield Complaint(f"{path}.quantity", *REQUIRED)
    elif line.quantity == 0:
        yield Complaint(f"{path}.quantity", "zero", "Must not be 0.")


def _with_quantity(line: TypedLine) -> TypedLine:
    return replace(line, quantity=line.quantity or NONE, description=line.description or None)


def _is_known(complaint: Complaint, body: TypedInvoice) -> bool:
    """Whether a complaint repeats that no one has chosen a customer yet."""
    is_missing = body.contact_id is None and body.new_contact is None
    return is_missing and (complaint.field, complaint.code) == (f"{body.party}Id", "exactly_one")
