"""Quotes from the draft to the yes or no of a customer; they post nothing."""

import pytest

from tests.events import events_of
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.quotes.quotes import accepted, act, again, draft, issued, line, new_quote, refused
from tests.finance.soundness import problems
from tests.refusals import complaints

TENTH = {"percent": "10"}


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-02T09:00:00Z")


@pytest.fixture
def standard(acme):
    return acme.once(tax_rate, "19")["id"]


def totals(quote):
    return quote["netTotal"], quote["taxTotal"], quote["total"]


def accepted_totals(quote):
    return quote["acceptedNet"], quote["acceptedTax"], quote["acceptedTotal"]


def test_a_quote_goes_from_draft_to_accepted_and_posts_nothing(acme, standard):
    made = draft(acme, line(taxRateId=standard), discount=TENTH, subject="Website", intro="Dear all,", closing="Yours")
    assert totals(made) == ("8640.00", "1641.60", "10281.60")
    assert (made["status"], made["number"], made["revision"]) == ("draft", None, 1)
    assert (made["issueDate"], made["validUntil"]) == ("2026-03-02", "2026-04-01")
    assert {"issue", "delete", "update"} <= {*made["can"]}
    out = act(acme, made, "issue")
    assert (out["number"], out["status"], out["isSent"]) == ("QUO-2026-00001", "issued", False)
    assert (out["intro"], out["closing"], out["subject"]) == ("Dear all,", "Yours", "Website")
    yes = act(acme, made, "accept", by="Petra Lindt", reference="Order 7", on="2026-03-02")
    assert accepted_totals(yes) == ("8640.00", "1641.60", "10281.60")
    assert (yes["status"], yes["acceptedBy"], yes["acceptedVia"]) == ("accepted", "Petra Lindt", "office")
    assert (yes["acceptedOn"], yes["reference"], yes["leftNet"]) == ("2026-03-02", "Order 7", "8640.00")
    assert again(acme, made) == yes
    assert events_of(acme, made["id"]) == ["quote.draft", "quote.issued", "quote.accepted"]
    assert acme.ok("GET", "/finance/journals") == []
    assert problems(acme) == []


def test_options_are_not_in_the_total_until_the_customer_chooses_them(acme, standard):
    lines = [
        line(taxRateId=standard),
        line("480.00", "2", taxRateId=standard, option="optional"),
        line("900.00", "12", taxRateId=standard, option="alternative", alternativeTo=1),
        line("990.00", "10", taxRateId=standard, option="alternative", alternativeTo=1),
    ]
    body = new_quote(*lines, discount=TENTH)
    shown = acme.ok("POST", "/finance/quotes/preview", body)
    assert (shown["total"], shown["details"], shown["validUntil"]) == ("10281.60", [], "2026-04-01")
    assert [each["net"] for each in shown["lines"]] == ["9600.00", "960.00", "10800.00", "9900.00"]
    out = act(acme, acme.ok("POST", "/finance/quotes", body), "issue")
    assert totals(out) == ("8640.00", "1641.60", "10281.60")
    _, optional, other, third = (each["id"] for each in out["lines"])
    error = refused(acme, out, "accept", "two_alternatives", 422, chosenLineIds=[other, third])
    assert complaints(error) == {"chosenLineIds": "two_alternatives"}
    error = refused(acme, out, "accept", "validation_failed", 422, chosenLineIds=[out["lines"][0]["id"]])
    assert complaints(error) == {"chosenLineIds[0]": "unknown_reference"}
    yes = act(acme, out, "accept", chosenLineIds=[optional, other])
    assert accepted_totals(yes) == ("10584.00", "2010.96", "12594.96")
    assert [each["isAccepted"] for each in yes["lines"]] == [False, True, True, False]
    assert [each["acceptedNet"] for each in yes["lines"]] == [None, "864.00", "9720.00", None]
    back = act(acme, yes, "reopen")
    assert (back["status"], accepted_totals(back)) == ("issued", (None, None, None))
    assert accepted_totals(act(acme, back, "accept")) == ("8640.00", "1641.60", "10281.60")
    assert problems(acme) == []


def test_an_alternative_names_an_included_line(acme):
    lines = [line(), line(option="alternative"), line(option="alternative", alternativeTo=2), line(alternativeTo=1)]
    error = acme.refused("POST", "/finance/quotes", new_quote(*lines), status=422, code="bad_alternative")
    assert complaints(error) == {f"lines[{i}].alternativeTo": "bad_alternative" for i in (1, 2, 3)}
    only = new_quote(line(option="optional"))
    acme.refused("POST", "/finance/quotes", only, status=422, code="nothing_included")
    shown = acme.ok("POST", "/finance/quotes/preview", new_quote(*lines[:2]))
    assert [each["code"] for each in shown["lines"][1]["details"]] == ["bad_alternative"]
    shown = acme.ok("POST", "/finance/quotes/preview", only)
    assert ([each["code"] for each in shown["details"]], shown["total"]) == (["nothing_included"], "0.00")
    early = new_quote(issueDate="2026-03-02", validUntil="2026-03-01", subject="")
    error = acme.refused("POST", "/finance/quotes", early, status=422)
    assert complaints(error) == {"validUntil": "too_early", "subject": "required"}


def test_a_draft_changes_and_an_issued_quote_keeps_its_figures(acme, standard):
    made = draft(acme, line(), line("100.00", "1", option="optional"))
    first, second = made["lines"]
    change = {"lines": [line("50.00", "2", id=second["id"]), line(id=first["id"])], "currency": "USD", "note": "Hello"}
    changed = acme.ok("PATCH", f"/finance/quotes/{made['id']}", change)
    assert [each["id"] for each in changed["lines"]] == [second["id"], first["id"]]
    assert (changed["total"], changed["currency"], changed["note"]) == ("9700.00", "USD", "Hello")
    out = act(acme, made, "issue")
    path = f"/finance/quotes/{made['id']}"
    acme.refused("PATCH", path, {"subject": "Other"}, status=409, code="invalid_transition")
    acme.refused("DELETE", path, status=409, code="invalid_transition")
    refused(acme, out, "issue", "invalid_transition")
    error = acme.refused("PATCH", path, {"validUntil": "2026-03-01"}, status=422)
    assert complaints(error) == {"validUntil": "too_early"}
    amended = acme.ok("PATCH", path, {"validUntil": "2026-06-30", "reference": "R", "note": None})
    assert (amended["validUntil"], amended["reference"], amended["note"]) == ("2026-06-30", "R", None)
    copy = act(acme, out, "duplicate")
    assert (copy["status"], copy["number"], copy["total"], copy["reference"]) == ("draft", None, "9700.00", "R")
    acme.ok("DELETE", f"/finance/quotes/{copy['id']}")
    acme.refused("GET", f"/finance/quotes/{copy['id']}", status=404)
    assert problems(acme) == []


def test_the_whole_last_day_is_valid(acme, clock_at):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "America/New_York", "quoteValidDays": 5})
    out = issued(acme)
    assert out["validUntil"] == "2026-03-07"
    clock_at("2026-03-08T04:59:00Z")
    assert again(acme, out)["status"] == "issued"
    clock_at("2026-03-08T05:00:00Z")
    assert again(acme, out)["status"] == "expired"
    assert [each["id"] for each in acme.ok("GET", "/finance/quotes?status=expired")] == [out["id"]]
    assert acme.ok("GET", "/finance/quotes?status=issued,accepted") == []
    refused(acme, out, "accept", "quote_expired")
    assert act(acme, out, "accept", force=True)["status"] == "accepted"


def test_a_revision_supersedes_the_one_before_when_it_is_issued(acme):
    first = issued(acme)
    second = act(acme, first, "revise")
    assert (second["number"], second["revision"], second["status"]) == (first["number"], 2, "draft")
    refused(acme, first, "revise", "already_exists")
    acme.ok("PATCH", f"/finance/quotes/{second['id']}", {"lines": [line("900.00")]})
    assert again(acme, first)["status"] == "issued"
    second = act(acme, second, "issue")
    assert [(each["revision"], each["status"], each["total"]) for each in second["revisions"]] == [
        (1, "superseded", "9600.00"),
        (2, "issued", "9000.00"),
    ]
    for step in ("revise", "accept", "decline", "reopen"):
        refused(acme, first, step, "invalid_transition")
    assert [each["id"] for each in acme.ok("GET", "/finance/quotes")] == [second["id"]]
    assert len(acme.ok("GET", "/finance/quotes?allRevisions=true")) == 2
    no = act(acme, second, "decline", reason="Too dear")
    assert (no["status"], no["declineReason"]) == ("declined", "Too dear")
    third = act(acme, second, "revise")
    assert "issue" in again(acme, third)["can"]
    act(acme, second, "reopen")
    assert [each["id"] for each in acme.ok("GET", "/finance/quotes")] == [third["id"]]
    act(acme, second, "accept")
    assert {each["id"] for each in acme.ok("GET", "/finance/quotes")} == {second["id"], third["id"]}
    refused(acme, third, "issue", "invalid_transition")
    assert "issue" not in again(acme, third)["can"]
    acme.ok("DELETE", f"/finance/quotes/{third['id']}")
    assert issued(acme)["number"] == "QUO-2026-00002"
    assert events_of(acme, third["id"]) == ["quote.revised", "quote.deleted"]
    assert problems(acme) == []


def test_a_quote_without_an_answer_takes_no_other_step(acme):
    made = draft(acme)
    for step in ("accept", "decline", "reopen", "revise"):
        refused(acme, made, step, "invalid_transition")
    refused(acme, made, "close", "invalid_transition", reason="x")
    refused(acme, made, "invoice", "invalid_transition", rest=True)
    refused(acme, made, "mark-sent", "invalid_transition")
    out = act(acme, made, "issue")
    refused(acme, out, "invoice", "invalid_transition", rest=True)
    refused(acme, out, "unmark-sent", "invalid_transition")
    act(acme, out, "mark-sent")
    assert len(acme.ok("GET", "/finance/quotes?isSent=true")) == 1
    assert act(acme, out, "unmark-sent")["sentAt"] is None
    yes = act(acme, out, "accept")
    closed = act(acme, yes, "close", reason="No budget")
    assert (closed["status"], closed["closeReason"]) == ("closed", "No budget")
    refused(acme, yes, "invoice", "invalid_transition", rest=True)
    assert act(acme, yes, "reopen")["status"] == "accepted"
    assert events_of(acme, made["id"])[-3:] == ["quote.accepted", "quote.closed", "quote.reopened"]


def test_accepting_begins_a_project_with_the_budget_of_the_lines(acme, standard):
    lines = [line(taxRateId=standard), line("100.00", "12.5", unit="h", description="Support"), line("5", unit="piece")]
    out = issued(acme, *lines, subject="Website relaunch", discount=TENTH)
    manager = acme.colleague("accountant")
    error = manager.refused("POST", f"/finance/quotes/{out['id']}/accept", {"project": {}}, status=403)
    assert error["code"] == "forbidden"
    yes = act(acme, out, "accept", project={"tasks": True, "code": "WEB"})
    project = acme.ok("GET", f"/projects/{yes['projectId']}")
    assert (project["name"], project["code"], project["billing"]) == ("Website relaunch", "WEB", "fixed")
    assert (project["fixedPrice"], project["budgetAmount"]) == (yes["acceptedNet"], yes["acceptedNet"])
    assert (project["budgetMinutes"], project["customerId"]) == (5550, yes["customerId"])
    tasks = acme.ok("GET", f"/tasks?projectId={project['id']}&sort=createdAt")
    assert [(task["title"], task["estimateMinutes"]) for task in tasks] == [
        ("Concept", 4800),
        ("Support", 750),
        ("Concept", None),
    ]
    bill = act(acme, yes, "invoice", share="10")
    assert bill["projectId"] == project["id"]
    foreign = issued(acme, currency="USD")
    error = refused(acme, foreign, "accept", "validation_failed", 422, project={})
    assert complaints(error) == {"project.name": "required"}
    project = acme.ok("GET", f"/projects/{act(acme, foreign, 'accept', project={'name': 'Far'})['projectId']}")
    assert (project["fixedPrice"], project["budgetMinutes"]) == (None, 4800)


def test_a_quote_accepted_without_a_project_gets_one_afterwards(acme, standard):
    """As after a yes by a share link, which begins none."""
    option = line("200.00", "1", description="Training", option="optional")
    out = issued(acme, line(taxRateId=standard), option, subject="Website relaunch")
    assert "project" not in out["can"]
    assert refused(acme, out, "project", "invalid_transition", project={})
    yes = act(acme, out, "accept", chosenLineIds=[out["lines"][1]["id"]])
    assert "project" in yes["can"]
    accountant = acme.colleague("accountant")
    assert "project" not in again(accountant, yes)["can"]
    accountant.refused("POST", f"/finance/quotes/{yes['id']}/project", {"project": {}}, status=403)
    for body in ({}, {"project": {}, "projectId": "one"}):
        assert complaints(refused(acme, yes, "project", "validation_failed", 422, **body)) == {
            "projectId": "exactly_one"
        }
    begun = act(acme, yes, "project", project={"tasks": True})
    project = acme.ok("GET", f"/projects/{begun['projectId']}")
    assert (project["name"], project["fixedPrice"]) == ("Website relaunch", yes["acceptedNet"])
    tasks = acme.ok("GET", f"/tasks?projectId={project['id']}&sort=createdAt")
    assert [task["title"] for task in tasks] == ["Concept", "Training"]
    assert "project" not in begun["can"]
    assert refused(acme, begun, "project", "invalid_transition", projectId=project["id"])
    assert act(acme, begun, "invoice", share="10")["projectId"] == project["id"]
    other = accepted(acme)
    assert act(acme, other, "project", projectId=project["id"])["projectId"] == project["id"]


def test_quotes_are_filtered_sorted_and_summed(acme, standard):
    globex = customer(acme, "Globex")["id"]
    first = issued(acme, line(taxRateId=standard), customerId=globex, subject="Shop", issueDate="2026-02-01")
    second = accepted(acme, line("1.00", "1"), customer={"name": "Initech"}, issueDate="2026-03-01")
    third = draft(acme, currency="USD", customerId=globex)

    def listed(**params):
        return [each["id"] for each in acme.ok("GET", "/finance/quotes", params={"sort": "createdAt", **params})]

    assert listed(customerId=globex) == [first["id"], third["id"]]
    assert listed(status="accepted") == [second["id"]]
    assert listed(currency="USD") == [third["id"]]
    assert listed(dateFrom="2026-02-02", dateTo="2026-03-01") == [second["id"]]
    assert listed(validFrom="2026-03-04", validTo="2026-03-31") == [second["id"]]
    assert listed(q="shop") == listed(q="11,424.00") == [first["id"]]
    assert listed(sort="-total")[0] == first["id"]
    assert listed(sort="customerName", limit=1) == [first["id"]]
    assert listed(sort="number") == [third["id"], first["id"], second["id"]]
    assert listed(sort="validUntil")[0] == first["id"]
    sums = acme.ok("GET", "/finance/quotes?groupBy=status")
    assert [(each["status"], each["currency"], each["count"], each["total"]) for each in sums] == [
        ("accepted", "EUR", 1, "1.00"),
        ("draft", "USD", 1, "9600.00"),
        ("issued", "EUR", 1, "11424.00"),
    ]
    page = acme.call("GET", "/finance/quotes?total=true&limit=1").json["page"]
    assert (page["total"], [each["leftNet"] for each in page["sums"]]) == (3, ["1.00", "0.00"])
    acme.refused("GET", "/finance/quotes?projectId=none", status=422)


def test_a_viewer_reads_quotes_and_a_member_does_not(acme, stranger):
    out = issued(acme)
    viewer, member = acme.colleague("viewer"), acme.colleague("member")
    assert viewer.ok("GET", f"/finance/quotes/{out['id']}")["can"] == []
    refused(viewer, out, "accept", "forbidden", 403)
    member.refused("GET", "/finance/quotes", status=403)
    stranger.refused("GET", f"/finance/quotes/{out['id']}", status=404)
