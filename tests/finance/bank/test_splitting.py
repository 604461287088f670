"""Bank lines that are split, chosen for and searched, and rules that are narrowed."""

from tests.finance.bank.january import camt, confirm, entry, lines, statement, undo
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import bill, invoice
from tests.refusals import complaint

LINES = "/finance/bank/lines"
SKONTO = {"days": 30, "discounts": [{"percent": "2", "days": 14}]}


def line_of(office, *amounts, **fields):
    """The lines of a statement of March with these amounts."""
    entries = [entry(amount, f"Line {i}", ref=f"R{i}", **fields) for i, amount in enumerate(amounts)]
    cents = sum(int(amount.replace(".", "")) for amount in amounts)
    statement(office, camt(*entries, opening="1000.00", closing=f"{1000 + cents / 100:.2f}"), "1010")
    return lines(office, "1010")


def preview(office, line, **body):
    return office.ok("POST", f"{LINES}/{line['id']}/preview", body)


def rate(office, percent):
    rates = office.ok("GET", "/finance/tax-rates")
    return (
        next((one["id"] for one in rates if one["rate"] == percent and one["category"] == "S"), None)
        or office.ok("POST", "/finance/tax-rates", {"name": f"VAT {percent}", "rate": percent})["id"]
    )


def due(office, document):
    return office.ok("GET", f"/finance/invoices/{document['id']}")["amountDue"]


def test_a_line_is_split_with_the_tax_of_each_part(acme):
    (line,) = line_of(acme, "-119.00")
    parts = [
        {"accountId": "6100", "amount": "71.40", "taxRateId": rate(acme, "19"), "description": "Paper"},
        {"accountId": "6200", "amount": "47.60", "taxRateId": rate(acme, "7")},
    ]
    tried = preview(acme, line, parts=[{"amount": part["amount"], "taxRateId": part["taxRateId"]} for part in parts])
    assert [(part["net"], part["tax"]) for part in tried["parts"]] == [("60.00", "11.40"), ("44.49", "3.11")]
    assert (tried["left"], tried["isComplete"]) == ("0.00", True)
    (match,) = confirm(acme, line, parts=parts)["matches"]
    postings = acme.ok("GET", f"/finance/journals/{match['entryId']}")["lines"]
    shown = [(one["accountCode"], one["debit"], one["credit"]) for one in postings]
    assert [amount for _, amount, _ in shown if amount] == ["60.00", "11.40", "44.49", "3.11"]
    assert shown[0] == ("1010", None, "119.00")
    assert undo(acme, line)["status"] == "unmatched"


def test_parts_add_up_to_the_line(acme):
    (line,) = line_of(acme, "-119.00")
    parts = [{"accountId": "6100", "amount": "71.40"}, {"accountId": "6200", "amount": "47.61"}]
    error = acme.refused("POST", f"{LINES}/{line['id']}/confirm", {"parts": parts}, status=422)
    assert complaint(error) == ("parts", "does_not_add_up")
    assert "0.01" in error["message"]
    both = {"parts": parts, "accountId": "6100"}
    assert complaint(acme.refused("POST", f"{LINES}/{line['id']}/confirm", both, status=422)) == (
        "parts",
        "exactly_one",
    )


def test_a_line_is_not_posted_to_its_own_account(acme):
    (line,) = line_of(acme, "-119.00")
    path = f"{LINES}/{line['id']}/confirm"
    parts = [{"accountId": "6100", "amount": "100.00"}, {"accountId": "1010", "amount": "19.00"}]
    assert complaint(acme.refused("POST", path, {"accountId": "1010"}, status=422)) == (
        "accountId",
        "unsuitable_account",
    )
    assert complaint(acme.refused("POST", path, {"parts": parts}, status=422)) == (
        "parts[1].accountId",
        "unsuitable_account",
    )
    assert lines(acme, "1010", status="matched") == []


def test_parts_name_their_contacts_themselves(acme):
    (line,) = line_of(acme, "-119.00")
    path, heron = f"{LINES}/{line['id']}/confirm", customer(acme)["id"]
    body = {"parts": [{"accountId": "6100", "amount": "119.00"}], "contactId": heron}
    assert complaint(acme.refused("POST", path, body, status=422)) == ("entries", "exactly_one")
    confirm(acme, line, accountId="1200", contactId=heron)


def test_a_draft_is_refused_as_the_match_would_be(acme):
    heron = customer(acme)["id"]
    invoice(acme, "100.00", customerId=heron, issueDate="2026-03-01")
    paid = {
        "date": "2026-03-09",
        "lines": [{"accountId": "1010", "debit": "50.00"}, {"accountId": "4100", "credit": "50.00"}],
    }
    posted = acme.ok("POST", "/finance/journals", {**paid, "description": "Cash sale"})
    (line,) = line_of(acme, "150.00")
    found = acme.ok("GET", f"{LINES}/{line['id']}/candidates")
    item = {"itemId": next(one["itemId"] for one in found if one["itemId"])}
    entry_of = {"entryId": posted["id"]}
    path = f"{LINES}/{line['id']}/preview"

    def refused(**body):
        return complaint(acme.refused("POST", path, body, status=422))

    assert refused(items=[{**item, "amount": "100.01"}]) == ("items[0].amount", "too_large")
    assert refused(entries=[{**entry_of, "amount": "50.01"}]) == ("entries[0].amount", "too_large")
    assert refused(items=[item], entries=[entry_of]) == ("entries", "exactly_one")
    assert refused(entries=[entry_of], keepsRest=True) == ("entries", "exactly_one")
    assert refused(entries=[entry_of], feeAmount="1.00") == ("feeAmount", "not_applicable")
    assert not preview(acme, line, entries=[entry_of])["isComplete"]


def test_items_of_two_contacts_are_refused_while_they_are_chosen(acme):
    first = invoice(acme, "119.00")
    second = invoice(acme, "59.50", customerId=customer(acme)["id"])
    (line,) = line_of(acme, "178.50")
    found = acme.ok("GET", f"{LINES}/{line['id']}/candidates", params={"q": f"{first['number']} {second['number']}"})
    ids = {one["number"]: one["itemId"] for one in found}
    items = [{"itemId": ids[one["number"]]} for one in (first, second)]
    error = acme.refused("POST", f"{LINES}/{line['id']}/preview", {"items": items}, status=422)
    assert complaint(error) == ("items[1].itemId", "wrong_contact")


def test_what_is_chosen_takes_the_discount_in_time_and_then_what_is_left(acme):
    heron = customer(acme)["id"]
    first = invoice(acme, "1190.00", customerId=heron, issueDate="2026-03-01", paymentTerms=SKONTO)
    second = invoice(acme, "700.00", customerId=heron, issueDate="2026-03-02")
    (line,) = line_of(acme, "1850.00")
    found = acme.ok(
        "GET", f"{LINES}/{line['id']}/candidates", params={"q": f"{first['number']} {second['number'][-2:]}"}
    )
    by_number = {one["number"]: one for one in found}
    assert (by_number[first["number"]]["discount"], by_number[first["number"]]["discountUntil"]) == (
        "23.80",
        "2026-03-15",
    )
    items = [{"itemId": by_number[one["number"]]["itemId"]} for one in (first, second)]
    tried = preview(acme, line, items=items)
    assert [(one["amount"], one["discount"], one["rest"]) for one in tried["items"]] == [
        ("1166.20", "23.80", "0.00"),
        ("683.80", "0.00", "16.20"),
    ]
    assert (tried["chosen"], tried["left"], tried["isComplete"]) == ("1850.00", "0.00", True)
    confirm(
        acme,
        line,
        items=[{**items[0], "amount": "1166.20", "discountTaken": True}, {**items[1], "amount": "683.80"}],
    )
    assert (due(acme, first), due(acme, second)) == ("0.00", "16.20")
    assert len(acme.ok("GET", "/finance/payments")) == 1  # with its parts


def test_what_is_left_needs_a_place(acme):
    invoice(acme, "100.00", issueDate="2026-03-01")
    (line,) = line_of(acme, "300.00")
    (item,) = acme.ok("GET", f"{LINES}/{line['id']}/candidates")
    chosen = {"items": [{"itemId": item["itemId"]}]}
    tried = preview(acme, line, **chosen)
    assert (tried["left"], tried["isComplete"]) == ("200.00", False)
    assert preview(acme, line, **chosen, keepsRest=True)["isComplete"]
    fee = preview(acme, line, items=[{"itemId": item["itemId"], "amount": "100.00"}], feeAmount="12.00")
    assert (fee["amount"], fee["left"]) == ("312.00", "212.00")


def test_a_credit_that_was_used_since_is_released_before_its_line_is_unmatched(acme):
    heron = customer(acme)["id"]
    (line,) = line_of(acme, "200.00")
    confirm(acme, line, contactId=heron)
    (credit,) = acme.ok("GET", "/finance/open-items")
    assert credit["open"] == "-200.00"
    made = invoice(acme, "150.00", customerId=heron, issueDate="2026-03-20")
    owed = next(one for one in acme.ok("GET", "/finance/open-items") if one["number"] == made["number"])
    allocated = {"fromItemId": credit["id"], "toItemId": owed["id"], "amount": "150.00"}
    allocation = acme.ok("POST", "/finance/allocations", allocated)
    path = f"{LINES}/{line['id']}/undo"
    assert made["number"] in acme.refused("POST", path, {}, status=409, code="in_use")["message"]
    acme.ok("POST", f"/finance/allocations/{allocation['id']}/release", {})
    assert undo(acme, line)["status"] == "unmatched"
    assert [one["number"] for one in acme.ok("GET", "/finance/open-items")] == [made["number"]]


def test_a_small_rest_is_written_off(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"smallDifferenceLimit": "1.00"})
    made = invoice(acme, "100.00", issueDate="2026-03-01")
    (line,) = line_of(acme, "99.50")
    (item,) = acme.ok("GET", f"{LINES}/{line['id']}/candidates")
    confirm(acme, line, items=[{"itemId": item["itemId"], "amount": "99.50", "settleDifference": True}])
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"


def test_several_lines_pay_one_item(acme):
    made = invoice(acme, "750.00", issueDate="2026-03-01")
    found = line_of(acme, "300.00", "450.00", "0.01")
    (item, *_) = acme.ok("GET", f"{LINES}/{found[0]['id']}/candidates")
    body = {"accountId": "1010", "itemId": item["itemId"], "lineIds": [line["id"] for line in found]}
    error = acme.refused("POST", f"{LINES}/confirm", body, status=422)
    assert (complaint(error), "0.01" in error["message"]) == (("itemId", "too_much"), True)
    assert lines(acme, "1010", status="matched") == []
    outcome = acme.ok("POST", f"{LINES}/confirm", {**body, "lineIds": body["lineIds"][:2]})
    assert (outcome["moneyIn"], outcome["moneyOut"], len(outcome["confirmed"])) == ("750.00", "0.00", 2)
    assert sorted(one["amount"] for one in acme.ok("GET", "/finance/payments")) == ["300.00", "450.00"]
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"


def test_lines_are_found_by_text_direction_and_size(acme):
    statement(
        acme,
        camt(
            entry("250.00", "Miete März", name="Yoga am Kanal", ref="1"),
            entry("-71.40", "Anschluss", name="Telekom", ref="2"),
            entry("-4.90", "Kontoführung", ref="3"),
            opening="100.00",
            closing="273.70",
        ),
        "1010",
    )

    def amounts(**params):
        return [line["amount"] for line in lines(acme, "1010", **params)]

    assert amounts(q="yoga marz") == ["250.00"]
    assert amounts(q="71,40") == ["-71.40"]
    assert amounts(direction="in") == ["250.00"]
    assert amounts(direction="out", amountFrom="5.00") == ["-71.40"]
    assert sorted(amounts(amountTo="71.40")) == ["-4.90", "-71.40"]
    ids = {line["amount"]: line["id"] for line in lines(acme, "1010")}
    assert amounts(ids=ids["-4.90"]) == ["-4.90"]


def test_a_rule_is_narrowed_and_counts_its_uses(acme):
    found = line_of(acme, "-10.00", "10.00")
    rule = acme.ok("POST", "/finance/bank/rules", {"text": "Line", "accountId": "6100"})
    assert (rule["direction"], rule["usedCount"], rule["lastUsedAt"]) == ("any", 0, None)
    path = f"/finance/bank/rules/{rule['id']}"
    narrowed = acme.ok(
        "PATCH", path, {"direction": "out", "accountOfBankId": "1010"}, headers={"If-Match": f'"{rule["version"]}"'}
    )
    assert (narrowed["direction"], narrowed["accountOfBankName"]) == ("out", "Bank")
    acme.refused("PATCH", path, {"direction": "in"}, headers={"If-Match": f'"{rule["version"]}"'}, status=412)
    suggested = {line["amount"]: line["suggestions"] for line in lines(acme, "1010")}
    assert (len(suggested["-10.00"]), suggested["10.00"]) == (1, [])
    out = next(line for line in found if line["amount"] == "-10.00")
    assert confirm(acme, out, **suggested["-10.00"][0]["confirm"])["matches"][0]["because"] == "rule"
    assert acme.ok("GET", path)["usedCount"] == 1
    assert acme.ok("GET", path)["lastUsedAt"] is not None
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "bank_rule.updated"})
    assert event["data"]["changes"]["direction"] == {"from": "any", "to": "out"}


def test_who_was_quicker_is_named(acme):
    colleague = acme.colleague("accountant")
    (line,) = line_of(acme, "-10.00")
    confirm(colleague, line, accountId="6100")
    error = acme.refused("POST", f"{LINES}/{line['id']}/confirm", {"accountId": "6100"}, status=409)
    assert colleague.user["name"] in error["message"]


def test_what_items_or_entries_leave_is_posted_to_an_account(acme):
    """150.00 pays an invoice of 100.00; of the rest 11.90 at 19 % are 10.00 and 1.90."""
    heron = customer(acme)["id"]
    sold = invoice(acme, "100.00", customerId=heron, issueDate="2026-03-01")
    cash = {
        "date": "2026-03-09",
        "description": "Cash sale",
        "lines": [{"accountId": "1010", "debit": "50.00"}, {"accountId": "4100", "credit": "50.00"}],
    }
    posted = acme.ok("POST", "/finance/journals", cash)
    more, less = line_of(acme, "111.90", "60.00")
    if more["amount"] != "111.90":
        more, less = less, more
    (found,) = [one for one in acme.ok("GET", f"{LINES}/{more['id']}/candidates") if one["itemId"]]
    item = {"itemId": found["itemId"]}
    tried = preview(acme, more, items=[item], postsRest=True)
    assert (tried["chosen"], tried["left"], tried["isComplete"]) == ("100.00", "11.90", True)
    items, rest = [{**item, "amount": "100.00"}], {"restAccountId": "4000", "restTaxRateId": rate(acme, "19")}
    matched = confirm(acme, more, items=items, **rest)
    assert [one["amount"] for one in matched["matches"]] == ["100.00", "11.90"]
    assert due(acme, sold) == "0.00"
    (payment,) = acme.ok("GET", "/finance/payments")
    assert payment["amount"] == "100.00"
    (entry_id,) = [one["entryId"] for one in matched["matches"] if one["amount"] == "11.90"]
    legs = acme.ok("GET", f"/finance/journals/{entry_id}")["lines"]
    assert [leg["debit"] or f"-{leg['credit']}" for leg in legs] == ["11.90", "-10.00", "-1.90"]
    undo(acme, more)
    assert due(acme, sold) == "100.00"
    matched = confirm(acme, less, entries=[{"entryId": posted["id"]}], restAccountId="4000")
    assert [one["amount"] for one in matched["matches"]] == ["50.00", "10.00"]

    def refused(**body):
        return complaint(acme.refused("POST", f"{LINES}/{more['id']}/confirm", body, status=422))

    assert refused(restAccountId="4000") == ("restAccountId", "not_applicable")
    assert refused(items=items, contactId=heron, restAccountId="4000") == ("restAccountId", "not_applicable")
    assert refused(items=items, restAccountId="1010") == ("restAccountId", "unsuitable_account")


def test_money_out_pays_a_bill_and_the_rest_goes_to_an_account(acme):
    """120.00 out with a fee of 2.00: 100.00 pay the bill, 18.00 are posted."""
    bought = bill(acme, "100.00", issueDate="2026-03-01")
    (line,) = line_of(acme, "-120.00")
    (found,) = [one for one in acme.ok("GET", f"{LINES}/{line['id']}/candidates") if one["itemId"]]
    items = [{"itemId": found["itemId"], "amount": "100.00"}]
    matched = confirm(acme, line, items=items, feeAmount="2.00", restAccountId="6200")
    assert [one["amount"] for one in matched["matches"]] == ["-102.00", "-18.00"]
    assert due(acme, bought) == "0.00"
    assert acme.ok("GET", "/finance/bank/accounts/1010")["unmatchedLines"] == 0
