import csv
import io

import pytest

from erp.finance.contacts import tax_rates
from erp.finance.contacts.bodies import NewTaxRate, TaxRateChange
from erp.finance.documents.models import InvoiceTax
from erp.kernel.errors import Invalid, UnknownReference
from erp.store.events import Event
from tests.events import events_of
from tests.refusals import complaint, refuse_every_change, refuse_stale_changes

STANDARD = {"name": "Standard rate", "rate": "20", "category": "S"}


def add(office, **fields):
    return office.ok("POST", "/finance/tax-rates", STANDARD | fields)


def names(office, **params):
    return [rate["name"] for rate in office.ok("GET", "/finance/tax-rates", params=params)]


def bill(office, tax_rate_id):
    """A draft with a line of that tax rate."""
    customer = office.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Blue Heron"})
    line = {"description": "Work", "quantity": "1", "unitPrice": "100.00", "taxRateId": tax_rate_id}
    return office.ok("POST", "/finance/invoices", {"customerId": customer["id"], "lines": [line], "draft": True})


def test_a_tax_rate_is_added(acme):
    answer = acme.call("POST", "/finance/tax-rates", {**STANDARD, "rate": "12.5000", "outputTaxAccountId": "2200"})
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/finance/tax-rates/{made['id']}"
    assert (made["rate"], made["category"], made["isDefault"]) == ("12.5", "S", False)
    assert acme.ok("GET", f"/finance/accounts/{made['outputTaxAccountId']}")["code"] == "2200"
    assert made["inputTaxAccountId"] is None
    assert acme.ok("GET", f"/finance/tax-rates/{made['id']}") == made
    assert events_of(acme, made["id"]) == ["tax_rate.created"]


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/finance/tax-rates", NewTaxRate.EXAMPLE)
    assert acme.ok("PATCH", f"/finance/tax-rates/{made['id']}", TaxRateChange.EXAMPLE)["isDefault"] is True


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"rate": "100.01"}, "rate", "out_of_range"),
        ({"rate": "-1"}, "rate", "negative"),
        ({"rate": "7.12345"}, "rate", "too_many_decimals"),
        ({"category": "X"}, "category", "not_one_of"),
        ({"category": "Z"}, "rate", "not_zero"),
        ({"taxTag": "oss"}, "country", "required"),
        ({"category": "E"}, "rate", "not_zero"),
        ({"category": "G"}, "rate", "not_zero"),
        ({"category": "O"}, "rate", "not_zero"),
        ({"exemptionReason": "None"}, "exemptionReason", "not_exempt"),
        ({"outputTaxAccountId": "nobody"}, "outputTaxAccountId", "unknown_reference"),
        ({"inputTaxAccountId": "2000"}, "inputTaxAccountId", "wrong_account"),
        ({"incomeAccountId": "nobody"}, "incomeAccountId", "unknown_reference"),
        ({"incomeAccountId": "6300"}, "incomeAccountId", "wrong_account"),
        ({"incomeAccountId": "2200"}, "incomeAccountId", "wrong_account"),
        ({"expenseAccountId": "4000"}, "expenseAccountId", "wrong_account"),
        ({"salesAccountId": "2200"}, "salesAccountId", "unknown_field"),
        ({"archivedAt": None}, "archivedAt", "read_only"),
    ],
)
def test_a_tax_rate_that_does_not_fit_is_refused(acme, fields, field, code):
    assert complaint(acme.refused("POST", "/finance/tax-rates", STANDARD | fields, status=422)) == (field, code)


def test_every_complaint_about_a_tax_rate_is_made_at_once(acme):
    wrong = {"category": "Z", "exemptionReason": "None", "outputTaxAccountId": "nobody"}
    error = acme.refused("POST", "/finance/tax-rates", STANDARD | wrong, status=422, code="validation_failed")
    assert [complaint["field"] for complaint in error["details"]] == ["outputTaxAccountId", "rate", "exemptionReason"]


def test_a_reverse_charge_has_a_rate_of_0_and_may_have_a_reason(acme):
    made = add(acme, category="AE", rate="0", exemptionReason="Reverse charge")
    assert (made["rate"], made["exemptionReason"]) == ("0", "Reverse charge")


def test_a_tax_rate_names_its_four_accounts(acme):
    codes = {
        "outputTaxAccountId": "2200",
        "inputTaxAccountId": "1300",
        "incomeAccountId": "4100",
        "expenseAccountId": "6300",
    }
    made = add(acme, **codes)
    assert {name: acme.ok("GET", f"/finance/accounts/{made[name]}")["code"] for name in codes} == codes
    path = f"/finance/tax-rates/{made['id']}"
    changed = acme.ok("PATCH", path, {"incomeAccountId": "4000", "expenseAccountId": None})
    assert acme.ok("GET", f"/finance/accounts/{changed['incomeAccountId']}")["code"] == "4000"
    assert (changed["expenseAccountId"], changed["outputTaxAccountId"]) == (None, made["outputTaxAccountId"])
    error = acme.refused("PATCH", path, {"expenseAccountId": "4000"}, status=422)
    assert complaint(error) == ("expenseAccountId", "wrong_account")


def test_lines_go_neither_to_a_group_nor_to_an_archived_or_foreign_account(acme):
    new = {"name": "Income", "type": "income", "subtype": "income"}
    acme.ok("POST", "/finance/accounts", {**new, "code": "4500", "isGroup": True})
    old = acme.ok("POST", "/finance/accounts", {**new, "code": "4600"})
    acme.ok("POST", f"/finance/accounts/{old['id']}/archive")
    acme.ok("POST", "/finance/accounts", {**new, "code": "4700", "currency": "USD"})
    for code, why in {"4500": "account_closed", "4600": "account_closed", "4700": "wrong_currency"}.items():
        error = acme.refused("POST", "/finance/tax-rates", STANDARD | {"incomeAccountId": code}, status=422)
        assert complaint(error) == ("incomeAccountId", why)


def test_a_tax_rate_does_not_come_back_without_its_accounts(acme):
    made = add(acme, incomeAccountId="4100")
    path = f"/finance/tax-rates/{made['id']}"
    acme.ok("POST", f"{path}/archive")
    acme.ok("POST", f"/finance/accounts/{made['incomeAccountId']}/archive")
    assert complaint(acme.refused("POST", f"{path}/unarchive", status=422)) == ("incomeAccountId", "account_closed")
    assert acme.ok("GET", path)["archivedAt"] is not None
    acme.ok("PATCH", path, {"incomeAccountId": None})
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None


def test_a_new_default_replaces_the_old_one(acme):
    first, second = add(acme, name="First", isDefault=True), add(acme, name="Second", isDefault=True)
    assert acme.ok("GET", f"/finance/tax-rates/{first['id']}")["isDefault"] is False
    acme.ok("PATCH", f"/finance/tax-rates/{first['id']}", {"isDefault": True})
    with acme.books():
        default = tax_rates.default()
        assert default is not None
        assert default.id == first["id"]
        event = Event.select().where(Event.resource_id == first["id"]).order_by(Event.seq.desc()).get()
        assert second["id"] in event.data
    acme.ok("PATCH", f"/finance/tax-rates/{first['id']}", {"isDefault": False})
    with acme.books():
        assert tax_rates.default() is None


def test_every_field_of_an_unused_tax_rate_can_change(acme):
    made = add(acme)
    change = {"name": "Nothing", "rate": "0", "category": "E", "exemptionReason": "Small trader"}
    changed = acme.ok("PATCH", f"/finance/tax-rates/{made['id']}", change)
    assert {name: changed[name] for name in change} == change
    assert changed["version"] == made["version"] + 1
    assert events_of(acme, made["id"]) == ["tax_rate.created", "tax_rate.updated"]


def test_giving_the_present_account_by_its_code_changes_nothing(acme):
    made = add(acme, outputTaxAccountId="2200")
    assert acme.ok("PATCH", f"/finance/tax-rates/{made['id']}", {"outputTaxAccountId": "2200", "rate": "20.0"}) == made
    assert events_of(acme, made["id"]) == ["tax_rate.created"]
    assert (
        acme.ok("PATCH", f"/finance/tax-rates/{made['id']}", {"outputTaxAccountId": None})["outputTaxAccountId"] is None
    )


def test_a_change_is_checked_together_with_the_fields_that_stay(acme):
    error = acme.refused("PATCH", f"/finance/tax-rates/{add(acme)['id']}", {"category": "Z"}, status=422)
    assert complaint(error) == ("rate", "not_zero")


def test_the_percentage_of_a_used_rate_never_changes(acme):
    made = add(acme)
    bill(acme, made["id"])
    path = f"/finance/tax-rates/{made['id']}"
    parts = [{"name": "State", "rate": "15"}, {"name": "City", "rate": "5"}]
    for fields in ({"rate": "21"}, {"rate": "0", "category": "Z"}, {"taxTag": "import_tax"}, {"components": parts}):
        acme.refused("PATCH", path, fields, status=409, code="in_use")
    assert acme.ok("PATCH", path, {"name": "Old rate", "rate": "20"})["name"] == "Old rate"
    acme.refused("DELETE", path, status=409, code="in_use")


def test_a_tax_rate_that_is_only_in_a_tax_breakdown_is_used(acme):
    made = add(acme)
    invoice = bill(acme, None)
    with acme.books(write=True):
        columns = {"category": "S", "rate": 20_000_000, "base": 0, "amount": 0}
        InvoiceTax.create(invoice=invoice["id"], position=9, tax_rate=made["id"], **columns)
    acme.refused("PATCH", f"/finance/tax-rates/{made['id']}", {"rate": "21"}, status=409, code="in_use")


def test_a_tax_rate_that_nothing_names_is_deleted(acme):
    made = add(acme)
    assert acme.ok("DELETE", f"/finance/tax-rates/{made['id']}") == {}
    acme.refused("GET", f"/finance/tax-rates/{made['id']}", status=404, code="not_found")
    assert events_of(acme, made["id"]) == ["tax_rate.created", "tax_rate.deleted"]


def test_the_default_tax_rate_of_a_contact_is_not_deleted(acme):
    made = add(acme)
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Reed", "defaultTaxRateId": made["id"]})
    acme.refused("DELETE", f"/finance/tax-rates/{made['id']}", status=409, code="in_use")


def test_a_tax_rate_is_archived_and_unarchived(acme):
    made = add(acme, name="Old rate")
    path = f"/finance/tax-rates/{made['id']}"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/archive")["archivedAt"] is not None
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")
    assert "Old rate" not in names(acme)
    assert names(acme, isArchived="true") == ["Old rate"]
    error = acme.refused("PATCH", path, {"isDefault": True}, status=422)
    assert complaint(error) == ("isDefault", "archived")
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None
    assert events_of(acme, made["id"]) == ["tax_rate.created", "tax_rate.archived", "tax_rate.unarchived"]


def test_the_default_rate_is_not_archived(acme):
    made = add(acme, isDefault=True)
    acme.refused("POST", f"/finance/tax-rates/{made['id']}/archive", status=409, code="in_use")


def test_tax_rates_are_listed_by_name_and_found_by_name_and_category(acme):
    for name, fields in {"Zebra": {}, "Ant": {}, "Mule": {"rate": "0", "category": "G"}}.items():
        add(acme, name=name, **fields)
    listed = names(acme)
    assert listed == sorted(listed)
    assert {"Ant", "Mule", "Zebra"} <= set(listed)
    assert names(acme, category="G") == ["Mule"]
    assert names(acme, q="ebr") == ["Zebra"]
    assert names(acme, sort="-createdAt")[:3] == ["Mule", "Ant", "Zebra"]


def test_tax_rates_come_page_by_page(acme):
    for number in range(5):
        add(acme, name=f"Rate {number}")
    listed, cursor = [], None
    while True:
        params = {"q": "Rate ", "limit": 2, "total": "true", **({"cursor": cursor} if cursor else {})}
        answer = acme.call("GET", "/finance/tax-rates", params=params).json
        listed += [rate["name"] for rate in answer["data"]]
        assert answer["page"]["total"] == 5
        cursor = answer["page"]["nextCursor"]
        if cursor is None:
            break
    assert listed == [f"Rate {number}" for number in range(5)]


def test_tax_rates_open_in_a_spreadsheet(acme):
    add(acme, name="=1+1")
    answer = acme.call("GET", "/finance/tax-rates", params={"q": "=1"}, headers={"Accept": "text/csv"})
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["name"], row["rate"], row["isDefault"]) == ("'=1+1", "20", "false")


def test_a_stale_change_changes_nothing(acme):
    path = f"/finance/tax-rates/{add(acme)['id']}"
    refuse_stale_changes(acme, path)


def test_a_viewer_sees_tax_rates_and_changes_nothing(acme):
    viewer, path = acme.colleague("viewer"), f"/finance/tax-rates/{add(acme)['id']}"
    viewer.ok("GET", path)
    assert "Standard rate" in names(viewer)
    refuse_every_change(viewer, "/finance/tax-rates", path, STANDARD)
    acme.colleague("member").refused("GET", path, status=403, code="forbidden")


def test_the_tax_rates_of_another_office_are_not_there(acme, stranger):
    path = f"/finance/tax-rates/{add(acme)['id']}"
    for verb, body in (("GET", None), ("PATCH", {"name": "Mine"}), ("DELETE", None)):
        stranger.refused(verb, path, body, status=404, code="not_found")


def test_a_document_names_tax_rates_that_are_in_use(acme):
    used, old = add(acme), add(acme)
    acme.ok("POST", f"/finance/tax-rates/{old['id']}/archive")
    with acme.books():
        rate = tax_rates.refer_all({"lines[0].taxRateId": used["id"]})["lines[0].taxRateId"]
        assert rate == tax_rates.TaxRateRef(
            used["id"], "Standard rate", 20_000_000, "S", None, None, None, None, None, None, None
        )
        with pytest.raises(Invalid) as refusal:
            tax_rates.refer_all({"a": "nobody", "b": old["id"]})
        assert {(complaint.field, complaint.code) for complaint in refusal.value.details} == {
            ("a", "unknown_reference"),
            ("b", "archived"),
        }
        with pytest.raises(UnknownReference):
            tax_rates.refer_all({"a": "nobody"})
