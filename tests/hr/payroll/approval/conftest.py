"""A run of pay in draft."""

import pytest

from tests.hr.payroll.payrolls import payroll_run


@pytest.fixture
def draft(acme, anna):
    return acme.once(payroll_run)
