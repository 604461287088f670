"""Whether a row of a spreadsheet is about a contact who is here: by VAT id, else by name and e-mail address."""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from msgspec import Meta, json

from erp.finance.contacts import heads
from erp.finance.contacts.bodies import NewContact
from erp.store.router import WORKSPACE
from erp.web.schema import View

_HERE = """
SELECT id, name, vat_id, email, address FROM contact WHERE employee_id IS NULL ORDER BY created_at, id
"""
Key = tuple[str, ...]


class DuplicateView(View):
    """A row about a contact of this workspace, or about the same contact as a row before it."""

    row: int
    contact_id: str | None
    contact_name: Annotated[str, Meta(description="The name of the contact that the row is about.")]
    same_as_row: int | None


class _Known(NamedTuple):
    name: str
    vat_id: str | None
    contact_id: str | None = None
    row: int | None = None


def duplicates(rows: Mapping[str, NewContact], *, by_name: bool) -> dict[str, DuplicateView]:
    """The rows, by path, that are about contacts who are here already.

    Args:
        by_name: whether the name alone is enough, as in the export of a program whose names are unique.
    """
    known = _here(by_name)
    found: dict[str, DuplicateView] = {}
    for path, row in rows.items():
        number = int(path.removeprefix("rows[").removesuffix("]"))
        vat_id = None if row.vat_id is None else str(row.vat_id)
        place = _place(row.address.kept()) if row.address else ""
        keys = [*_keys(str(row.name), vat_id, str(row.email or ""), place, by_name)]
        same = next((one for one in map(known.get, keys) if one and _is_same(one, vat_id)), None)
        if same is None:
            for key in keys:
                known.setdefault(key, _Known(str(row.name), vat_id, row=number))
        else:
            found[path] = DuplicateView(
                row=number, contact_name=same.name, contact_id=same.contact_id, same_as_row=same.row
            )
    return found


def _here(by_name: bool) -> dict[Key, _Known]:
    """The contacts of this workspace by all they are known by; the oldest first, and a duplicate as its head."""
    known: dict[Key, _Known] = {}
    for id, name, vat_id, email, address in WORKSPACE.rows(_HERE):
        place = _place(json.decode(address)) if address else ""
        for key in _keys(name, vat_id, email or "", place, by_name):
            known.setdefault(key, _Known(name, vat_id, contact_id=heads.of(id)))
    return known


def _keys(name: str, vat_id: str | None, email: str, place: str, by_name: bool) -> Iterator[Key]:
    named = name.casefold()
    if by_name:
        yield "name", named
        return
    if vat_id:
        yield "vat id", vat_id
    yield "name", named, email.casefold(), "" if email else place


def _is_same(known: _Known, vat_id: str | None) -> bool:
    """Whether contacts of one name can be one: not if their VAT ids differ."""
    return not known.vat_id or not vat_id or known.vat_id == vat_id


def _place(address: Mapping[str, str]) -> str:
    """The place of an address, which tells contacts of one name apart if they have no e-mail address."""
    return next((text.casefold() for part in ("postal_code", "city", "line1") if (text := address.get(part))), "")
