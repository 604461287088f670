"""`erp check` on fixed assets: what another program did to their rows is found."""

import pytest

from erp.store.router import WORKSPACE
from tests.finance.assets.assets import asset, dispose, run
from tests.finance.soundness import problems


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


@pytest.mark.parametrize(
    ("spoiling", "told"),
    [
        ("UPDATE depreciation SET amount = amount + 1", "collected on account 1590"),
        ("UPDATE depreciation SET amount = amount + 200000", "more than its cost"),
        ("UPDATE depreciation_run SET date = '2026-04-30'", "does not match the run"),
        ("UPDATE asset SET disposal_book_value = disposal_book_value - 1 WHERE status = 'disposed'", "The book value"),
        ("UPDATE asset SET disposed_on = '2026-06-16' WHERE status = 'disposed'", "does not match the disposal"),
    ],
)
def test_rows_that_do_not_fit_their_entries_are_told(acme, spoiling, told):
    asset(acme)
    gone = asset(acme)
    run(acme, "2026-05")
    dispose(acme, gone, "2026-06-15")
    assert problems(acme) == []
    with acme.books(write=True):
        for (trigger,) in WORKSPACE.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            if trigger.startswith(("asset", "depreciation")):
                WORKSPACE.run(f"DROP TRIGGER {trigger}")
        WORKSPACE.run(spoiling)
    assert any(told in problem for problem in problems(acme)), problems(acme)
