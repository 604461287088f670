"""Filters with several values, and with values that are left out, in every list."""

from typing import Any, Literal, get_args, get_origin

from erp.app import routes
from erp.web import several
from erp.web.endpoint import contract_of
from erp.web.hints import hints, peeled
from erp.web.schema import array_of
from tests.conftest import Office
from tests.finance.documents.invoices import invoice, line

LISTS = {
    path.removeprefix("/api/v1"): contract
    for path, resource in routes().items()
    if (contract := contract_of(resource, "GET")) and contract.shape in ("page", "list") and contract.query
}
WITHIN = {path: contract for path, contract in LISTS.items() if contract.shape == "page" and "{" not in path}
BESIDE = {"format", "groupBy", "include", "sort"}


def test_every_list_takes_several_values_and_leaves_values_out(acme: Office) -> None:
    tried = set()
    for path, contract in WITHIN.items():
        for wire in several.filters(contract.query) if contract.access == "workspace" else ():
            hint = hints(contract.query)[wire]
            known = (array_of(hint) or {}).get("items", {}).get("enum") or get_args(peeled(hint))
            if not known:
                continue
            one, two = (str(value) for value in list(known)[:2])
            acme.ok("GET", path, params={wire: [one, two], f"not.{wire}": one, "total": "true"})
            tried.add((path, wire))
            error = acme.refused("GET", path, params={f"not.{wire}": f"{one},nonsense"}, status=400)
            assert error["details"][0]["field"] == f"not.{wire}", path
    assert len(tried) > 40


def test_no_list_has_a_filter_of_one_record_or_state_alone() -> None:
    for path, contract in LISTS.items():
        for wire, hint in hints(contract.query).items():
            names = wire.endswith("Id") or wire in ("currency", "tag") or get_origin(peeled(hint)) is Literal
            assert not names or wire in BESIDE or wire in several.filters(contract.query), (path, wire)


def numbers(person: Office, path: str = "/finance/invoices", **params: Any) -> list[str]:
    shown = person.ok("GET", path, params={"sort": "createdAt", **params})
    return [row.get("number") or row.get("name") or row.get("title") for row in shown]


def test_lists_of_every_making_choose_and_leave_out(acme: Office) -> None:
    pied, hooli, both = (
        acme.ok("POST", "/finance/contacts", {"kind": kind, "name": name})["id"]
        for kind, name in (("customer", "Pied Piper"), ("customer", "Hooli"), ("both", "Raviga"))
    )
    for customer in (pied, hooli, both):
        invoice(acme, line("100.00"), customerId=customer)
    first, second, third = numbers(acme)
    assert numbers(acme, customerId=f"{pied},{both}") == [first, third]
    assert numbers(acme, customerId=[pied, hooli], **{"not.customerId": pied}) == [second]
    assert numbers(acme, **{"not.customerId": f"{pied},{hooli}"}) == [third]
    assert numbers(acme, customerId=f"{pied},{both}", q="raviga", status="issued,void") == [third]
    assert numbers(acme, **{"not.status": "issued", "customerId": f"{pied},{both}"}) == []
    error = acme.refused("GET", "/finance/invoices", params={"customerId": f"{pied},nobody,{hooli},none"}, status=422)
    assert [(each["field"], each["message"]) for each in error["details"]] == [
        ("customerId", "Not in this workspace: nobody."),
        ("customerId", "Not in this workspace: none."),
    ]
    error = acme.refused("GET", "/finance/invoices", params={"not.customerId": "nobody"}, status=422)
    assert error["details"][0]["field"] == "not.customerId"
    many = ",".join(f"c{number}" for number in range(51))
    error = acme.refused("GET", "/finance/invoices", params={"customerId": many, "not.status": "odd"}, status=400)
    assert {each["field"] for each in error["details"]} == {"customerId", "not.status"}
    acme.refused("GET", "/finance/invoices", params={"not.isOverdue": "true"}, status=400)

    chosen = {"customerId": f"{pied},{both}"}
    page = acme.call("GET", "/finance/invoices", params={**chosen, "total": "true", "limit": "1"}).json["page"]
    assert (page["total"], page["sums"][0]["count"], page["sums"][0]["total"]) == (2, 2, "200.00")
    rest = acme.ok("GET", "/finance/invoices", params={**chosen, "limit": "1", "cursor": page["nextCursor"]})
    assert [row["number"] for row in rest] == [first]  # the newest came first
    (group,) = acme.ok("GET", "/finance/invoices", params={**chosen, "groupBy": "status"})
    assert (group["status"], group["count"]) == ("issued", 2)
    sheet = acme.call("GET", "/finance/invoices", params={**chosen, "format": "csv", "limit": "1"}).text
    assert (first in sheet, second in sheet, third in sheet) == (True, False, True)

    of_further_lists(acme, pied, hooli, both)


def of_further_lists(acme: Office, pied: str, hooli: str, both: str) -> None:
    """The same in lists of other makings: with tags, with sums, of contacts, of accounts and of quotes."""
    for number, (customer, status) in enumerate(((pied, "planned"), (hooli, "active"), (None, "planned"))):
        about = {"customerId": customer, "status": status, "tags": [f"t{number}", "a,b"]}
        acme.ok("POST", "/projects", {"name": f"P{number}", **about})
    assert numbers(acme, "/projects", customerId=[pied, hooli]) == ["P0", "P1"]
    assert numbers(acme, "/projects", **{"not.customerId": pied}) == ["P1", "P2"]
    assert numbers(acme, "/projects", tag=["t0", "t2"]) == ["P0", "P2"]
    assert numbers(acme, "/projects", tag="a,b", **{"not.tag": "t0"}) == ["P1", "P2"]

    paid = [acme.ok("POST", "/finance/payments", {"contactId": id, "amount": "5.00"}) for id in (pied, hooli, both)]
    of = {"contactId": f"{pied},{hooli}", "sort": "createdAt"}
    assert [row["id"] for row in acme.ok("GET", "/finance/payments", params=of)] == [row["id"] for row in paid[:2]]
    (total,) = acme.ok("GET", "/finance/payments", params={**of, "groupBy": "currency"})
    assert (total["count"], total["amount"]) == (2, "10.00")
    people = acme.ok("GET", "/finance/contacts", params={"not.kind": "supplier", "sort": "name"})
    assert [row["name"] for row in people] == ["Hooli", "Pied Piper"]
    offers = [{"customerId": id, "lines": [line("7.00")]} for id in (pied, hooli, both)]
    types = {"type": "asset,liability", "not.subtype": "bank,cash"}
    accounts = acme.ok("GET", "/finance/accounts", params=types)
    assert {row["type"] for row in accounts} == {"asset", "liability"}
    assert "bank" not in {row["subtype"] for row in accounts}
    quotes = [acme.ok("POST", "/finance/quotes", offer) for offer in offers]
    of = {"customerId": f"{pied},{hooli}", "total": "true"}
    answer = acme.call("GET", "/finance/quotes", params=of).json
    assert ({row["id"] for row in answer["data"]}, answer["page"]["sums"][0]["total"]) == (
        {row["id"] for row in quotes[:2]},
        "14.00",
    )
