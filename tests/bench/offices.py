"""An office on a running server: one signed-in user, workspaces, and prebuilt requests."""

import json
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from erp.finance.books import account_balances, ledger, open_items
from erp.finance.books.ledger import Leg
from erp.finance.books.models import OpenItem
from erp.finance.contacts.models import Contact
from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.projects import rates
from erp.projects.models import Project
from erp.store import connections, control, events, records, router
from erp.tasks.models import Task, TaskAssignee
from tests.bench.load import HOST
from tests.bench.servers import Running
from tests.conftest import PASSWORD
from tests.documented import PREFIX

JOURNAL = {
    "date": "2026-03-02",
    "description": "Rent and heating of the office",
    "lines": [
        {"accountId": "6100", "debit": "950.00"},
        {"accountId": "6200", "debit": "120.50"},
        {"accountId": "1010", "credit": "1070.50"},
    ],
}
BALANCE_SHEET = "/finance/reports/balance-sheet?date="
LIST = "/finance/invoices?limit=50"
FIRST_DAY, LAST_DAY = date(2021, 1, 1), date(2025, 12, 31)
FIRST_LOG = date(2023, 3, 1)
CODES = ("1000", "1010", "1200", "1500", "3000", "4000", "4100", "4800", "5000", "6000", "6100", "6200", "6300", "6400")
LEGS = 10


class Desk:
    """A user who is signed in at a server."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.token = ""
        olga = {"email": "olga@example.com", "password": PASSWORD, "name": "Olga"}
        registered = self.call("POST", "/auth/register", olga)
        self.user, self.token = registered["user"], registered["session"]["token"]

    def call(self, verb: str, path: str, body: Any = None, workspace_id: str | None = None) -> Any:
        """Send one request; its data."""
        data = None if body is None else json.dumps(body).encode()
        url, headers = self.server.url + PREFIX + path, self._headers(workspace_id)
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=verb)) as answer:
            return json.load(answer)["data"]

    def fetched(self, path: str) -> int:
        """Download a file and discard it; its size."""
        request = urllib.request.Request(self.server.url + PREFIX + path, headers=self._headers(None))
        size = 0
        with urllib.request.urlopen(request) as answer:
            while piece := answer.read(1 << 20):
                size += len(piece)
        return size

    def sign_ins(self, number: int) -> list[str]:
        """Register that many other people; their requests to sign in."""
        people = [{"email": f"person{index}@example.com", "password": PASSWORD} for index in range(number)]
        for person in people:
            self.call("POST", "/auth/register", {**person, "name": "A colleague"})
        return [self.request("POST", "/auth/sign-in/email", person) for person in people]

    def workspace(self, name: str) -> "Books":
        """Create a workspace with a customer in it."""
        return Books(self, self.call("POST", "/workspace", {"name": name})["id"])

    def request(self, verb: str, path: str, body: Any = None, workspace_id: str | None = None) -> str:
        """The bytes of a request, as text."""
        content = "" if body is None else json.dumps(body)
        headers = self._headers(workspace_id) | {"Host": f"{HOST}:{self.server.port}"}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{verb} {PREFIX}{path} HTTP/1.1\r\n{head}Content-Length: {len(content)}\r\n\r\n{content}"

    def _headers(self, workspace_id: str | None) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers if workspace_id is None else headers | {"X-Workspace-Id": workspace_id}


class Books:
    """A workspace, and the requests that a bench sends to it."""

    def __init__(self, desk: Desk, id: str) -> None:
        self.desk, self.id = desk, id
        self.projects: list[Project] = []
        self.task_id = ""
        self.customer_id = self._ok("POST", "/finance/contacts", {"kind": "customer", "name": "Birch & Sons"})["id"]
        self.tax_rate_id = self._ok("POST", "/finance/tax-rates", {"name": "Standard 20", "rate": "20"})["id"]

    @property
    def file(self) -> Path:
        """The workspace's file."""
        return Config(data_dir=self.desk.server.folder).workspaces_dir / f"{self.id}.db"

    def _ok(self, verb: str, path: str, body: Any = None) -> Any:
        return self.desk.call(verb, path, body, self.id)

    def get(self, path: str) -> str:
        """A request that reads."""
        return self.desk.request("GET", path, workspace_id=self.id)

    def journal(self) -> str:
        """A request that posts a journal entry of 3 lines."""
        return self.desk.request("POST", "/finance/journals", JOURNAL, self.id)

    def invoice_body(self) -> dict[str, Any]:
        """An invoice of 3 lines."""
        line = {"quantity": "3", "unitPrice": "49.90", "taxRateId": self.tax_rate_id}
        lines = [{**line, "description": what} for what in ("Consulting", "Training", "Travel")]
        return {"customerId": self.customer_id, "issueDate": "2026-03-02", "dueDate": "2026-04-01", "lines": lines}

    def invoice(self) -> str:
        """A request that creates and issues an invoice of 3 lines."""
        return self.desk.request("POST", "/finance/invoices", self.invoice_body(), self.id)

    def issue(self, number: int) -> list[Any]:
        """Issue that many invoices."""
        return [self._ok("POST", "/finance/invoices", self.invoice_body()) for _ in range(number)]

    def payments(self, number: int) -> list[str]:
        """Requests that record a payment, each of which settles a cent of another new invoice."""
        return [self._payment(invoice["id"]) for invoice in self.issue(number)]

    def _payment(self, invoice_id: str) -> str:
        settled = [{"invoiceId": invoice_id, "amount": "0.01"}]
        body = {"direction": "received", "contactId": self.customer_id, "date": "2026-03-05", "amount": "0.01"}
        return self.desk.request("POST", "/finance/payments", {**body, "allocations": settled}, self.id)

    def mixed(self) -> list[str]:
        """A day's work: 20 % writes (invoices and journals), reads of a list, an invoice, the chart and a report."""
        (invoice,) = self.issue(1)
        reads = [LIST, f"/finance/invoices/{invoice['id']}", "/finance/accounts", f"{BALANCE_SHEET}2026-03-31"]
        turn = [self.get(path) for path in reads]
        return [*turn, self.invoice(), *turn, self.journal()]

    @contextmanager
    def opened(self, *, write: bool) -> Iterator[None]:
        """Open the workspace's file in this process, beside the server."""
        user = self.desk.user
        owner = Caller(user_id=user["id"], name=user["name"], email=user["email"], workspace_id=self.id, role="owner")
        settings = Config(data_dir=self.desk.server.folder)
        with config.use(settings), caller.acting(owner), control.open_workspace(self.id, write=write):
            yield

    def seed(self, postings: int) -> None:
        """Post entries of ten legs, evenly over five years, as a journal POST would; in one transaction."""
        entries, span = postings // LEGS, (LAST_DAY - FIRST_DAY).days + 1
        with self.opened(write=True):
            router.WORKSPACE.run("PRAGMA cache_size = -200000")
            ids = dict(router.WORKSPACE.rows("SELECT code, id FROM account"))
            accounts = [ids[code] for code in CODES]
            for number in range(entries):
                _post(accounts, number, FIRST_DAY + timedelta(days=number * span // entries))
            self._check(entries)
        router.close_all()

    def seed_work(self, projects: int, tasks: int, logs: int) -> None:
        """Tasks of several projects, and time on them over three years, the first two invoiced; in one transaction."""
        (invoice,) = self.issue(1)
        with self.opened(write=True):
            router.WORKSPACE.run("PRAGMA cache_size = -200000")
            people = [self.desk.user["id"], *(records.new_id() for _ in range(9))]
            self.projects = [_project(number, self.customer_id) for number in range(projects)]
            all_tasks = [_task(number, self.projects[number % projects], people) for number in range(tasks)]
            self.task_id = all_tasks[5].id
            days = [FIRST_LOG + timedelta(days=number * 1096 // logs) for number in range(logs)]
            rows = [_log(number, all_tasks[number * 7 % tasks], people, day) for number, day in enumerate(days)]
            router.WORKSPACE.run_many(_LOGGED, rows)
            router.WORKSPACE.run(_INVOICED, (invoice["id"], str(FIRST_LOG + timedelta(days=730))))
        router.close_all()

    def seed_items(self, documents: int) -> None:
        """Post that many receivables over five years; nine of ten are paid four weeks later. In one transaction."""
        span = (LAST_DAY - FIRST_DAY).days - 27
        with self.opened(write=True):
            router.WORKSPACE.run("PRAGMA cache_size = -200000")
            owed, money, sales = (router.WORKSPACE.rows(_ACCOUNT, (code,))[0][0] for code in ("1100", "1010", "4000"))
            people = [Contact.add(kind="customer", name=f"Customer {number}").id for number in range(500)]
            for number in range(documents):
                day = FIRST_DAY + timedelta(days=number * span // documents)
                contact_id, amount = people[number * 7 % len(people)], 1_000 + number * 7_919 % 100_000
                (item,), paid = _owed(day, owed, sales, contact_id, amount), day + timedelta(days=28)
                if number % 10:
                    (payment,) = _owed(paid, owed, money, contact_id, -amount)
                    open_items.link(payment, item, amount, (amount, amount), paid)
            events.write("workspace.updated", "workspace", self.id)
        router.close_all()

    def seed_documents(self, number: int) -> None:
        """Have that many invoices over five years, with four postings each: copies of one, in one transaction.

        They are not in the log, and none is paid.
        """
        self._ok("POST", "/finance/invoices", self._of_two_rates())
        span, taken = (LAST_DAY - FIRST_DAY).days, Counter[int]()
        copies = []
        for n in range(1, number):
            day = FIRST_DAY + timedelta(days=n * span // number)
            taken[day.year] += 1
            copies.append((n, str(day), day.year, taken[day.year]))
        with closing(connections.connect(self.file)) as connection:
            connection.execute("PRAGMA cache_size = -200000")
            connection.execute("BEGIN IMMEDIATE")
            guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in guards:  # they keep what is posted as it is
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("CREATE TEMP TABLE copy (n INTEGER PRIMARY KEY, day TEXT, year INTEGER, place INTEGER)")
            connection.executemany("INSERT INTO copy VALUES (?, ?, ?, ?)", copies)
            for table, changed in _COPIED.items():
                columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
                values = ", ".join(changed.get(name, f"original.{name}") for name in columns)
                connection.execute(f"INSERT INTO {table} SELECT {values} FROM {table} AS original CROSS JOIN copy")
            connection.execute("DELETE FROM balance")
            connection.execute(_BALANCES)
            for _, guard in guards:
                connection.execute(guard)
            connection.execute("COMMIT")

    def _of_two_rates(self) -> dict[str, Any]:
        reduced = self._ok("POST", "/finance/tax-rates", {"name": "Reduced", "rate": "5"})["id"]
        body = self.invoice_body()
        body["lines"][1] |= {"taxRateId": reduced, "accountId": "4100"}
        return body

    def _check(self, entries: int) -> None:
        """Assert that the seeded entries keep the promises of the ledger."""
        ((numbered, years),) = router.WORKSPACE.rows(
            "SELECT sum(top), count(*) FROM (SELECT max(seq) AS top FROM journal_entry GROUP BY fiscal_year) AS years"
        )
        ((posted,),) = router.WORKSPACE.rows("SELECT count(*) FROM journal_entry")
        assert (numbered, posted, years) == (entries, entries, 5)
        balances = {account_id: amount for account_id, (amount,) in account_balances.of_all(LAST_DAY).items()}
        assert sum(balances.values()) == 0
        summed = dict(router.WORKSPACE.rows("SELECT account_id, sum(amount) FROM posting GROUP BY account_id"))
        assert balances == summed


_OTHER = "{} || '-' || n"
_COPIED = {
    "journal_entry": {
        "id": _OTHER.format("id"),
        "number": _OTHER.format("number"),
        "fiscal_year": "year",
        "seq": "place",
        "date": "day",
        "source_id": _OTHER.format("source_id"),
    },
    "invoice": {
        "id": _OTHER.format("id"),
        "number": _OTHER.format("number"),
        "fiscal_year": "year",
        "seq": "place",
        "issue_date": "day",
        "due_date": "date(day, '+30 days')",
        "tax_date": "day",
        "journal_entry_id": _OTHER.format("journal_entry_id"),
    },
    "invoice_line": {"id": _OTHER.format("id"), "invoice_id": _OTHER.format("invoice_id")},
    "invoice_tax": {"id": _OTHER.format("id"), "invoice_id": _OTHER.format("invoice_id")},
    "posting": {"entry_id": _OTHER.format("entry_id"), "date": "day"},
    "open_item": {
        "id": _OTHER.format("id"),
        "entry_id": _OTHER.format("entry_id"),
        "document_id": _OTHER.format("document_id"),
        "number": _OTHER.format("number"),
        "date": "day",
        "document_date": "day",
        "due_date": "date(day, '+30 days')",
    },
}
"""What differs in the copies of an invoice: by table, the value of each such column."""
_BALANCES = (
    "INSERT INTO balance (account_id, month, debit, credit) SELECT account_id, substr(date, 1, 7),"
    " sum(max(amount, 0)), -sum(min(amount, 0)) FROM posting GROUP BY account_id, substr(date, 1, 7)"
)
_ACCOUNT = "SELECT id FROM account WHERE code = ?"
_LOGGED = (
    "INSERT INTO time_log (id, version, created_at, updated_at, task_id, project_id, user_id, date, minutes, note,"
    " is_billable, amount) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INVOICED = "UPDATE time_log SET invoice_id = ?, invoice_line = 0 WHERE date < ? AND is_billable"


def _project(number: int, customer_id: str) -> Project:
    return Project.add(
        code=f"P{number}", name=f"Project {number}", customer_id=customer_id, billing="hourly", hourly_rate=9_000
    )


def _task(number: int, project: Project, people: list[str]) -> Task:
    status = ("todo", "in_progress", "done", "done", "done")[number % 5]
    day = FIRST_LOG + timedelta(days=number * 7 % 1200)
    task = Task.add(
        key=f"{project.code}-{number}",
        project=project.id,
        title=f"Chapter {number} of the catalogue",
        status=status,
        priority=("low", "medium", "high", "urgent")[number % 4],
        tags=["web"] if number % 10 else ["print"],
        due_date=day if number % 3 else None,
        position=number,
        completed_at=f"{day}T12:00:00.000Z" if status == "done" else None,
    )
    TaskAssignee.create(task=task.id, user_id=people[number % 10])
    return task


def _log(number: int, task: Task, people: list[str], day: date) -> tuple[Any, ...]:
    minutes, billable = 5 + number * 13 % 50, number % 4 > 0
    amount = rates.amount(minutes, 9_000, billable)
    note = "Text and pictures" if number % 2 else None
    at = f"{day}T17:00:00.000Z"
    return (
        records.new_id(),
        at,
        at,
        task.id,
        task.project_id,
        people[number % 10],
        str(day),
        minutes,
        note,
        billable,
        amount,
    )


def _owed(day: date, owed: str, against: str, contact_id: str, amount: int) -> Sequence[OpenItem]:
    legs = [Leg(owed, amount, contact_id), Leg(against, -amount)]
    return ledger.post(day, "Business of the day", legs, kind="manual").items


def _post(accounts: list[str], number: int, day: date) -> None:
    amount = 1_000 + number * 7_919 % 100_000
    amounts = [(amount + index) * (-1) ** index for index in range(LEGS - 1)]
    legs = [
        Leg(accounts[(number * 5 + index * 3) % len(accounts)], share)
        for index, share in enumerate([*amounts, -sum(amounts)])
    ]
    entry = ledger.post(day, "Business of the day", legs, kind="manual")
    events.write("journal_entry.posted", "journal_entry", entry.id, {"number": entry.number}, entries=[entry])
