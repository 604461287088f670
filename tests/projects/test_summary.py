import pytest

from tests.projects.projects import PATH, plan, project_invoice, put, stored_log, stored_task


@pytest.fixture
def mia(acme):
    return acme.colleague("member")


@pytest.fixture
def project(acme, mia):
    """A project with 195 minutes: Olga's are worth 45.00 on an invoice and 90.00 on none, Mia's 15.00."""
    project = plan(acme, budgetMinutes=300, budgetAmount="200.00")
    pages = stored_task(acme, project, "Pages", estimate_minutes=120, key="WEB-1")
    shop = stored_task(acme, project, "Shop", status="done", key="WEB-2")
    stored_task(acme, project, "Later", estimate_minutes=30, key="WEB-3")
    stored_task(acme, project, "Never", key="WEB-4")
    billed = project_invoice(acme, project["id"], "50.00", draft=True)
    stored_log(acme, project, pages, 30, 4_500, invoice_id=billed["id"], invoice_line=1)
    stored_log(acme, project, pages, 90, 9_000)
    stored_log(acme, project, shop, 60, user_id=mia.user["id"])
    stored_log(acme, project, shop, 15, 1_500, user_id=mia.user["id"])
    stored_log(acme, plan(acme), stored_task(acme, plan(acme)), 7, 700)
    return project


def summary(office, project):
    return office.ok("GET", f"{PATH}/{project['id']}/summary")


OLGA = {"name": "Olga", "minutes": 120, "billableMinutes": 120, "amount": "135.00"}
MIA = {"name": "Member", "minutes": 75, "billableMinutes": 15, "amount": "15.00"}
TASKS = [
    ("WEB-1", "Pages", "todo", 120, 120, 120, "135.00"),
    ("WEB-2", "Shop", "done", None, 75, 15, "15.00"),
    ("WEB-3", "Later", "todo", 30, 0, 0, "0.00"),
]
TASK_FIELDS = ("key", "title", "status", "estimateMinutes", "minutes", "billableMinutes", "amount")


def without_money(rows):
    return [{name: value for name, value in row.items() if name != "amount"} for row in rows]


def test_a_summary_tells_minutes_money_and_how_much_of_the_budget_is_used(acme, mia, project):
    told = summary(acme, project)
    assert told["projectId"] == project["id"]
    assert told["minutes"] == {"logged": 195, "billable": 135, "unbilled": 105, "invoiced": 30}
    assert told["money"] == {"billableAmount": "150.00", "unbilledAmount": "105.00", "invoicedAmount": "50.00"}
    assert told["budget"] == {
        "minutes": 300,
        "usedMinutes": 195,
        "minutesPercent": 65,
        "amount": "200.00",
        "usedAmount": "155.00",
        "amountPercent": 77,
        "remainingAmount": "45.00",
    }
    assert told["perPerson"] == [{"userId": mia.user["id"], **MIA}, {"userId": acme.user["id"], **OLGA}]
    assert [tuple(row[name] for name in TASK_FIELDS) for row in told["perTask"]] == TASKS


def test_a_project_without_a_budget_uses_no_part_of_it(acme):
    project = plan(acme, budgetMinutes=0)
    stored_log(acme, project, stored_task(acme, project), 60, 6_000)
    told = summary(acme, project)["budget"]
    assert (told["minutes"], told["minutesPercent"], told["usedMinutes"]) == (0, None, 60)
    assert (told["amount"], told["amountPercent"], told["usedAmount"]) == (None, None, "60.00")
    assert told["remainingAmount"] is None


def test_a_project_that_has_just_begun_is_summed_up(acme):
    told = summary(acme, plan(acme))
    assert (told["perPerson"], told["perTask"], told["minutes"]["logged"]) == ([], [], 0)


@pytest.mark.parametrize("role", ["admin", "accountant", "manager"])
def test_who_reads_all_time_and_money_sees_everything(acme, project, role):
    assert summary(acme.colleague(role), project) == summary(acme, project)


def test_who_reads_all_time_but_no_money_sees_minutes(acme, project):
    seen, whole = summary(acme.colleague("hr"), project), summary(acme, project)
    assert seen == {
        "projectId": project["id"],
        "minutes": whole["minutes"],
        "budget": {"minutes": 300, "usedMinutes": 195, "minutesPercent": 65},
        "perPerson": without_money(whole["perPerson"]),
        "perTask": without_money(whole["perTask"]),
    }


def test_a_member_sees_her_own_row_alone(acme, mia, project):
    seen = summary(mia, project)
    assert seen["perPerson"] == without_money([{"userId": mia.user["id"], **MIA}])
    assert "money" not in seen
    assert seen["perTask"] == without_money(summary(acme, project)["perTask"])
    assert summary(acme.colleague("member"), project)["perPerson"] == []


def test_a_viewer_sees_money_but_nobodys_time(acme, project):
    seen, whole = summary(acme.colleague("viewer"), project), summary(acme, project)
    assert seen == {name: value for name, value in whole.items() if name != "perPerson"}


def test_an_archived_project_is_summed_up_as_well(acme, project):
    whole = summary(acme, project)
    put(acme, project, archived_at="2026-03-01T09:00:00.000Z")
    assert summary(acme, project) == whole
