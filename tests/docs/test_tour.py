"""The tour works as printed."""

import shutil
import subprocess
from pathlib import Path

from tests.conftest import Installation
from tests.docs.pages import blocks, page
from tests.servers import running


def test_the_tour_works_as_printed(installation: Installation, tmp_path: Path) -> None:
    with running(installation.config, installation.app) as server:
        script = "\n".join(blocks(page("tour"), "tour")).replace("http://127.0.0.1:8420", server.url)
        bash = shutil.which("bash")
        assert bash
        done = subprocess.run(
            [bash, "-euo", "pipefail", "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "paid" in lines
    assert "True" in lines
    assert '"isValid":true' in lines[-1]
    assert "1177.98" in done.stdout
    assert '"description": "Front page"' in done.stdout
    assert '"invoicedAmount": "144.00"' in done.stdout
    assert '"explanation": "3,200.00 × 15 of 22 working days = 2,181.82"' in done.stdout
    assert (tmp_path / "payslip.pdf").read_bytes().startswith(b"%PDF")
    assert '"code": "unbalanced_entry"' in done.stdout
    assert '"code": "overpayment"' in done.stdout
