import base64
import io
import re
import zlib

import pytest
from PIL import Image

from erp.hr.payroll.payslips import pdf as payslip_pdf
from erp.hr.payroll.payslips.overrides import PayslipChange
from erp.kernel.paper import typefaces
from tests.hr.employees.employees import events_about
from tests.hr.payroll.payrolls import (
    FEBRUARY,
    IBAN,
    act,
    add_components,
    amounts,
    override,
    paid_employee,
    path,
    payroll_run,
    payslip_of,
    salary,
    warnings_of,
)

pytestmark = pytest.mark.usefixtures("wednesday")

LESS = {"code": "salary", "amount": "2000.00", "reason": "Paid in advance"}


@pytest.fixture
def slip(acme, anna):
    return payslip_of(payroll_run(acme), anna)


def where(slip, action=""):
    return f"/hr/payroll/payslips/{slip['id']}{action and '/' + action}"


def refused(office, slip, *lines):
    error = office.refused("PATCH", where(slip), {"lines": list(lines)}, status=422)
    return {(detail["field"], detail["code"]) for detail in error["details"]}


def test_an_overridden_line_shows_its_computed_amount_and_the_reason(acme, slip):
    changed = override(acme, slip, LESS)
    line = changed["lines"][0]
    assert (line["amount"], line["computedAmount"], line["overrideReason"]) == (
        "2000.00", "3000.00", "Paid in advance",
    )  # fmt: skip
    assert line["explanation"] == slip["lines"][0]["explanation"]
    assert "computedAmount" not in changed["lines"][1]
    assert (changed["id"], changed["version"]) == (slip["id"], slip["version"] + 1)
    assert acme.ok("GET", where(slip)) == changed


def test_what_depends_on_an_overridden_line_follows(acme, slip):
    changed = override(acme, slip, LESS)
    assert amounts(changed) == {"salary": "2000.00", "tax": "200.00", "fund": "100.00", "insurance": "200.00"}
    assert (changed["gross"], changed["net"], changed["yearToDate"]["net"]) == ("2000.00", "1700.00", "1700.00")
    shown = acme.ok("GET", f"/hr/payroll/runs/{slip['runId']}")
    assert shown["totals"] == {
        "gross": "2000.00", "deductions": "300.00", "employerContributions": "200.00", "net": "1700.00",
        "payable": "1700.00",
    }  # fmt: skip
    assert [entry["net"] for entry in shown["variance"]] == ["1700.00"]
    (warning,) = shown["warnings"]
    assert (warning["code"], warning["message"], warning["count"]) == (
        "overridden", "Manual amounts for 1 employee.", 1,
    )  # fmt: skip
    assert [item["message"] for item in warning["items"]] == ["Salary has a manual amount: Paid in advance"]


def test_an_override_leaves_other_payslips_as_they_were(acme, anna):
    ben = paid_employee(acme, "Ben", salary("2000.00"), bankAccount=None)
    made = payroll_run(acme)
    override(acme, payslip_of(made, anna), LESS)
    shown = acme.ok("GET", path(made))
    assert payslip_of(shown, ben) == payslip_of(made, ben)
    assert warnings_of(shown) == [("Ben", "missing_bank_account"), ("Anna", "overridden")]
    assert [entry["name"] for entry in shown["variance"]] == ["Anna", "Ben"]
    assert shown["totals"]["net"] == "3400.00"


def test_an_override_can_be_removed(acme, slip):
    override(acme, slip, LESS)
    changed = override(acme, slip, {"code": "salary", "amount": None})
    assert (changed["lines"], changed["net"]) == (slip["lines"], slip["net"])
    assert acme.ok("GET", f"/hr/payroll/runs/{slip['runId']}")["warnings"] == []


def test_overrides_accumulate_and_persist_when_the_run_is_recalculated(acme, anna, slip):
    override(acme, slip, LESS)
    override(acme, slip, {"position": 1, "amount": "5.00", "reason": "Arrears"})
    raised = {**salary("3300.00"), "effectiveFrom": "2026-01-01"}
    acme.ok("POST", f"/hr/employees/{anna}/compensations", raised)
    again = act(acme, {"id": slip["runId"]}, "recalculate")
    line = payslip_of(again, anna)["lines"][0]
    assert (line["amount"], line["computedAmount"]) == ("2000.00", "3300.00")
    assert amounts(payslip_of(again, anna))["fund"] == "5.00"
    assert warnings_of(again) == [("Anna", "overridden"), ("Anna", "overridden")]


def test_a_dropped_override_is_warned_of(acme, anna, slip):
    override(acme, slip, {"code": "fund", "amount": "5.00", "reason": "Arrears"})
    fund = next(component for component in acme.ok("GET", "/hr/pay-components") if component["code"] == "fund")
    acme.ok("PATCH", f"/hr/pay-components/{fund['id']}", {"appliesToAll": False})
    again = act(acme, {"id": slip["runId"]}, "recalculate")
    assert "fund" not in amounts(payslip_of(again, anna))
    assert warnings_of(again) == [("Anna", "override_dropped")]
    assert warnings_of(act(acme, again, "recalculate")) == []


def test_every_wrong_override_is_reported(acme, slip):
    lines = [
        {"code": "salary", "amount": "1.00"},
        {"code": "nothing", "amount": "1.00", "reason": "x"},
        {"position": 9, "amount": "1.00", "reason": "x"},
        {"amount": "1.00", "reason": "x"},
        {"code": "salary", "position": 0, "amount": "1.00", "reason": "x"},
        {"code": "salary", "amount": "1.001", "reason": "x"},
    ]
    assert refused(acme, slip, *lines) == {
        ("lines[0].reason", "required"),
        ("lines[1].code", "unknown_line"),
        ("lines[2].position", "unknown_line"),
        ("lines[3]", "exactly_one"),
        ("lines[4]", "exactly_one"),
        ("lines[5].amount", "too_many_decimals"),
    }
    assert acme.ok("GET", where(slip)) == slip


def test_one_of_several_lines_of_a_code_is_named_by_its_position(acme):
    anna = paid_employee(acme, pay=salary("2200.00"))
    raise_ = {**salary("4400.00"), "effectiveFrom": "2026-01-19"}
    acme.ok("POST", f"/hr/employees/{anna}/compensations", raise_)
    slip = payslip_of(payroll_run(acme), anna)
    assert refused(acme, slip, LESS) == {("lines[0].code", "unknown_line")}
    changed = override(acme, slip, {"position": 1, "amount": "1500.00", "reason": "Agreed"})
    assert [line["amount"] for line in changed["lines"]] == ["1200.00", "1500.00"]
    again = act(acme, {"id": slip["runId"]}, "recalculate")
    assert [line["amount"] for line in payslip_of(again, anna)["lines"]] == ["1200.00", "1500.00"]


def test_an_override_of_an_older_version_is_refused(acme, slip):
    override(acme, slip, LESS)
    stale = {"If-Match": f'"{slip["version"]}"'}
    acme.refused("PATCH", where(slip), {"lines": [LESS]}, headers=stale, status=412, code="version_mismatch")


def test_the_documented_example_works_and_its_event_names_only_the_line(acme, slip):
    acme.ok("PATCH", where(slip), PayslipChange.EXAMPLE)
    acme.ok("PATCH", where(slip), {"lines": []})
    ((kind, data),) = events_about(acme, slip["id"])
    assert (kind, '"lines":["salary"]' in data) == ("payslip.overridden", True)
    assert "3000" not in data


def test_employees_read_their_own_payslips_once_approved(acme, anna):
    person = acme.colleague("member")
    acme.ok("PATCH", f"/hr/employees/{anna}", {"userId": person.user["id"]})
    other = paid_employee(acme, "Ben")
    made = payroll_run(acme)
    own, others = payslip_of(made, anna), payslip_of(made, other)
    assert person.ok("GET", "/hr/payroll/payslips") == []
    person.refused("GET", where(own), status=404)
    person.refused("GET", where(own, "pdf"), status=404)
    act(acme, made, "approve")
    payroll_run(acme, FEBRUARY)
    (listed,) = person.ok("GET", "/hr/payroll/payslips")
    assert listed == person.ok("GET", where(own))
    assert person.ok("GET", "/hr/payroll/payslips?employeeId=EMP-0001") == [listed]
    assert (listed["id"], listed["net"]) == (own["id"], "2450.00")
    assert person.call("GET", where(own, "pdf")).content.startswith(b"%PDF")
    for route in (where(others), where(others, "pdf"), f"/hr/payroll/payslips?employeeId={other}"):
        person.refused("GET", route, status=403, code="forbidden")
    act(acme, made, "reverse")
    assert person.ok("GET", "/hr/payroll/payslips") == []


def test_a_user_who_is_not_an_employee_has_no_payslips(acme, slip):
    manager = acme.colleague("manager")
    assert manager.ok("GET", "/hr/payroll/payslips") == []
    manager.refused("GET", where(slip), status=403, code="forbidden")


@pytest.mark.parametrize("role", ["accountant", "manager", "member", "viewer"])
def test_roles_without_payroll_write_cannot_override(acme, slip, role):
    body = {"lines": [LESS]}
    acme.colleague(role).refused("PATCH", where(slip), body, status=403, code="forbidden")


def test_payslips_are_listed_and_filtered(acme, anna):
    ben = paid_employee(acme, "Ben")
    january, february = payroll_run(acme), payroll_run(acme, FEBRUARY)
    act(acme, january, "approve")

    def listed(**params):
        payslips = acme.ok("GET", "/hr/payroll/payslips", params=params)
        return {(payslip["employeeId"], payslip["runId"]) for payslip in payslips}

    assert len(listed()) == 4
    assert listed(employeeId=anna, status="draft") == {(anna, february["id"])}
    assert listed(employeeId="EMP-0001") == listed(employeeId=anna)
    assert listed(runId=january["id"]) == {(anna, january["id"]), (ben, january["id"])}
    assert listed(dateFrom="2026-02-01") == listed(runId=february["id"]) == listed(status="draft")
    assert listed(dateTo="2026-01-31", employeeId=ben) == {(ben, january["id"])}


def text_of(pdf):
    """The glyphs of a PDF's pages as text, by the typeface's own table."""
    objects = re.findall(rb"<<([^>]*)>>\s*stream\r?\n(.*?)\nendstream", pdf, re.DOTALL)
    streams = [zlib.decompress(content) if b"FlateDecode" in facts else content for facts, content in objects]
    table = next(stream.decode() for stream in streams if b"beginbfchar" in stream)
    pairs = re.findall(r"<([0-9A-F]{4})> <([0-9A-F]{4})>", table.split("beginbfchar")[1])
    letters = {int(glyph, 16): chr(int(letter, 16)) for glyph, letter in pairs}
    return "".join(letters[glyph] for page in streams if b" Tj" in page for glyph in _shown(page))


def _shown(page):
    for escaped in re.findall(rb"\(((?:[^\\()]|\\.)*)\)", page, re.DOTALL):
        raw = re.sub(rb"\\(.)", lambda m: {b"r": b"\r", b"n": b"\n"}.get(m[1], m[1]), escaped, flags=re.DOTALL)
        yield from (int.from_bytes(raw[i : i + 2]) for i in range(0, len(raw), 2))


def paper_of(office, slip):
    answer = office.call("GET", where(slip, "pdf"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert f"payslip-{slip['runNumber']}-" in answer.headers["content-disposition"]
    return answer.content


def pages(pdf):
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


def test_the_pdf_shows_what_the_payslip_shows(acme, anna):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"address": {"line1": "Main street 1", "postalCode": "12345"}})
    pdf = paper_of(acme, payslip_of(payroll_run(acme), anna))
    text = text_of(pdf)
    texts = [
        "Olga's office", "Main street 1", "12345", "Anna", "EMP-0001", "1 January 2026 – 31 January 2026",
        "PR-2026-001",
        "3,000.00 × 22 of 22 working days = 3,000.00", "Income tax", "Insurance", "2,450.00 EUR", "2026 to date",
        f"•••• {IBAN[-4:]}", "Page 1 of 1",
    ]  # fmt: skip
    assert [expected for expected in texts if expected not in text] == []
    assert IBAN not in text
    assert (pdf[:5], pages(pdf)) == (b"%PDF-", 1)


def test_the_pdf_of_a_payslip_is_always_the_same(acme, slip, clock_at):
    first = paper_of(acme, slip)
    clock_at("2026-03-12T09:00:00Z")
    assert paper_of(acme, slip) == first


def test_a_long_payslip_in_cyrillic_continues_on_the_next_page(acme):
    for number in range(60):
        add_components(
            acme,
            {
                "code": f"c{number}",
                "name": f"Надбавка за стаж {number}",
                "kind": "earning",
                "calculation": "fixed",
                "amount": "1.00",
                "appliesToAll": True,
            },
        )
    boris = paid_employee(acme, "Борис Ковальчук", jobTitle="Пекар")
    pdf = paper_of(acme, payslip_of(payroll_run(acme), boris))
    assert pages(pdf) > 1
    text = text_of(pdf)
    assert all(word in text for word in ("Борис Ковальчук", "Пекар", "Надбавка за стаж 59", "3,060.00"))


WHOLE = {"line1": "Lindenallee 22", "postalCode": "22111", "city": "Hamburg", "country": "DE"}
GERMAN = {
    "country": "DE",
    "taxNumber": "DE136695976",
    "address": {"line1": "Hauptstraße 1", "postalCode": "12345", "city": "Kiel"},
}


def lacking(texts, pdf):
    text = text_of(pdf)
    return [expected for expected in texts if expected not in text]


def test_the_paper_names_both_with_address_and_tax_number_in_the_language_of_the_country(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", GERMAN)
    anna = paid_employee(acme, address=WHOLE, taxNumber="12 345 678 901")
    made = payroll_run(acme, payDate="2026-01-30")
    pdf = paper_of(acme, payslip_of(made, anna))
    texts = [
        "Hauptstraße 1", "12345 Kiel", "Steuernummer DE136695976", "Lindenallee 22", "22111 Hamburg",
        "Steuernummer 12 345 678 901", "01.01.2026 – 31.01.2026", "Auszahlungsdatum 30.01.2026",
        "Am 30.01.2026 auf Konto •••• 3000", "Gehalt", "3.000,00 × 22 von 22 Arbeitstagen = 3.000,00",
        "Nettolohn", "3.000,00 EUR", "Resttage: Jahresurlaub", "Seite 1 von 1",
    ]  # fmt: skip
    assert lacking(texts, pdf) == []
    words = {"en": "3,000.00 × 22 of 22 working days = 3,000.00", "de": "3.000,00 × 22 von 22 Arbeitstagen = 3.000,00"}
    for language, expected in words.items():
        shown = acme.ok("GET", path(made), headers={"Accept-Language": language})
        assert payslip_of(shown, anna)["lines"][0]["explanation"] == expected, "each reads it in their own language"
    act(acme, made, "approve")
    bookkeeper = paper_of(acme.colleague("accountant"), payslip_of(made, anna))
    assert lacking(["Lindenallee 22", "22111 Hamburg"], bookkeeper) == ["Lindenallee 22", "22111 Hamburg"]


def test_the_logo_of_the_office_stands_at_the_head(acme, anna):
    slip = payslip_of(payroll_run(acme), anna)
    assert b"/Subtype /Image" not in paper_of(acme, slip)
    logo = io.BytesIO()
    Image.new("RGB", (70, 20), (22, 82, 104)).save(logo, "PNG")
    acme.ok("POST", "/workspace/logo", {"file": base64.b64encode(logo.getvalue()).decode()})
    pdf = paper_of(acme, slip)
    assert b"/Subtype /Image" in pdf
    assert "Olga's office" in text_of(pdf)


def test_the_paper_has_the_leave_left_at_the_end_of_the_period(acme):
    """20 days a year, of which one in January is taken, and one in February is still ahead."""
    anna = paid_employee(acme)
    for day in ("2026-01-05", "2026-02-02"):
        leave = acme.ok("POST", "/hr/leaves", {"employeeId": anna, "startDate": day, "endDate": day})
        if leave["status"] == "pending":
            acme.ok("POST", f"/hr/leaves/{leave['id']}/approve", {})
    pdf = paper_of(acme, payslip_of(payroll_run(acme), anna))
    assert "19 days" in text_of(pdf)


def test_the_paper_has_the_year_to_date_of_each_line_and_of_lines_that_only_earlier_payslips_have(acme, anna):
    bonus = {"code": "bonus", "name": "New year bonus", "kind": "earning", "calculation": "fixed", "amount": "111.00"}
    id = acme.ok("POST", "/hr/pay-components", {**bonus, "appliesToAll": True})["id"]
    act(acme, payroll_run(acme), "approve")
    acme.ok("PATCH", f"/hr/pay-components/{id}", {"appliesToAll": False})
    text = text_of(paper_of(acme, payslip_of(payroll_run(acme, FEBRUARY), anna)))
    assert "New year bonus–111.00" in text
    assert "3,000.006,000.00" in text, "the salary of February, and of the year"


def test_a_long_paper_counts_its_pages(acme):
    add_components(
        acme,
        *(
            {
                "code": f"c{n}", "name": f"Allowance {n} for work at night, on Sundays and on holidays", "kind": kind,
                "calculation": "fixed", "amount": "1.00", "appliesToAll": True,
            }
            for kind, first in (("earning", 0), ("deduction", 10), ("employer_contribution", 20))
            for n in range(first, first + 8)
        ),
    )  # fmt: skip
    name = "Maria-Magdalena Anastasia von und zu Hohenlohe-Schillingsfürst-Waldenburg-Bartenstein"
    id = paid_employee(acme, name)
    pdf = paper_of(acme, payslip_of(payroll_run(acme), id))
    assert pages(pdf) == 2
    assert lacking(["Page 1 of 2", "Page 2 of 2", "Hohenlohe", "Employer contributions"], pdf) == []


def test_a_name_in_letters_of_no_typeface_gives_way_to_that_of_the_account(acme, monkeypatch):
    monkeypatch.setattr(typefaces, "_installed", lambda: ())
    wang = paid_employee(acme, "王小明", bankAccount={"holder": "Wang Xiaoming", "iban": IBAN})
    dana = paid_employee(acme, "דנה")
    made = payroll_run(acme)
    assert lacking(["Wang Xiaoming", "EMP-0001"], paper_of(acme, payslip_of(made, wang))) == []
    assert text_of(paper_of(acme, payslip_of(made, dana))).count("EMP-0002") == 3, "name, number and foot"


def test_an_iban_is_masked():
    assert payslip_pdf.masked(IBAN) == "•••• 3000"
    assert payslip_pdf.masked(None) == "–"


def test_a_payslip_of_another_office_is_not_found(stranger, slip):
    stranger.refused("GET", where(slip), status=404)
    stranger.refused("PATCH", where(slip), {"lines": [LESS]}, status=404)
