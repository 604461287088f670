"""Contacts that a file brings although they are here: they are named before anything is added, and left out."""

import pytest

PATH = "/finance/contacts/import"
HEAD = "kind,name,email,vatId,address.city\n"
FILE = (
    HEAD
    + "customer,Globex,ar@globex.example,,Köln\n"
    + "supplier,Initech,,DE123456788,\n"
    + "customer,Jo Smith,,,Kiel\n"
)


def imported(office, csv, **fields):
    return office.ok("POST", PATH, {"csv": csv, **fields})


def ids(office):
    return {one["name"]: one["id"] for one in office.ok("GET", "/finance/contacts")}


def test_the_same_file_twice_adds_nobody_new_and_says_so_before(acme):
    imported(acme, FILE)
    known = ids(acme)
    duplicates = [
        {"row": row, "contactName": name, "contactId": known[name], "sameAsRow": None}
        for row, name in ((2, "Globex"), (3, "Initech"), (4, "Jo Smith"))
    ]
    told = {"rows": 3, "known": 3, "duplicates": duplicates}
    assert imported(acme, FILE, dryRun=True) == told | {"dryRun": True}
    assert imported(acme, FILE) == told | {"dryRun": False}
    assert ids(acme) == known


def test_rows_that_are_here_can_be_added_all_the_same(acme):
    imported(acme, FILE)
    again = imported(acme, FILE, onDuplicate="add")
    assert (again["rows"], again["known"], again["duplicates"]) == (3, 0, [])
    assert len(acme.ok("GET", "/finance/contacts")) == 6


@pytest.mark.parametrize(
    ("row", "is_here"),
    [
        ("customer,GLOBEX,AR@globex.example,,", True),  # capitals and the place do not matter beside an address
        ("customer,Globex,other@globex.example,,Köln", False),
        ("customer,Globex,,,Köln", False),
        ("customer,Another name,a@b.example,DE 123 456 788,", True),
        ("customer,Initech,,ATU12345675,", False),  # another VAT id is another company
        ("customer,Initech,,,", True),
        ("customer,Jo Smith,,,kiel", True),
        ("customer,Jo Smith,,,Bonn", False),  # people have names in common
    ],
)
def test_a_contact_is_known_by_vat_id_or_by_name_and_address(acme, row, is_here):
    imported(acme, FILE)
    assert imported(acme, HEAD + row, dryRun=True)["known"] == is_here


def test_a_contact_twice_in_one_file_is_added_once(acme):
    told = imported(acme, HEAD + "customer,Globex,a@b.example,,\ncustomer,Other,,,\nsupplier,globex,A@b.example,,\n")
    assert told["duplicates"] == [{"row": 4, "contactName": "Globex", "contactId": None, "sameAsRow": 2}]
    assert sorted(ids(acme)) == ["Globex", "Other"]


def test_a_row_about_a_merged_duplicate_leads_to_the_contact_that_it_counts_for(acme):
    imported(acme, FILE)
    known = ids(acme)
    acme.ok("POST", f"/finance/contacts/{known['Globex']}/merge", {"intoContactId": known["Jo Smith"]})
    told = imported(acme, HEAD + "customer,Globex,ar@globex.example,,\n", dryRun=True)
    assert [one["contactId"] for one in told["duplicates"]] == [known["Jo Smith"]]
