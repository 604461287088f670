"""The commands of the page about running the server work as printed."""

import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from erp import cli
from erp.kernel.config import Config
from erp.store import router
from tests.conftest import Installation
from tests.docs.pages import FOLDER, PAGES, README, blocks, page
from tests.paths import ROOT

COMMAND = re.compile(r"`erp (?!is )([^`]+)`")
TYPED = sorted({typed for path in (README, *PAGES) for typed in COMMAND.findall(path.read_text("utf-8"))})


def test_the_commands_work_as_printed(installation: Installation, tmp_path: Path) -> None:
    olga = installation.office("Olga")
    router.close_all()
    script = "\n".join(blocks(page("operating"), "office"))
    for printed, here in (
        ("/media/stick/BACKUP.zip", "stick/erp-*.zip"),
        ("/media/stick", "stick"),
        (" ID", f" {olga.workspace_id}"),
        ("olga@example.com", olga.email),
    ):
        assert printed in script
        script = script.replace(printed, here)
    bash = shutil.which("bash")
    assert bash
    done = subprocess.run(
        [bash, "-euo", "pipefail", "-c", f'erp() {{ "{sys.executable}" -m erp "$@"; }}\n{script}'],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={"ERP_DATA_DIR": str(installation.config.data_dir), "PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "It has been restored." in done.stdout
    assert "The workspace has been restored." in done.stdout
    assert "files are sound." in done.stdout
    assert "Acme, to try things" in done.stdout
    assert "/#reset=" in done.stdout
    assert (tmp_path / "acme.zip").exists()


@pytest.mark.parametrize("typed", TYPED)
def test_every_command_that_a_page_names_exists(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        cli.parser().parse_args(typed.split())
    complaint = capsys.readouterr().err.partition("error: ")[2]
    assert not complaint or complaint.startswith("the following arguments are required"), complaint


def test_the_folder_of_the_data_is_described(installation: Installation) -> None:
    """Each file and folder of `Config` that is part of the data has its row."""
    described = set(re.findall(r"^\| `([\w.]+)/?` \|", page("operating"), re.MULTILINE))
    places = {path.name for name in dir(Config) if isinstance(path := _of(installation.config, name), Path)}
    assert places - {installation.config.data_dir.name} <= described
    assert len(described) > 8


def _of(config: Config, name: str) -> object:
    return getattr(config, name) if name.endswith(("_dir", "_path")) else None


def test_the_settings_that_it_names_have_these_defaults() -> None:
    rows = re.findall(r"^\| `--([\w-]+)` \| ([^|]+) \|", page("operating"), re.MULTILINE)
    defaults = Config(data_dir=FOLDER)
    assert len(rows) > 8
    for name, said in rows:
        value = getattr(defaults, name.replace("-", "_"))
        if name != "data-dir":
            assert _worded(value) in said, name


def _worded(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "off"
        case tuple():
            return "/".join(map(str, value))
        case _:
            return str(value)[:5]
