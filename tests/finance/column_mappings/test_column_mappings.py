"""Files of other programs: their columns are chosen once, and found again by their headings."""

import pytest

from tests.events import last_event
from tests.finance.books.balances import trial_balance

PATH, CONTACTS, OPENING = "/finance/column-mappings", "/finance/contacts/import", "/finance/opening-balances"
HEADINGS = "Kd-Nr.;Firmenname;Straße;PLZ;Ort;Land;E-Mail;USt-IdNr.;IBAN;Zahlungsziel"
NEW = {"known": 0, "duplicates": []}
FILE = (
    f"{HEADINGS}\n"
    "1;Bäckerei Reiher GmbH;Mühlenweg 4;20095;Hamburg;Deutschland;post@reiher.example;DE136695976;;14\n"
    ";;;;;;;;;\n"
    "2;Alpenholz KG;Am Markt 1;6020;Innsbruck;AT;;;;30\n"
)
BALANCES = (
    "Kontonummer;Bezeichnung;Saldo Soll;Saldo Haben\n"
    "1010;Bank;10.500,50;\n3000;Kapital;0,00;10.500,50\n6100;Miete;0,00;0,00\n"
)


def proposed(office, path, csv):
    return office.ok("POST", f"{path}/columns", {"csv": csv})


def kept(office, path, csv, **fields):
    """Keep what is proposed for a file."""
    found = proposed(office, path, csv)
    taken = {name: found[name] for name in ("target", "headings", "columns", "decimalSign", "dateOrder")}
    return office.ok("POST", PATH, {"name": "Old shop", **taken, **fields})


def names(office):
    return sorted(each["name"] for each in office.ok("GET", "/finance/contacts"))


def test_columns_are_proposed_by_headings_in_german_and_english(acme):
    found = proposed(acme, CONTACTS, FILE)
    assert found["columns"] == {
        "name": "Firmenname",
        "address.line1": "Straße",
        "address.postalCode": "PLZ",
        "address.city": "Ort",
        "address.country": "Land",
        "email": "E-Mail",
        "vatId": "USt-IdNr.",
        "bankAccount.iban": "IBAN",
        "paymentTermsDays": "Zahlungsziel",
    }
    assert (len(found["headings"]), len(found["rows"]), found["mapping"]) == (10, 2, None)
    english = proposed(acme, CONTACTS, "Company,EmailAddress,Street,Zip code,City,Country,VAT number,Type\n")
    assert english["columns"] == {
        "name": "Company",
        "email": "EmailAddress",
        "address.line1": "Street",
        "address.postalCode": "Zip code",
        "address.city": "City",
        "address.country": "Country",
        "vatId": "VAT number",
        "kind": "Type",
    }


def test_a_file_is_mapped_once_and_the_next_one_by_itself(acme):
    refused = acme.refused("POST", CONTACTS, {"csv": FILE}, status=422)
    assert [each["code"] for each in refused["details"]] == ["wrong_headings"]
    mapping = kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    assert last_event(acme) == ("column_mapping.created", {"name": "Old shop", "target": "contacts"})
    assert acme.ok("POST", CONTACTS, {"csv": FILE, "dryRun": True}) == {**NEW, "rows": 2, "dryRun": True}
    assert names(acme) == []
    assert acme.ok("POST", CONTACTS, {"csv": FILE}) == {**NEW, "rows": 2, "dryRun": False}
    shown = {each["name"]: each for each in acme.ok("GET", "/finance/contacts")}
    bakery = shown["Bäckerei Reiher GmbH"]
    assert (bakery["kind"], bakery["address"]["country"], bakery["vatId"]) == ("customer", "DE", "DE136695976")
    assert (bakery["address"]["postalCode"], bakery["email"]) == ("20095", "post@reiher.example")
    assert shown["Alpenholz KG"]["address"]["country"] == "AT"
    again = HEADINGS.upper() + ";\n3;Carl;;;;;;;;\n"
    assert acme.ok("POST", CONTACTS, {"csv": again}) == {**NEW, "rows": 1, "dryRun": False}, "capitals do not matter"
    assert proposed(acme, CONTACTS, FILE)["mapping"]["id"] == mapping["id"]


def test_errors_name_the_row_of_the_file_and_our_field(acme):
    kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    refused = acme.refused("POST", CONTACTS, {"csv": FILE.replace("DE136695976", "DE1")}, status=422)
    assert [each["field"] for each in refused["details"]] == ["rows[2].vatId"]


def test_words_of_others_are_our_values_and_a_default_is_for_rows_without(acme):
    csv = "Name;Kontaktart\nAnna;Kunde\nBert;Lieferant\nCarl;\n"
    kept(acme, CONTACTS, csv, defaults={"kind": "both"})
    acme.ok("POST", CONTACTS, {"csv": csv})
    kinds = {each["name"]: each["kind"] for each in acme.ok("GET", "/finance/contacts")}
    assert kinds == {"Anna": "customer", "Bert": "supplier", "Carl": "both"}


def test_opening_balances_come_with_german_amounts(acme):
    found = proposed(acme, OPENING, BALANCES)
    assert found["columns"] == {"account": "Kontonummer", "debit": "Saldo Soll", "credit": "Saldo Haben"}
    assert found["decimalSign"] == ","
    kept(acme, OPENING, BALANCES)
    done = acme.ok("POST", OPENING, {"date": "2025-12-31", "csv": BALANCES})
    assert (done["accounts"], done["total"], done["difference"]) == (2, "10500.50", "0.00")
    assert str(trial_balance(acme, "2025-12-31")["1010"]) == "10500.50"


@pytest.mark.parametrize("amount", ["1e999999", "NaN", "Infinity", "none"])
@pytest.mark.parametrize("heading", ["Saldo Soll", "Saldo"])
def test_an_amount_that_is_no_number_is_refused_in_its_row(acme, heading, amount):
    csv = f"Kontonummer;{heading}\n1010;{amount}\n"
    kept(acme, OPENING, csv)
    refused = acme.refused("POST", OPENING, {"date": "2025-12-31", "csv": csv}, status=422)
    assert [each["field"] for each in refused["details"]] == ["rows[2].debit"]


def test_a_signed_balance_and_days_of_open_items(acme):
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Globex"})
    csv = (
        "Account,Balance,Customer,Invoice number,Invoice date,Due date\n"
        "1010,1400.00,,,,\n1100,$100.00,Globex,R-1,01/02/2025,03/02/2025\n2000,(500.00),Globex,B-1,01/02/2025,\n"
    )
    found = proposed(acme, OPENING, csv)
    assert found["columns"]["balance"] == "Balance"
    mapping = kept(acme, OPENING, csv)
    refused = acme.refused("POST", OPENING, {"date": "2025-12-31", "csv": csv}, status=422)
    assert [each["code"] for each in refused["details"]] == ["date_order"]
    acme.ok("PATCH", f"{PATH}/{mapping['id']}", {"dateOrder": "day_first"})
    done = acme.ok("POST", OPENING, {"date": "2025-12-31", "csv": csv})
    assert (done["items"], done["total"], done["difference"]) == (2, "1500.00", "-1000.00")
    items = acme.ok("GET", "/finance/open-items")
    assert {(each["number"], each["dueDate"]) for each in items} == {("R-1", "2025-02-03"), ("B-1", "2025-02-01")}


def test_mappings_are_listed_renamed_and_deleted(acme):
    mapping = kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    kept(acme, OPENING, BALANCES, name="Balances")
    assert [each["name"] for each in acme.ok("GET", PATH, params={"target": "contacts"})] == ["Old shop"]
    renamed = acme.ok("PATCH", f"{PATH}/{mapping['id']}", {"name": "Newer shop"})
    assert (renamed["name"], renamed["columns"], renamed["version"]) == ("Newer shop", mapping["columns"], 2)
    assert acme.ok("GET", f"{PATH}/{mapping['id']}")["name"] == "Newer shop"
    acme.ok("DELETE", f"{PATH}/{mapping['id']}")
    assert [each["name"] for each in acme.ok("GET", PATH)] == ["Balances"]
    acme.refused("POST", CONTACTS, {"csv": FILE}, status=422)


def test_headings_have_one_mapping(acme):
    mapping = kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    body = {name: mapping[name] for name in ("target", "name", "headings", "columns", "defaults")}
    acme.refused("POST", PATH, body, status=409, code="already_exists")


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"columns": {"name": "Firmenname", "color": "Ort"}}, "columns.color", "unknown_field"),
        ({"columns": {"name": "Firma"}}, "columns.name", "unknown_heading"),
        ({"columns": {"email": "E-Mail"}}, "columns.name", "required"),
        ({"defaults": {}}, "columns.kind", "required"),
        ({"defaults": {"kind": "customer", "size": "9"}}, "defaults.size", "unknown_field"),
    ],
)
def test_a_mapping_has_fields_and_headings_that_there_are(acme, fields, field, code):
    mapping = kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    refused = acme.refused("PATCH", f"{PATH}/{mapping['id']}", fields, status=422)
    assert (field, code) in [(each["field"], each["code"]) for each in refused["details"]]


def test_the_mappings_of_a_workspace_are_its_own(acme, stranger):
    kept(acme, CONTACTS, FILE, defaults={"kind": "customer"})
    assert stranger.ok("GET", PATH) == []
    stranger.refused("POST", CONTACTS, {"csv": FILE}, status=422)
