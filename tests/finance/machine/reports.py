"""What the office shows is what the model says."""

from datetime import date, timedelta

from hypothesis.stateful import invariant

from erp.store import router
from erp.system.checks import files as checking
from tests.finance.machine.amounts import minor
from tests.finance.machine.office import Clock, Machine

BEYOND = 200
"""How many records a page holds."""


class Reports(Machine):
    """Open items, contacts, statements, trial balance and balance sheet, today and on past days."""

    @invariant()
    def all_reports_say_what_the_model_says(self):
        if hasattr(self, "books"):
            self.looks = getattr(self, "looks", 0) + 1
            self.figures.steps += self.looks > 1
            recent, old = 1 + self.looks * 7 % 13, 15 + self.looks * 29 % 97
            self.learn()
            self.check_items(Clock.today, Clock.today - timedelta(recent), Clock.today - timedelta(old))
            self.check_contacts()
            self.check_reports(Clock.today if self.looks % 2 else Clock.today - timedelta(recent))

    def teardown(self):
        if not hasattr(self, "books"):
            return
        for contact in self.contacts:
            self.check_statement(contact, Clock.today)
        self.check_documents()
        self.check_ledgers()
        router.close_all()
        path = self.office.installation.config.workspaces_dir / f"{self.office.workspace_id}.db"
        assert checking.workspace_file(path, nobody_writes=True).problems == []
        router.close_all()

    def check_items(self, *days: date) -> None:
        assert self.shown_items() == self.books.left_now()
        for day in days:
            self.books.check(day)
            assert self.shown_items(asOf=str(day)) == self.books.open_on(day), day

    def shown_items(self, **params: str) -> list[tuple[str, str, int, int]]:
        shown = self.office.ok("GET", "/finance/open-items", params={"limit": str(BEYOND), **params})
        assert len(shown) < BEYOND
        return sorted(
            (item["number"], item["currency"], left, minor(item["openBase"]) - minor(item["revaluation"]))
            for item in shown
            if (left := minor(item["open"], item["currency"]))
        )

    def check_contacts(self) -> None:
        day = Clock.today
        for shown in self.office.ok("GET", "/finance/contacts"):
            id = shown["id"]
            amounts = [minor(shown[name]) for name in ("balance", "overdue", "unallocatedCredit")]
            model = [self.books.owed_by(id, day), self.books.overdue(id, day), self.books.credit(id, day)]
            assert amounts == model, shown["name"]
        self.check_statement(sorted(self.contacts)[self.looks % len(self.contacts)], day)

    def check_statement(self, contact: str, day: date) -> None:
        statement = self.office.ok("GET", f"/finance/contacts/{contact}/statement", params={"dateTo": str(day)})
        closings = {block["currency"]: minor(block["closing"], block["currency"]) for block in statement["blocks"]}
        assert {currency: amount for currency, amount in closings.items() if amount} == self.books.closing(contact, day)

    def check_reports(self, day: date) -> None:
        """Every account of the trial balance and of the balance sheet."""
        model = self.books.balances(day)
        trial = self.office.ok("GET", "/finance/reports/trial-balance", params={"date": str(day)})
        assert {row["account"]["code"]: minor(row["debit"]) - minor(row["credit"]) for row in trial["rows"]} == model
        sheet = self.office.ok("GET", "/finance/reports/balance-sheet", params={"date": str(day)})
        assert sheet["isBalanced"] is True
        shown = {
            account["code"]: sign * minor(account["balance"])
            for section, sign in (("assets", 1), ("liabilities", -1))
            for group in sheet[section]["groups"]
            for account in group["accounts"]
        }
        assert shown == {code: amount for code, amount in model.items() if "" < code < "3000"}

    def check_documents(self) -> None:
        """What is due on invoices as of today, and what payments have left whatever the day."""
        for document in self.of_type("invoice"):
            shown = self.office.ok("GET", f"/finance/invoices/{document.id}")
            links = (link for item in self.books.items_of(document) for link in item.live)
            later = {id(link): link.amount for link in links if link.day > Clock.today and link.is_of_two}
            is_closed = document.is_void or self.books.is_written_off(document)
            due = 0 if is_closed else self.books.due(document) + sum(later.values())
            assert minor(shown["amountDue"], document.currency) == due, document.number
        for document in self.of_type("payment"):
            shown = self.office.ok("GET", f"/finance/payments/{document.id}")
            left = document.items[0].left if document.items else 0
            assert minor(shown["unallocatedAmount"], document.currency) == left, document.number

    def check_ledgers(self) -> None:
        """The ledger of each account that something was posted to, over all days."""
        sums: dict[str, int] = {}
        for _, code, _, amount in self.books.all_postings():
            sums[code] = sums.get(code, 0) + amount
        for id, code in self.codes.items():
            if code in sums and code < "3000":
                shown = self.office.ok("GET", f"/finance/accounts/{id}/ledger", params={"dateTo": "2036-12-31"})
                assert minor(shown["baseClosing"]) == (1 if code < "2000" else -1) * sums[code], code
