"""Share links of quotes: their receiver reads them, tries options, and says yes or no, once."""

import hashlib
from io import BytesIO

import pytest
from pypdf import PdfReader

from erp.share_links import limits
from erp.store import router
from erp.system.checks import files as checking
from tests.events import events_of
from tests.finance.contacts.contacts import tax_rate
from tests.finance.documents.invoices import invoice
from tests.finance.quotes.quotes import accepted, act, again, draft, issued, line
from tests.finance.soundness import problems
from tests.refusals import complaints
from tests.system.checks.offices import tampered_copy

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


def fields(record, names):
    return [record[name] for name in names.split()]


def refusal(answer):
    return answer.status_code, answer.json["error"]["code"]


def the_quote_is_shown(shown):
    """As it was issued, without what is the office's own."""
    assert fields(shown, "office kind number revision issueDate dueDate currency") == [
        *("Acme GmbH", "quote", "QUO-2026-00001", 1, "2026-03-02", "2026-04-01", "EUR")
    ]
    assert fields(shown, "state payment amountDue pricesIncludeTax") == ["issued", None, "0.00", False]
    assert (shown["netTotal"], shown["taxTotal"], shown["total"]) == ("8640.00", "1641.60", "10281.60")
    assert (shown["can"], shown["forms"]) == (["accept", "decline"], ["pdf"])
    kept = "position option alternativeTo quantity unit unitPrice net isAccepted"
    assert [tuple(fields(each, kept)) for each in shown["lines"]] == [
        (1, "included", None, "10", "day", "960.00", "9600.00", False),
        (2, "optional", None, "2", "day", "480.00", "960.00", False),
        (3, "alternative", 1, "12", "day", "900.00", "10800.00", False),
        (4, "alternative", 1, "10", "day", "990.00", "9900.00", False),
    ]
    assert not {"accountId", "customerId", "createdBy", "note"} & {*shown, *shown["lines"][0]}


def wrong_answers_are_refused(office, secret, body, line_ids):
    _, optional, other, third = line_ids
    answer = opened(office, secret, "accept", **body, chosenLineIds=[other, third])
    assert refusal(answer) == (422, "two_alternatives")
    answer = opened(office, secret, "accept", **body, chosenLineIds=[optional, "nothing"])
    assert complaints(answer.json["error"]) == {"chosenLineIds[1]": "unknown_reference"}
    assert refusal(opened(office, secret, "accept", **{**body, "pin": "0000"})) == (403, "wrong_pin")
    assert refusal(opened(office, secret, "accept", **{**body, "revision": 2})) == (409, "superseded")


def the_office_knows_who_accepted(office, known, digest):
    """The quote and the log; the log without the name."""
    shown = fields(known, "status acceptedNet acceptedTax acceptedTotal acceptedBy acceptedVia acceptedNote")
    assert shown == [*("accepted", "10584.00", "2010.96", "12594.96", "Petra Lindt", "link", "By June, please")]
    assert (known["acceptedAt"][:16], known["acceptedOn"]) == ("2026-03-02T09:00", "2026-03-02")
    (event,) = office.ok("GET", "/workspace/events", params={"type": "quote.accepted"})
    assert event["actor"]["name"] == "Customer, by link"
    assert (event["data"]["via"], event["data"]["revision"]) == ("link", 1)
    assert "Petra" not in str(event)
    assert known["acceptedPaperSha256"] == event["data"]["paperSha256"] == digest


ANOTHER = """
INSERT INTO stored_file SELECT 'another', size, media_type FROM stored_file LIMIT 1;
UPDATE quote_file SET sha256 = 'another' WHERE form = 'quote';
"""


def another_paper_is_found(office, folder):
    """Whether the file, the hash in the quote, or both are changed, or the file is gone."""
    kept = "Quote QUO-2026-00001 was accepted by link, but the PDF that was shown then is not the one that is kept."
    logged = "Quote QUO-2026-00001 was accepted by link, but its log does not have that yes with the same PDF."
    changed = "UPDATE quote SET accepted_paper_sha256 = 'another';"
    books = office.installation.config.workspaces_dir / f"{office.workspace_id}.db"
    router.close_all()
    for script, expected in (
        (ANOTHER, {kept}),
        ("DELETE FROM quote_file WHERE form = 'quote';", {kept}),
        (changed, {kept, logged}),
        (ANOTHER + changed, {logged}),
    ):
        found = checking.workspace_file(tampered_copy(books, folder, script), nobody_writes=True).problems
        assert {kept, logged} & {*found} == expected, found


def test_a_customer_reads_a_quote_tries_its_options_and_accepts_it(office, quote, tmp_path):
    secret = secret_of(office, quote, pin="4711")
    assert refusal(opened(office, secret)) == (401, "pin_needed")
    shown = ok(opened(office, secret, pin="4711"))
    the_quote_is_shown(shown)
    line_ids = [each["id"] for each in shown["lines"]]
    chosen = line_ids[1:3]
    assert ok(opened(office, secret, pin="4711", chosenLineIds=chosen))["total"] == "12594.96"
    body = {"pin": "4711", "revision": 1, "name": "Petra Lindt"}
    wrong_answers_are_refused(office, secret, body, line_ids)
    assert again(office, quote)["status"] == "issued"
    pdf = opened(office, secret, "file", pin="4711")
    assert pdf.content[:5] == b"%PDF-"

    yes = ok(opened(office, secret, "accept", **body, chosenLineIds=chosen, note="By June, please"))
    assert (yes["state"], yes["total"], yes["can"]) == ("accepted", "12594.96", [])
    assert [each["isAccepted"] for each in yes["lines"]] == [False, True, True, False]
    assert yes["forms"] == ["pdf", "order_confirmation"]
    digest = hashlib.sha256(opened(office, secret, "file", pin="4711").content).hexdigest()
    the_office_knows_who_accepted(office, again(office, quote), digest)
    assert hashlib.sha256(pdf.content).hexdigest() == digest
    for path in ("accept", "decline"):
        assert refusal(opened(office, secret, path, **body)) == (409, "invalid_transition")
    assert problems(office) == []
    another_paper_is_found(office, tmp_path)
    back = act(office, quote, "reopen")
    assert (back["acceptedNote"], back["acceptedPaperSha256"], back["acceptedVia"]) == (None, None, None)


def test_the_order_confirmation_and_home_say_who_accepted(office, quote, clock_at):
    secret = secret_of(office, quote)
    assert refusal(opened(office, secret, "file", form="order_confirmation")) == (404, "not_found")
    assert refusal(opened(office, secret, "file", form="xml")) == (404, "not_found")
    yes = {"revision": 1, "name": " Petra Lindt ", "note": "By June, please"}
    digest = hashlib.sha256(opened(office, secret, "file").content).hexdigest()
    ok(opened(office, secret, "accept", **yes))
    paper = opened(office, secret, "file", form="order_confirmation")
    assert (paper.status_code, paper.headers["Cache-Control"]) == (200, "no-store")
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(BytesIO(paper.content)).pages).split())
    assert "Ordered by Petra Lindt" in text
    assert "Accepted by link by Petra Lindt on 2 March 2026 at 10:00:00 (Europe/Berlin)" in text
    assert f"QUO-2026-00001, version 1. SHA-256 of the PDF: {digest}" in text
    assert "Note of the customer: By June, please" in text
    # a yes in the office is on Home only once it is 14 days old
    accepted(office, line("1.00"))
    home = office.ok("GET", "/workspace/home")["quotesToFollow"]
    shown = [(each["id"], each["why"], each["acceptedBy"], each["total"]) for each in home["items"]]
    assert shown == [(quote["id"], "accepted", "Petra Lindt", "10281.60")]
    clock_at("2026-03-16T09:00:00Z")
    home = office.ok("GET", "/workspace/home")["quotesToFollow"]
    assert [(each["why"], each["acceptedBy"]) for each in home["items"]] == [
        ("not_invoiced", "Petra Lindt"),
        ("not_invoiced", None),
    ]
    act(office, quote, "invoice", rest=True)
    assert ok(opened(office, secret))["state"] == "accepted"
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": False})
    for path, body in (("accept", yes), ("decline", yes), ("file", {})):
        body = {name: value for name, value in body.items() if name != "note"}
        assert refusal(opened(office, secret, path, **body)) == (404, "not_found")


def test_a_customer_declines_and_the_office_takes_it_from_there(office, quote):
    secret = secret_of(office, quote)
    answer = {"revision": 1, "name": "Petra Lindt"}
    wrong = opened(office, secret, "decline", revision=0, name="P", reason="x" * 201)
    assert {*complaints(wrong.json["error"])} == {"revision", "name", "reason"}
    blank = opened(office, secret, "accept", revision=1, name="  ")
    assert complaints(blank.json["error"]) == {"name": "too_short"}
    no = ok(opened(office, secret, "decline", **answer, reason="Too dear"))
    assert (no["state"], no["can"], no["forms"]) == ("declined", [], ["pdf"])
    for path in ("accept", "decline"):
        assert refusal(opened(office, secret, path, **answer)) == (409, "invalid_transition")
    known = again(office, quote)
    shown = fields(known, "status declinedBy declinedVia declineReason")
    assert shown == ["declined", "Petra Lindt", "link", "Too dear"]
    (event,) = office.ok("GET", "/workspace/events", params={"type": "quote.declined"})
    assert (event["actor"]["name"], event["data"]["via"]) == ("Customer, by link", "link")
    assert "Petra" not in str(event)
    back = act(office, quote, "reopen")
    assert (back["declinedBy"], back["declinedVia"], back["declineReason"]) == (None, None, None)
    assert act(office, quote, "decline")["declinedVia"] == "office"
    second = act(office, quote, "revise")
    act(office, second, "issue")
    old = ok(opened(office, secret))
    assert (old["state"], old["can"]) == ("superseded", [])
    for path in ("accept", "decline"):
        assert refusal(opened(office, secret, path, **answer)) == (409, "superseded")
    path = f"/finance/quotes/{quote['id']}/links"
    office.refused("POST", path, {}, status=409, code="superseded")
    newer = secret_of(office, second)
    assert refusal(opened(office, newer, "accept", **answer)) == (409, "superseded")
    assert ok(opened(office, newer, "accept", **{**answer, "revision": 2}))["state"] == "accepted"
    assert events_of(office, second["id"])[-2:] == ["quote.filed", "quote.accepted"]
    assert problems(office) == []


def test_a_link_of_a_quote_lasts_30_days_longer_than_the_quote(office, quote, clock_at):
    path = f"/finance/quotes/{quote['id']}/links"
    link = office.ok("POST", path, {})
    secret = link["url"].partition("#")[2]
    assert link["expiresAt"][:16] == "2026-05-01T22:00"
    clock_at("2026-04-01T21:59:00Z")
    assert ok(opened(office, secret))["can"] == ["accept", "decline"]
    clock_at("2026-04-01T22:00:00Z")
    late = ok(opened(office, secret))
    assert (late["state"], late["can"]) == ("expired", ["decline"])
    answer = {"revision": 1, "name": "Petra Lindt"}
    assert refusal(opened(office, secret, "accept", **answer)) == (409, "quote_expired")
    ok(opened(office, secret, "decline", **answer))
    clock_at("2026-05-01T22:00:00Z")
    assert refusal(opened(office, secret)) == (404, "not_found")
    clock_at("2026-04-02T09:00:00Z")
    (listed,) = office.colleague("viewer").ok("GET", path)
    assert (listed["id"], listed["isLive"], "url" in listed) == (link["id"], True, False)
    office.refused("POST", f"/finance/invoices/{quote['id']}/links/{link['id']}/revoke", status=404)
    assert office.ok("POST", f"{path}/{link['id']}/revoke")["isLive"] is False
    assert refusal(opened(office, secret)) == (404, "not_found")
    office.refused("POST", f"/finance/quotes/{draft(office)['id']}/links", {}, status=409, code="invalid_transition")
    bill = invoice(office)
    sent = office.ok("POST", f"/finance/invoices/{bill['id']}/links", {})["url"].partition("#")[2]
    for way in ("accept", "decline"):
        assert refusal(opened(office, sent, way, **answer)) == (409, "invalid_transition")
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": False})
    office.refused("POST", path, {}, status=409, code="sharing_off")
