"""Journal entries from spreadsheets: rows of the same entry make one, all or none."""

from tests.finance.books.balances import trial_balance
from tests.finance.contacts.contacts import customer

PATH = "/finance/journals/import"
HEADINGS = "entry,date,text,accountId,debit,credit\r\n"
RENT = "1,2026-01-02,Rent,6100,500.00,\r\n1,2026-01-02,Rent,1010,,500.00\r\n"
POWER = "2,2026-01-03,Power,6200,80.00,\r\n2,,Power,1010,,80.00\r\n"


def complaints(office, csv):
    details = office.refused("POST", PATH, {"csv": csv}, status=422)["details"]
    return {(each["field"], each["code"]) for each in details}


def test_rows_of_the_same_entry_make_one(acme):
    power = POWER.replace("2,,Power", "2,2026-01-03,Power")
    assert acme.ok("POST", PATH, {"csv": HEADINGS + RENT + power}) == {"rows": 4, "known": 0, "dryRun": False}
    entries = acme.ok("GET", "/finance/journals", params={"sort": "date"})
    assert [(each["date"], each["description"], each["total"]) for each in entries] == [
        ("2026-01-02", "Rent", "500.00"),
        ("2026-01-03", "Power", "80.00"),
    ]
    assert str(trial_balance(acme, "2026-01-31")["1010"]) == "-580.00"
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]


def test_a_dry_run_posts_nothing(acme):
    assert acme.ok("POST", PATH, {"csv": HEADINGS + RENT, "dryRun": True}) == {"rows": 2, "known": 0, "dryRun": True}
    assert acme.ok("GET", "/finance/journals") == []


def test_the_same_file_twice_posts_nothing_new_unless_wanted(acme):
    power = POWER.replace("2,,Power", "2,2026-01-03,Power")
    acme.ok("POST", PATH, {"csv": HEADINGS + RENT})
    both = {"csv": HEADINGS + RENT + power}
    assert acme.ok("POST", PATH, {**both, "dryRun": True}) == {"rows": 4, "known": 2, "dryRun": True}
    assert acme.ok("POST", PATH, both) == {"rows": 4, "known": 2, "dryRun": False}
    assert acme.ok("POST", PATH, both) == {"rows": 4, "known": 4, "dryRun": False}
    assert len(acme.ok("GET", "/finance/journals")) == 2
    assert acme.ok("POST", PATH, {**both, "onDuplicate": "add"})["known"] == 0
    assert str(trial_balance(acme, "2026-01-31")["1010"]) == "-1160.00"


def test_entries_that_were_reversed_or_are_twice_in_the_file_are_posted(acme):
    twice = HEADINGS + RENT + RENT.replace("1,2026", "2,2026")
    assert acme.ok("POST", PATH, {"csv": twice})["known"] == 0
    (one, _) = acme.ok("GET", "/finance/journals")
    assert acme.ok("POST", PATH, {"csv": twice, "dryRun": True})["known"] == 4
    acme.ok("POST", f"/finance/journals/{one['id']}/reverse", {})
    assert acme.ok("POST", PATH, {"csv": twice})["known"] == 2
    other = HEADINGS + RENT.replace("500", "501")
    assert acme.ok("POST", PATH, {"csv": other})["known"] == 0


def test_a_receivable_names_its_contact(acme):
    contact = customer(acme, "Globex")["id"]
    csv = HEADINGS.replace("entry", "contactId,entry")
    csv += f"{contact},1,2026-01-02,Old,1100,100.00,\r\n,1,2026-01-02,Old,4000,,100.00\r\n"
    acme.ok("POST", PATH, {"csv": csv})
    (item,) = acme.ok("GET", "/finance/open-items")
    assert (item["contactId"], item["open"]) == (contact, "100.00")


def test_what_is_wrong_is_said_at_its_row_and_nothing_is_posted(acme):
    wrong = "2,2026-01-03,Power,6200,80.00,\r\n2,2026-01-03,Power,9999,,80.00\r\n"
    uneven = "3,2026-01-04,Phone,6200,10.00,\r\n3,2026-01-04,Phone,1010,,9.00\r\n"
    assert complaints(acme, HEADINGS + RENT + wrong + uneven) == {
        ("rows[5].accountId", "unknown_reference"),
        ("rows[6]", "unbalanced_entry"),
    }
    assert acme.ok("GET", "/finance/journals") == []


def test_every_row_says_its_date(acme):
    assert complaints(acme, HEADINGS + POWER) == {("rows[3].date", "required")}


def test_one_row_is_no_entry(acme):
    (complaint,) = complaints(acme, HEADINGS + "1,2026-01-02,Rent,6100,500.00,\r\n")
    assert complaint[0] == "rows[2]"


def test_locked_days_take_no_entries(acme):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "filed"})
    assert complaints(acme, HEADINGS + RENT) == {("rows[2].date", "period_locked")}
