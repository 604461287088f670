"""Quotes on paper, on the home page, in the search and in `erp check`."""

import io

import pytest

from erp.store.router import WORKSPACE
from tests.events import events_of
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.output.papers import alster, consultancy
from tests.finance.quotes.quotes import accepted, act, draft, issued, line
from tests.finance.soundness import problems

pypdf = pytest.importorskip("pypdf")


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-02T09:00:00Z")


def paper(office, quote, query=""):
    answer = office.call("GET", f"/finance/quotes/{quote['id']}/pdf{query}")
    assert answer.status_code == 200, answer.text
    return answer


def texts(answer):
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def website(office):
    """A draft of a website to Alster, in German, with an option and an alternative."""
    standard = tax_rate(consultancy(office), "19")["id"]
    return draft(
        office,
        line(taxRateId=standard, description="Konzept"),
        line("480.00", "2", taxRateId=standard, description="Schulung", option="optional"),
        line("900.00", "12", taxRateId=standard, description="Neubau", option="alternative", alternativeTo=1),
        customerId=alster(office)["id"],
        discount={"percent": "10"},
        subject="Website",
        intro="Vielen Dank.",
        closing="Auf bald.",
    )


def test_a_quote_and_the_confirmation_of_its_order_are_printed_and_kept(acme):
    made = website(acme)
    assert "ENTWURF" in texts(paper(acme, made))
    out = act(acme, act(acme, act(acme, made, "issue"), "revise"), "issue")
    first = paper(acme, out)
    shown = texts(first)
    for words in (
        "Angebot QUO-2026-00001, Version 2",
        "Gültig bis 01.04.2026",
        "Website Vielen Dank.",
        "Alternative zu Pos. 1",
        "(10.800,00)",
        "10.281,60 €",
        "Auf bald.",
    ):
        assert words in shown
    assert "Bitte zahlen" not in shown
    assert shown.index("Vielen Dank.") < shown.index("Konzept") < shown.index("Auf bald.")
    refused_paper = acme.call("GET", f"/finance/quotes/{out['id']}/pdf?paper=order_confirmation")
    assert (refused_paper.status_code, refused_paper.json["error"]["code"]) == (409, "invalid_transition")
    chosen = [out["lines"][1]["id"], out["lines"][2]["id"]]
    act(acme, out, "accept", by="Petra Lindt", chosenLineIds=chosen)
    order = paper(acme, out, "?paper=order_confirmation")
    shown = texts(order)
    for words in ("Auftragsbestätigung QUO-2026-00001", "02.03.2026", "Petra Lindt", "Neubau", "12.594,96 €"):
        assert words in shown
    assert "Konzept" not in shown
    assert paper(acme, out).content == first.content
    assert paper(acme, out, "?paper=order_confirmation").headers["X-Content-SHA256"]
    assert events_of(acme, out["id"]).count("quote.filed") == 2
    act(acme, out, "reopen")
    act(acme, out, "accept", by="Nora Licht")
    assert "Nora Licht" in texts(paper(acme, out, "?paper=order_confirmation&inline=true"))
    assert problems(acme) == []


def test_home_shows_quotes_that_expire_or_wait_for_an_invoice(acme, clock_at):
    globex = customer(acme)["id"]
    soon = issued(acme, customerId=globex, validUntil="2026-03-23")
    issued(acme, customerId=globex, validUntil="2026-03-24")
    waiting = accepted(acme, customerId=globex)
    billed = accepted(acme, customerId=globex)
    act(acme, billed, "invoice", share="10")
    clock_at("2026-03-15T09:00:00Z")
    assert acme.ok("GET", "/workspace/home")["quotesToFollow"] == {"total": 0, "items": []}
    clock_at("2026-03-16T09:00:00Z")
    shown = acme.ok("GET", "/workspace/home")["quotesToFollow"]
    assert [(each["id"], each["why"], each["day"]) for each in shown["items"]] == [
        (waiting["id"], "not_invoiced", "2026-03-02"),
        (soon["id"], "expires", "2026-03-23"),
    ]
    (hit, *_) = acme.ok("GET", "/workspace/search", params={"q": "quo-1"})
    assert (hit["type"], hit["id"], hit["amount"]) == ("quote", soon["id"], "9600.00")
    assert acme.colleague("member").ok("GET", "/workspace/home")["quotesToFollow"] is None


def test_a_quote_that_another_program_has_changed_is_found(acme):
    out = accepted(acme, line(), line("1.00"))
    accepted(acme, line("2.00"))
    act(acme, out, "invoice", rest=True)
    with acme.books(write=True):
        WORKSPACE.run("UPDATE quote_line SET accepted_net = 1 WHERE position = 1 AND quote_id = ?", (out["id"],))
        WORKSPACE.run("UPDATE quote SET accepted_net = 5, is_above = 0 WHERE id = ?", (out["id"],))
    found = problems(acme)
    assert any(text.startswith("Quote QUO-2026-00001: what was accepted is not the sum") for text in found)
    assert "More of quote QUO-2026-00001 has been invoiced than was accepted." in found
    assert not any("QUO-2026-00002" in text for text in found)
