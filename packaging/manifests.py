"""Fill in winget's manifests and Homebrew's formula: python packaging/manifests.py FOLDER --address ADDRESS.

FOLDER has the files of a release, which will be downloaded from ADDRESS. Versions, names and checksums are the files'.
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent
TEMPLATES = {"winget": "*.yaml", "homebrew": "*.rb"}
PART = re.compile(r"@(VERSION|ADDRESS|HOME)@|@(FILE|SHA256) ([\w.-]+)@")
"""A placeholder: a value of the release, or the name or checksum of its file with that ending."""


class MissingFile(Exception):
    """The release lacks a file."""


def main() -> int:
    """Write a folder for each package manager whose files are all there."""
    arguments = parser().parse_args()
    written = 0
    for manager, pattern in TEMPLATES.items():
        templates = sorted((PACKAGING / manager).glob(pattern))
        try:
            texts = {path.name: filled(path.read_text("utf-8"), arguments) for path in templates}
        except MissingFile as missing:
            print(f"== {manager}: left out, because {arguments.folder} has no {missing}")
            continue
        target: Path = (arguments.to or arguments.folder) / manager
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (target / name).write_text(text, "utf-8", newline="\n")
        print(f"== {manager}: {', '.join(texts)}")
        written += 1
    return 0 if written else 1


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="folder with the files of a release")
    parser.add_argument("--address", type=address, required=True, help="where the files will be, without the last /")
    parser.add_argument("--home", type=address, help="the program's own page (default: the address)")
    parser.add_argument("--to", type=Path, help="folder for the result (default: the same one)")
    return parser


def address(text: str) -> str:
    """An address that both package managers accept."""
    if not re.fullmatch(r"https://[\w./%~:+-]+", text):
        raise argparse.ArgumentTypeError(f"{text} is not an address that begins with https://.")
    return text.rstrip("/")


def filled(template: str, release: argparse.Namespace) -> str:
    """The text with the values of a release in the place of its placeholders."""

    def value(part: re.Match[str]) -> str:
        if part[2]:
            path = file(release.folder, part[3])
            return path.name if part[2] == "FILE" else hashlib.sha256(path.read_bytes()).hexdigest()
        values = {
            "VERSION": version(release.folder),
            "ADDRESS": release.address,
            "HOME": release.home or release.address,
        }
        return str(values[part[1]])

    return PART.sub(value, template)


def version(folder: Path) -> str:
    """The version in the names of the files, which is the same in all of them."""
    names = (path.name.split("-") for path in folder.glob("erp-*-*"))
    found = {parts[1] for parts in names}
    if len(found) != 1:
        raise SystemExit(f"packaging/manifests.py: {folder} has files of {len(found)} versions instead of one.")
    return found.pop()


def file(folder: Path, ending: str) -> Path:
    """The file of the release with that ending."""
    path = folder / f"erp-{version(folder)}-{ending}"
    if not path.is_file():
        raise MissingFile(path.name)
    return path


if __name__ == "__main__":
    sys.exit(main())
