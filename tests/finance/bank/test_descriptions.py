"""The descriptions of entries that a bank transaction may be are in the language of their reader."""

from decimal import Decimal

import pytest

from tests.finance.bank.january import camt, confirm, entry, lines, statement
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.payments.payments import payment
from tests.hr.payroll.payrolls import act, paid_employee, payroll_run

GERMAN = {"Accept-Language": "de"}
OF = {"accountId": "1010"}


def received(office):
    made = payment(office, "50.00", contactId=customer(office)["id"], date="2026-03-01")
    number, name = made["number"], made["contactName"]
    return "50.00", number, f"Payment {number} from {name}", f"Zahlung {number} von {name}"


def made(office):
    made = payment(office, "50.00", direction="made", contactId=supplier(office)["id"], date="2026-03-01")
    number, name = made["number"], made["contactName"]
    return "-50.00", number, f"Payment {number} to {name}", f"Zahlung {number} an {name}"


def pay(office):
    paid_employee(office)
    run = payroll_run(office)
    act(office, run, "approve")
    number = act(office, run, "pay", date="2026-03-01")["number"]
    return "-3000.00", number, f"Payment of payroll run {number}", f"Zahlung des Lohnlaufs {number}"


def transfer(office):
    body = {"fromAccountId": "1010", "toAccountId": "1000", "amount": "50.00", "date": "2026-03-01"}
    number = office.ok("POST", "/finance/transfers", body)["number"]
    return "-50.00", number, f"Transfer {number}", f"Umbuchung {number}"


@pytest.mark.parametrize("make", [received, made, pay, transfer])
def test_an_entry_of_the_program_is_told_to_each_reader_in_their_language(acme, clock_at, make):
    clock_at("2026-03-11T09:00:00Z")
    amount, number, english, german = make(acme)
    readers: tuple[tuple[dict[str, str], str], ...] = (({}, english), (GERMAN, german))
    statement(acme, camt(entry(amount, f"Thanks {number}"), closing=str(100 + Decimal(amount))), "1010")
    (line,) = lines(acme, "1010")
    path = f"/finance/bank/lines/{line['id']}/candidates"
    for headers, text in readers:
        (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=headers)
        assert shown["suggestions"][0]["entries"][0]["description"] == text
        found = acme.ok("GET", path, headers=headers)
        assert [one["description"] for one in found if one["kind"] == "entry"] == [text]
    confirm(acme, line)
    for headers, text in readers:
        (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=headers)
        assert shown["matches"][0]["description"] == text


def test_an_entry_is_found_by_the_words_that_its_reader_sees(acme):
    *_, english, german = transfer(acme)
    statement(acme, camt(entry("-50.00", "Thanks"), closing="50.00"), "1010")
    (line,) = lines(acme, "1010")
    path = f"/finance/bank/lines/{line['id']}/candidates"
    for headers, text in (({}, english), (GERMAN, german)):
        found = acme.ok("GET", path, params={"q": text}, headers=headers)
        assert [one["description"] for one in found] == [text]


def test_an_entry_by_hand_keeps_its_text(acme):
    legs = [{"accountId": "1010", "debit": "50.00"}, {"accountId": "4100", "credit": "50.00"}]
    acme.ok("POST", "/finance/journals", {"date": "2026-03-01", "description": "Transfer 7", "lines": legs})
    statement(acme, camt(entry("50.00", "Thanks"), closing="150.00"), "1010")
    (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=GERMAN)
    assert shown["suggestions"][0]["entries"][0]["description"] == "Transfer 7"
