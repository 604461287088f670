"""The manifests for winget and the formula for Homebrew, filled in for the files of a release."""

import hashlib
import re
import shutil
import subprocess
import sys

import pytest

from erp import __version__
from tests.paths import ROOT

PACKAGING = ROOT / "packaging"
ADDRESS = "https://downloads.example/erp/v1"
WINDOWS, MACOS, LINUX = "windows-x86_64-setup.exe", "macos-arm64", "linux-x86_64"
ID = "TheErpAuthors.erp"

# Required fields, limits and values of the schema 1.10.0 of winget's manifests, as its project documents them in
# winget-cli, schemas/JSON/manifests/v1.10.0.
REQUIRED = {
    "version": {"DefaultLocale"},
    "installer": {"Installers"},
    "defaultLocale": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"},
    "locale": {"PackageLocale"},
}
OF_ALL = {"PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion"}
RESPONSES = {"packageInUse", "downgrade", "contactSupport", "systemNotSupported"}
LOCALE = re.compile(r"[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*")
LONGEST = {"Publisher": 256, "PackageName": 256, "License": 512, "ShortDescription": 256, "Description": 10000}


@pytest.fixture
def release(tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    for ending in (WINDOWS, MACOS, LINUX, "linux-x86_64-licences.txt", f"{WINDOWS}.sha256"):
        (folder / f"erp-{__version__}-{ending}").write_text(f"content for {ending}", "utf-8")
    return folder


def fill(folder, *words):
    command = [sys.executable, PACKAGING / "manifests.py", folder, *(words or ("--address", ADDRESS))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def manifests(release):
    """The manifests by their types."""
    yaml = pytest.importorskip("yaml")
    assert fill(release).returncode == 0
    read = [yaml.safe_load(path.read_text("utf-8")) for path in (release / "winget").iterdir()]
    assert len(read) == len(REQUIRED)
    return {manifest["ManifestType"]: manifest for manifest in read}


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_each_manifest_has_the_fields_that_winget_requires(manifests):
    assert set(manifests) == set(REQUIRED)
    for kind, manifest in manifests.items():
        assert set(manifest) >= REQUIRED[kind] | OF_ALL
        assert manifest["PackageIdentifier"] == ID
        assert manifest["PackageVersion"] == __version__
        assert manifest["ManifestVersion"] == "1.10.0"
        assert all(3 <= len(manifest[name]) <= limit for name, limit in LONGEST.items() if name in manifest)
        assert all(1 <= len(tag) <= 40 for tag in manifest.get("Tags", []))


def test_the_manifests_are_named_as_winget_requires(release):
    fill(release)
    names = {path.name for path in (release / "winget").iterdir()}
    assert names == {f"{ID}{part}.yaml" for part in ("", ".installer", ".locale.en-US", ".locale.de-DE")}


def test_the_languages_are_english_and_german(manifests):
    locales = [manifests[kind]["PackageLocale"] for kind in ("defaultLocale", "locale")]
    assert locales == ["en-US", "de-DE"]
    assert manifests["version"]["DefaultLocale"] == "en-US"
    assert all(LOCALE.fullmatch(locale) for locale in locales)


def test_winget_gets_the_installer_of_the_release_by_its_checksum(manifests, release):
    name = f"erp-{__version__}-{WINDOWS}"
    assert manifests["installer"]["Installers"] == [
        {"Architecture": "x64", "InstallerUrl": f"{ADDRESS}/{name}", "InstallerSha256": sha256(release / name)}
    ]


def test_winget_knows_the_installer_and_its_entry_among_the_apps(manifests):
    installer, script = manifests["installer"], (PACKAGING / "erp.nsi").read_text("utf-8")
    assert (installer["InstallerType"], installer["Scope"]) == ("nullsoft", "user")
    (entry,) = installer["AppsAndFeaturesEntries"]
    assert entry.pop("ProductCode") == installer["ProductCode"] == "erp"
    assert r'"Software\Microsoft\Windows\CurrentVersion\Uninstall\erp"' in script
    written = dict(re.findall(r'"\$\{APPS\}" "(\w+)" "(.+)"', script))
    assert {name: written[name].replace("${VERSION}", __version__) for name in entry} == entry


def test_winget_knows_every_exit_code_of_the_installer(manifests):
    script = (PACKAGING / "erp.nsi").read_text("utf-8")
    codes = re.findall(r"^!define (RUNNING|OLDER|CANNOT_WRITE|UNFIT) (\d+)$", script, re.MULTILINE)
    expected = manifests["installer"]["ExpectedReturnCodes"]
    assert [code["InstallerReturnCode"] for code in expected] == [int(number) for _, number in codes]
    assert {code["ReturnResponse"] for code in expected} == RESPONSES


def test_homebrew_gets_the_program_of_each_system_by_its_checksum(release):
    assert fill(release).returncode == 0
    formula = (release / "homebrew" / "erp.rb").read_text("utf-8")
    assert f'version "{__version__}"' in formula
    for block, ending in (("on_macos", MACOS), ("on_linux", LINUX)):
        part = formula.partition(f"{block} do")[2].partition("\n  end")[0]
        name = f"erp-{__version__}-{ending}"
        assert f'url "{ADDRESS}/{name}"\n    sha256 "{sha256(release / name)}"' in part


def test_the_formula_is_ruby(release):
    fill(release)
    path = release / "homebrew" / "erp.rb"
    words = re.findall(r"^ *(class|def|\w.* do$|end$)", path.read_text("utf-8"), re.MULTILINE)
    assert words.count("end") * 2 == len(words)
    if ruby := shutil.which("ruby"):
        assert subprocess.run([ruby, "-c", path], capture_output=True, text=True, check=False).returncode == 0


def test_nothing_is_left_to_fill_in(release):
    fill(release)
    texts = [path.read_text("utf-8") for path in release.glob("*/*")]
    assert len(texts) == 5
    assert not [text for text in texts if re.search(r"@[A-Z]", text)]


def test_the_program_has_a_page_of_its_own(release):
    fill(release, "--address", ADDRESS, "--home", "https://erp.example/")
    assert 'homepage "https://erp.example"' in (release / "homebrew" / "erp.rb").read_text("utf-8")


def test_a_package_manager_whose_file_is_missing_is_left_out(release):
    (release / f"erp-{__version__}-{MACOS}").unlink()
    done = fill(release)
    assert done.returncode == 0
    assert f"homebrew: left out, because {release} has no erp-{__version__}-{MACOS}" in done.stdout
    assert (release / "winget").is_dir()
    assert not (release / "homebrew").exists()
    (release / f"erp-{__version__}-{WINDOWS}").unlink()
    assert fill(release).returncode == 1


def test_files_of_two_versions_are_no_release(release):
    (release / f"erp-9.9.9-{MACOS}").touch()
    done = fill(release)
    assert done.returncode == 1
    assert "has files of 2 versions instead of one" in done.stderr


@pytest.mark.parametrize("address", ["http://downloads.example", "downloads.example", 'https://a.example/"'])
def test_an_address_is_a_secure_one(release, address):
    done = fill(release, "--address", address)
    assert done.returncode == 2
    assert "is not an address that begins with https://" in done.stderr


def test_the_templates_name_no_release():
    templates = [path for folder in ("winget", "homebrew") for path in (PACKAGING / folder).iterdir()]
    assert len(templates) == 5
    for path in templates:
        text = path.read_text("utf-8")
        assert "://" not in text
        assert not re.search(r"\b[0-9a-fA-F]{64}\b", text)
        assert __version__ not in text
