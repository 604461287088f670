"""Disposal of fixed assets: the last depreciation, the book value, the gain; and undoing it."""

import pytest

from tests.events import last_event
from tests.finance.assets.assets import ASSETS, amounts, asset, dispose, draft, run, show
from tests.finance.books.balances import balances
from tests.finance.documents.invoices import bill, credit, invoice, line
from tests.finance.journals.journals import posted
from tests.finance.soundness import problems
from tests.refusals import complaint


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


def standing(office):
    """The balances that are not zero."""
    return {code: amount for code, amount in balances(office).items() if amount}


def test_a_laptop_is_sold_for_less_than_its_book_value(acme):
    """AC-21: sold in June for 1,000.00 + 190.00: accumulated 250.00, book value 1,250.00, loss 250.00."""
    laptop = asset(acme)
    run(acme, "2026-04")
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "19 %", "rate": "19", "category": "S"})
    sold = invoice(acme, line("1000.00", accountId="4850", taxRateId=rate["id"]), issueDate="2026-06-15")
    assert sold["total"] == "1190.00"
    shown = dispose(acme, laptop, "2026-06-15", kind="sold", reason="New one", invoiceId=sold["id"])
    assert [shown[name] for name in ("status", "accumulated", "bookValue", "proceeds", "gain")] == [
        "disposed",
        "250.00",
        "1250.00",
        "1000.00",
        "-250.00",
    ]
    assert (shown["saleInvoiceNumber"], shown["saleLineId"]) == (sold["number"], sold["lines"][0]["id"])
    assert posted(acme, shown["disposalEntryId"]) == {"1500": -150_000, "1590": 25_000, "6960": 125_000}
    # 41.67 a month through April by the run, May and June with the disposal
    result = standing(acme)
    assert (result["6700"], result["6960"], result["4850"]) == (25_000, 125_000, -100_000)
    assert "1590" not in result
    assert (last_event(acme)[0], last_event(acme)[1]["kind"]) == ("asset.disposed", "sold")
    assert len(show(acme, shown)["months"]) == 6
    assert problems(acme) == []


def test_undoing_a_disposal_brings_the_asset_back(acme):
    laptop = asset(acme)
    run(acme, "2026-05")
    before = standing(acme)
    dispose(acme, laptop, "2026-06-15")
    back = acme.ok("POST", f"{ASSETS}/{laptop['id']}/dispose/undo")
    assert (back["status"], back["accumulated"], back["disposedOn"], back["gain"]) == ("in_use", "208.33", None, None)
    assert standing(acme) == before
    assert amounts(run(acme, "2026-06")) == {laptop["number"]: "41.67"}
    again = dispose(acme, laptop, "2026-06-30")
    assert (again["accumulated"], again["gain"]) == ("250.00", "-1250.00")
    acme.ok("POST", f"{ASSETS}/{laptop['id']}/dispose/undo")
    acme.refused("POST", f"{ASSETS}/{laptop['id']}/dispose/undo", status=409, code="invalid_transition")
    assert problems(acme) == []


def test_nothing_is_left_of_what_is_written_off(acme):
    phone = asset(acme, "500.00", method="immediate", lifeMonths=None)
    run(acme, "2026-01")
    shown = dispose(acme, phone, "2026-03-10", kind="lost")
    assert (shown["bookValue"], shown["gain"]) == ("0.00", "0.00")
    assert posted(acme, shown["disposalEntryId"]) == {"1500": -50_000, "1590": 50_000}


def test_an_account_without_a_pair_holds_cost_and_depreciation(installation):
    """The charts of Germany write down the account of the asset itself."""
    office = installation.office("Olga", country="DE", chartTemplate="de-skr04")
    laptop = asset(office, accountId="0650")
    made = run(office, "2026-05")
    assert posted(office, made["journalEntryId"]) == {"6220": 20_833, "0650": -20_833}
    shown = dispose(office, laptop, "2026-06-15")
    assert posted(office, shown["disposalEntryId"]) == {"0650": -125_000, "6895": 125_000}
    used_up = asset(office, "300.00", accountId="0670", method="immediate", lifeMonths=None)
    run(office, "2026-06")
    assert dispose(office, used_up, "2026-06-30")["disposalEntryId"] is None
    assert problems(office) == []


def test_an_account_with_a_pair_of_its_own_is_written_down_there(installation):
    """The British chart has 0031 beside 0030."""
    office = installation.office("Olga", country="GB", chartTemplate="gb")
    laptop = asset(office, accountId="0030")
    assert posted(office, run(office, "2026-01")["journalEntryId"]) == {"8000": 4_167, "0031": -4_167}
    shown = dispose(office, laptop, "2026-06-15", kind="private", proceeds="1300.00")
    assert shown["gain"] == "50.00"
    assert posted(office, shown["disposalEntryId"]) == {"0030": -150_000, "0031": 25_000, "8010": 125_000}


def test_a_pool_goes_on_without_an_asset_that_is_gone(acme):
    chair = asset(acme, "1920.00", method="pool")
    run(acme, "2026-03")
    shown = dispose(acme, chair, "2026-03-20", kind="sold", proceeds="100.00")
    assert (shown["disposalEntryId"], shown["gain"]) == (None, "100.00")
    assert amounts(run(acme, "2026-04")) == {chair["number"]: "32.00"}


def test_an_old_asset_leaves_with_its_opening_balance(acme):
    """BK-6: 6,000.00 over 60 months with 2,500.00 accumulated: 100.00 a month."""
    old = asset(
        acme,
        "6000.00",
        lifeMonths=60,
        acquiredOn="2023-12-01",
        inUseOn="2023-12-01",
        openingAccumulated="2500.00",
        openingDate="2025-12-31",
    )
    assert amounts(run(acme, "2026-01")) == {old["number"]: "100.00"}
    shown = dispose(acme, old, "2026-02-15")
    assert (shown["accumulated"], shown["bookValue"]) == ("2700.00", "3300.00")
    assert posted(acme, shown["disposalEntryId"]) == {"1500": -600_000, "1590": 270_000, "6960": 330_000}


def test_opening_balances_of_the_first_day_of_a_year_leave_its_first_month_to_depreciate(acme):
    terms = {"lifeMonths": 60, "acquiredOn": "2023-12-01", "inUseOn": "2023-12-01", "openingAccumulated": "2500.00"}
    old = asset(acme, "6000.00", openingDate="2026-01-01", **terms)
    assert amounts(run(acme, "2026-01")) == {old["number"]: "100.00"}


def test_a_disposal_that_cannot_be_is_refused(acme):
    laptop = asset(acme)
    path, body = f"{ASSETS}/{laptop['id']}/dispose", {"date": "2026-03-10", "kind": "sold", "reason": "Old"}
    run(acme, "2026-04")
    acme.refused("POST", path, body, status=409, code="month_before_last_run")
    early = acme.refused("POST", path, {**body, "date": "2026-01-02"}, status=422)
    assert complaint(early) == ("date", "too_early")
    unissued = invoice(acme, draft=True)
    refusal = acme.refused("POST", path, {**body, "date": "2026-05-02", "invoiceId": unissued["id"]}, status=422)
    assert complaint(refusal) == ("invoiceId", "unsuitable_invoice")
    two = invoice(acme, line("10.00"), line("20.00"), issueDate="2026-05-02")
    unclear = acme.refused("POST", path, {**body, "date": "2026-05-02", "invoiceId": two["id"]}, status=422)
    assert complaint(unclear) == ("lineId", "required")
    both = {**body, "invoiceId": two["id"], "proceeds": "10.00"}
    assert complaint(acme.refused("POST", path, both, status=422)) == ("proceeds", "not_needed")
    unused = draft(acme)
    acme.refused("POST", f"{ASSETS}/{unused['id']}/dispose", body, status=409, code="invalid_transition")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-05-31", "reason": "Filed"})
    acme.refused("POST", path, {**body, "date": "2026-05-02"}, status=409, code="period_locked")


def test_the_entry_of_a_disposal_is_not_reversed_by_hand(acme):
    gone = dispose(acme, asset(acme), "2026-06-15")
    refusal = acme.refused("POST", f"/finance/journals/{gone['disposalEntryId']}/reverse", {}, status=409)
    assert gone["number"] in refusal["message"]


def test_the_line_of_a_sale_is_the_proceeds_of_one_asset(acme):
    first, second = asset(acme), asset(acme)
    sold = invoice(acme, line("1000.00", accountId="4850"), issueDate="2026-06-15")
    dispose(acme, first, "2026-06-15", kind="sold", invoiceId=sold["id"])
    body = {"date": "2026-06-15", "kind": "sold", "reason": "New one", "invoiceId": sold["id"]}
    refusal = acme.refused("POST", f"{ASSETS}/{second['id']}/dispose", body, status=422)
    assert complaint(refusal) == ("lineId", "in_use")


def test_proceeds_are_without_credits(acme):
    laptop = asset(acme)
    sold = invoice(acme, line("1000.00", accountId="4850"), issueDate="2026-06-15")
    credit(acme, sold, {"lineId": sold["lines"][0]["id"], "amount": "300.00"})
    assert dispose(acme, laptop, "2026-06-15", kind="sold", invoiceId=sold["id"])["proceeds"] == "700.00"


def test_a_credit_of_the_sale_lowers_the_gain_of_a_disposal(acme):
    laptop = asset(acme)
    sold = invoice(acme, line("1000.00", accountId="4850"), issueDate="2026-06-15")
    dispose(acme, laptop, "2026-06-15", kind="sold", invoiceId=sold["id"])
    note = credit(acme, sold, {"lineId": sold["lines"][0]["id"], "amount": "300.00"})
    lowered = show(acme, laptop)
    assert (lowered["proceeds"], lowered["gain"]) == ("700.00", "-550.00")
    # the loss as the ledger has it: the sale that is left, less the book value
    result = standing(acme)
    assert result["4850"] + result["6960"] == 55_000
    acme.ok("POST", f"/finance/invoices/{note['id']}/void", {})
    assert show(acme, laptop)["gain"] == "-250.00"


def test_a_sale_in_dollars_is_credited_at_its_exchange_rate(acme):
    laptop = asset(acme)
    dollars = {"currency": "USD", "exchangeRate": "0.9"}
    sold = invoice(acme, line("1000.00", accountId="4850"), issueDate="2026-06-15", **dollars)
    assert dispose(acme, laptop, "2026-06-15", kind="sold", invoiceId=sold["id"])["proceeds"] == "900.00"
    credit(acme, sold)
    assert (show(acme, laptop)["proceeds"], show(acme, laptop)["gain"]) == ("0.00", "-1250.00")


@pytest.mark.parametrize("act", ["void", "credit"])
def test_the_bill_of_an_asset_that_is_gone_stays(acme, act):
    """Land is never depreciated; sold, its cost has left the account that a credit would lower."""
    bought = bill(acme, line("1200.00", accountId="1500"), issueDate="2026-03-10")
    source = {"invoiceId": bought["id"], "lineId": bought["lines"][0]["id"]}
    made = acme.ok("POST", ASSETS, {"fromLine": source, "inUseOn": "2026-03-10", "method": "none"})
    acme.ok("POST", f"{ASSETS}/{made['id']}/activate")
    dispose(acme, made, "2026-06-15", kind="sold", proceeds="1300.00")
    refusal = acme.refused("POST", f"/finance/invoices/{bought['id']}/{act}", {}, status=409, code="in_use")
    assert made["number"] in refusal["message"]
    assert "disposed of" in refusal["message"]
    acme.ok("POST", f"{ASSETS}/{made['id']}/dispose/undo")


def test_the_invoice_of_a_sale_is_not_voided_before_the_disposal_is_undone(acme):
    laptop = asset(acme)
    sold = invoice(acme, line("1000.00", accountId="4850"), issueDate="2026-06-15")
    dispose(acme, laptop, "2026-06-15", kind="sold", invoiceId=sold["id"])
    refusal = acme.refused("POST", f"/finance/invoices/{sold['id']}/void", {}, status=409, code="in_use")
    assert laptop["number"] in refusal["message"]
    acme.ok("POST", f"{ASSETS}/{laptop['id']}/dispose/undo")
    acme.ok("POST", f"/finance/invoices/{sold['id']}/void", {})
