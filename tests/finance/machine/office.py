"""An office at work beside a model of its books: what every kind of rule stands on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from erp.store.router import WORKSPACE
from tests.conftest import Office
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.machine.books import Books
from tests.finance.machine.model import CREDITED_BY, Document, Item, Link

FIRST = date(2026, 3, 2)
RATES = {"EUR": ["1"], "USD": ["0.92", "0.95", "0.8873", "1.1"], "JPY": ["0.0061", "0.0058", "0.0067", "0.0033"]}
CURRENCIES = st.sampled_from(["EUR", "EUR", "USD", "JPY"])
PERCENTS = (19, 7, 0)
DAYS_BACK = st.sampled_from([-40, -20, -9, -5, -3, -2, -1, 0, 0, 0, 0, 2, 5])
"""Of a date, counted from today."""
SETTLING_DAYS = st.sampled_from([None, None, None, None, 0, 2, -1, -3, -9, -20])
"""The same of what is done to something that is there already; none where the request names no date."""
SELDOM = st.sampled_from([False] * 7 + [True])
AMOUNTS = st.one_of(st.integers(1, 300), st.integers(1, 500_000))
OWN_ACCOUNTS = {"1010": "EUR", "1020": "USD", "1021": "USD", "1030": "JPY"}
"""The accounts that hold money, with their currencies; 1010 is there from the beginning."""

Part = tuple[Item, int]


class Clock:
    """The day of the office; the clock itself goes on, so that its session does not end."""

    today = FIRST


@dataclass
class Figures:
    """What a run of the machine came to."""

    runs: int = 0
    steps: int = 0
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        done, refused = self.done.total(), self.refused.total()
        sums = f"{self.runs} runs, {self.steps} steps, {done} requests carried out, {refused} refused as foreseen"
        counted = [
            f"{count} {name}" for counter in (self.done, self.refused) for name, count in sorted(counter.items())
        ]
        return "\n".join([sums, *counted, ""])


class Machine(RuleBasedStateMachine):
    """A further kind of rule is a class like the others in this folder, named in `test_machine.py`.

    A rule asks the office, says in `refusals` for which reasons the office should refuse, and otherwise tells the
    model.
    """

    office: ClassVar[Office]
    figures: ClassVar[Figures]

    def open_books(self) -> None:
        Clock.today = FIRST
        self.books = Books()
        self.names: dict[str, Item | Link] = {}
        self.office.select(self.office.ok("POST", "/workspace", {"name": "Books"})["id"])
        cash = {"taxBasis": [{"since": "2000-01-01", "basis": "cash"}]}
        self.office.ok("PATCH", f"/workspace/{self.office.workspace_id}", cash)
        self.contacts = {
            customer(self.office, name, kind=kind)["id"]: kind
            for name, kind in (("Globex", "customer"), ("Meyer", "supplier"), ("Initech", "both"))
        }
        self.tax_rates = {
            percent: tax_rate(self.office, str(percent), category="S" if percent else "Z")["id"] for percent in PERCENTS
        }
        for code, currency in OWN_ACCOUNTS.items():
            if code != "1010":
                kind = {"type": "asset", "subtype": "bank", "currency": currency}
                self.office.ok("POST", "/finance/accounts", {"code": code, "name": f"Bank {code}", **kind})
        self.codes = {account["id"]: account["code"] for account in self.office.ok("GET", "/finance/accounts")}
        self.figures.runs += 1

    # What the office is asked

    def ask(self, path: str, body: dict[str, Any], refusals: Sequence[str]) -> Any:
        """What the office makes; None where it refuses, which it does for these reasons alone."""
        answer = self.office.call("POST", f"/finance{path}", body)
        assert answer.status_code in (200, 201, 409, 422), answer.text
        name = path.strip("/").split("/")
        kind = "/".join(part for part in name if not any(char.isdigit() for char in part))
        if answer.status_code >= 400:
            code = reason(answer.json["error"])
            assert code in refusals, (path, body, refusals, answer.text)
            self.figures.refused[f"{kind} {code}"] += 1
            return None
        assert not refusals, (path, body, refusals, answer.text)
        self.figures.done[" ".join([kind, *details(body)])] += 1
        return answer.json["data"]

    def day(self, back: int) -> date:
        return Clock.today + timedelta(back)

    def dated(self, back: int | None) -> dict[str, Any]:
        return {} if back is None else {"date": str(self.day(back))}

    def day_from(self, first: date, back: int | None) -> tuple[date, list[str]]:
        """The day of what cannot be before a first one: today unless it is named, or the first one if that is later."""
        day = max(Clock.today, first) if back is None else self.day(back)
        return day, self.closed(day) + (["dated_too_early"] if day < first else [])

    def closed(self, day: date) -> list[str]:
        return ["period_locked"] if self.books.is_locked(day) else []

    def rate(self, currency: str, rate: str) -> dict[str, str]:
        return {} if currency == "EUR" else {"exchangeRate": rate}

    # What there is

    def of_type(self, *types: str) -> list[Document]:
        return [document for document in self.books.documents if document.type in types]

    def creditable(self) -> list[Document]:
        return [invoice for invoice in self.of_type("invoice") if invoice.kind in CREDITED_BY]

    def matching(self, item: Item) -> list[Item]:
        """The items that can settle it or be settled by it."""
        return [
            other for other in self.books.items if self.alike(item) == self.alike(other) and other.sign == -item.sign
        ]

    def alike(self, item: Item) -> tuple[str, str, str]:
        return item.contact, item.account, item.currency

    def open_items(self) -> list[Item]:
        return [item for item in self.books.items if item.left]

    def pairs(self, *types: str) -> list[tuple[Item, Item]]:
        """What is open and can settle each other, of documents of two types."""
        return [
            (item, other)
            for item in self.open_items()
            if not types or item.document.type == types[0]
            for other in self.matching(item)
            if other.left and (not types or other.document.type == types[1])
        ]

    def party(self, data: Any) -> tuple[str, str]:
        """A contact and a currency: mostly of something that is open."""
        left = self.open_items()
        if left and not data.draw(SELDOM):
            item = data.draw(st.sampled_from(left))
            return item.contact, item.currency
        return data.draw(st.sampled_from(sorted(self.contacts))), data.draw(CURRENCIES)

    def any_live(self, data: Any, documents: Sequence[Document]) -> Document:
        """A document that is void only seldom."""
        live = [document for document in documents if not document.is_void]
        chosen: Document = data.draw(st.sampled_from(documents if data.draw(SELDOM) else live or documents))
        return chosen

    def kept(self, link: Link) -> list[str]:
        """Why what a document settles cannot be released with it, whatever the way."""
        for document in link.documents:
            is_first = any(item is document.items[0] for item in (link.source, link.target) if document.items)
            if self.books.is_written_off(document) or (document.standing("doubtful") and is_first):
                return ["invalid_transition"]
            if document.kind == "deposit_invoice" and self.books.final_of(document):
                return ["invalid_transition"]
        return []

    # What was made

    def learn(self) -> None:
        """Find the ids of new items and links, of which the office has exactly those that the model has."""
        with self.office.books():
            items = WORKSPACE.rows(
                "SELECT id, account_id, contact_id, currency, amount, base_amount, date FROM open_item ORDER BY id"
            )
            links = WORKSPACE.rows("SELECT id, from_item_id, to_item_id, amount, date FROM allocation ORDER BY id")
        made = [item for item in self.books.items if not item.id]
        new = [row for row in items if row[0] not in self.names]
        for item, row in zip(sorted(made, key=item_key), sorted(new, key=self.row_key), strict=True):
            assert item_key(item) == self.row_key(row), (item, item_key(item), self.row_key(row))
            self.name(item, row[0])
        unnamed = {id(link): link for item in self.books.items for link in item.links if not link.id}
        rows = [row for row in links if row[0] not in self.names]
        for link, row in zip(sorted(unnamed.values(), key=link_key), sorted(rows, key=row_of_link), strict=True):
            assert link_key(link) == row_of_link(row), (link, link_key(link), row_of_link(row))
            self.name(link, row[0])

    def row_key(self, row: Sequence[Any]) -> tuple[Any, ...]:
        _, account, contact, currency, amount, base, day = row
        return self.codes[account], contact, currency, amount, base, day

    def name(self, made: Item | Link, id: str) -> None:
        made.id = id
        self.names[id] = made


def reason(error: dict[str, Any]) -> str:
    """The code of what is wrong; of several fields the first, as stand-ins for it may lead to the others."""
    details = error["details"] if error["code"] == "validation_failed" else [error]
    return str(details[0]["code"])


def details(body: dict[str, Any]) -> Iterator[str]:
    """What a request asks for beyond its path."""
    yield from (body[name] for name in ("kind", "category") if name in body)
    for part in body.get("allocations", ()):
        yield from (name for name in ("discountTaken", "discountAmount", "settleDifference") if name in part)


def item_key(item: Item) -> tuple[Any, ...]:
    return item.account, item.contact, item.currency, item.amount, item.base, str(item.day)


def link_key(link: Link) -> tuple[Any, ...]:
    return *sorted((link.source.id, link.target.id)), link.amount, str(link.day)


def row_of_link(row: Sequence[Any]) -> tuple[Any, ...]:
    _, source, target, amount, day = row
    return *sorted((source, target)), amount, day
