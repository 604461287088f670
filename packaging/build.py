"""Build the executable, test it, and put its checksum, its licences and its parts beside it: python packaging/build.py.

The build is reproducible: the same sources and tools on the same system give the same bytes.
"""

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import licences
import sbom

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".exe" if sys.platform == "win32" else ""
SYSTEMS = {"win32": "windows", "darwin": "macos"}
MACHINES = {"amd64": "x86_64", "aarch64": "arm64"}
LONG_AGO = "1577836800"
"""The build time if there is no commit to take one from: the start of 2020, in seconds since 1970."""


def main() -> int:
    """Build, test, and put the files in place."""
    arguments = parser().parse_args()
    target: Path = arguments.to
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="erp-build-") as work:
        built = build(Path(work), folder=arguments.folder)
        say("Testing it")
        run([str(program(built)), "selftest"])
        number, notes = version(program(built)), Path(work) / "notes" / "build"
        name = f"erp-{number}-{system()}"
        write(target / f"{name}-licences.txt", licences.collected(notes, ROOT / "LICENSE", name))
        parts = sbom.listed(notes, name, number, checksum(program(built)), int(moment()))
        write(target / f"{name}-parts.cdx.json", parts)
        final = put(built, target / (name if built.is_dir() else name + SUFFIX))
    if final.is_file():
        write(target / f"{final.name}.sha256", f"{checksum(final)}  {final.name}\n")
        say(f"{final.name}: {final.stat().st_size / 1e6:.1f} MB, SHA-256 {checksum(final)}")
    return 0


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="folder for the result (default: dist)")
    parser.add_argument("--folder", action="store_true", help="build a folder with the program instead of one file")
    return parser


def build(work: Path, *, folder: bool = False) -> Path:
    """Run PyInstaller, independent of the date and the settings of this machine.

    Returns:
        The file or folder that it has built.
    """
    say("Building")
    fixed = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": moment(), "PYINSTALLER_CONFIG_DIR": str(work / "cache")}
    fixed |= {"PYINSTALLER_ZLIB_COMPRESSION_LEVEL": "9"}  # it saves 0.1 MB
    # Columns of code serve only to underline a place in the source, which is not there. Without them: 3.4 MB less.
    fixed |= {"PYTHONNODEBUGRANGES": "1"}
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(work / "made"), "--workpath", str(work / "notes"), str(ROOT / "build.spec")]
    run([*command, "--", "--folder"] if folder else command, fixed)
    return work / "made" / ("erp" if folder else f"erp{SUFFIX}")


def moment() -> str:
    """The time of the newest commit, which is recorded as the build time."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() or LONG_AGO
    except (OSError, subprocess.CalledProcessError):
        return LONG_AGO


def program(built: Path) -> Path:
    """The file to start."""
    return built / f"erp{SUFFIX}" if built.is_dir() else built


def version(executable: Path) -> str:
    """The version that the executable prints."""
    output = subprocess.run([str(executable), "version"], capture_output=True, text=True, check=True).stdout
    return output.split()[1]


def system() -> str:
    """The system that it was built for, as download pages name it."""
    machine = platform.machine().lower()
    return f"{SYSTEMS.get(sys.platform, sys.platform)}-{MACHINES.get(machine, machine)}"


def put(built: Path, target: Path) -> Path:
    """Move the result to its target, replacing what is there."""
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    return Path(shutil.move(built, target))


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, text: str) -> None:
    """Write a text with the same line ends on every system."""
    path.write_text(text, "utf-8", newline="\n")
    say(f"{path.name}: {len(text)} characters")


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a program; if it fails, end and say which."""
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **(environment or {})}, check=False)
    if done.returncode:
        raise SystemExit(f"packaging/build.py: {Path(command[0]).name} {command[1]} failed with {done.returncode}.")


def say(line: str) -> None:
    """Print a line about the current step."""
    print(f"== {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
