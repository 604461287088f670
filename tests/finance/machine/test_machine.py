"""Whatever an office does, in any order, what contacts owe is equal to the books (AC-0).

Ordinary runs are few and short. `ERP_MACHINE=300x40` makes 300 runs of 40 steps.
"""

import os
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from erp.store import router, workspace_settings
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.conftest import Office
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.machine.model import (
    BANK,
    CREDITED_BY,
    GAINS,
    LOSSES,
    PAYABLE,
    RECEIVABLE,
    SIGNS,
    Books,
    Document,
    Item,
    Line,
    Link,
    in_base,
    minor,
    tax_of,
    text,
)

RUNS, STEPS = (int(number) for number in os.environ.get("ERP_MACHINE", "4x15").split("x"))

FIRST = date(2026, 3, 2)
RATES = {"EUR": ["1"], "USD": ["0.92", "0.95", "0.8873", "1.1"], "JPY": ["0.0061", "0.0058", "0.0067", "0.0033"]}
CURRENCIES = st.sampled_from(["EUR", "EUR", "USD", "JPY"])
SALES, PURCHASES = ("sales_invoice", "sales_credit_note"), ("purchase_invoice", "purchase_credit_note")
KINDS = {"customer": SALES, "supplier": PURCHASES, "both": SALES + PURCHASES}
PERCENTS = (19, 7, 0)
DAYS_BACK = st.sampled_from([-40, -20, -9, -5, -3, -2, -1, 0, 0, 0, 0, 2, 5])
"""Of a date, counted from today."""
SETTLING_DAYS = st.sampled_from([None, None, None, None, 0, 2, -1, -3, -9, -20])
"""The same of what is done to something that is there already; none where the request names no date."""
SELDOM = st.sampled_from([False] * 7 + [True])
AMOUNTS = st.one_of(st.integers(1, 300), st.integers(1, 500_000))
PAST = st.tuples(st.integers(1, 15), st.integers(16, 120))
"""How many days before today the books are looked at."""
ACCOUNTS = (RECEIVABLE, PAYABLE, BANK, GAINS, LOSSES)
BEYOND = 200
"""How many records a page holds."""

Part = tuple[Item, int]


class Clock:
    """The day of the office; the clock itself goes on, so that its session does not end."""

    today = FIRST


class OpenItems(RuleBasedStateMachine):
    """An office at work beside a model of what its contacts owe.

    A further way to settle an item is a rule here: it asks the office, says in `refusals` why the office should
    refuse, and otherwise tells the model. `settle` and `release` of the model post the exchange differences.
    """

    office: Office

    @initialize()
    def open_an_office(self) -> None:
        Clock.today = FIRST
        self.books = Books()
        self.office.select(self.office.ok("POST", "/workspace", {"name": "Books"})["id"])
        self.contacts = {
            customer(self.office, name, kind=kind)["id"]: kind
            for name, kind in (("Globex", "customer"), ("Meyer", "supplier"), ("Initech", "both"))
        }
        self.tax_rates = {
            percent: tax_rate(self.office, str(percent), category="S" if percent else "Z")["id"] for percent in PERCENTS
        }
        self.codes = {code: self.account(code) for code in (*ACCOUNTS, "6850")}

    @rule(days=st.sampled_from([1, 3, 8, 25]), through=st.sampled_from([0, 0, 0, 0, -60, -25, -9, -3]))
    def days_pass(self, days, through):
        """At times the books are locked through a day, or unlocked where they are locked beyond it."""
        Clock.today += timedelta(days)
        if through and self.books.is_locked(self.day(through)):
            self.ask("/periods/unlock", {"throughDate": None, "reason": "A correction"}, [])
            self.books.lock = None
        elif through:
            self.ask("/periods/lock", {"throughDate": str(self.day(through))}, [])
            self.books.lock = self.day(through)

    @rule(data=st.data(), back=DAYS_BACK, amounts=st.lists(AMOUNTS, min_size=1, max_size=2))
    def issue(self, data, back, amounts):
        contact, currency = self.party(data)
        kind = data.draw(st.sampled_from(KINDS[self.contacts[contact]]))
        percents = data.draw(st.permutations(PERCENTS))
        rate = data.draw(st.sampled_from(RATES[currency]))
        day, lines = self.day(back), [Line(*pair) for pair in zip(amounts, percents, strict=False)]
        body = {
            "kind": kind,
            "supplierId" if kind.startswith("purchase") else "customerId": contact,
            "issueDate": str(day),
            "dueDate": str(day + timedelta(14)),
            "currency": currency,
            "lines": [self.line(line, currency) for line in lines],
            **self.rate(currency, rate),
        }
        refusals = self.closed(day)
        made = self.ask("/invoices", body, refusals)
        if made is None:
            return
        for line, shown in zip(lines, made["lines"], strict=True):
            line.id = shown["id"]
        total = sum(line.net + line.tax for line in lines)
        document = Document("invoice", made["id"], made["number"], contact, kind, day, currency, total, lines=lines)
        self.enter_invoice(document, in_base(total, currency, rate))

    @precondition(lambda self: self.creditable())
    @rule(data=st.data(), back=SETTLING_DAYS, whole=st.booleans(), amount=AMOUNTS, greedy=SELDOM)
    def credit(self, data, back, whole, amount, greedy):
        invoice = data.draw(st.sampled_from(self.creditable()))
        lefts = [invoice.left_of(place) for place in range(len(invoice.lines))]
        place = data.draw(st.integers(0, len(lefts) - 1))
        amount = min(amount, lefts[place][0] + greedy) or 1
        day = self.day(back) if back is not None else max(Clock.today, invoice.day)
        refusals = self.closed(day)
        refusals += ["before the invoice"] if day < invoice.day else []
        refusals += ["void"] if invoice.is_void else []
        body: dict[str, Any] = {} if back is None else {"date": str(day)}
        if whole:
            taken = lefts
            refusals += [] if any(net for net, _ in lefts) else ["nothing is left"]
        else:
            net, tax = lefts[place]
            refusals += ["too much"] if amount > net else []
            part = amount, tax if amount == net else min(tax, tax_of(amount, invoice.lines[place].percent))
            taken = [part if i == place else (0, 0) for i in range(len(lefts))]
            body["lines"] = [{"lineId": invoice.lines[place].id, "amount": text(amount, invoice.currency)}]
        made = self.ask(f"/invoices/{invoice.id}/credit", body, refusals)
        if made is not None:
            self.enter_credit(invoice, made, day, taken, is_last=taken == lefts)

    @precondition(lambda self: any(self.payable()))
    @rule(
        data=st.data(), back=DAYS_BACK, greedy=SELDOM, more=st.sampled_from([0, 0, 77]), fee=st.sampled_from([0, 0, 1])
    )
    def pay(self, data, back, greedy, more, fee):
        """Settle open documents of one contact, account, currency and side, whole or in part, and a little more."""
        like = data.draw(st.sampled_from(self.payable()))
        candidates = [
            item for item in self.payable() if self.alike(item) == self.alike(like) and item.sign == like.sign
        ]
        items = data.draw(st.lists(st.sampled_from(candidates), min_size=1, max_size=3, unique=True))
        parts = [(item, data.draw(st.sampled_from([item.left, item.left, (item.left + 1) // 2]))) for item in items]
        parts[0] = parts[0][0], parts[0][1] + greedy
        amount, direction = sum(part for _, part in parts) + more, "received" if like.sign > 0 else "made"
        self.record(data, like.contact, like.currency, direction, amount, parts, self.day(back), fee)

    @rule(data=st.data(), back=DAYS_BACK, amount=AMOUNTS, direction=st.sampled_from(["received", "made"]))
    def pay_on_account(self, data, back, amount, direction):
        self.record(data, *self.party(data), direction, amount, [], self.day(back), 0)

    def record(
        self,
        data: Any,
        contact: str,
        currency: str,
        direction: str,
        amount: int,
        parts: Sequence[Part],
        day: date,
        fee: int,
    ) -> None:
        rate, refusals = data.draw(st.sampled_from(RATES[currency])), self.closed(day)
        parts, settled = self.settled_by_payment(parts, by_item=data.draw(SELDOM))
        refusals += ["too much"] if any(part > item.left for item, part in parts) else []
        refusals += ["fee"] if direction == "received" and 0 < amount <= fee else []
        body = {
            "direction": direction,
            "contactId": contact,
            "amount": text(amount, currency),
            "currency": currency,
            "date": str(day),
            **settled,
            **self.rate(currency, rate),
            **({"feeAmount": text(fee, currency)} if fee else {}),
        }
        made = self.ask("/payments", body, refusals)
        if made is None:
            return
        by_default = PAYABLE if self.contacts[contact] == "supplier" else RECEIVABLE
        sign, account = (-1 if direction == "received" else 1), parts[0][0].account if parts else by_default
        base, fee_base = in_base(sign * amount, currency, rate), in_base(fee, currency, rate)
        document = Document("payment", made["id"], made["number"], contact, direction, day, currency, amount)
        document.money = [(BANK, -base - fee_base)]
        own = Item(document, contact, account, currency, sign * amount, base, day, day)
        self.enter(document, own)
        for item, part in parts:
            self.books.link(own, item, part, max(own.free_from, item.free_from))
        self.name_links(own)

    @precondition(lambda self: self.pairs("payment", "invoice"))
    @rule(data=st.data(), back=SETTLING_DAYS, amount=AMOUNTS, greedy=SELDOM)
    def allocate_a_payment(self, data, back, amount, greedy):
        own, item = data.draw(st.sampled_from(self.pairs("payment", "invoice")))
        amount, payment = min(amount, min(own.left, item.left) + greedy), own.document
        day, refusals = self.settling_day(own, item, back)
        refusals += ["too much"] if amount > min(own.left, item.left) else []
        body = {"allocations": [{"invoiceId": item.document.id, "amount": text(amount, item.currency)}]}
        made = self.ask(f"/payments/{payment.id}/allocations", body | self.dated(back), refusals)
        if made is not None:
            self.books.link(own, item, amount, day)
            self.name_links(own)

    @precondition(lambda self: self.pairs())
    @rule(data=st.data(), back=SETTLING_DAYS, amount=AMOUNTS, greedy=SELDOM, anything=SELDOM)
    def allocate_items(self, data, back, amount, greedy, anything):
        source, target = data.draw(st.sampled_from(self.pairs()))
        if anything:
            target = data.draw(st.sampled_from(self.books.items))
        self.allocate(source, target, min(amount, min(source.left, target.left) + greedy) or 1, back)

    def allocate(self, source: Item, target: Item, amount: int, back: int | None) -> None:
        day, refusals = self.settling_day(source, target, back)
        refusals += ["too much"] if amount > min(source.left, target.left) else []
        refusals += [] if target in self.matching(source) else ["they do not match"]
        body = {"fromItemId": source.id, "toItemId": target.id, "amount": text(amount, source.currency)}
        made = self.ask("/allocations", body | self.dated(back), refusals)
        if made is not None:
            self.books.link(source, target, amount, day).id = made["id"]

    @precondition(lambda self: any(self.books.links()))
    @rule(data=st.data(), later=st.sampled_from([None, None, 0, 1, 5, -1]), through_payment=st.booleans())
    def release(self, data, later, through_payment):
        link = data.draw(st.sampled_from([*self.books.links()]))
        back = None if later is None else min((link.day - Clock.today).days + later, 7)
        day = max(Clock.today, link.day) if back is None else self.day(back)
        refusals = self.closed(day) + (["before itself"] if day < link.day else [])
        payments = [item.document for item in (link.source, link.target) if item.document.type == "payment"]
        path = f"/allocations/{link.id}/release"
        if payments and through_payment:
            path = f"/payments/{payments[0].id}{path}"
        if self.ask(path, self.dated(back), refusals) is not None:
            self.books.release(link, day)

    @rule(data=st.data(), back=DAYS_BACK, amount=AMOUNTS, debit=st.booleans())
    def write_by_hand(self, data, back, amount, debit):
        """Something that a contact owes or is owed against an expense, or moved to another contact or account."""
        contact, currency = self.party(data)
        contacts, accounts = st.sampled_from(sorted(self.contacts)), st.sampled_from([RECEIVABLE, PAYABLE])
        legs = [(contact, data.draw(accounts), 1 if debit else -1)]
        if data.draw(SELDOM):
            legs.append((data.draw(contacts), data.draw(accounts), -legs[0][2]))
        base = in_base(amount, currency, data.draw(st.sampled_from(RATES[currency]))) or 1
        day = self.day(back)
        lines = [self.leg(currency, amount, base, *leg) for leg in legs]
        if len(lines) == 1:
            lines.append({"accountId": "6850", "credit" if debit else "debit": text(base)})
        refusals = self.closed(day)
        made = self.ask("/journals", {"date": str(day), "description": "By hand", "lines": lines}, refusals)
        if made is None:
            return
        document = Document("journal_entry", made["id"], made["number"], legs[0][0], "manual", day)
        items = [
            Item(document, contact, account, currency, sign * amount, sign * base, day, day)
            for contact, account, sign in legs
        ]
        self.enter(document, *items)

    @precondition(lambda self: self.of_type("journal_entry"))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def reverse(self, data, back):
        entry = self.any_live(data, self.of_type("journal_entry"))
        first = max(item.last_day for item in entry.items)
        day = max(Clock.today, first) if back is None else self.day(back)
        refusals = self.closed(day)
        refusals += ["reversed"] if entry.is_void else []
        refusals += ["settled"] if entry.settled else []
        refusals += ["before a release"] if day < first else []
        if self.ask(f"/journals/{entry.id}/reverse", self.dated(back), refusals) is not None:
            self.reversed(entry, day)

    @precondition(lambda self: self.of_type("invoice", "payment"))
    @rule(data=st.data(), back=SETTLING_DAYS)
    def void(self, data, back):
        document = self.any_live(data, self.of_type("invoice", "payment"))
        first = document.item.last_day
        day = self.day(back) if back is not None else max(Clock.today, first)
        refusals = self.closed(day)
        refusals += ["void"] if document.is_void else []
        refusals += ["too early"] if day < first else []
        refusals += ["settled"] if document.type == "invoice" and self.keeps(document) else []
        refusals += ["credited"] if document.live_notes else []
        if self.ask(f"/{document.type}s/{document.id}/void", self.dated(back), refusals) is not None:
            self.reversed(document, day)

    @invariant()
    def all_reports_say_what_the_model_says(self):
        if hasattr(self, "books"):
            self.looks = getattr(self, "looks", 0) + 1
            recent, old = 1 + self.looks * 7 % 13, 15 + self.looks * 29 % 97
            self.check_items(Clock.today, Clock.today - timedelta(recent), Clock.today - timedelta(old))
            self.check_contacts()
            self.check_reports(Clock.today if self.looks % 2 else Clock.today - timedelta(recent))

    def teardown(self):
        if not hasattr(self, "books"):
            return
        self.check_documents()
        router.close_all()
        path = self.office.installation.config.workspaces_dir / f"{self.office.workspace_id}.db"
        assert checking.workspace_file(path, nobody_writes=True).problems == []
        router.close_all()

    # What the office shows

    def check_items(self, *days: date) -> None:
        assert self.shown_items() == self.books.left_now()
        for day in days:
            self.books.check(day)
            assert self.shown_items(asOf=str(day)) == self.books.open_on(day), day

    def shown_items(self, **params: str) -> list[tuple[str, str, int, int]]:
        shown = self.office.ok("GET", "/finance/open-items", params={"limit": str(BEYOND), **params})
        assert len(shown) < BEYOND
        return sorted(
            (item["number"], item["currency"], minor(item["open"], item["currency"]), minor(item["openBase"]))
            for item in shown
        )

    def check_contacts(self) -> None:
        day = Clock.today
        for shown in self.office.ok("GET", "/finance/contacts"):
            id = shown["id"]
            amounts = [minor(shown[name]) for name in ("balance", "overdue", "unallocatedCredit")]
            model = [self.books.owed_by(id, day), self.books.overdue(id, day), self.books.credit(id, day)]
            assert amounts == model, shown["name"]
            statement = self.office.ok("GET", f"/finance/contacts/{id}/statement", params={"dateTo": str(day)})
            closings = {block["currency"]: minor(block["closing"], block["currency"]) for block in statement["blocks"]}
            assert {currency: amount for currency, amount in closings.items() if amount} == self.books.closing(id, day)

    def check_reports(self, day: date) -> None:
        model = {code: amount for code in ACCOUNTS if (amount := self.books.balance(code, day))}
        trial = self.office.ok("GET", "/finance/reports/trial-balance", params={"date": str(day)})
        rows = {row["account"]["code"]: minor(row["debit"]) - minor(row["credit"]) for row in trial["rows"]}
        assert {code: amount for code, amount in rows.items() if code in ACCOUNTS} == model
        assert sum(rows.values()) == 0
        sheet = self.office.ok("GET", "/finance/reports/balance-sheet", params={"date": str(day)})
        assert sheet["isBalanced"] is True
        shown = {
            account["code"]: sign * minor(account["balance"])
            for section, sign in (("assets", 1), ("liabilities", -1))
            for group in sheet[section]["groups"]
            for account in group["accounts"]
        }
        for code in (RECEIVABLE, PAYABLE, BANK):
            assert shown.get(code, 0) == model.get(code, 0), code

    def check_documents(self) -> None:
        """What is due on invoices as of today, and what payments have left whatever the day."""
        for document in self.of_type("invoice"):
            shown = self.office.ok("GET", f"/finance/invoices/{document.id}")
            due = document.total - sum(link.amount for link in document.item.live if link.day <= Clock.today)
            assert minor(shown["amountDue"], document.currency) == (0 if document.is_void else due), document.number
        for document in self.of_type("payment"):
            shown = self.office.ok("GET", f"/finance/payments/{document.id}")
            assert minor(shown["unallocatedAmount"], document.currency) == document.item.left, document.number

    # What the office is asked

    def ask(self, path: str, body: dict[str, Any], refusals: Sequence[str]) -> Any:
        """What the office makes; None where it refuses, which it does for these reasons alone."""
        answer = self.office.call("POST", f"/finance{path}", body)
        assert answer.status_code in (200, 201, 409, 422), answer.text
        refused = answer.status_code >= 400
        assert refused == bool(refusals), (path, body, refusals, answer.text)
        return None if refused else answer.json["data"]

    def day(self, back: int) -> date:
        return Clock.today + timedelta(back)

    def dated(self, back: int | None) -> dict[str, Any]:
        return {} if back is None else {"date": str(self.day(back))}

    def closed(self, day: date) -> list[str]:
        return ["locked"] if self.books.is_locked(day) else []

    def settling_day(self, source: Item, target: Item, back: int | None) -> tuple[date, list[str]]:
        """The day of an allocation: today unless it is named, and not before both are free."""
        earliest = max(source.free_from, target.free_from)
        day = max(Clock.today, earliest) if back is None else self.day(back)
        return day, self.closed(day) + (["too early"] if day < earliest else [])

    def rate(self, currency: str, rate: str) -> dict[str, str]:
        return {} if currency == "EUR" else {"exchangeRate": rate}

    def line(self, line: Line, currency: str) -> dict[str, Any]:
        price, rate = text(line.net, currency), self.tax_rates[line.percent]
        return {"description": "Work", "quantity": "1", "unitPrice": price, "taxRateId": rate}

    def leg(self, currency: str, amount: int, base: int, contact: str, account: str, sign: int) -> dict[str, Any]:
        foreign = {} if currency == "EUR" else {"currency": currency, "foreignAmount": text(amount, currency)}
        side = "debit" if sign > 0 else "credit"
        return {"accountId": account, "contactId": contact, side: text(base), **foreign}

    def settled_by_payment(self, parts: Sequence[Part], *, by_item: bool) -> tuple[list[Part], dict[str, Any]]:
        """What a payment settles, in the order in which its request says it: invoices come first."""
        allocations, settles = [], []
        for item, part in parts:
            document, amount = item.document, {"amount": text(part, item.currency)}
            if document.type == "journal_entry" or by_item:
                settles.append(((item, part), {"itemId": item.id} | amount))
            elif document.type == "payment":
                settles.append(((item, part), {"paymentId": document.id} | amount))
            elif document.kind in CREDITED_BY:
                allocations.append(((item, part), {"invoiceId": document.number} | amount))
            else:
                settles.append(((item, part), {"creditNoteId": document.id} | amount))
        in_order = [part for part, _ in [*allocations, *settles]]
        return in_order, {"allocations": [row for _, row in allocations], "settles": [row for _, row in settles]}

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

    def payable(self) -> list[Item]:
        """What a payment can settle."""
        return [item for item in self.books.items if item.left]

    def pairs(self, *types: str) -> list[tuple[Item, Item]]:
        """What is open and can settle each other, of documents of two types."""
        return [
            (item, other)
            for item in self.books.items
            if item.left and (not types or item.document.type == types[0])
            for other in self.matching(item)
            if other.left and (not types or other.document.type == types[1])
        ]

    def party(self, data: Any) -> tuple[str, str]:
        """A contact and a currency: mostly of something that is open."""
        left = [item for item in self.books.items if item.left]
        if left and not data.draw(SELDOM):
            item = data.draw(st.sampled_from(left))
            return item.contact, item.currency
        return data.draw(st.sampled_from(sorted(self.contacts))), data.draw(CURRENCIES)

    def any_live(self, data: Any, documents: Sequence[Document]) -> Document:
        """A document that is void only seldom."""
        live = [document for document in documents if not document.is_void]
        chosen: Document = data.draw(st.sampled_from(documents if data.draw(SELDOM) else live or documents))
        return chosen

    def keeps(self, invoice: Document) -> bool:
        """Whether it is settled by something that voiding it would not release."""
        links = [link for link in invoice.item.live if not link.is_reversal]
        others = [link.source if link.target is invoice.item else link.target for link in links]
        return any(invoice.kind in CREDITED_BY or other.document.type != "invoice" for other in others)

    # What was made

    def enter_invoice(self, document: Document, base: int) -> None:
        sign = SIGNS[document.kind]
        account = PAYABLE if document.kind.startswith("purchase") else RECEIVABLE
        due = document.day + timedelta(14) if document.kind in CREDITED_BY else document.day
        item = Item(
            document,
            document.contact,
            account,
            document.currency,
            sign * document.total,
            sign * base,
            document.day,
            due,
        )
        self.enter(document, item)

    def enter_credit(
        self, invoice: Document, made: dict[str, Any], day: date, taken: list[tuple[int, int]], *, is_last: bool
    ) -> None:
        total = sum(net + tax for net, tax in taken)
        assert minor(made["total"], invoice.currency) == total
        left = abs(invoice.item.base) - sum(abs(note.item.base) for note in invoice.live_notes)
        base = left if is_last else min(left, in_share(invoice, total))
        note = Document(
            "invoice",
            made["id"],
            made["number"],
            invoice.contact,
            CREDITED_BY[invoice.kind],
            day,
            invoice.currency,
            total,
            credits=invoice,
            credited_nets=taken,
        )
        self.enter_invoice(note, base)
        invoice.notes.append(note)
        amount = min(total, invoice.item.left)
        if amount:
            self.books.link(note.item, invoice.item, amount, max(day, invoice.item.free_from))
            self.name_links(note.item)

    def enter(self, document: Document, *items: Item) -> None:
        self.books.enter(document, *items)
        self.name_items(document)

    def reversed(self, document: Document, day: date) -> None:
        self.books.reverse(document, day)
        self.name_items(document)

    def name_items(self, document: Document) -> None:
        """Look up the ids of the items of a document, which the office has in the same order."""
        with self.office.books():
            rows = WORKSPACE.rows("SELECT id FROM open_item WHERE document_id = ? ORDER BY date, id", (document.id,))
            if document.type == "journal_entry":
                rows = WORKSPACE.rows(
                    "SELECT item.id FROM open_item AS item JOIN journal_entry AS e ON e.id = item.entry_id"
                    " WHERE e.id = ? OR e.reverses_id = ? ORDER BY e.id, item.line",
                    (document.id, document.id),
                )
        for item, (id,) in zip(document.items, rows, strict=True):
            item.id = id

    def name_links(self, item: Item) -> None:
        """Look up the ids of what an item settles, in the order in which it was made."""
        with self.office.books():
            rows = WORKSPACE.rows(
                "SELECT id FROM allocation WHERE from_item_id = :id OR to_item_id = :id ORDER BY id", {"id": item.id}
            )
        links: list[Link] = item.links
        for link, (id,) in zip(links, rows, strict=True):
            link.id = id

    def account(self, code: str) -> str:
        accounts = self.office.ok("GET", "/finance/accounts")
        return next(str(account["id"]) for account in accounts if account["code"] == code)


def in_share(invoice: Document, total: int) -> int:
    """What a part of an invoice is worth in the base currency."""
    return Item.part(_untouched(invoice.item), total)


def _untouched(item: Item) -> Item:
    return Item(item.document, item.contact, item.account, item.currency, item.amount, item.base, item.day, item.due)


@pytest.fixture
def moving_clock(monkeypatch):
    """The days of the office are those of `Clock`."""
    monkeypatch.setattr(workspace_settings, "today", lambda: Clock.today)


@pytest.mark.usefixtures("moving_clock")
def test_what_contacts_owe_is_equal_to_the_books_whatever_is_done(installation):
    OpenItems.office = installation.newcomer("Olga")
    search = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=[Phase.generate],  # shrinking a failure would take minutes, and its steps are few enough to read
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(OpenItems, settings=search)
