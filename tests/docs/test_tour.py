"""The README's tour works as printed."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.conftest import Installation
from tests.paths import ROOT
from tests.servers import running

README = ROOT / "README.md"


def blocks(name: str) -> list[str]:
    """The commands under the comments of that name."""
    return re.findall(rf"^<!-- {name} -->\n```sh\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_tour_works_as_printed(installation: Installation, tmp_path: Path) -> None:
    with running(installation.config, installation.app) as server:
        script = "\n".join(blocks("tour")).replace("http://127.0.0.1:8420", server.url)
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
    assert '"description": "WE' in done.stdout
    assert '"invoicedAmount": "144.00"' in done.stdout
    assert '"explanation": "3.200,00 × 15 von 22 Arbeitstagen = 2.181,82"' in done.stdout
    assert (tmp_path / "payslip.pdf").read_bytes().startswith(b"%PDF")
    assert '"code": "unbalanced_entry"' in done.stdout
    assert '"code": "overpayment"' in done.stdout


def test_there_is_one_command_to_run_it_and_one_to_test_it() -> None:
    assert [len(blocks(name)) for name in ("run", "test")] == [1, 1]
    assert all(len(blocks(name)[0].splitlines()) == 1 for name in ("run", "test"))
