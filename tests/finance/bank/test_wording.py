"""The descriptions of entries that a bank transaction may be are in the language of their reader."""

from tests.finance.bank.january import camt, confirm, entry, lines, statement
from tests.finance.contacts.contacts import supplier
from tests.finance.payments.payments import payment

GERMAN = {"Accept-Language": "de"}
OF = {"accountId": "1010"}


def test_the_entry_of_a_payment_is_told_to_each_reader_in_their_language(acme):
    paid = payment(acme, "50.00", direction="made", contactId=supplier(acme)["id"], date="2026-03-01")
    statement(acme, camt(entry("-50.00", f"Thanks {paid['number']}"), closing="50.00"), "1010")
    (line,) = lines(acme, "1010")
    name = paid["contactName"]
    english, german = f"Payment {paid['number']} to {name}", f"Zahlung {paid['number']} an {name}"
    for headers, text in (({}, english), (GERMAN, german)):
        (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=headers)
        assert shown["suggestions"][0]["entries"][0]["description"] == text
        found = acme.ok("GET", f"/finance/bank/lines/{line['id']}/candidates", headers=headers)
        assert [one["description"] for one in found if one["kind"] == "entry"] == [text]
    confirm(acme, line)
    for headers, text in (({}, english), (GERMAN, german)):
        (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=headers)
        assert shown["matches"][0]["description"] == text


def test_an_entry_by_hand_keeps_its_text(acme):
    legs = [{"accountId": "1010", "debit": "50.00"}, {"accountId": "4100", "credit": "50.00"}]
    acme.ok("POST", "/finance/journals", {"date": "2026-03-01", "description": "Transfer 7", "lines": legs})
    statement(acme, camt(entry("50.00", "Thanks"), closing="150.00"), "1010")
    (shown,) = acme.ok("GET", "/finance/bank/lines", params=OF, headers=GERMAN)
    assert shown["suggestions"][0]["entries"][0]["description"] == "Transfer 7"
