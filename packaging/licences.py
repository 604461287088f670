"""The licences of everything in an executable as one text, found by where each of its files came from."""

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import Distribution, distributions
from pathlib import Path

LICENCE_FILE = re.compile(r"\.dist-info/(?:.*/)?(?:LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
NOTES = {
    "pysqlite3": "It contains SQLite (sqlite.org), whose authors have dedicated it to the public domain.",
    "offapi": "Only its viewer Swagger UI (SmartBear Software) is used, under the Apache License 2.0, which follows.",
    "fontpkg-noto-sans": "The typeface Noto Sans (The Noto Project Authors), under the SIL Open Font License.",
    "tzdata": "It contains the time zone database (IANA), which is in the public domain.",
    "pyinstaller": "Only its launcher is included; its licence has an exception for that.",
}
LINE = "=" * 100


def collected(notes: Path, own_licence: Path, title: str) -> str:
    """Write the text for a build.

    Args:
        notes: the folder in which PyInstaller recorded what it packed.
    """
    sources = packed_sources(notes)
    packages = sorted(distributions_of(sources), key=lambda package: package.name.lower())
    chapters = [(title, own_licence.read_text("utf-8")), (f"Python {sys.version.split()[0]}", python_licence())]
    chapters += [(f"{package.name} {package.version}", distribution_licence(package)) for package in packages]
    chapters += [(name, text) for name, text in sorted(system_licences(sources).items())]
    contents = "\n".join(f"- {name}" for name, _ in chapters)
    return f"{title} and the licences of everything in it:\n\n{contents}\n" + "".join(map(chapter, chapters))


def chapter(content: tuple[str, str]) -> str:
    """A licence under its heading."""
    name, text = content
    return f"\n{LINE}\n{name}\n{LINE}\n\n{text.strip()}\n"


def packed_sources(notes: Path) -> set[Path]:
    """Where the files of the build were taken from."""
    tables = [path for name in ("PYZ", "PKG", "COLLECT") for path in notes.glob(f"{name}-*.toc")]
    sources: set[Path] = set()
    for table in tables:
        for part in ast.literal_eval(table.read_text("utf-8")):
            if isinstance(part, list):
                sources |= {Path(source).resolve() for _, source, _ in part if source and source != "-"}
    return sources


def distributions_of(sources: set[Path]) -> list[Distribution]:
    """The installed packages that the files belong to."""
    return [
        package
        for package in distributions()
        if any(Path(str(package.locate_file(file))).resolve() in sources for file in package.files or ())
    ]


def distribution_licence(distribution: Distribution) -> str:
    """The licence of a package: a note, its name, and its texts."""
    metadata = distribution.metadata
    name = metadata.get("License-Expression") or (metadata.get("License") or "").partition("\n")[0]
    texts = [
        Path(str(distribution.locate_file(file))).read_text("utf-8", "replace")
        for file in sorted(distribution.files or (), key=str)
        if LICENCE_FILE.search(file.as_posix())
    ]
    if not texts and not name:
        raise SystemExit(f"{distribution.name} names no licence, so it must not be packed.")
    opening = [NOTES.get(distribution.name.lower(), ""), f"Licence: {name}" if name else ""]
    return "\n\n".join([*filter(None, opening), *(texts or ["Its package does not contain the text."])])


def python_licence() -> str:
    """Python's own licence; on Windows and macOS it includes those of the libraries that come with Python."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    paths = [
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path("/usr/share/doc") / version / "copyright",
    ]
    for path in paths:
        if path.is_file():
            return path.read_text("utf-8", "replace")
    raise SystemExit(f"The text of Python's licence is missing. It was expected at {' or '.join(map(str, paths))}.")


def system_licences(sources: set[Path]) -> dict[str, str]:
    """The licences of the operating system's libraries, by package and file."""
    inside = [Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), Path(__file__).resolve().parent.parent]
    libraries = [path for path in sorted(sources) if re.search(r"\.(so|dylib|dll)\b", path.name, re.IGNORECASE)]
    licences: dict[str, str] = {}
    for path in libraries:
        if not any(path.is_relative_to(folder) for folder in inside):
            package = debian_package(path)
            name = f"{package or 'Library of the operating system'} ({path.name})"
            licences[name] = debian_licence(package) if package else "Under the licence of the operating system."
    return licences


def debian_package(path: Path) -> str | None:
    """The package of Debian or Ubuntu that contains a library."""
    if shutil.which("dpkg-query") is None:
        return None
    for name in (str(path), str(path).removeprefix("/usr")):
        search = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        if search.returncode == 0:
            return search.stdout.split(":")[0]
    return None


def debian_licence(package: str) -> str:
    """The copyright file of a package."""
    return (Path("/usr/share/doc") / package / "copyright").read_text("utf-8", "replace")
