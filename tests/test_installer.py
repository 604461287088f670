"""The installer for Windows as it is made; packaging/windows.sh tries it under Wine, in packaging/try_installer.py."""

import hashlib
import io
import re
import runpy
import shutil
import subprocess
import sys

import pytest

from erp import __version__
from tests.paths import ROOT
from tests.workflows import workflow

PACKAGING = ROOT / "packaging"
SCRIPT = (PACKAGING / "erp.nsi").read_text("utf-8")
NAME = f"erp-{__version__}-windows-x86_64"
ONLY_READ = re.compile(r'^LangString|^!define TASK|"Comments"|^ *FileOpen \$1 "\$\{TASK\}" r$')
"""The lines that may name the data folder: they show it, or read the description of the task in it."""
LANGUAGES = ("ENGLISH", "GERMAN")
needs_makensis = pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis of the package nsis is missing")


@pytest.fixture
def built(tmp_path):
    """The files of a build for Windows."""
    (tmp_path / f"{NAME}.exe").write_bytes(b"MZ" + bytes(range(256)) * 400)
    (tmp_path / f"{NAME}-licences.txt").write_text("licences of all parts", "utf-8")
    (tmp_path / f"{NAME}-parts.cdx.json").write_text("{}", "utf-8")
    return tmp_path


def make(folder):
    return subprocess.run(
        [sys.executable, PACKAGING / "installer.py", folder], capture_output=True, text=True, check=False
    )


@needs_makensis
def test_the_installer_and_its_checksum_are_beside_the_program_and_always_the_same(built):
    made = []
    for _ in range(2):
        done = make(built)
        assert done.returncode == 0, done.stdout + done.stderr
        made.append((built / f"{NAME}-setup.exe").read_bytes())
    assert made[0] == made[1]
    checksum = hashlib.sha256(made[0]).hexdigest()
    assert (built / f"{NAME}-setup.exe.sha256").read_text("utf-8") == f"{checksum}  {NAME}-setup.exe\n"


@needs_makensis
def test_windows_shows_whose_installer_it_is_and_its_version(built):
    make(built)
    content = (built / f"{NAME}-setup.exe").read_bytes().decode("utf-16-le", "ignore")
    for name, value in (("ProductVersion", __version__), ("CompanyName", "The erp authors"), ("ProductName", "erp")):
        assert re.search(rf"{name}\0+{re.escape(value)}\0", content), name


@needs_makensis
@pytest.mark.parametrize("missing", [f"{NAME}-licences.txt", f"{NAME}-parts.cdx.json"])
def test_no_installer_is_made_without_the_notices(built, missing):
    (built / missing).unlink()
    done = make(built)
    assert done.returncode == 1
    assert f"{missing} is missing" in done.stderr
    assert not (built / f"{NAME}-setup.exe").exists()


def test_its_pages_have_the_colour_of_the_icon():
    script = runpy.run_path(str(PACKAGING / "installer.py"))
    image = pytest.importorskip("PIL.Image").open(io.BytesIO(script["bitmap"](script["colour"]())))
    colour = "#{:02x}{:02x}{:02x}".format(*image.getpixel((0, 0)))
    assert colour in (ROOT / "erp" / "frontend" / "icon.svg").read_text("utf-8")


def test_without_a_program_or_with_two_it_says_so(built):
    (built / "erp-9.9.9-windows-x86_64.exe").touch()
    assert "2 programs for Windows instead of one" in make(built).stderr
    assert "0 programs for Windows instead of one" in make(built / "..").stderr


def test_it_is_for_the_user_alone():
    assert "RequestExecutionLevel user" in SCRIPT
    assert 'InstallDir "$LOCALAPPDATA\\Programs\\erp"' in SCRIPT
    assert set(re.findall(r"^\s*(?:WriteReg\w+|DeleteRegKey|ReadRegStr \$\w+) (\w+)", SCRIPT, re.MULTILINE)) == {"HKCU"}


def test_it_removes_file_by_file_what_it_has_installed_and_nothing_of_the_data():
    removed = re.findall(r"^\s*(?:Delete|RMDir) (.+)$", SCRIPT.partition('Section "Uninstall"')[2], re.MULTILINE)
    written = re.findall(r'^\s*File "/oname=(.+?)"', SCRIPT, re.MULTILINE)
    assert written
    files = {name for name in written if name != "erp.new"} | {"erp.exe", "uninstall.exe"}
    folder, link = '"$INSTDIR"', '"$SMPROGRAMS\\erp.lnk"'
    assert set(removed) == {f'"$INSTDIR\\{name}"' for name in files} | {folder, link}
    assert "RMDir /r" not in SCRIPT
    named = [line for line in SCRIPT.splitlines() if "${DATA}" in line or "${TASK}" in line]
    assert named
    assert [line for line in named if not ONLY_READ.search(line)] == []


def test_every_text_is_there_in_both_languages():
    texts = {language: set(re.findall(rf"LangString (\w+) \${{LANG_{language}}} ", SCRIPT)) for language in LANGUAGES}
    assert texts["ENGLISH"] == texts["GERMAN"] == set(re.findall(r"\$\((\w+)\)", SCRIPT))


def test_a_silent_install_never_waits_for_an_answer():
    boxes = [line for line in SCRIPT.splitlines() if "MessageBox" in line]
    assert boxes
    assert [line for line in boxes if "/SD " not in line] == []


def test_the_start_at_sign_in_is_the_programs_own():
    assert re.findall(r"nsExec::\w+ '\"\$INSTDIR\\erp.exe\" (.+)'", SCRIPT) == ["service install", "service remove"]
    assert "CurrentVersion\\Run" not in SCRIPT
    assert "SMSTARTUP" not in SCRIPT


def test_the_task_is_removed_only_when_no_program_runs_any_more():
    uninstall = SCRIPT.partition('Section "Uninstall"')[2]
    order = ["Call un.OwnTask", "/End /TN erp'", "WaitForEnd", 'erp.exe" service remove', 'Delete "$INSTDIR\\erp.exe"']
    found = [uninstall.index(step) for step in order]
    assert found == sorted(found)


def test_every_build_under_wine_tries_it():
    script = (PACKAGING / "windows.sh").read_text("utf-8")
    assert script.index("    try_installer\n") < script.index('if [ "$short" ]; then say')
    assert "packaging/try_installer.py" in script


class TestRelease:
    """The workflow that publishes it."""

    @pytest.fixture
    def commands(self):
        jobs = workflow("release")["jobs"]
        return {name: "\n".join(step.get("run", "") for step in job.get("steps", ())) for name, job in jobs.items()}

    def test_it_is_made_of_the_tested_program_and_tried_on_windows_before_it_is_published(self, commands):
        jobs = workflow("release")["jobs"]
        assert jobs["installer"]["needs"] == "build"
        assert jobs["try-installer"]["needs"] == "installer"
        assert jobs["try-installer"]["runs-on"].startswith("windows")
        assert "try-installer" in jobs["publish"]["needs"]
        assert "packaging/installer.py built" in commands["installer"]
        assert "packaging/try_installer.py dist older" in commands["try-installer"]

    def test_the_package_managers_files_are_filled_in_after_the_checksums_are_checked(self, commands):
        order = ["sha256sum --check", "packaging/manifests.py dist", "gh release create"]
        found = [commands["publish"].index(step) for step in order]
        assert found == sorted(found)

    def test_the_installer_of_the_older_version_is_not_published(self):
        steps = workflow("release")["jobs"]["publish"]["steps"]
        (patterns,) = [step["with"]["pattern"] for step in steps if "download-artifact" in step.get("uses", "")]
        assert patterns == "erp-*"
