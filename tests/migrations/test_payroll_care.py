"""Files from before people were kept from deciding on their own pay keep what they have."""

from contextlib import closing
from pathlib import Path

from erp.migrations import people, workspace
from erp.store import connections

COMPONENT = """
INSERT INTO pay_component (id, version, created_at, updated_at, code, name, kind, calculation, bracket_period, method,
    rounding, taxable, pre_tax, prorated, applies_to_all, position)
VALUES (?, 1, '', '', ?, ?, 'deduction', 'fixed', 'period', 'period', 'half_up', 1, 0, 0, 0, 0)
"""


def test_components_of_a_pay_template_are_known_by_their_codes(tmp_path: Path) -> None:
    with closing(connections.connect(tmp_path / "a.db", "rwc")) as file:
        workspace.first(file)
        for code in ("nz-2021-income-tax", "us-2024-medicare", "union"):
            file.execute(COMPONENT, (code, code, code))
        people.payroll_care(file)
        rows = file.execute("SELECT code, template FROM pay_component ORDER BY code").fetchall()
        assert rows == [("nz-2021-income-tax", "nz-2021"), ("union", None), ("us-2024-medicare", "us-2024-single")]
        assert file.execute("SELECT count(*) FROM pay_template_check").fetchone() == (0,)
