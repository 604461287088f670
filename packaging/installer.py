"""The installer for Windows, of the files that packaging/build.py has made there: python packaging/installer.py FOLDER.

It runs wherever there is makensis with its 64-bit parts, as in Debian's package nsis.
"""

import argparse
import hashlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import windows_version

ROOT = Path(__file__).resolve().parent.parent
SCRIPT, ICON = ROOT / "packaging" / "erp.nsi", ROOT / "packaging" / "icons" / "erp.ico"
PICTURE = ROOT / "erp" / "frontend" / "icon.svg"
SYSTEM = "windows-x86_64"


def main() -> int:
    """Make the installer and its checksum beside the program."""
    arguments = parser().parse_args()
    program = built(arguments.folder)
    version = program.name.removeprefix("erp-").removesuffix(f"-{SYSTEM}.exe")
    target = program.with_name(f"{program.stem}-setup.exe")
    if shutil.which("makensis") is None:
        raise SystemExit("packaging/installer.py: There is no makensis. On Debian, it is in the package nsis.")
    with tempfile.TemporaryDirectory(prefix="erp-installer-") as work:
        side = Path(work) / "side.bmp"
        side.write_bytes(bitmap(colour()))
        made = subprocess.run(command(program, version, side, target), check=False)
    if made.returncode:
        raise SystemExit(f"packaging/installer.py: makensis failed with {made.returncode}.")
    checksum = hashlib.sha256(target.read_bytes()).hexdigest()
    target.with_name(f"{target.name}.sha256").write_text(f"{checksum}  {target.name}\n", "utf-8", newline="\n")
    print(f"== {target.name}: {target.stat().st_size / 1e6:.1f} MB, SHA-256 {checksum}")
    return 0


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with the built program, its licences and its parts")
    return parser


def built(folder: Path) -> Path:
    """The program for Windows in a folder."""
    found = sorted(folder.resolve().glob(f"erp-*-{SYSTEM}.exe"))
    if len(found) != 1:
        raise SystemExit(f"packaging/installer.py: {folder} has {len(found)} programs for Windows instead of one.")
    return found[0]


def colour() -> bytes:
    """The colour of the program's icon: red, green, blue."""
    found = re.search(r'<rect [^>]*fill="#([0-9a-f]{6})"', PICTURE.read_text("utf-8"))
    if not found:
        raise SystemExit(f"packaging/installer.py: {PICTURE.name} has no <rect> with a colour.")
    return bytes.fromhex(found[1])


def bitmap(colour: bytes) -> bytes:
    """A picture of one dot, which the installer stretches beside its first and last page."""
    dot = colour[::-1] + b"\0"
    return struct.pack("<2sIIIIiiHHIIiiII", b"BM", 58, 0, 54, 40, 1, 1, 1, 24, 0, len(dot), 0, 0, 0, 0) + dot


def command(program: Path, version: str, side: Path, target: Path) -> list[str]:
    """The words that run makensis."""
    files = {
        "PROGRAM": program,
        "LICENCE": ROOT / "LICENSE",
        "LICENCES": program.with_name(f"{program.stem}-licences.txt"),
        "PARTS": program.with_name(f"{program.stem}-parts.cdx.json"),
        "ICON": ICON,
        "SIDE": side,
    }
    if missing := [path.name for path in files.values() if not path.is_file()]:
        raise SystemExit(f"packaging/installer.py: {', '.join(missing)} is missing.")
    numbers = ".".join(map(str, windows_version.numbers(version)))
    size = sum(path.stat().st_size for path in files.values()) // 1024
    names = {**files, "VERSION": version, "NUMBERS": numbers, "SIZE": size, "TO": target}
    options = [f"-D{name}={value}" for name, value in names.items()]
    return ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *options, str(SCRIPT)]


if __name__ == "__main__":
    sys.exit(main())
