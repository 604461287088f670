"""An IBAN, a BIC and a VAT number have one rule, whatever body takes them."""

from collections.abc import Iterator

import msgspec
import pytest

from erp.app import areas
from erp.web import field_complaints, openapi
from erp.web.hints import peeled

WRONG = {
    "iban": ("DE3437040044053201300", "not_an_iban"),  # a digit short, with check digits that are right for it
    "bic": ("COBADEFFX", "not_a_bic"),
    "vat_id": ("DE123456789", "not_a_vat_id"),
}


def structs_in(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    yield kind
    for field in msgspec.structs.fields(kind):
        inner = peeled(field.type)
        items = peeled((*getattr(inner, "__args__", ()), inner)[0])
        if isinstance(items, type) and issubclass(items, msgspec.Struct):
            yield from structs_in(items)


def takers(name: str) -> dict[str, type[msgspec.Struct]]:
    bodies = {contract.body for *_, contract in openapi.contracts(areas()) if contract.body}
    kinds = {kind for body in bodies for kind in structs_in(body)}
    return {kind.__name__: kind for kind in kinds if name in kind.__struct_fields__}


# The columns of a CSV file that hold them are named, not sent.
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("iban", {"BankAccount", "BankAccountChange", "ContactBankAccount", "NewPaymentRun", "WorkspaceChange"}),
        ("bic", {"ContactBankAccount", "WorkspaceChange"}),
        ("vat_id", {"ContactChange", "NewContact", "WorkspaceChange"}),
    ],
)
def test_a_wrong_number_is_refused_by_every_body_that_takes_one(name, known):
    found = {kind_name: kind for kind_name, kind in takers(name).items() if not kind_name.endswith("Columns")}
    assert found.keys() >= known
    sent, code = WRONG[name]
    for kind in found.values():
        field = next(each.encode_name for each in msgspec.structs.fields(kind) if each.name == name)
        complaints = {complaint.field: complaint.code for complaint in field_complaints.of({field: sent}, kind)}
        assert complaints[field] == code, kind
