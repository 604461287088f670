"""Fixtures of payroll."""

from collections.abc import Callable

import pytest

from tests.conftest import Office
from tests.hr.payroll import payrolls


@pytest.fixture
def wednesday(clock_at: Callable[[str], None]) -> None:
    """11 March 2026, so that January and February are over."""
    clock_at(payrolls.NOW)


@pytest.fixture
def anna(acme: Office) -> str:
    """3000.00 a month, of which tax takes 400.00 and the fund 150.00; the office adds 300.00."""
    return acme.once(_anna)


def _anna(acme: Office) -> str:
    payrolls.add_components(acme)
    return payrolls.paid_employee(acme)
