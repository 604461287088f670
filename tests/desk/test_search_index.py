"""The index of the search: it saves work and changes no answer."""

from random import Random
from typing import Any

import pytest

from erp.desk import search as searching
from erp.desk.list_views.bodies import NewListView
from erp.hr.expenses.bodies import NewClaim
from erp.store import engine, router, sql
from erp.store.router import WORKSPACE
from erp.store.search import narrowing, words
from erp.store.search.words import State
from tests.api.made import reminder
from tests.busy_offices import busy_office
from tests.conftest import Office, examples
from tests.desk.indexed import (
    Compared,
    compared,
    index_file,
    is_asked,
    small_offices_have_an_index,
    without_index,
    workspace_file,
)
from tests.desk.test_search import office, search, titles
from tests.finance.assets.assets import asset
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.finance.journals.journals import entry
from tests.finance.quotes.quotes import draft
from tests.projects.projects import plan
from tests.tasks.tasks import add

__all__ = ["compared", "office", "small_offices_have_an_index"]


def test_only_what_can_have_the_words_is_compared(office: Office, compared: Compared) -> None:
    for number in range(100, 120):
        plan(office, f"Quay {number}", code=f"Q{number}")
    assert titles(office, "quay 107") == ["Quay 107"]
    assert compared["project"] == 1
    assert len(titles(office, "quay 10")) == 8
    assert compared["project"] == 20, "two letters are too few to be looked for"
    assert titles(office, "lodz") == ["Brücke in Łódź"]
    assert compared == dict.fromkeys(compared, 0) | {"project": 1}


def test_a_number_is_looked_for_and_an_amount_is_compared(office: Office, compared: Compared) -> None:
    for _ in range(12):
        invoice(office)
    assert titles(office, "inv-12", "invoice") == ["INV-2026-00012"]
    assert compared["invoice"] == 1
    assert titles(office, "INV 12", "invoice") == ["INV-2026-00012"]
    assert titles(office, "5124.16", "invoice") == ["INV-2026-00001"]
    assert compared["invoice"] is None
    assert compared["task"] == 0, "tasks have no amounts"


def test_words_that_many_rows_have_are_compared(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "MOST_FOUND", 3)
    for number in range(4):
        customer(office, f"Globex {number}")
    assert titles(office, "globex") == [f"Globex {number}" for number in range(4)]
    assert compared["contact"] is None
    assert compared["project"] == 0


PIECES = (
    "Müller & Söhne",
    "Straßenbau",
    "GmbH",
    "Łódź",
    "Zoë",
    "Brandt",
    "façade",
    "Order 7",
    "Receivable",
    "INV-2026-00001",
    "PAY-2026-00001",
    "JE-2026-00002",
    "BRIDGE-1",
    "5.124,16",
    "124.16",
    "5 124",
    "2026",
    "100 % _",
    '"quoted"',
    "日本語の名前",
    "𝒳 😀😁😂",
    "R/4711",
    "EMP-0001",
)


def _texts(number: int, seed: int) -> list[str]:
    """Parts of what the records hold, in any order, case and number."""
    random = Random(seed)

    def part() -> str:
        piece = random.choice(PIECES)
        start = random.randrange(len(piece))
        cut = piece[start : start + random.randint(1, len(piece))]
        return random.choice((piece, cut, cut.upper(), sql.fold(cut), f" {cut}"))

    return [" ".join(part() for _ in range(random.choice((1, 1, 1, 2, 3, 9)))) for _ in range(number)]


@pytest.mark.thorough
def test_the_answer_is_the_same_with_the_index_and_without(office: Office, compared: Compared) -> None:
    named = customer(office, '日本語の名前 "quoted" 100 % _', email="zoe@example.com")["id"]
    invoice(office, "124.16", customerId=named, note="façade Order 7 — 5.124,16 𝒳 😀😁😂")
    plan(office, "INV-2026-00001", code="R4711", description="R/4711 Łódź")
    narrowed = found = 0
    for text in _texts(examples(400), seed=Random().randrange(1 << 30)):
        hits = search(office, text)
        narrowed += any(count is not None for count in compared.values())
        found += bool(hits)
        assert hits == without_index(office, text), text
    assert narrowed
    assert found


def test_a_record_is_found_as_it_is_now(office: Office, compared: Compared) -> None:
    assert is_asked(office, compared)
    globex = customer(office, "Globex")
    assert titles(office, "globex") == ["Globex"]
    office.ok("PATCH", f"/finance/contacts/{globex['id']}", {"name": "Initech"})
    assert titles(office, "globex") == []
    assert titles(office, "initech") == ["Initech"]
    office.ok("POST", f"/finance/contacts/{globex['id']}/archive", {})
    assert [hit["isArchived"] for hit in search(office, "initech")] == [True]
    office.ok("DELETE", f"/finance/contacts/{globex['id']}")
    assert titles(office, "initech") == []
    assert is_asked(office, compared)


def test_what_is_no_longer_there_leaves_the_index(office: Office, compared: Compared) -> None:
    task = add(office, "Paint the railings")
    assert titles(office, "railings") == ["Paint the railings"]
    office.ok("DELETE", f"/tasks/{task['id']}")
    assert search(office, "railings") == []
    assert compared["task"] == 0


def test_what_names_a_contact_is_found_by_its_new_name_at_once(office: Office, compared: Compared) -> None:
    assert [hit["type"] for hit in search(office, "söhne")] == ["contact", "invoice", "payment"]
    (contact,) = office.ok("GET", "/finance/contacts", params={"q": "söhne"})
    office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": "Initech"})
    assert [hit["type"] for hit in search(office, "initech")] == ["contact", "invoice", "payment"]
    assert compared == dict.fromkeys(compared, 0) | {"contact": 1, "invoice": 1, "payment": 1}
    assert titles(office, "söhne", "payment") == []
    assert compared["payment"] == 0


def test_the_log_tells_of_every_row_that_is_searched(installation: Any) -> None:
    """An index that begins empty at the first event and follows the log has what one that reads the tables has."""
    person = busy_office(installation)
    entry(person)
    asset(person)
    reminder(person)
    draft(person)
    person.ok("POST", "/hr/expense-claims", NewClaim.EXAMPLE)
    person.ok("POST", "/workspace/views", NewListView.EXAMPLE)
    path = index_file(person)
    with person.acting(), person.books():
        words.make(path)
        ((hash,),) = WORKSPACE.rows("SELECT hash FROM event WHERE seq = 1")
        form = narrowing._form(searching._SEARCHED, engine.schema_version(WORKSPACE))
        with words.opened(path, write=True):
            words.note(State(form, 1, hash, {}))
        assert narrowing.candidates(searching._SEARCHED, {"contact": [["qqqqq"]]}) == {"contact": []}
        for section, searched in enumerate(searching._SEARCHED):
            if searched.table != "account":  # the chart came with the first event
                rows = WORKSPACE.rows(searched.statement)
                assert rows, searched.table
                with words.opened(path, write=False):
                    for id, *texts in rows:
                        for word in " ".join(sql.fold(text) for text in texts if text).split():
                            if len(word) >= words.LETTERS:
                                assert id in (words.find(section, [[word]], 1000) or []), (searched.table, word)


def test_an_index_is_made_and_caught_up_in_steps_and_never_wrong_in_between(
    office: Office, compared: Compared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(narrowing, "MOST_READ", 7)
    monkeypatch.setattr(narrowing, "MOST_EVENTS", 2)
    steps = 0
    while not is_asked(office, compared):
        steps += 1
        assert titles(office, "lodz") == ["Brücke in Łódź"]
        (contact,) = office.ok("GET", "/finance/contacts", params={"q": "söhne"})
        office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": f"Söhne {steps}"})
        assert titles(office, f"söhne {steps}", "contact") == [f"Söhne {steps}"]
    assert steps > 1
    for number in range(5):
        customer(office, f"Globex {number}")
    assert len(titles(office, "globex")) == 5
    assert set(compared.values()) == {None}, "some of the events are not read yet"
    for _ in range(8):
        invoice(office, customerId=contact["id"])
    while not is_asked(office, compared):
        pass
    assert len(titles(office, "globex")) == 5
    office.ok("PATCH", f"/finance/contacts/{contact['id']}", {"name": "Initech"})
    assert [hit["type"] for hit in search(office, "initech")] == ["contact", *["invoice"] * 8, "payment"]
    assert compared["contact"] == 1
    assert compared["invoice"] is None, "so many rows are read in steps"
    while not is_asked(office, compared):
        pass
    assert len(titles(office, "initech", "invoice")) == 8
    assert compared["invoice"] == 9


def test_nothing_is_written_to_the_workspace_for_it(office: Office, compared: Compared) -> None:
    router.close_all()
    before = workspace_file(office).read_bytes()
    assert is_asked(office, compared)
    router.close_all()
    assert workspace_file(office).read_bytes() == before
