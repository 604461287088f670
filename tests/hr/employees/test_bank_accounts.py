"""Bank accounts as their countries number them."""

import pytest

from tests.hr.employees.employees import hire
from tests.refusals import complaint

AMERICAN = {"holder": "Nick", "routingNumber": "021000021", "accountNumber": "123456789"}
BRITISH = {"holder": "Liz", "sortCode": "20-00-00", "accountNumber": "55779911"}
IBAN = "DE89370400440532013000"


@pytest.mark.parametrize(
    ("sent", "country"),
    [
        ({"holder": "Mia", "iban": "DE89 3704 0044 0532 0130 00"}, "DE"),
        (AMERICAN, "US"),
        ({**AMERICAN, "accountType": "savings"}, "US"),
        (BRITISH, "GB"),
        ({"holder": "Kim", "country": "JP", "bankCode": "0001", "accountNumber": "1234567", "bic": "MHCBJPJT"}, "JP"),
        ({"holder": "Mia"}, None),
    ],
)
def test_an_account_is_kept_as_its_country_numbers_it(acme, sent, country):
    account = hire(acme, bankAccount=sent)["bankAccount"]
    spelled = sent | {
        name: sent[name].replace(" ", "").replace("-", "") for name in ("iban", "sortCode") if name in sent
    }
    assert {name: value for name, value in account.items() if value is not None} == {
        **spelled,
        **({"country": country} if country else {}),
    }


@pytest.mark.parametrize(
    ("sent", "field", "code"),
    [
        ({**AMERICAN, "routingNumber": "021000022"}, "routingNumber", "not_a_routing_number"),
        ({**AMERICAN, "routingNumber": "02100002"}, "routingNumber", "not_a_routing_number"),
        ({**BRITISH, "sortCode": "20000"}, "sortCode", "not_a_sort_code"),
        ({**BRITISH, "accountNumber": "5577991"}, "accountNumber", "not_an_account_number"),
        ({"holder": "Liz", "sortCode": "200000"}, "accountNumber", "required"),
        ({**BRITISH, "iban": IBAN}, "accountNumber", "exactly_one"),
        ({"holder": "Mia", "iban": IBAN, "accountNumber": "1"}, "accountNumber", "not_applicable"),
        ({"holder": "Mia", "accountNumber": "1"}, "accountNumber", "exactly_one"),
        ({"holder": "Mia", "bankCode": "1", "accountNumber": "1"}, "country", "required"),
        ({"holder": "Mia", "iban": IBAN, "country": "FR"}, "country", "other_country"),
        ({**AMERICAN, "accountType": "current"}, "accountType", "not_one_of"),
    ],
)
def test_an_account_that_cannot_be_is_refused(acme, sent, field, code):
    body = {"name": "Mia", "hireDate": "2026-01-01", "bankAccount": sent}
    error = acme.refused("POST", "/hr/employees", body, status=422)
    assert complaint(error) == (f"bankAccount.{field}", code)


def test_the_claims_of_a_person_are_paid_to_an_iban_alone(acme):
    made = hire(acme, bankAccount={"holder": "Mia", "iban": IBAN})
    acme.ok("PATCH", f"/hr/employees/{made['id']}", {"bankAccount": BRITISH})
    assert acme.ok("GET", f"/hr/employees/{made['id']}")["bankAccount"]["sortCode"] == "200000"
