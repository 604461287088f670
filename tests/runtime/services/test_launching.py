import sys
from pathlib import Path

import pytest

import erp
from erp.runtime.services.launching import CannotInstall, plan

DATA = Path("/srv/data")
TO_DATA = f"--data-dir={DATA}"


def test_the_service_starts_this_python_in_the_folder_of_this_program():
    launch = plan(DATA, {})
    assert launch.words == (sys.executable, "-m", "erp", "serve", "--no-browser", TO_DATA)
    assert launch.folder == Path(erp.__file__).parent.parent
    assert launch.data_dir == DATA


def test_the_executable_starts_itself(monkeypatch):
    ann = Path("/home/ann/erp/erp").resolve()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(ann))
    launch = plan(DATA, {})
    assert launch.words == (str(ann), "serve", "--no-browser", TO_DATA)
    assert launch.folder == ann.parent


def test_the_settings_that_were_typed_become_the_services():
    typed = {"data_dir": "elsewhere", "no_browser": True, "port": "8500", "lan": True}
    words = plan(DATA, {**typed, "allowed_hosts": ["office", "office.lan"]}).words
    assert words[-4:] == ("--port=8500", "--lan", "--allowed-host=office", "--allowed-host=office.lan")
    assert [word for word in words if "elsewhere" in word or word == "--no-browser"] == ["--no-browser"]


@pytest.mark.parametrize("sign", ["\n", "\x00", "\x7f", "\udcff", "\uffff", "\ufdd0"])
def test_a_folder_whose_name_cannot_be_written_to_a_file_is_refused(sign):
    with pytest.raises(CannotInstall, match="characters that cannot be written"):
        plan(Path(f"/srv/da{sign}ta"), {})
