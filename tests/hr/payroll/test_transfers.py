"""The bank file of a run over HTTP; test_bank_file tests its content."""

from xml.etree import ElementTree

import pytest

from erp.finance.payments.credit_transfer import NAMESPACE
from tests.hr.payroll.payrolls import IBAN, act, paid_employee, path, payroll_run, salary

pytestmark = pytest.mark.usefixtures("wednesday")

OFFICE = "NL91ABNA0417164300"


@pytest.fixture
def office(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OFFICE})
    return acme


def approved(office, **fields):
    made = payroll_run(office, **fields)
    act(office, made, "approve")
    return made


def test_the_file_pays_everyone_from_the_account_of_the_office(office):
    paid_employee(office)
    paid_employee(office, "Ben", salary("1234.56"))
    made = approved(office, payDate="2026-03-13")
    answer = office.call("GET", path(made, "bank-file"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/xml")
    assert "PR-2026-001.xml" in answer.headers["content-disposition"]
    root, names = ElementTree.fromstring(answer.text), {"p": NAMESPACE}

    def texts(path):
        return [element.text for element in root.findall(f".//p:{path}", names)]

    assert texts("InstdAmt") == ["3000.00", "1234.56"]
    assert texts("CdtrAcct//p:IBAN") == [IBAN, IBAN]
    assert (texts("DbtrAcct//p:IBAN"), texts("Dbtr/p:Nm")) == ([OFFICE], ["Olga's office"])
    assert texts("ReqdExctnDt/p:Dt") == ["2026-03-13"]
    assert texts("EndToEndId") == ["PR-2026-001 EMP-0001", "PR-2026-001 EMP-0002"]


def test_the_csv_leaves_missing_ibans_empty_and_omits_employees_without_net_pay(acme):
    paid_employee(acme)
    paid_employee(acme, "Ben", bankAccount=None)
    paid_employee(acme, "Idle", salary("0.00"))
    made = approved(acme)
    answer = acme.call("GET", path(made, "bank-file"), params={"format": "csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.splitlines()[1:] == [
        f"Anna,{IBAN},3000.00,EUR,2026-01-31,PR-2026-001 EMP-0001",
        "Ben,,3000.00,EUR,2026-01-31,PR-2026-001 EMP-0002",
    ]


def test_without_the_ibans_there_is_no_xml(acme):
    paid_employee(acme)
    paid_employee(acme, "Ben", bankAccount={"holder": "Ben"})
    paid_employee(acme, "Cleo", bankAccount=None)
    made = approved(acme)
    error = acme.refused("GET", path(made, "bank-file"), status=409, code="workspace_iban_missing")
    assert "has no IBAN" in error["message"]
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": OFFICE})
    error = acme.refused("GET", path(made, "bank-file"), status=409, code="missing_ibans")
    assert "for Ben, Cleo." in error["message"]


def test_a_run_without_net_pay_has_no_xml(office):
    paid_employee(office, pay=salary("0.00"))
    made = approved(office)
    office.refused("GET", path(made, "bank-file"), status=409, code="nothing_to_transfer")
    table = office.call("GET", path(made, "bank-file"), params={"format": "csv"})
    assert table.text.splitlines() == ["name,iban,amount,currency,date,reference"]


@pytest.mark.parametrize("format", ["pain001", "csv"])
def test_a_draft_and_a_reversed_run_have_no_bank_file(office, format):
    paid_employee(office)
    made = payroll_run(office)

    def download():
        params = {"format": format, "executionDate": "2026-03-11"}
        return office.call("GET", path(made, "bank-file"), params=params)

    assert (download().status_code, download().json["error"]["code"]) == (409, "bank_file_not_due")
    act(office, made, "approve")
    assert download().status_code == 200
    act(office, made, "pay")
    assert download().status_code == 200
    act(office, made, "reverse", moneyReturnedOn="2026-03-11")
    assert download().json["error"]["message"] == (
        "PR-2026-001 is reversed. Only approved or paid payroll runs have a bank file."
    )


def test_the_bank_file_needs_permission_to_pay(office):
    paid_employee(office)
    made = approved(office, payDate="2026-03-13")
    assert office.colleague("accountant").call("GET", path(made, "bank-file")).status_code == 200
    office.colleague("manager").refused("GET", path(made, "bank-file"), status=403, code="forbidden")
    office.refused("GET", path(made, "bank-file"), params={"format": "mt101"}, status=400, code="bad_parameter")


def test_no_bank_is_asked_to_pay_in_the_past(office):
    paid_employee(office)
    made = approved(office)
    error = office.refused("GET", path(made, "bank-file"), status=409, code="execution_date_past")
    assert error["message"] == ("31 Jan 2026 is in the past. Enter another execution date.")
    past = {"executionDate": "2026-03-10"}
    office.refused("GET", path(made, "bank-file"), params=past, status=409, code="execution_date_past")
    answer = office.call("GET", path(made, "bank-file"), params={"executionDate": "2026-03-11"})
    root = ElementTree.fromstring(answer.text)
    assert [day.text for day in root.findall(".//p:ReqdExctnDt/p:Dt", {"p": NAMESPACE})] == ["2026-03-11"]
