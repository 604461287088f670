"""The texts of papers and mail: ours, the office's own, their places, and which of several wins on a paper."""

import io
import re

import pypdf
import pytest

from erp.kernel import places
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import credit, invoice, line
from tests.finance.output.papers import alster, consultancy, download
from tests.refusals import complaint

TEXTS = "/workspace/texts"
KINDS = (
    *("invoice", "credit_note", "deposit_invoice", "final_invoice", "quote", "order_confirmation"),
    *("reminder_1", "reminder_2", "reminder_3", "reminder_4", "reminder_5"),
    *("statement", "payslip", "invite", "password_reset"),
)


def paper(office, id):
    content = download(office, id, "pdf?copy=true")
    return " ".join(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages).split())


@pytest.mark.parametrize(
    ("text", "values", "filled"),
    [
        ("Invoice {number} of {date}", {"number": "R-1", "date": "2 May"}, "Invoice R-1 of 2 May"),
        ("{{{number}}} and {{", {"number": "R-1"}, "{R-1} and {"),
        ("Your order {reference}, dear {customer}.", {"customer": "Ann"}, "Your order, dear Ann."),
        ("{project} {number}", {"number": "R-1"}, "R-1"),
        ("a {project} {reference} b", {}, "a b"),
        ("Work ({project}) done", {}, "Work done"),
        ("One\n{link}\nTwo", {}, "One\nTwo"),
        ("One\n\n{link}\n\nTwo", {}, "One\n\nTwo"),
        ("{link}\n\nOne\n{project}\n\nTwo", {}, "One\n\nTwo"),
        ("One\n\n{link}\n\nTwo", {"link": "https://x"}, "One\n\nhttps://x\n\nTwo"),
        ("A{reference}B", {}, "AB"),
        ("{number}", {"number": "{date}", "date": "2 May"}, "{date}"),
    ],
)
def test_a_place_without_a_value_leaves_no_gap_and_a_double_brace_is_one(text, values, filled):
    assert places.filled(text, values) == filled


def test_every_kind_has_texts_in_both_languages_with_places_that_it_knows(acme):
    shown = acme.ok("GET", TEXTS)
    assert [(each["kind"], each["language"]) for each in shown] == [
        (kind, language) for kind in KINDS for language in ("en", "de")
    ]
    for each in shown:
        fields = [each[name] for name in ("mailSubject", "mailText", "intro", "closing")]
        assert fields[0]
        assert fields[1]
        assert {place for text in fields if text for place in re.findall(r"\{(\w+)\}", text)} <= {*each["places"]}
        assert (each["version"], each["own"]) == (0, [])
    subjects = {(each["kind"], each["language"]): each["mailSubject"] for each in shown}
    assert subjects["quote", "de"] == "Angebot {number}: {subject}"
    assert subjects["reminder_1", "de"] == "Zahlungserinnerung {number}"


def test_texts_are_changed_by_kind_and_language_and_are_ours_again(acme):
    path = f"{TEXTS}/quote/de"
    ours = next(each for each in acme.ok("GET", TEXTS) if (each["kind"], each["language"]) == ("quote", "de"))
    changed = acme.ok("PATCH", path, {"intro": "Guten Tag {customer},", "closing": ""})
    assert (changed["intro"], changed["closing"], changed["own"]) == (
        "Guten Tag {customer},",
        None,
        ["intro", "closing"],
    )
    assert changed["mailSubject"] == ours["mailSubject"]
    acme.refused("PATCH", path, {"intro": "x"}, status=412, headers={"If-Match": '"0"'})
    again = acme.ok("PATCH", path, {"closing": None}, headers={"If-Match": '"1"'})
    assert (again["closing"], again["own"], again["version"]) == (ours["closing"], ["intro"], 2)
    acme.ok("DELETE", path)
    assert ours in acme.ok("GET", TEXTS)
    acme.refused("DELETE", path, status=404, code="unchanged_text")
    types = [event["type"] for event in acme.ok("GET", "/workspace/events?limit=5") if event["type"][:5] == "text."]
    assert sorted(types) == ["text.deleted", "text.updated", "text.updated"]
    for wrong in ("letter/de", "quote/fr"):
        acme.refused("PATCH", f"{TEXTS}/{wrong}", {"intro": "x"}, status=404, code="no_such_text")
    acme.colleague("accountant").refused("PATCH", path, {"intro": "x"}, status=403, code="forbidden")


def test_places_that_a_kind_does_not_have_are_refused_with_the_list(acme):
    wrong = {"mailSubject": "{number} {nummer} {validUntil}", "closing": "{payBy}", "intro": "{{payBy}} {due}"}
    error = acme.refused("PATCH", f"{TEXTS}/invoice/en", wrong, status=422, code="validation_failed")
    found = {detail["field"]: detail["message"] for detail in error["details"]}
    assert {detail["code"] for detail in error["details"]} == {"unknown_place"}
    assert found.keys() == {"mailSubject", "closing"}
    assert "{nummer}, {validUntil}" in found["mailSubject"]
    assert "{number}, {date}, {total}" in found["mailSubject"]
    error = acme.refused("PATCH", f"{TEXTS}/invite/en", {"intro": "Hello"}, status=422)
    assert complaint(error) == ("intro", "not_needed")
    for field in ("mailSubject", "mailText"):
        acme.refused("PATCH", f"{TEXTS}/invite/en", {field: ""}, status=422)


def test_a_documents_own_text_wins_over_the_contacts_and_that_over_the_kinds(acme):
    rate = tax_rate(consultancy(acme), "19")["id"]
    of_kind = {"intro": "Sehr geehrte Damen und Herren von {customer},", "closing": "Danke für {reference}. {sender}"}
    acme.ok("PATCH", f"{TEXTS}/invoice/de", of_kind)
    acme.ok("PATCH", f"{TEXTS}/credit_note/de", {"intro": "Korrektur zu {total}."})
    plain = alster(acme)["id"]
    own = alster(acme, paperIntro="Moin {customer} ({reference})!", paperClosing="")["id"]

    def issued(buyer, **fields):
        made = invoice(acme, line("100.00", taxRateId=rate), customerId=buyer, **fields)
        return made, paper(acme, made["id"])

    first, text = issued(plain, reference="B-1")
    assert "Sehr geehrte Damen und Herren von Alster Verlag KG," in text
    assert text.index("Sehr geehrte") < text.index("Beschreibung") < text.index("Danke für B-1. Nora Licht")
    _, text = issued(own)
    assert "Moin Alster Verlag KG!" in text
    assert "Danke" not in text
    made, text = issued(own, intro="Zu {number} bis {due}: {total}", closing="Bis bald {{!")
    assert f"Zu {made['number']} bis" in text
    assert "119,00 €" in text
    assert "Bis bald {!" in text
    assert "Moin" not in text
    assert (made["intro"], made["closing"]) == ("Zu {number} bis {due}: {total}", "Bis bald {{!")
    assert "Korrektur zu 119,00 €." in paper(acme, credit(acme, first)["id"])
    acme.ok("DELETE", f"{TEXTS}/invoice/de")
    assert "Danke für B-1." in paper(acme, first["id"])  # as issued
    draft = invoice(acme, line("100.00", taxRateId=rate), customerId=plain, draft=True, intro="")
    assert (draft["intro"], "Sehr geehrte" in paper(acme, draft["id"])) == ("", False)
    error = acme.refused("PATCH", f"/finance/invoices/{draft['id']}", {"intro": "{validUntil}"}, status=422)
    assert complaint(error) == ("intro", "unknown_place")
    acme.refused("PATCH", f"/finance/invoices/{first['id']}", {"intro": "x"}, status=409, code="invalid_transition")
    for field in ("paperIntro", "paperClosing"):
        error = acme.refused("PATCH", f"/finance/contacts/{own}", {field: "{nobody}"}, status=422)
        assert complaint(error) == (field, "unknown_place")
        assert acme.ok("PATCH", f"/finance/contacts/{own}", {field: None})[field] is None
