"""Refusals in the caller's language, with what stands in their places."""

from typing import get_args, get_type_hints

import msgspec
import pytest

from tests.conftest import HOST
from tests.finance.documents.invoices import invoice, new_invoice

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def error_of(office, verb, path, body=None, **headers):
    answer = office.call(verb, path, body, headers=headers)
    assert answer.status_code >= 400, answer.text
    return answer, answer.json["error"]


def test_a_browser_that_asks_for_german_is_refused_in_german(acme):
    issued = invoice(acme, "1000.00")
    path = f"/finance/invoices/{issued['id']}"
    answer, error = error_of(acme, "DELETE", path, **GERMAN)
    number = issued["number"]
    assert (
        error["message"]
        == f"{number} ist ausgestellt und kann nicht gelöscht werden. Stornieren Sie {number} stattdessen."
    )
    assert (error["code"], error["status"], error["params"]) == ("invalid_transition", 409, {"number": number})
    assert answer.headers["content-language"] == "de"
    assert "Accept-Language" in answer.headers["vary"].split(", ")


def test_without_the_wish_it_is_english_as_ever(acme):
    issued = invoice(acme, "1000.00")
    for headers in ({}, {"Accept-Language": "en-GB, de;q=0.5"}, {"Accept-Language": "fr"}):
        answer, error = error_of(acme, "DELETE", f"/finance/invoices/{issued['id']}", **headers)
        assert (
            error["message"]
            == f"{issued['number']} has been issued and cannot be deleted. Void {issued['number']} instead."
        )
        assert error["params"] == {"number": issued["number"]}
        assert "content-language" not in answer.headers


def test_every_wrong_field_is_named_in_german_with_its_parameters(acme):
    body = new_invoice({"description": "", "quantity": "0", "unitPrice": "1.1234567"}, issueDate="2026-02-30", colour=1)
    _, error = error_of(acme, "POST", "/finance/invoices", body, **GERMAN)
    assert error["message"] == "Prüfen Sie die 5 markierten Felder."
    assert error["params"] == {"count": 5}
    told = {detail["field"]: (detail["message"], detail.get("params")) for detail in error["details"]}
    assert told == {
        "colour": ("Dieses Feld gibt es nicht.", None),
        "issueDate": ("Diesen Tag gibt es nicht.", None),
        "lines[0].description": ("Darf nicht leer sein.", None),
        "lines[0].quantity": ("Darf nicht 0 sein.", None),
        "lines[0].unitPrice": ("Darf höchstens 6 Nachkommastellen haben.", {"decimals": 6}),
    }


def test_each_pattern_says_what_it_wants(acme):
    contact = {"name": "Globex", "kind": "customer", "email": "nowhere"}
    for headers, message in (
        ({}, "Must be an e-mail address, such as anna@example.com."),
        (GERMAN, "Muss eine E-Mail-Adresse sein, zum Beispiel anna@example.com."),
    ):
        _, error = error_of(acme, "POST", "/finance/contacts", contact, **headers)
        assert [(each["code"], each["message"]) for each in error["details"]] == [("bad_format", message)]
    patterns = [meta for kind in structs(msgspec.Struct) for meta in metas(get_type_hints(kind, include_extras=True))]
    assert len(patterns) > 100
    assert [meta.pattern for meta in patterns if not (meta.extra or {}).get("expected")] == []


def structs(kind):
    for each in kind.__subclasses__():
        if each.__module__.startswith("erp."):
            yield each
        yield from structs(each)


def metas(hint):
    """The patterns in the types of fields."""
    if isinstance(hint, dict):
        for each in hint.values():
            yield from metas(each)
        return
    for meta in getattr(hint, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.pattern is not None:
            yield meta
    for part in get_args(hint):
        yield from metas(part)


def test_amounts_are_written_as_germans_write_them(acme):
    issued = invoice(acme, "1234.50")
    assert issued["total"] == "1234.50"
    body = {"direction": "received", "amount": "2000.00", "date": issued["issueDate"], "invoiceId": issued["id"]}
    _, error = error_of(acme, "POST", "/finance/payments", body, **GERMAN)
    (detail,) = error["details"]
    number = issued["number"]
    assert detail["message"] == f"Offen auf {number}: 1.234,50 EUR. Der Betrag 2.000,00 EUR ist höher."
    assert detail["params"] == {"number": number, "due": "1234.50 EUR", "amount": "2000.00 EUR"}


def test_days_are_written_as_germans_write_them(acme):
    _, error = error_of(
        acme, "POST", "/finance/invoices", new_invoice(issueDate="2026-01-31", dueDate="2026-01-30"), **GERMAN
    )
    (detail,) = error["details"]
    assert detail["message"] == "Darf nicht vor dem Rechnungsdatum liegen, dem 31.01.2026."
    assert detail["params"] == {"issue_date": "2026-01-31"}


def test_a_role_and_its_limit_are_named_in_german(acme):
    member = acme.colleague("member")
    _, error = error_of(member, "GET", "/finance/invoices", **GERMAN)
    assert error["message"] == (
        "Die Rolle Mitglied darf die Bücher nicht sehen. Bitten Sie jemanden mit der Rolle Inhaber oder Admin."
    )
    assert error["params"] == {"permission": "finance.read", "role": "Member"}


@pytest.mark.parametrize(
    ("verb", "path", "body", "message"),
    [
        ("GET", "/finance/contacts/none", None, "Diesen Kontakt gibt es nicht."),
        ("GET", "/none", None, "Unter dieser Adresse gibt es keinen Endpunkt. `/api/docs` nennt alle, die es gibt."),
        ("PUT", "/projects", {}, "Diese Adresse unterstützt diese Methode nicht."),
        ("GET", "/projects?limit=0", None, "limit: Muss 1 oder mehr sein."),
        ("GET", "/projects?colour=red", None, "colour: Diesen Parameter gibt es nicht."),
        ("GET", "/projects?cursor=x", None, "cursor: Das ist kein gültiger Cursor."),
    ],
)
def test_what_the_address_gets_wrong_is_told_in_german(acme, verb, path, body, message):
    assert error_of(acme, verb, path, body, **GERMAN)[1]["message"] == message


def test_a_reference_to_nothing_is_told_in_german(acme):
    _, error = error_of(acme, "POST", "/finance/invoices", new_invoice(customerId="none"), **GERMAN)
    assert {detail["field"]: detail["message"] for detail in error["details"]} == {
        "customerId": "Diesen Kontakt gibt es in diesem Arbeitsbereich nicht.",
    }


def test_an_empty_list_is_told_in_german(acme):
    _, error = error_of(acme, "POST", "/finance/invoices", new_invoice(lines=[]), **GERMAN)
    (detail,) = error["details"]
    assert detail["message"] == "Muss mindestens 1 Eintrag haben."


def test_strangers_are_refused_in_their_language(installation):
    body = b'{"email": "anna@example.com", "password": "wrong horse"}'
    answer = installation.client.simulate_post(
        "/api/v1/auth/sign-in/email", body=body, headers={**GERMAN, "Content-Type": "application/json"}, **HOST
    )
    assert answer.json["error"]["message"] == "Die E-Mail-Adresse oder das Passwort stimmt nicht."
    assert answer.headers["content-language"] == "de"


def test_what_a_user_has_chosen_goes_before_what_the_browser_asks_for(acme):
    acme.ok("PATCH", "/auth/me", {"locale": "de-CH"})
    answer, error = error_of(acme, "GET", "/finance/contacts/none", **{"Accept-Language": "en"})
    assert (error["message"], answer.headers["content-language"]) == ("Diesen Kontakt gibt es nicht.", "de")
    acme.ok("PATCH", "/auth/me", {"locale": "ja"})
    _, error = error_of(acme, "GET", "/finance/contacts/none", **GERMAN)
    assert error["message"] == "Diesen Kontakt gibt es nicht."


def test_a_status_is_named_in_german(acme):
    project = acme.ok("POST", "/projects", {"name": "Website", "code": "WEB", "status": "planned"})
    _, error = error_of(acme, "PATCH", f"/projects/{project['id']}", {"status": "completed"}, **GERMAN)
    assert error["message"].startswith("Ein Projekt mit dem Status „geplant“ kann nicht „abgeschlossen“ werden, nur ")
    assert error["params"]["status"] == "planned"
