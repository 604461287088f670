"""The text of a scenario: its days, its figures, and the line that is named when something is wrong."""

from datetime import date

import pytest

from erp.app import create_app
from erp.demo import filling
from erp.demo.days import Calendar, Span
from erp.demo.figures import figure
from erp.demo.player import NotPlayed, Player
from erp.demo.scenario import Scenario
from erp.kernel import clock
from erp.kernel.config import Config
from erp.web.client import Client

TODAY = date(2026, 3, 31)
PROJECT = Span(date(2026, 1, 1), date(2026, 1, 31))


@pytest.fixture
def calendar():
    calendar = Calendar(TODAY)
    calendar.holidays.add(date(2026, 1, 1))
    return calendar


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-03-31"),
        ("3 days ago", "2026-03-28"),
        ("in 1 day", "2026-04-01"),
        ("1 month ago, day 31", "2026-02-28"),
        ("this month, first day", "2026-03-01"),
        ("in 11 months, last day", "2027-02-28"),
        ("25 months ago, last day", "2024-02-29"),
        ("this month, Monday 2", "2026-03-09"),
        ("1 month ago, last working day", "2026-02-27"),
        ("same day", "2026-01-12"),
        ("9 days later", "2026-01-21"),
        ("same month, first day", "2026-01-01"),
        ("month before, last day", "2025-12-31"),
        ("quarter before, first day", "2025-10-01"),
        ("quarter before, last day", "2025-12-31"),
        ("at 0 %", "2026-01-01"),
        ("at 50 %", "2026-01-16"),
        ("at 110 %", "2026-02-03"),
    ],
)
def test_a_day_is_counted_from_today_from_the_entry_or_in_a_project(calendar, text, day):
    assert str(calendar.exact(text, date(2026, 1, 12), PROJECT)) == day


@pytest.mark.parametrize("text", ["Rent", "3 moons ago, day 1", "1 month ago, day off", "at half", ""])
def test_any_other_text_is_no_day(calendar, text):
    assert calendar.exact(text, TODAY, PROJECT) is None
    with pytest.raises(ValueError, match="is not a day"):
        list(calendar.acts(text, TODAY, PROJECT))


@pytest.mark.parametrize(
    ("on", "days"),
    [
        ("3 days ago", ["2026-03-27"]),
        ("2 months ago, day 1", ["2026-01-02"]),
        ("at 30 %", ["2026-01-12"]),
        ("1 month ago, last day", ["2026-02-28"]),
        ("every quarter, day 10", ["2025-04-10", "2025-07-10", "2025-10-10", "2026-01-12"]),
        ("every 3 months, day 14", ["2025-04-14", "2025-07-14", "2025-10-14", "2026-01-14"]),
    ],
)
def test_what_is_done_on_a_day_off_is_done_on_a_working_day(calendar, on, days):
    assert [str(day) for day in calendar.acts(on, TODAY, PROJECT, since="11 months ago")] == days


def test_what_is_done_every_month_goes_on_for_a_year_or_between_two_months(calendar):
    year = list(calendar.acts("every month, first day", TODAY))
    assert (len(year), str(year[0]), str(year[-1])) == (13, "2025-03-01", "2026-03-01")
    some = calendar.acts("every month, first day", TODAY, None, "3 months ago", "2 months ago")
    assert [str(day) for day in some] == ["2025-12-01", "2026-01-01"]


def test_figures_are_shares_or_drawn_by_lot_always_the_same():
    assert figure("52 % of 101.00") == "52.52"
    assert figure("6.08 % of 64000.00") == "3891.20"
    assert figure("0.5 % of 1.00") == "0.00"
    drawn = [figure("460.00 ± 25 %", "energy", turn) for turn in range(40)]
    assert drawn == [figure("460.00 ± 25 %", "energy", turn) for turn in range(40)]
    assert len(set(drawn)) > 30
    assert 345 <= min(map(float, drawn)) < 400 < 520 < max(map(float, drawn)) <= 575
    assert {figure("1 to 3", turn) for turn in range(40)} == {"1", "2", "3"}
    assert figure("Wood, 1 to 3 pieces") == "Wood, 1 to 3 pieces"


FOUNDED = """
password = "welcome-to-the-demo"
timeZone = "Europe/Berlin"

[by]
workspace = "Ines"
person = "Ines"
journal = "Ines"
contact = "Ines"
invoice = "Ines"

[[workspace]]
name = "Little"
country = "DE"
chartTemplate = "standard"

[[person]]
name = "Ines Falkenberg"
email = "ines@alderfinch.example"
role = "owner"
jobTitle = "Managing director"
"""


@pytest.fixture
def played(tmp_path):
    """Play a company of one person, and more entries; the client of that person."""

    def play(more):
        app = create_app(Config(data_dir=tmp_path / "data"))
        player = Player(Scenario(FOUNDED + more), Client(app), Calendar(clock.today("Europe/Berlin")), filling.PATTERNS)
        player.play()
        signed_in = Client(app).post(
            "/auth/sign-in/email", email="ines@alderfinch.example", password="welcome-to-the-demo"
        )
        client = Client(app, signed_in["session"]["token"])
        client.post("/auth/select-workspace", workspaceId=signed_in["workspaces"][0]["id"])
        return client

    return play


LINES = 'lines = [{{ account = "6100", debit = "{}" }}, {{ account = "1010", credit = "90.00" }}]\n'
RENT = '[[journal]]\non = "today"\ndescription = "Rent"\n' + LINES


def test_an_entry_is_posted_as_it_is_written(played):
    (entry,) = played(RENT.format("90.00")).get("/finance/journals")
    assert (entry["description"], entry["total"]) == ("Rent", "90.00")


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        (RENT.format("90.00") + RENT.format("80.00"), r"Line 26 of the scenario, \[\[journal\]\].*[Bb]alance"),
        (RENT.format("90.00").replace("today", "tomorrow"), "Line 22 .*“tomorrow” is not a day"),
        (RENT.format("5 % of <Loan.total>"), "Line 22 .*“Loan.total”"),
        ('[[invoice]]\ncustomer = "Nobody"\n', "Line 22 .*no contact “Nobody”"),
        ('[[rent]]\namount = "90.00"\n', "Line 22 .*rent"),
    ],
)
def test_what_cannot_be_played_is_named_with_its_line(played, more, wrong):
    with pytest.raises(NotPlayed, match=wrong):
        played(more)


def test_a_customer_pays_when_the_scenario_says(played):
    client = played(
        '[[contact]]\nkind = "customer"\nname = "Globex"\npays = "5 days later"\n'
        '[[invoice]]\non = "20 days ago"\ncustomer = "Globex"\n'
        'lines = [{ description = "Table", quantity = "1", unitPrice = "100.00" }]\n'
        '[[invoice]]\non = "20 days ago"\ncustomer = "Globex"\npays = "later"\n'
        'lines = [{ description = "Chair", quantity = "1", unitPrice = "50.00" }]\n'
    )
    assert [one["status"] for one in client.get("/finance/invoices?sort=total")] == ["issued", "paid"]
