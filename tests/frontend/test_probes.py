"""Markup and scripts in every field that is shown anywhere stay text, on every screen and in every record."""

import re

import pytest

from tests.desk.files import pdf
from tests.frontend.conftest import expect
from tests.paths import ROOT

pytestmark = pytest.mark.browser

PROBE = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'
LINK = "javascript:alert(3)"
ROUTES = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
SCREENS = [path for path in re.findall(r'screen\("(/[^"]*)"', ROUTES) if ":" not in path]
INSIDE = [path for path in SCREENS if path not in ("/sign-in", "/sign-out", "/choose", "/two-factor")]
MADE_OF_TEXT = (
    "main img:not([src^=blob]), main script, main iframe:not([src^='/api/v1/']), main a[href^='javascript:' i],"
    " main [onerror]"
)
"""A frame of the program's own shows a paper."""


def first(desk, path):
    return desk.api("GET", path)[0]


def change(desk, path, **fields):
    return desk.api("PATCH", path, fields)


def entry_with_probes(desk, account, date):
    bank = next(one["id"] for one in desk.api("GET", "/finance/accounts") if one["code"] == "1010")
    sides = [{"accountId": account["id"], "debit": "1.00"}, {"accountId": bank, "credit": "1.00"}]
    lines = [{**side, "description": PROBE} for side in sides]
    return desk.api("POST", "/finance/journals", {"date": date, "description": PROBE, "lines": lines})


def money(desk):
    """An invoice, its payment, a bill's contact, an entry, a product, a tax rate, an account: all with probes."""
    contact = desk.api("POST", "/finance/contacts", {"name": PROBE, "kind": "customer"})
    about = {"legalName": PROBE, "phone": LINK}
    change(
        desk, f"/finance/contacts/{contact['id']}", **about, address={"line1": PROBE, "city": PROBE, "country": "DE"}
    )
    desk.api("POST", "/finance/products", {"name": PROBE, "unitPrice": "1", "description": PROBE, "unit": "<b>"})
    account = desk.api(
        "POST",
        "/finance/accounts",
        {"code": "6999", "name": PROBE, "type": "expense", "subtype": "expense", "description": PROBE},
    )
    desk.api("POST", "/finance/tax-rates", {"name": PROBE, "rate": "3"})
    line = {"description": PROBE, "quantity": "1", "unitPrice": "10.00", "unit": "<i>"}
    invoice = desk.api(
        "POST",
        "/finance/invoices",
        {"customerId": contact["id"], "lines": [line], "note": PROBE, "reference": LINK},
    )
    paid = {"invoiceId": invoice["id"], "amount": "5.00", "date": invoice["issueDate"]}
    payment = desk.api("POST", "/finance/payments", {**paid, "reference": PROBE, "note": LINK})
    entry = entry_with_probes(desk, account, invoice["issueDate"])
    return [
        f"/invoices/{invoice['id']}",
        f"/payments/{payment['id']}",
        f"/contacts/{contact['id']}",
        f"/contacts/{contact['id']}?view=details",
        f"/journals/{entry['id']}",
        f"/reports/general-ledger?accountId={account['id']}",
        "/products?q=onerror",
        "/contacts?q=onerror",
    ]


def work(desk):
    project = desk.api("POST", "/projects", {"name": PROBE, "code": "PROBE", "description": PROBE})
    task = {"title": PROBE, "description": LINK, "projectId": project["id"], "assigneeUserIds": [me(desk)]}
    task = desk.api("POST", "/tasks", task)
    desk.api("POST", f"/tasks/{task['id']}/comments", {"text": PROBE})
    desk.api("POST", f"/tasks/{task['id']}/time-logs", {"date": "2026-11-20", "minutes": 15, "note": PROBE})
    return [
        f"/projects/{project['id']}",
        f"/board?projectId={project['id']}",
        f"/tasks/{task['id']}",
        f"/board?task={task['id']}",
        "/time?week=2026-11-16",
    ]


def people(desk):
    employee = first(desk, "/hr/employees?q=Priya")
    change(desk, f"/hr/employees/{employee['id']}", name=PROBE, jobTitle=PROBE, department=PROBE, phone=LINK)
    desk.api("POST", "/hr/leave-types", {"code": "probe", "name": PROBE, "isPaid": True})
    desk.api("POST", "/hr/holidays", {"date": "2026-12-09", "name": PROBE})
    desk.api("POST", "/hr/leaves", {"startDate": "2027-07-05", "endDate": "2027-07-06", "reason": PROBE})
    run = first(desk, "/hr/payroll/runs?status=paid&limit=1")
    return [f"/people/{employee['id']}", f"/payroll/{run['id']}", "/leave?view=calendar", "/leave?view=balances"]


def office(desk):
    workspace = desk.api("GET", "/auth/session")["workspace"]["id"]
    change(desk, f"/workspace/{workspace}", name=PROBE, legalName=PROBE)
    change(desk, "/auth/me", name=PROBE)
    desk.api("POST", "/auth/tokens", {"name": PROBE, "workspaceId": workspace})
    desk.page.context.request.post(
        f"{desk.address}/api/v1/workspace/attachments?name=%3Cimg%20src=x%20onerror=alert(1)%3E.pdf",
        data=pdf(2000),
        headers={"Origin": desk.address, "Content-Type": "application/octet-stream"},
    )
    return ["/inbox"]


def me(desk):
    return desk.api("GET", "/auth/session")["user"]["id"]


def test_what_is_written_in_any_field_stays_text_on_every_screen(at_desk):
    desk = at_desk("ines")
    paths = [*money(desk), *work(desk), *people(desk), *office(desk)]
    page = desk.page
    asked: list[str] = []

    def dismiss(dialog):
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    seen = 0
    for path in [*INSIDE, *paths]:
        desk.go(path)
        desk.settle()
        expect(page.locator(MADE_OF_TEXT), path).to_have_count(0)
        expect(page.locator("dialog img, dialog script, dialog a[href^='javascript:' i]"), path).to_have_count(0)
        shown = page.locator("main, dialog[open]").get_by_text("onerror=alert(1)")
        if path not in INSIDE and not path.startswith(("/payroll", "/leave", "/time")):
            expect(shown.first, path).to_be_attached()
        seen += shown.count() > 0
    assert seen > len(paths)
    assert asked == []
    desk.press("Control+k")
    desk.type("onerror")
    expect(page.locator(".palette-item", has_text="onerror").first).to_be_visible()
    expect(page.locator(".palette img, .palette script")).to_have_count(0)
