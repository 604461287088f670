"""What a journal entry comes to while it is typed."""

from tests.finance.journals.journals import entry_count, new_entry

PATH = "/finance/journals/preview"


def complaints(details):
    return {(each["field"], each["code"]) for each in details}


def test_an_entry_that_could_be_posted_has_no_details_and_is_not_posted(acme):
    found = acme.ok("POST", PATH, new_entry("100.50"))
    assert {name: found[name] for name in ("currency", "debit", "credit", "difference", "details")} == {
        "currency": "EUR",
        "debit": "100.50",
        "credit": "100.50",
        "difference": "0.00",
        "details": [],
    }
    assert [(each["debit"], each["credit"], each["details"]) for each in found["lines"]] == [
        ("100.50", "0.00", []),
        ("0.00", "100.50", []),
    ]
    assert entry_count(acme) == 0


def test_nothing_typed_yet_lacks_everything(acme):
    found = acme.ok("POST", PATH, {})
    assert complaints(found["details"]) == {
        ("date", "required"),
        ("description", "required"),
        ("lines", "unbalanced_entry"),
    }
    assert (found["debit"], found["difference"], found["lines"]) == ("0.00", "0.00", [])


def test_the_difference_says_on_which_side_something_is_missing(acme):
    lines = [{"accountId": "6100", "debit": "800"}, {"accountId": "1010"}]
    found = acme.ok("POST", PATH, {**new_entry(), "lines": lines})
    assert (found["debit"], found["credit"], found["difference"]) == ("800.00", "0.00", "800.00")
    assert complaints(found["details"]) == {("lines", "unbalanced_entry")}
    assert complaints(found["lines"][1]["details"]) == {("lines[1].debit", "required")}
    lines = [{"accountId": "6100"}, {"accountId": "1010", "credit": "800"}]
    assert acme.ok("POST", PATH, {**new_entry(), "lines": lines})["difference"] == "-800.00"


def test_each_line_says_what_is_wrong_with_it(acme):
    lines = [{}, {"accountId": "nowhere", "debit": "1"}, {"accountId": "1100", "credit": "1"}]
    found = acme.ok("POST", PATH, {**new_entry(), "lines": lines})
    assert [complaints(each["details"]) for each in found["lines"]] == [
        {("lines[0].accountId", "required"), ("lines[0].debit", "required")},
        {("lines[1].accountId", "unknown_reference")},
        {("lines[2].contactId", "required")},
    ]


def test_an_amount_in_another_currency_is_shown_at_its_rate(acme):
    lines = [
        {"accountId": "1010", "currency": "USD", "foreignDebit": "100", "exchangeRate": "0.9"},
        {"accountId": "3000", "credit": "90"},
    ]
    found = acme.ok("POST", PATH, {**new_entry(), "lines": lines})
    assert (found["lines"][0]["debit"], found["difference"], found["details"]) == ("90.00", "0.00", [])


def test_a_locked_or_distant_day_is_told_of(acme):
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31"})
    found = acme.ok("POST", PATH, new_entry(day="2026-01-15"))
    assert complaints(found["details"]) == {("date", "period_locked")}
    found = acme.ok("POST", PATH, new_entry(day="2036-01-15"))
    assert complaints(found["details"]) == {("date", "date_in_future")}
    assert acme.ok("POST", PATH, new_entry(day="2036-01-15", allowFuture=True))["details"] == []
