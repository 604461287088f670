"""Share links of quotes: their receiver reads them, tries options, and says yes or no, once."""

import hashlib

import pytest

from erp.share_links import limits
from tests.events import events_of, last_event
from tests.finance.contacts.contacts import tax_rate
from tests.finance.quotes.quotes import accepted, act, again, draft, issued, line
from tests.finance.soundness import problems
from tests.refusals import complaints

TENTH = {"percent": "10"}


@pytest.fixture(autouse=True)
def _in_march(clock_at):
    limits._of.cache_clear()
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def office(acme):
    settings = {"shareLinks": True, "legalName": "Acme GmbH", "timeZone": "Europe/Berlin"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settings)
    return acme


@pytest.fixture
def quote(office):
    """With an option, and two alternatives to the first line: 10,281.60 at first."""
    rate = office.once(tax_rate, "19")["id"]
    lines = [
        line(taxRateId=rate),
        line("480.00", "2", taxRateId=rate, option="optional", description="Training"),
        line("900.00", "12", taxRateId=rate, option="alternative", alternativeTo=1),
        line("990.00", "10", taxRateId=rate, option="alternative", alternativeTo=1),
    ]
    return issued(office, *lines, discount=TENTH, note="For our eyes and theirs")


def secret_of(office, quote, **fields):
    link = office.ok("POST", f"/finance/quotes/{quote['id']}/links", fields)
    return link["url"].partition("#")[2]


def opened(office, secret, path="view", **fields):
    """The answer to someone who is not signed in."""
    return office.installation.call("POST", f"/share/{path}", {"secret": secret, **fields})


def ok(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.json.get("data")


def refusal(answer):
    return answer.status_code, answer.json["error"]["code"]


def test_a_customer_reads_a_quote_tries_its_options_and_accepts_it(office, quote):
    secret = secret_of(office, quote, pin="4711")
    assert refusal(opened(office, secret)) == (401, "pin_needed")
    shown = ok(opened(office, secret, pin="4711"))
    names = ("office", "kind", "number", "revision", "issueDate", "dueDate", "currency", "state", "payment", "amountDue")
    assert [shown[name] for name in names] == [
        *("Acme GmbH", "quote", "QUO-2026-00001", 1, "2026-03-02", "2026-04-01", "EUR", "issued", None, "0.00")
    ]
    assert (shown["netTotal"], shown["taxTotal"], shown["total"]) == ("8640.00", "1641.60", "10281.60")
    assert (shown["can"], shown["forms"]) == (["accept", "decline"], ["pdf"])
    kept = ("position", "option", "alternativeTo", "quantity", "unit", "unitPrice", "net", "isAccepted")
    assert [tuple(each[name] for name in kept) for each in shown["lines"]] == [
        (1, "included", None, "10", "day", "960.00", "9600.00", False),
        (2, "optional", None, "2", "day", "480.00", "960.00", False),
        (3, "alternative", 1, "12", "day", "900.00", "10800.00", False),
        (4, "alternative", 1, "10", "day", "990.00", "9900.00", False),
    ]
    assert not {"accountId", "customerId", "createdBy", "note"} & {*shown, *shown["lines"][0]}
    _, optional, other, third = (each["id"] for each in shown["lines"])
    chosen = [optional, other]
    assert ok(opened(office, secret, pin="4711", chosenLineIds=chosen))["total"] == "12594.96"
    body = {"pin": "4711", "revision": 1, "name": "Petra Lindt"}
    answer = opened(office, secret, "accept", **body, chosenLineIds=[other, third])
    assert refusal(answer) == (422, "two_alternatives")
    answer = opened(office, secret, "accept", **body, chosenLineIds=[optional, "nothing"])
    assert complaints(answer.json["error"]) == {"chosenLineIds[1]": "unknown_reference"}
    assert refusal(opened(office, secret, "accept", **{**body, "pin": "0000"})) == (403, "wrong_pin")
    assert refusal(opened(office, secret, "accept", **{**body, "revision": 2})) == (409, "superseded")
    assert again(office, quote)["status"] == "issued"
    pdf = opened(office, secret, "file", pin="4711")
    assert pdf.content[:5] == b"%PDF-"

    yes = ok(opened(office, secret, "accept", **body, chosenLineIds=chosen, note="By June, please"))
    assert (yes["state"], yes["total"], yes["can"]) == ("accepted", "12594.96", [])
    assert [each["isAccepted"] for each in yes["lines"]] == [False, True, True, False]
    assert yes["forms"] == ["pdf", "order_confirmation"]
    known = again(office, quote)
    names = ("status", "acceptedNet", "acceptedTax", "acceptedTotal", "acceptedBy", "acceptedVia", "acceptedNote")
    assert [known[name] for name in names] == [
        *("accepted", "10584.00", "2010.96", "12594.96", "Petra Lindt", "link", "By June, please")
    ]
    assert (known["acceptedAt"][:16], known["acceptedOn"]) == ("2026-03-02T09:00", "2026-03-02")
    (event,) = office.ok("GET", "/workspace/events", params={"type": "quote.accepted"})
    assert event["actor"]["name"] == "Customer, by link"
    assert (event["data"]["via"], event["data"]["revision"]) == ("link", 1)
    assert "Petra" not in str(event)
    digest = hashlib.sha256(opened(office, secret, "file", pin="4711").content).hexdigest()
    assert known["acceptedPaperSha256"] == event["data"]["paperSha256"] == digest
    assert hashlib.sha256(pdf.content).hexdigest() == digest
    for path in ("accept", "decline"):
        assert refusal(opened(office, secret, path, **body)) == (409, "invalid_transition")
    assert problems(office) == []
    back = act(office, quote, "reopen")
    assert (back["acceptedNote"], back["acceptedPaperSha256"], back["acceptedVia"]) == (None, None, None)
