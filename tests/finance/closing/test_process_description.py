"""The description of how the books are kept, for an auditor."""

import io
from zipfile import ZipFile

import pypdf
import pytest
from peewee import IntegrityError

from erp.store.router import WORKSPACE
from tests.events import last_event
from tests.finance.closing.test_year_end import sign_in_again
from tests.finance.journals.journals import entry
from tests.refusals import complaint

PATH = "/finance/fiscal-years/2026/process-description"


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-03-10T09:00:00Z")
    entry(acme, "100.00", day="2026-01-05", debit="1010", credit="4000")
    return acme


def described(office, language="en"):
    answer = office.call("GET", f"{PATH}?format=md&language={language}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    return answer.text


def test_it_follows_the_settings_and_the_log(office):
    text = described(office)
    assert "Journal entries posted in this year: 1." in text
    assert "Bills need no approval" in text
    assert "The books are not locked." in text
    assert "Tax is rounded on each document" in text
    assert "- Invoices: INV-{year}-{seq:5}\n" in text
    change = {"billApproval": True, "taxRounding": "line", "taxBasis": [{"since": "2026-02-01", "basis": "cash"}]}
    office.ok("PATCH", f"/workspace/{office.workspace_id}", change)
    office.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "January"})
    office.colleague("viewer")
    text = described(office)
    assert "Payment runs pay only bills that someone" in text
    assert "locked through 31 Jan 2026" in text
    assert "the lock was moved in this year: 1." in text
    assert "Tax is rounded on each line" in text
    assert "- From 2026-02-01: when payment is received" in text
    assert "- Owner: 1\n- Viewer: 1\n" in text
    newest = office.ok("GET", "/workspace/events?limit=1&sort=-seq")[0]
    assert f"event {newest['seq']} with the hash {newest['hash']}" in text


def test_it_is_markdown_and_paper_in_both_languages(office):
    assert described(office, "de").startswith("# Verfahrensdokumentation 2026: ")
    heads = [line for line in described(office).splitlines() if line.startswith("## ")]
    assert len(heads) == 11
    content = office.call("GET", f"{PATH}?language=de").content
    text = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    assert "Unveränderbarkeit" in text
    assert "Belegeingang" in text


def test_a_year_without_books_has_none(office):
    office.refused("GET", "/finance/fiscal-years/1999/process-description", status=404, code="not_found")


def test_the_auditors_export_has_it(office):
    content = office.call("GET", "/finance/fiscal-years/2026/auditor-export?files=false").content
    with ZipFile(io.BytesIO(content)) as export:
        assert export.read("Verfahrensdokumentation.md").decode() == described(office, "de")


CHAPTERS = "/finance/process-chapters"
CASH = {"title": "Petty cash", "text": "The cash is counted.\n\n- on Fridays\n- on the last day\n# by two people"}


def own(text, title="Petty cash"):
    """The paragraphs of a chapter of the office."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def test_chapters_of_the_office_follow_as_they_were_written(office):
    made = office.ok("POST", CHAPTERS, CASH)
    assert made["validFrom"] == "2026-03-10"
    text = described(office)
    assert own(text) == (
        "In force from 10 Mar 2026:\n\nThe cash is counted.\n\n- on Fridays\n- on the last day\n\n\\# by two people"
    )
    assert text.index("## Backups and storage") < text.index("## Petty cash")
    assert own(described(office, "de")).startswith("Gültig ab 10.03.2026:")
    content = office.call("GET", f"{PATH}?language=en").content
    pages = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    assert "The cash is counted." in pages
    assert last_event(office) == ("process_chapter.created", {"title": "Petty cash", "validFrom": "2026-03-10"})


def test_a_new_wording_keeps_the_earlier_ones_with_their_days(office, clock_at):
    id = office.ok("POST", CHAPTERS, CASH | {"text": "Weekly.", "validFrom": "2025-06-01"})["id"]
    entry(office, "1.00", day="2025-07-01", debit="1010", credit="4000")
    office.ok("PATCH", f"{CHAPTERS}/{id}", {"text": "Daily.", "validFrom": "2026-02-01"})
    changed = office.ok("PATCH", f"{CHAPTERS}/{id}", {"text": "Hourly."})
    assert (changed["text"], changed["validFrom"], changed["version"]) == ("Hourly.", "2026-03-10", 3)
    office.ok("PATCH", f"{CHAPTERS}/{id}", {"text": "Each hour."})
    wordings = office.ok("GET", f"{CHAPTERS}/{id}/wordings")
    assert [(each["number"], each["text"], each["validFrom"]) for each in wordings] == [
        (4, "Each hour.", "2026-03-10"),
        (3, "Hourly.", "2026-03-10"),
        (2, "Daily.", "2026-02-01"),
        (1, "Weekly.", "2025-06-01"),
    ]
    assert own(described(office)).split("\n\n") == [
        *("In force from 1 Jun 2025 to 31 Jan 2026:", "Weekly."),
        *("In force from 1 Feb 2026 to 9 Mar 2026:", "Daily."),
        *("In force from 10 Mar 2026:", "Each hour."),
    ]
    before = office.call("GET", f"{PATH.replace('2026', '2025')}?format=md&language=en").text
    assert own(before) == "In force from 1 Jun 2025:\n\nWeekly."


def test_a_wording_is_not_in_force_before_the_present_one(office):
    id = office.ok("POST", CHAPTERS, CASH)["id"]
    refused = office.refused("PATCH", f"{CHAPTERS}/{id}", {"text": "A", "validFrom": "2026-03-09"}, status=422)
    assert complaint(refused) == ("validFrom", "too_early")
    same = office.ok("PATCH", f"{CHAPTERS}/{id}", {"text": CASH["text"]})
    assert (same["version"], len(office.ok("GET", f"{CHAPTERS}/{id}/wordings"))) == (1, 1)


def test_an_archived_chapter_is_left_out_of_later_years(office, clock_at):
    id = office.ok("POST", CHAPTERS, CASH)["id"]
    office.ok("POST", f"{CHAPTERS}/{id}/archive", {})
    assert office.ok("GET", CHAPTERS) == []
    assert [each["id"] for each in office.ok("GET", CHAPTERS, params={"isArchived": "true"})] == [id]
    assert own(described(office)), "it was in force in this year"
    clock_at("2027-01-10T18:00:00Z")
    sign_in_again(office)
    assert "Petty cash" not in office.call("GET", f"{PATH.replace('2026', '2027')}?format=md&language=en").text
    office.ok("POST", f"{CHAPTERS}/{id}/unarchive", {})
    later = office.call("GET", f"{PATH.replace('2026', '2027')}?format=md&language=en").text
    assert own(later).startswith("In force from 10 Mar 2026:")


def test_the_file_refuses_to_change_a_wording(office):
    office.ok("POST", CHAPTERS, CASH)
    for change in ("UPDATE process_wording SET text = 'x'", "DELETE FROM process_wording"):
        with pytest.raises(IntegrityError, match="a wording is never"), office.books(write=True):
            WORKSPACE.run(change)
