"""Tax returns: the boxes of the worked month by accrual and by cash, filing, settling, and other forms."""

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.finance.contacts.contacts import customer, supplier, tax_rate
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.journals.journals import entry, posted
from tests.finance.payments.payments import payment
from tests.finance.reports.trees import JANUARY, cells, report
from tests.finance.test_month import Month, _month

FEBRUARY = {"dateFrom": "2026-02-01", "dateTo": "2026-02-28"}


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-02-10T18:00:00Z")
    return acme.once(_month_in_germany)


def _month_in_germany(office):
    change(office, country="DE")
    return _month(office)


def change(office, **settings):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", settings)


def boxes(office, days=JANUARY, **params):
    """What the boxes show that are not empty: base and tax, in this order, where a box has them."""
    tree = report(office, "tax", **days, **params)
    shown = {row["code"]: cells(row) for row in tree["rows"] if row["code"]}
    accounts = {row["code"] for row in tree["rows"] if row["link"] and "/accounts/" in row["link"]}
    return {
        code: " / ".join(own[key] for key in ("base", "tax") if key in own)
        for code, own in shown.items()
        if code not in accounts and any(value != "0.00" for value in own.values())
    }


def row(tree, key):
    (found,) = [row for row in tree["rows"] if row["key"] == key]
    return cells(found)


ACCRUAL = {
    "81": "980.00 / 186.20",
    "86": "196.00 / 13.72",
    "21": "2700.00",
    "45": "920.00",
    "46/47": "240.00 / 45.60",
    "66": "592.50",
    "67": "45.60",
    "83": "-392.58",
    "50": "500.00",
}


def test_the_boxes_of_the_month_by_accrual(acme, month):
    assert boxes(acme) == ACCRUAL
    tree = report(acme, "tax", **JANUARY)
    assert (row(tree, "by_documents"), row(tree, "ledger")) == ({"tax": "-392.58"}, {"tax": "-392.58"})
    assert row(tree, "difference") == {"tax": "0.00"}


def test_an_entry_by_hand_is_the_difference_to_the_ledger(acme, month):
    entry(acme, "50.00", day="2026-01-31", debit="6815", credit="3806")
    tree = report(acme, "tax", **JANUARY)
    assert (row(tree, "payable"), row(tree, "difference")) == ({"tax": "-392.58"}, {"tax": "50.00"})


def test_every_box_leads_to_the_documents_that_come_to_it(acme, month):
    tree = report(acme, "tax", **JANUARY)
    for shown in tree["rows"]:
        links = {cell["link"] for cell in shown["cells"].values() if "tax-documents" in cell.get("link", "")}
        for link in links:
            documents = acme.ok("GET", link.removeprefix("/api/v1"))
            total, own = row(documents, "total"), cells(shown)
            assert {key: total[key] for key in own} == own, shown["label"]
    documents = report(acme, "tax-documents", box="81", **JANUARY)
    assert [(line["label"], cells(line)["what"], cells(line)["base"]) for line in documents["rows"][:-1]] == [
        ("R-2026-0001", "Invoice", "1000.00"),
        ("R-2026-0004", "Invoice", "500.00"),
        ("R-2026-0001", "Cash discount", "-20.00"),
        ("R-2026-0004", "Write-off", "-500.00"),
    ]
    first = acme.ok("GET", documents["rows"][0]["link"].removeprefix("/api/v1"))
    assert first["number"] == "R-2026-0001"


def test_the_ec_sales_list_of_the_month(acme, month):
    tree = report(acme, "ec-sales-list", **JANUARY)
    (wien, total) = tree["rows"]
    assert (wien["label"], cells(wien)) == ("ATU12345675", {"customer": "Wien", "kind": "Services", "base": "2700.00"})
    assert cells(total)["base"] == "2700.00"
    documents = acme.ok("GET", wien["cells"]["base"]["link"].removeprefix("/api/v1"))
    assert [(line["label"], cells(line)["base"]) for line in documents["rows"]] == [
        ("R-2026-0002", "3000.00"),
        (month.documents["G1"]["number"], "-300.00"),
        ("Total", "2700.00"),
    ]


def test_a_discount_lowers_the_list_and_the_reverse_charge(acme, month):
    """2 % of R2's 2,700.00 are 54.00; 2 % of B2's 240.00 are 4.80, with 0.91 of tax both ways."""
    for name, paid, taken, way in (("R2", "2646.00", "54.00", "received"), ("B2", "235.20", "4.80", "made")):
        part = {"invoiceId": month.documents[name]["id"], "amount": paid, "discountAmount": taken}
        payment(acme, paid, allocations=[part], date="2026-02-05", direction=way)
    assert boxes(acme, FEBRUARY) == {"21": "-54.00", "46/47": "-4.00 / -0.91", "67": "-0.91"}
    (wien, _) = report(acme, "ec-sales-list", **FEBRUARY)["rows"]
    assert cells(wien)["base"] == "-54.00"


@pytest.mark.parametrize(
    ("paid", "shown"),
    [
        ("702.00", {"81": "500.00 / 95.00", "86": "100.00 / 7.00"}),
        ("500.00", {"81": "356.13 / 67.66", "86": "71.22 / 4.99"}),
    ],
)
def test_the_parts_of_a_payment_by_cash(acme, clock_at, paid, shown):
    clock_at("2026-01-31T18:00:00Z")
    month = Month(acme)
    change(acme, country="DE", taxBasis=[{"since": "2026-01-01", "basis": "cash"}])
    month.issue("R1", "Alster AG", "01-05", "01-19", month.line("1000.00", "19"), month.line("200.00", "7"))
    payment(acme, paid, invoiceId=month.documents["R1"]["id"], date="2026-01-19")
    totals = {box: row(report(acme, "tax-documents", box=box, **JANUARY), "total") for box in shown}
    assert {box: f"{total['base']} / {total['tax']}" for box, total in totals.items()} == shown


def test_by_cash_only_what_was_paid_counts_and_nothing_is_posted(acme, month):
    """R1 was paid less its discount, and the old R-0815 of 1,190.00; R4 was never paid. All other boxes stay."""
    before = len(acme.ok("GET", "/finance/journals", params={"limit": "200"}))
    change(acme, taxBasis=[{"since": "2025-01-01", "basis": "cash"}])
    paid = ACCRUAL | {"81": "1980.00 / 376.20", "83": "-202.58"}
    paid.pop("50")
    assert boxes(acme) == paid
    assert boxes(acme, basis="accrual") == ACCRUAL
    for days in (JANUARY, FEBRUARY):
        assert row(report(acme, "tax", **days), "difference") == {"tax": "0.00"}
    assert len(acme.ok("GET", "/finance/journals", params={"limit": "200"})) == before


def test_a_change_of_basis_counts_nothing_twice_and_nothing_never(acme, clock_at):
    """100.00 of January by accrual, paid in February; 200.00 of February by cash, paid in March; then by accrual."""
    clock_at("2026-04-30T18:00:00Z")
    change(
        acme,
        country="DE",
        taxBasis=[{"since": "2026-03-01", "basis": "accrual"}, {"since": "2026-02-01", "basis": "cash"}],
    )
    rate, alster = tax_rate(acme, "19")["id"], customer(acme, "Alster")["id"]
    for day, net, paid_on in (("2026-01-10", "100", "2026-02-10"), ("2026-02-10", "200", "2026-03-10")):
        made = invoice(acme, line(net, taxRateId=rate), customerId=alster, issueDate=day)
        payment(acme, made["total"], invoiceId=made["id"], date=paid_on)
    invoice(acme, line("400", taxRateId=rate), customerId=alster, issueDate="2026-03-20")
    months = {f"2026-0{month}": {"dateFrom": f"2026-0{month}-01", "dateTo": f"2026-0{month}-28"} for month in (1, 2, 3)}
    counted = {name: boxes(acme, days).get("81") for name, days in months.items()}
    assert counted == {"2026-01": "100.00 / 19.00", "2026-02": None, "2026-03": "600.00 / 114.00"}


def test_by_cash_offsets_and_settled_credit_notes_count(acme, clock_at):
    """An invoice of 119.00 is settled with a credit note of another: + 100.00 for the one, - 100.00 for the other."""
    clock_at("2026-01-31T18:00:00Z")
    change(acme, country="DE", taxBasis=[{"since": "2020-01-01", "basis": "cash"}])
    rate, alster = tax_rate(acme, "19")["id"], customer(acme, "Alster", kind="both")["id"]
    first, second, third = (
        invoice(acme, line(net, taxRateId=rate), customerId=alster, issueDate="2026-01-05")
        for net in ("100", "100", "300")
    )
    payment(acme, "119.00", invoiceId=first["id"], date="2026-01-10")
    assert boxes(acme)["81"] == "100.00 / 19.00"
    note = credit(acme, first, date="2026-01-12")
    items = {
        item["documentId"]: item["id"] for item in acme.ok("GET", "/finance/open-items", params={"contactId": alster})
    }
    body = {"fromItemId": items[note["id"]], "toItemId": items[second["id"]], "amount": "119.00", "date": "2026-01-13"}
    acme.ok("POST", "/finance/allocations", body)
    assert boxes(acme)["81"] == "100.00 / 19.00"
    owed = bill(acme, line("200", taxRateId=rate, accountId="6400"), supplierId=alster, issueDate="2026-01-15")
    settled = [{"invoiceId": third["id"], "amount": "238.00"}, {"invoiceId": owed["id"], "amount": "238.00"}]
    acme.ok("POST", "/finance/offsets", {"contactId": alster, "date": "2026-01-20", "items": settled})
    assert boxes(acme)["81"] == "300.00 / 57.00"


def test_a_deposit_counts_when_it_is_received_and_the_final_invoice_less_it(acme, clock_at):
    clock_at("2026-03-31T18:00:00Z")
    change(acme, country="DE")
    rate, alster = tax_rate(acme, "19")["id"], customer(acme, "Alster")["id"]
    deposit = invoice(
        acme, line("6000", taxRateId=rate), customerId=alster, kind="deposit_invoice", issueDate="2026-01-28"
    )
    payment(acme, "7140.00", invoiceId=deposit["id"], date="2026-02-03")
    invoice(
        acme,
        line("20000", taxRateId=rate),
        customerId=alster,
        kind="final_invoice",
        issueDate="2026-03-10",
        depositIds=[deposit["id"]],
    )
    march = {"dateFrom": "2026-03-01", "dateTo": "2026-03-31"}
    assert (boxes(acme), boxes(acme, FEBRUARY)["81"]) == ({}, "6000.00 / 1140.00")
    assert boxes(acme, march)["81"] == "14000.00 / 2660.00"
    tree = report(acme, "tax", **march)
    assert row(tree, "difference") == {"tax": "0.00"}


@pytest.mark.parametrize("basis", ["accrual", "cash"])
def test_a_foreign_deposit_leaves_no_difference_to_the_ledger(acme, clock_at, basis):
    """It is worth more when the final invoice takes it off than when it was received."""
    clock_at("2026-03-31T18:00:00Z")
    rates = [tax_rate(acme, percent)["id"] for percent in ("19", "7")]
    alster = customer(acme, "Alster")["id"]
    lines = [line(net, taxRateId=rate) for net, rate in zip(("333.33", "77.77"), rates, strict=True)]
    dollars = {"customerId": alster, "currency": "USD"}
    asked = {"kind": "deposit_invoice", "issueDate": "2026-01-28", "exchangeRate": "0.8931"}
    deposit = invoice(acme, *lines, **dollars, **asked)
    payment(acme, deposit["total"], invoiceId=deposit["id"], date="2026-02-03", exchangeRate="0.9177")
    lines = [line(net, taxRateId=rate) for net, rate in zip(("1111.11", "222.22"), rates, strict=True)]
    final = {"kind": "final_invoice", "issueDate": "2026-03-10", "exchangeRate": "0.9411"}
    made = invoice(acme, *lines, **dollars, **final, depositIds=[deposit["id"]])
    payment(acme, made["amountDue"], invoiceId=made["id"], date="2026-03-20", exchangeRate="0.9555")
    for first, last in (("01-01", "01-31"), ("02-01", "02-28"), ("03-01", "03-31"), ("02-01", "03-31")):
        days = {"dateFrom": f"2026-{first}", "dateTo": f"2026-{last}"}
        assert row(report(acme, "tax", basis=basis, **days), "difference") == {"tax": "0.00"}, first


def test_a_service_counts_in_its_own_month_and_the_return_says_so(acme, clock_at):
    clock_at("2026-02-28T18:00:00Z")
    change(acme, country="DE")
    rate, alster = tax_rate(acme, "19")["id"], customer(acme, "Alster")["id"]
    made = invoice(
        acme, line("100", taxRateId=rate), customerId=alster, issueDate="2026-02-03", serviceDate="2026-01-31"
    )
    assert (boxes(acme)["81"], boxes(acme, FEBRUARY)) == ("100.00 / 19.00", {})
    tree = report(acme, "tax", **FEBRUARY)
    rows = {shown["label"]: cells(shown).get("tax") for shown in tree["rows"]}
    assert rows["Posted in this period, but counted in another"] == "19.00"
    assert row(tree, "difference") == {"tax": "0.00"}
    acme.ok("POST", f"/finance/invoices/{made['id']}/void", {"reason": "Wrong", "date": "2026-02-20"})
    assert (boxes(acme)["81"], boxes(acme, FEBRUARY)["81"]) == ("100.00 / 19.00", "-100.00 / -19.00")


def test_bases_are_cut_towards_zero_and_the_tax_is_that_of_the_cut_base(acme, clock_at):
    """10.99 are 10.00 with 1.90, though the invoice has 2.09; a credit note of 10.99 is - 10.00, not - 11.00."""
    clock_at("2026-02-28T18:00:00Z")
    change(acme, country="DE")
    rate, alster = tax_rate(acme, "19")["id"], customer(acme, "Alster")["id"]
    made = invoice(acme, line("10.99", taxRateId=rate), customerId=alster, issueDate="2026-01-10")
    assert boxes(acme) == {"81": "10.00 / 1.90", "83": "1.90"}
    tree = report(acme, "tax", **JANUARY)
    assert {key: row(tree, key)["tax"] for key in ("by_return", "cents", "difference")} == {
        "by_return": "1.90",
        "cents": "0.19",
        "difference": "0.00",
    }
    credit(acme, made, date="2026-02-10")
    assert boxes(acme, FEBRUARY) == {"81": "-10.00 / -1.90", "83": "-1.90"}


def test_a_tag_on_the_rate_decides_the_box(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    change(acme, country="DE")
    rate = tax_rate(acme, "19", category="AE")
    made = {"supplierId": supplier(acme)["id"], "issueDate": "2026-01-10"}
    bill(acme, line("100", taxRateId=rate["id"], accountId="6400"), **made)
    assert boxes(acme) == {}
    acme.ok("PATCH", f"/finance/tax-rates/{rate['id']}", {"taxTag": "reverse_charge"})
    assert boxes(acme) == {"84/85": "100.00 / 19.00", "67": "19.00"}
    other = tax_rate(acme, "19", category="AE", taxTag="eu_services")
    bill(acme, line("200", taxRateId=other["id"], accountId="6400"), **made)
    assert boxes(acme) == {"46/47": "200.00 / 38.00", "84/85": "100.00 / 19.00", "67": "57.00"}


def test_tax_that_cannot_be_deducted_is_in_no_box(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    change(acme, country="DE")
    rate = tax_rate(acme, "19")["id"]
    lines = line("100", taxRateId=rate, accountId="6400", deductibleTaxPercent="40")
    bill(acme, lines, supplierId=supplier(acme)["id"], issueDate="2026-01-10")
    assert boxes(acme) == {"66": "7.60", "83": "-7.60"}


def filed(office, **fields):
    return office.ok("POST", "/finance/tax-returns", JANUARY | fields)


def wrong(office, verb, path, body):
    """The field that a refusal names."""
    error = office.refused(verb, path, body, status=422)
    return (error.get("details") or [error])[0]["field"]


def test_filed_figures_stay_and_a_later_change_is_told(acme, month):
    kept = filed(acme, reference="Ticket 1")
    assert (kept["payable"], kept["isChanged"], kept["correction"]) == ("-392.58", False, 0)
    tree = report(acme, "tax", **JANUARY)
    assert tree["rows"][0]["label"] == "Filed on 10 Feb 2026, and unchanged since"
    month.issue("R5", "Alster AG", "01-30", "02-28", month.line("100.00", "19"))
    tree = report(acme, "tax", **JANUARY)
    assert tree["rows"][0]["label"] == "Filed on 10 Feb 2026. Boxes that have changed since: 2"
    (box,) = [cells(shown) for shown in tree["rows"] if shown["code"] == "81"]
    assert box == {
        "base": "1080.00",
        "tax": "205.20",
        "filed_base": "980.00",
        "filed_tax": "186.20",
        "base_change": "100.00",
        "tax_change": "19.00",
    }
    told = acme.ok("GET", f"/finance/tax-returns/{kept['id']}")
    assert (told["payable"], told["payableNow"], told["isChanged"]) == ("-392.58", "-373.58", True)
    (box,) = [box for box in told["boxes"] if box["code"] == "81"]
    assert (box["base"], box["baseNow"]) == ("980.00", "1080.00")
    corrected = filed(acme)
    assert (corrected["correction"], corrected["payable"], corrected["isChanged"]) == (1, "-373.58", False)
    assert acme.ok("GET", f"/finance/tax-returns/{kept['id']}")["payable"] == "-392.58"


def test_what_cannot_be_filed(acme, month):
    preview = acme.call("POST", "/finance/tax-returns", {**JANUARY, "dryRun": True})
    assert (preview.status_code, "id" in preview.json["data"]) == (200, False)
    filed(acme)
    message = acme.refused("POST", "/finance/tax-returns", JANUARY, status=409, code="already_exists")
    assert "the figures have not changed" in str(message)
    quarter = {"dateFrom": "2026-01-01", "dateTo": "2026-02-05"}
    acme.refused("POST", "/finance/tax-returns", quarter, status=409, code="already_exists")
    assert wrong(acme, "POST", "/finance/tax-returns", FEBRUARY) == "dateTo"
    assert wrong(acme, "POST", "/finance/tax-returns", JANUARY | {"form": "none"}) == "form"
    assert len(acme.ok("GET", "/finance/tax-returns")) == 1


def test_a_return_is_settled_to_one_account_and_back(acme, month):
    acme.ok("POST", "/finance/accounts", {"code": "3820", "name": "USt-VZ", "type": "liability", "subtype": "tax"})
    change(acme, defaultAccounts={"tax_settlement": "3820"})
    kept = filed(acme)
    settled = acme.ok("POST", f"/finance/tax-returns/{kept['id']}/settle", {})
    assert posted(acme, settled["journalEntryId"]) == {
        "1401": -350,
        "1406": -58_900,
        "1407": -4_560,
        "3801": 1_372,
        "3806": 18_620,
        "3837": 4_560,
        "3820": 39_258,
    }
    assert "settle" not in settled["can"]
    error = acme.refused("POST", f"/finance/journals/{settled['journalEntryId']}/reverse", {}, status=409)
    assert "the VAT payable from 2026-01-01 to 2026-01-31. Reverse the VAT payable entry" in error["message"]
    assert report(acme, "general-ledger", accountId="3820", **JANUARY)["rows"]
    acme.refused("POST", f"/finance/tax-returns/{kept['id']}/settle", {}, status=409, code="invalid_transition")
    assert row(report(acme, "tax", **JANUARY), "difference") == {"tax": "0.00"}
    month.issue("R5", "Alster AG", "01-30", "02-28", month.line("100.00", "19"))
    again = filed(acme)
    more = acme.ok("POST", f"/finance/tax-returns/{again['id']}/settle", {})
    assert posted(acme, more["journalEntryId"]) == {"3806": 1_900, "3820": -1_900}
    for made in (again, kept):
        acme.ok("POST", f"/finance/tax-returns/{made['id']}/settle/undo", {})
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_a_settlement_leaves_what_has_no_box_and_rounds_what_the_form_cuts(acme, clock_at):
    """10.99 at 19 %: 2.09 are on the account, 1.90 in the return. 100.00 at a rate in no box stay where they are."""
    clock_at("2026-02-10T18:00:00Z")
    change(acme, country="DE")
    sold = {"customerId": customer(acme, "Alster")["id"], "issueDate": "2026-01-10"}
    invoice(acme, line("10.99", taxRateId=tax_rate(acme, "19")["id"]), **sold)
    invoice(acme, line("100", taxRateId=tax_rate(acme, "19", taxTag="none")["id"]), **sold)
    acme.ok("POST", "/finance/accounts", {"code": "3820", "name": "VAT owed", "type": "liability", "subtype": "tax"})
    path = f"/finance/tax-returns/{filed(acme)['id']}/settle"
    settled = acme.ok("POST", path, {"accountId": "3820", "date": "2026-02-05"})
    assert posted(acme, settled["journalEntryId"]) == {"2200": 209, "3820": -190, "4910": -19}


def test_a_settlement_in_the_locked_period_needs_another_day(acme, month):
    kept = filed(acme)
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    path = f"/finance/tax-returns/{kept['id']}/settle"
    acme.refused("POST", path, {"date": "2026-01-31"}, status=409, code="period_locked")
    settled = acme.ok("POST", path, {})
    assert acme.ok("GET", f"/finance/journals/{settled['journalEntryId']}")["date"] == "2026-02-10"


def test_filing_locks_the_days_of_the_return_in_the_same_call(acme, month):
    body = {**JANUARY, "lock": True}
    error = acme.refused("POST", "/finance/tax-returns", body, status=422, code="reason_needed")
    assert {detail["field"] for detail in error["details"]} == {"lockReason"}
    assert acme.ok("GET", "/finance/tax-returns") == [], "nothing is filed without the lock"
    assert acme.ok("POST", "/finance/tax-returns", {**body, "dryRun": True})["isLocked"] is False
    kept = acme.ok("POST", "/finance/tax-returns", {**body, "lockReason": "The bank is in February"})
    assert kept["isLocked"] is True
    shown = acme.ok("GET", "/finance/periods")
    assert (shown["lockDate"], shown["locks"][0]["reason"]) == ("2026-01-31", "The bank is in February")
    late = {"customer": {"name": "Late"}, "issueDate": "2026-01-31", "lines": [line("1.00")]}
    acme.refused("POST", "/finance/invoices", late, status=409, code="period_locked")


def test_days_that_are_locked_are_filed_with_the_lock_as_well(acme, month):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-02-05", "reason": "Closed"})
    assert filed(acme, lock=True)["isLocked"] is True
    assert acme.ok("GET", "/finance/periods")["lockDate"] == "2026-02-05"


def test_the_nine_boxes_of_the_united_kingdom(acme, clock_at):
    """Sales of 1,000.60 at 20 % and 50.00 at 0 %, a purchase of 300.00 at 20 %, and 200.00 of services from abroad."""
    clock_at("2026-03-31T18:00:00Z")
    change(acme, baseCurrency="GBP", country="GB")
    standard, zero = tax_rate(acme, "20")["id"], tax_rate(acme, "0", category="Z")["id"]
    abroad = tax_rate(acme, "20", category="AE", taxTag="third_country_services")["id"]
    sold = {"customerId": customer(acme, "Globex")["id"], "issueDate": "2026-01-10"}
    invoice(acme, line("1000.60", taxRateId=standard), line("50", taxRateId=zero), **sold)
    bought = {"supplierId": supplier(acme)["id"], "issueDate": "2026-02-10"}
    bill(acme, line("300", taxRateId=standard, accountId="6400"), supplierNumber="1", **bought)
    bill(acme, line("200", taxRateId=abroad, accountId="6400"), supplierNumber="2", **bought)
    quarter = {"dateFrom": "2026-01-01", "dateTo": "2026-03-31"}
    assert boxes(acme, quarter) == {
        "1": "240.12",
        "3": "240.12",
        "4": "100.00",
        "5": "140.12",
        "6": "1250.00",
        "7": "500.00",
    }
    tree = report(acme, "tax", **quarter)
    assert (tree["currency"], row(tree, "difference")) == ("GBP", {"tax": "0.00"})
    cash = boxes(acme, quarter, basis="cash")
    assert cash == {"1": "40.00", "3": "40.00", "4": "40.00", "6": "250.00", "7": "200.00"}


def test_any_other_country_has_its_tax_by_rate(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    high, low = tax_rate(acme, "20", name="High")["id"], tax_rate(acme, "5", name="Low")["id"]
    sold = {"customerId": customer(acme, "Globex")["id"], "issueDate": "2026-01-10"}
    invoice(acme, line("100.50", taxRateId=high), line("40", taxRateId=low), **sold)
    bill(acme, line("10", taxRateId=low, accountId="6400"), supplierId=supplier(acme)["id"], issueDate="2026-01-11")
    tree = report(acme, "tax", **JANUARY)
    boxes = tree["rows"][: [line["label"] for line in tree["rows"]].index("Compared with the books")]
    shown = [(line["label"], *cells(line).values()) for line in boxes if "tax-documents" in str(line["cells"])]
    assert shown == [
        ("High", "100.50", "20.10"),
        ("Low", "40.00", "2.00"),
        ("Low", "10.00", "0.50"),
        ("To pay, or to get back where it is below zero", "21.60"),
    ]


@pytest.mark.parametrize("format", ["csv", "xlsx", "pdf"])
def test_a_return_is_a_file_as_well(acme, month, format):
    for name, params in (("tax", {}), ("ec-sales-list", {}), ("tax-documents", {"box": "81"})):
        answer = acme.call("GET", f"/finance/reports/{name}", params=JANUARY | params | {"format": format})
        assert (answer.status_code, len(answer.content) > 100) == (200, True)


def test_forms_and_days_that_cannot_be(acme):
    for params in ({"form": "none"}, {"dateFrom": "2026-02-01", "dateTo": "2026-01-01"}):
        acme.refused("GET", "/finance/reports/tax", params=params, status=400, code="bad_parameter")
    acme.refused("GET", "/finance/reports/tax-documents", params={"box": "81"}, status=400, code="bad_parameter")
    path = f"/workspace/{acme.workspace_id}"
    assert wrong(acme, "PATCH", path, {"taxForm": "none"}) == "taxForm"
    twice = [{"since": "2026-01-01", "basis": basis} for basis in ("cash", "accrual")]
    assert wrong(acme, "PATCH", path, {"taxBasis": twice}) == "taxBasis"
    change(acme, taxForm="uk-vat100")
    assert acme.ok("GET", path)["taxForm"] == "uk-vat100"


def test_the_labels_of_a_form_are_in_the_language_of_the_reader(acme, month):
    tree = report(acme, "tax", language="de", **JANUARY)
    labels = {shown["code"]: shown["label"] for shown in tree["rows"]}
    assert labels["66"] == "Aus Rechnungen von anderen Unternehmern"
