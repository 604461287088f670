"""The build on each system, the icons, the licences, and the steps of a release."""

import ast
import configparser
import importlib.util
import io
import json
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from erp import __version__
from erp.runtime.frozen import MARK, OURS
from tests.docs.pages import README, blocks
from tests.paths import ROOT
from tests.workflows import WORKFLOWS, workflow

PACKAGING = ROOT / "packaging"
BINARIES, DATAS = [("lib", "lib.so", "BINARY")], [(MARK, MARK, "DATA"), ("a-1.dist-info/RECORD", "", "DATA")]


class Spec:
    """The build file, run as on another system; records what it asks PyInstaller for."""

    def __init__(self, monkeypatch, work, platform, *words, has_pysqlite=True):
        hooks = ModuleType("PyInstaller.utils.hooks")
        vars(hooks).update(
            collect_data_files=lambda package, **_: [(f"{package}/data", package)],
            collect_submodules=lambda package, **_: [package],
            copy_metadata=lambda package: [(f"{package}/METADATA", f"{package}.dist-info")],
        )
        monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
        monkeypatch.setattr(sys, "path", list(sys.path))
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(sys, "argv", ["build.spec", *words])
        known = importlib.util.find_spec
        found = {"pysqlite3": known("json") if has_pysqlite else None}
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: found[name] if name in found else known(name))
        self.asked: dict[str, Any] = {}
        tools = {name: self._recorder(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT")}
        source = compile((ROOT / "build.spec").read_text("utf-8"), "build.spec", "exec")
        exec(source, {**tools, "SPECPATH": str(ROOT), "workpath": str(work)})
        self.parts, self.program = self.asked["EXE"]
        self.analysis = self.asked["Analysis"][1]

    def _recorder(self, name):
        def made(*parts, **options):
            self.asked[name] = (parts, options)
            return SimpleNamespace(name=name, pure=[], scripts=[], binaries=BINARIES, datas=DATAS)

        return made


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_the_executable_is_one_uncompressed_file_with_a_console(monkeypatch, tmp_path, platform):
    spec = Spec(monkeypatch, tmp_path, platform)
    assert spec.program["name"] == "erp"
    assert spec.program["console"] is True
    assert spec.program["upx"] is False
    assert BINARIES in spec.parts
    assert [(MARK, MARK, "DATA")] in spec.parts, "records of an installation are left out"
    assert "COLLECT" not in spec.asked


@pytest.mark.parametrize(("platform", "stripped"), [("linux", True), ("win32", False), ("darwin", True)])
def test_a_folder_is_built_on_demand(monkeypatch, tmp_path, platform, stripped):
    spec = Spec(monkeypatch, tmp_path, platform, "--folder")
    assert spec.program["exclude_binaries"] is True
    assert BINARIES not in spec.parts
    collected, options = spec.asked["COLLECT"]
    assert (BINARIES in collected, options["strip"], options["upx"]) == (True, stripped, False)
    assert spec.program["strip"] is stripped


def test_each_system_gets_its_own_icon_and_windows_a_version(monkeypatch, tmp_path):
    asked = {platform: Spec(monkeypatch, tmp_path, platform).program for platform in ("linux", "win32", "darwin")}
    icons = {platform: program["icon"] for platform, program in asked.items()}
    assert icons.pop("linux") is None
    assert {platform: Path(icon).name for platform, icon in icons.items()} == {"win32": "erp.ico", "darwin": "erp.icns"}
    assert all(Path(icon).is_file() for icon in icons.values())
    assert [asked[platform]["version"] for platform in ("linux", "darwin")] == [None, None]
    assert f'"ProductVersion", "{__version__}"' in Path(asked["win32"]["version"]).read_text("utf-8")


@pytest.mark.parametrize("words", [[], ["--folder"]])
def test_everything_that_is_read_by_name_is_packed(monkeypatch, tmp_path, words):
    packed = Spec(monkeypatch, tmp_path, "linux", *words).analysis["datas"]
    targets = {(Path(target) / Path(source).name).as_posix() for source, target in packed}
    targets |= in_archive(tmp_path / "frontend.zip", "erp/frontend/") | in_archive(tmp_path / "docs.zip", "erp/docs/")
    assets = {path.relative_to(ROOT).as_posix() for path in (ROOT / "erp").rglob("*") if path.is_file()}
    assert {name for name in assets if not name.endswith((".py", ".pyc"))} <= targets
    assert {MARK, OURS.as_posix()} <= targets
    assert "lucide/lucide.zip" in targets
    read = {"offapi", "fontpkg_noto_sans", "stdnum", *(["holidays"] if words else [])}
    assert {f"{name}/data" for name in read} <= targets


def test_what_is_imported_by_name_is_packed(monkeypatch, tmp_path):
    hidden = Spec(monkeypatch, tmp_path, "linux").analysis["hiddenimports"]
    assert {"holidays", "stdnum", "offapi"} <= set(hidden)


def in_archive(path, prefix=""):
    with zipfile.ZipFile(path) as archive:
        return {prefix + name for name in archive.namelist()}


STARTED = """
import runpy, sys, zoneinfo
from datetime import datetime
sys._MEIPASS = {folder!r}
runpy.run_path({hook!r})
sys.path.append({folder!r})
zoneinfo.reset_tzpath(to=())
print(datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo("Pacific/Auckland")).strftime("%Z"))
print(len(zoneinfo.available_timezones()) > 500)
import holidays
print(holidays.names())
"""
HOLIDAYS = """
from pathlib import Path
names = lambda: (Path(__file__).parent / "locale/de/LC_MESSAGES/DE.mo").is_file()
"""


def test_one_file_keeps_its_small_files_in_archives_and_finds_them(monkeypatch, tmp_path):
    spec = Spec(monkeypatch, tmp_path, "linux")
    packed = {(Path(target) / Path(source).name).as_posix() for source, target in spec.analysis["datas"]}
    assert {"erp/frontend.zip", "erp/docs.zip", "tzdata.zip", "holidays.zip"} <= packed
    assert len(packed) < 100
    assert "tzdata" in spec.analysis["excludes"], "another one would hide the one in the archive"
    assert "psycopg" in spec.analysis["excludes"], "Peewee imports it where it is installed"
    (tmp_path / "holidays").mkdir()
    (tmp_path / "holidays" / "__init__.py").write_text(HOLIDAYS, "utf-8")
    (hook,) = spec.analysis["runtime_hooks"]
    script = STARTED.format(folder=str(tmp_path), hook=hook)
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["NZDT", "True", "True"]


def test_docstrings_are_not_stripped(monkeypatch, tmp_path):
    assert Spec(monkeypatch, tmp_path, "linux").analysis["optimize"] < 2


@pytest.mark.parametrize("has_pysqlite", [True, False])
def test_there_is_exactly_one_sqlite(monkeypatch, tmp_path, has_pysqlite):
    spec = Spec(monkeypatch, tmp_path, "darwin", has_pysqlite=has_pysqlite)
    assert ("_sqlite3" in spec.analysis["excludes"]) is has_pysqlite


@pytest.mark.parametrize(
    ("version", "numbers"), [("0.4.1", (0, 4, 1, 0)), ("1.10", (1, 10, 0, 0)), ("2.0.0rc3", (2, 0, 0, 0))]
)
def test_windows_shows_the_programs_version(version, numbers):
    text = tool("windows_version")["resource"](version)
    resource: Any = ast.parse(text, mode="eval").body
    assert {ast.unparse(node.func) for node in ast.walk(resource) if isinstance(node, ast.Call)} == {
        *("FixedFileInfo", "StringFileInfo", "StringStruct", "StringTable", "VSVersionInfo", "VarFileInfo", "VarStruct")
    }
    fixed = {word.arg: ast.literal_eval(word.value) for word in resource.keywords[0].value.keywords}
    assert fixed["filevers"] == fixed["prodvers"] == numbers
    assert f'StringStruct("FileVersion", "{version}")' in text


def tool(name):
    """A script of `packaging`, which is not a package."""
    return runpy.run_path(str(PACKAGING / f"{name}.py"))


def test_the_icons_are_the_picture_that_the_pages_show():
    image = pytest.importorskip("PIL.Image")
    script = tool("icons")
    drawn = script["icons"]()
    assert set(drawn) == {path for folder in ("ICONS", "OF_PAGE") for path in script[folder].iterdir()}
    for path, content in drawn.items():
        committed = image.open(io.BytesIO(path.read_bytes()))
        current = image.open(io.BytesIO(content))
        assert committed.size == current.size
        assert committed.convert("RGBA").tobytes() == current.convert("RGBA").tobytes(), f"run icons.py: {path.name}"


def test_the_icon_of_windows_holds_every_size_it_shows():
    image = pytest.importorskip("PIL.Image")
    sizes = image.open(io.BytesIO((PACKAGING / "icons" / "erp.ico").read_bytes())).info["sizes"]
    assert sizes == {(side, side) for side in (16, 24, 32, 48, 64, 256)}


def test_every_dependency_has_a_licence_text():
    licence = tool("licences")["distribution_licence"]
    needed = {re.split(r"[^\w.-]", requirement)[0] for requirement in requires_of_the_project()}
    texts = {name: licence(distribution(name)) for name in needed if is_installed(name)}
    assert len(texts) > 10
    assert all(len(text) > 500 for text in texts.values()), {name: len(text) for name, text in texts.items()}
    assert "Swagger UI" in texts["offapi"]
    assert "Apache License" in texts["offapi"]
    assert "SIL OPEN FONT LICENSE" in texts["fontpkg-noto-sans"].upper()


def requires_of_the_project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]


def is_installed(name):
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def test_python_and_libraries_of_the_system_have_a_licence_text(tmp_path, monkeypatch):
    script = tool("licences")
    assert "PYTHON SOFTWARE FOUNDATION" in script["python_licence"]().upper()
    licences = script["system_licences"]({Path("/nowhere/libunknown.so.1"), Path(sys.prefix) / "lib" / "libours.so"})
    name = "Library of the operating system (libunknown.so.1)"
    assert licences == {name: "Under the licence of the operating system."}


def test_a_package_without_a_licence_is_not_packed():
    bare = SimpleNamespace(name="secret", metadata={}, files=[])
    with pytest.raises(SystemExit, match="secret names no licence"):
        tool("licences")["distribution_licence"](bare)


def test_the_parts_of_a_build_are_listed_as_cyclonedx_says(tmp_path, monkeypatch):
    validation = pytest.importorskip("cyclonedx.validation.json", reason="cyclonedx-python-lib is not installed")
    monkeypatch.syspath_prepend(PACKAGING)
    module, library = str(distribution("falcon").locate_file("falcon/app.py")), "/nowhere/libunknown.so.1"
    packed = [[("falcon.app", module, "PYMODULE"), ("libunknown.so.1", library, "BINARY")]]
    (tmp_path / "PKG-00.toc").write_text(repr(packed), "utf-8")
    listed = [tool("sbom")["listed"](tmp_path, "erp-1.2.3-linux", "1.2.3", "0a" * 32, 1700000000) for _ in range(2)]
    assert listed[0] == listed[1]
    schema = importlib.import_module("cyclonedx.schema").SchemaVersion.V1_6
    assert validation.JsonStrictValidator(schema).validate_str(listed[0]) is None
    parts = json.loads(listed[0])
    assert parts["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": "0a" * 32}]
    assert parts["metadata"]["timestamp"].startswith("2023-11-14T22:13:20")
    falcon = distribution("falcon").version
    python = f"pkg:generic/python@{sys.version.split()[0]}"
    assert {part.get("purl", part["name"]) for part in parts["components"]} == {
        f"pkg:pypi/falcon@{falcon}", python, "Library of the operating system (libunknown.so.1)"
    }  # fmt: skip
    assert parts["dependencies"][0]["dependsOn"]


def test_the_file_is_named_for_its_system(monkeypatch):
    script = tool("build")
    for platform, machine, name in (
        ("linux", "x86_64", "linux-x86_64"),
        ("win32", "AMD64", "windows-x86_64"),
        ("darwin", "arm64", "macos-arm64"),
        ("linux", "aarch64", "linux-arm64"),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr("platform.machine", lambda current=machine: current)
        assert script["system"]() == name


def test_a_failed_build_says_so(capfd):
    with pytest.raises(SystemExit, match=r"build\.py: .* failed with 3"):
        tool("build")["run"]([sys.executable, "-c", "raise SystemExit(3)"])


def test_the_build_time_is_that_of_the_sources(monkeypatch):
    script = tool("build")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert script["moment"]() == "1700000000"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert int(script["moment"]()) >= int(script["LONG_AGO"])


def test_the_menu_entry_names_the_program_and_its_icon():
    entry = configparser.ConfigParser(interpolation=None)
    vars(entry)["optionxform"] = str  # keys keep their case
    entry.read(PACKAGING / "erp.desktop", "utf-8")
    keys = dict(entry["Desktop Entry"])
    assert (keys["Type"], keys["Exec"], keys["Icon"], keys["Terminal"]) == ("Application", "erp", "erp", "true")
    assert keys["Categories"].endswith(";")
    assert (PACKAGING / "icons" / f"{keys['Icon']}.png").is_file()


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_of_a_workflow_is_pinned_by_its_digest_beside_its_version(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    used = re.findall(r"uses: (actions/.+)", text)
    assert used
    assert [each for each in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_workflow_names_a_registry(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    assert "://" not in text
    assert "index-url" not in text


class TestChecks:
    """The workflow that checks each change, and the scripts that it and its author run."""

    @pytest.fixture
    def jobs(self):
        return workflow("ci")["jobs"]

    def test_every_push_and_pull_request_is_checked(self):
        assert {"push", "pull_request"} <= set(workflow("ci")[True])

    def test_the_test_command_runs_on_each_system_with_the_oldest_and_the_newest_python(self, jobs):
        matrix = jobs["test"]["strategy"]["matrix"]
        assert [runner.partition("-")[0] for runner in matrix["runner"]] == ["ubuntu", "windows", "macos"]
        assert matrix["python"] == ["3.11", "3.14"]
        commands = [step["run"] for step in jobs["test"]["steps"] if "run" in step]
        assert [command.partition("python -m ")[2] for command in commands] == [
            part.partition("bin/")[2].replace("python -m ", "")
            for part in blocks(README.read_text("utf-8"), "test")[0].strip().split(" && ")[1:]
        ]

    def test_everything_is_checked_on_linux(self, jobs):
        assert ".ci/run" in [step.get("run") for step in jobs["all"]["steps"]]

    def test_no_job_may_write(self, jobs):
        assert workflow("ci")["permissions"] == {"contents": "read"}
        assert not any("permissions" in job for job in jobs.values())

    def test_the_whole_check_leaves_a_developers_environment_alone(self):
        script = (ROOT / ".ci" / "run").read_text("utf-8")
        used = [line for line in script.splitlines() if ".venv" in line and not line.startswith("#")]
        assert used == ['step eval "${test_command//.venv/$venv}"']
        assert "/.ci/venv/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()

    def test_the_quick_check_has_every_tool_of_the_whole_one(self):
        quick, whole = ((ROOT / ".ci" / name).read_text("utf-8").replace('"', "") for name in ("check", "run"))
        tools = set(re.findall(r"^step \$venv/bin/(ruff \w+|mypy|lint-imports|deno \w+)", whole, re.MULTILINE))
        assert len(tools) == 7
        assert tools <= set(re.findall(r"^step \$bin/(ruff \w+|mypy|lint-imports|deno \w+)", quick, re.MULTILINE))

    def test_whatever_tries_more_when_there_is_time_is_run_again(self):
        sources = {path: path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
        trying = {
            path
            for path, source in sources.items()
            if re.search(r"^from tests.conftest import .*\b(IS_THOROUGH|examples)\b", source, re.MULTILINE)
        }
        assert len(trying) > 20
        marked = {
            path for path, source in sources.items() if re.search(r"^@given|mark\.thorough", source, re.MULTILINE)
        }
        assert trying - marked == set()


class TestRelease:
    """The workflow that builds the files for download."""

    @pytest.fixture
    def jobs(self):
        return workflow("release")["jobs"]

    def test_every_system_is_built_and_only_tested_files_are_published(self, jobs):
        runners = [system["runner"].partition("-")[0] for system in jobs["build"]["strategy"]["matrix"]["include"]]
        assert runners == ["ubuntu", "windows", "macos"]
        assert jobs["build"]["needs"] == "check"
        assert jobs["publish"]["needs"] == ["build", "try-installer"]
        commands = "\n".join(step.get("run", "") for step in jobs["build"]["steps"])
        order = ["pip install", "-m pytest\n", "packaging/build.py", "-m pytest -m executable"]
        assert [commands.index(step) for step in order] == sorted(commands.index(step) for step in order)
        assert "sha256sum --check" in "\n".join(step.get("run", "") for step in jobs["publish"]["steps"])

    def test_only_the_job_that_publishes_may_write(self, jobs):
        assert "permissions" not in jobs["build"]
        assert jobs["publish"]["permissions"] == {"contents": "write"}

    def test_nothing_is_built_before_everything_is_checked(self, jobs):
        assert jobs["check"] == {"uses": "./.github/workflows/ci.yml"}
        assert "workflow_call" in workflow("ci")[True]

    def test_every_file_and_option_that_it_names_exists(self, jobs):
        commands = "\n".join(step.get("run", "") for job in jobs.values() for step in job.get("steps", ()))
        for name in re.findall(r"(?:packaging|erp)/[\w./-]+\.\w+", commands):
            assert (ROOT / name).is_file(), name
        assert f'__version__ = "{__version__}"' in (ROOT / "erp" / "__init__.py").read_text("utf-8")
        printed = subprocess.run(
            [sys.executable, PACKAGING / "build.py", "--help"], capture_output=True, text=True, check=True
        )
        assert {"--to", "--folder"} <= set(re.findall(r"--\w+", printed.stdout))
