"""Settings that no request could have set are named wherever a file is checked, imported or put back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from erp.migrations import WORKSPACE_SCHEMA
from erp.store import router
from erp.system.checks import files as checking
from tests.busy_offices import WORKSPACE_STEPS
from tests.conftest import Installation
from tests.system.checks.offices import tampered_copy

BAD_FORMAT = "Must contain {seq} or {seq:5} once"
SETTINGS = [
    ("time_zone = '../../etc/passwd'", "Its setting timeZone is '../../etc/passwd'. There is no such time zone. Use o"),
    ("time_zone = 'Factory'", "Its setting timeZone is 'Factory'. There is no such time zone."),
    ("base_currency = 'ZZZ'", "Its setting baseCurrency is 'ZZZ'. There is no such currency. Use a code such as EUR."),
    ("country = 'QQ'", "Its setting country is 'QQ'. There is no such country."),
    ("number_formats = json_set(number_formats, '$.journal', '{')", f"numberFormats.journal is '{{'. {BAD_FORMAT}"),
    ("number_formats = json_remove(number_formats, '$.payment')", "numberFormats.payment is missing. Every number ser"),
    ("number_formats = json_set(number_formats, '$.payment', 'JE-{year}-{seq:3}')", "Another number series already ha"),
    ("number_formats = 'x'", "Its setting numberFormats cannot be read: 'x'."),
    ("fiscal_year_start = '02-30'", "Its setting fiscalYearStart is '02-30'. Must be a month and day that every year"),
    ("""weekend = '["sat", "sat"]'""", "Its setting weekend is ['sat', 'sat']. Must name each day only once."),
    ("""weekend = '["someday"]'""", "Its setting weekend[0] is 'someday'. Must be one of"),
    ("payment_terms_days = -1", "Its setting paymentTermsDays is -1. "),
    ("cash_rounding = -5", "Its setting cashRounding is '-0.05'. Must be "),
    ("prices_include_tax = 7", "Its setting pricesIncludeTax is 7. Must be true or false."),
    ("""punch_rounding = '{"step": 0}'""", "Its setting punchRounding.step is 0. "),
    ("""address = '{"country": "QQ"}'""", "Its setting address.country is 'QQ'. There is no such country."),
    ("tax_rounding = 'never'", "Its setting taxRounding is 'never'. Must be one of"),
    ("lock_date = 'tomorrow'", "Its setting lockDate is 'tomorrow'. It must be a day"),
    ("legal_name = printf('%0500d', 7)", "Its setting legalName is '0000000000"),
]
UNFIT = "UPDATE default_account SET account_id = (SELECT id FROM account WHERE code = '4000') WHERE key = 'bank'"


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    installation = Installation(tmp_path_factory.mktemp("settings") / "data")
    office = installation.office("Olga")
    router.close_all()
    yield installation.config.workspaces_dir / f"{office.workspace_id}.db"
    router.close_all()


@pytest.mark.parametrize(("change", "sentence"), SETTINGS, ids=[change[:50] for change, _ in SETTINGS])
def test_a_setting_that_no_request_could_have_set_is_named(
    books: Path, tmp_path: Path, change: str, sentence: str
) -> None:
    assert checking.workspace_file(books, nobody_writes=True).problems == []
    copy = tampered_copy(books, tmp_path, f"UPDATE settings SET {change}")
    problems = checking.workspace_file(copy, nobody_writes=True).problems
    assert any(sentence in problem for problem in problems), problems


def test_a_default_account_that_does_not_fit_is_named(books: Path, tmp_path: Path) -> None:
    problems = checking.workspace_file(tampered_copy(books, tmp_path, UNFIT), nobody_writes=True).problems
    (problem,) = problems
    assert problem.startswith("Its setting defaultAccounts.bank does not fit. Account 4000 cannot be used here.")


def test_settings_of_an_older_schema_are_checked_as_well(
    books: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WORKSPACE_SCHEMA, "steps", WORKSPACE_STEPS)
    copy = tampered_copy(books, tmp_path, "UPDATE settings SET time_zone = 'Nowhere'")
    assert "Its setting timeZone is 'Nowhere'." in checking.workspace_file(copy, nobody_writes=True).problems[0]
