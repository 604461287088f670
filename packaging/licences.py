"""The licences of all that an executable holds, as one text, told by where each of its files came from."""

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import Distribution, distributions
from pathlib import Path

LICENCE_FILE = re.compile(r"\.dist-info/(?:.*/)?(?:LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)
BESIDES = {
    "pysqlite3": "It holds SQLite (sqlite.org), whose authors have dedicated it to the public domain.",
    "offapi": "Of it, the viewer Swagger UI (SmartBear Software) is used, under the Apache License 2.0, which follows.",
    "fontpkg-noto-sans": "It holds the typeface Noto Sans (The Noto Project Authors), under the SIL Open Font License.",
    "tzdata": "It holds the time zone database (IANA), which is in the public domain.",
    "pyinstaller": "Of it, the launcher and what starts the program are held; the exception for that is in its text.",
}
LINE = "=" * 100


def collected(notes: Path, own_licence: Path, title: str) -> str:
    """Write the text for a build.

    Args:
        notes: the folder in which PyInstaller noted what it packed.
    """
    sources = packed_sources(notes)
    found = sorted(distributions_of(sources), key=lambda each: each.name.lower())
    chapters = [(title, own_licence.read_text("utf-8")), (f"Python {sys.version.split()[0]}", python_licence())]
    chapters += [(f"{each.name} {each.version}", distribution_licence(each)) for each in found]
    chapters += [(name, text) for name, text in sorted(system_licences(sources).items())]
    contents = "\n".join(f"- {name}" for name, _ in chapters)
    return f"{title} and the licences of all that it holds:\n\n{contents}\n" + "".join(map(chapter, chapters))


def chapter(written: tuple[str, str]) -> str:
    """A licence under its heading."""
    name, text = written
    return f"\n{LINE}\n{name}\n{LINE}\n\n{text.strip()}\n"


def packed_sources(notes: Path) -> set[Path]:
    """Where the files of the build were taken from."""
    tables = [path for name in ("PYZ", "PKG", "COLLECT") for path in notes.glob(f"{name}-*.toc")]
    found: set[Path] = set()
    for table in tables:
        for part in ast.literal_eval(table.read_text("utf-8")):
            if isinstance(part, list):
                found |= {Path(source).resolve() for _, source, _ in part if source and source != "-"}
    return found


def distributions_of(sources: set[Path]) -> list[Distribution]:
    """The installed packages that the files belong to."""
    return [
        each
        for each in distributions()
        if any(Path(str(each.locate_file(file))).resolve() in sources for file in each.files or ())
    ]


def distribution_licence(distribution: Distribution) -> str:
    """What a package says of its licence."""
    said = distribution.metadata
    name = said.get("License-Expression") or (said.get("License") or "").partition("\n")[0]
    texts = [
        Path(str(distribution.locate_file(file))).read_text("utf-8", "replace")
        for file in sorted(distribution.files or (), key=str)
        if LICENCE_FILE.search(file.as_posix())
    ]
    if not texts and not name:
        raise SystemExit(f"{distribution.name} names no licence: it must not be packed.")
    opening = [BESIDES.get(distribution.name.lower(), ""), f"Licence: {name}" if name else ""]
    return "\n\n".join([*filter(None, opening), *(texts or ["Its package holds no text of it."])])


def python_licence() -> str:
    """Python's own licence, which on Windows and macOS tells those of the libraries that come with it, too."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = [
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path("/usr/share/doc") / version / "copyright",
    ]
    for place in places:
        if place.is_file():
            return place.read_text("utf-8", "replace")
    raise SystemExit(f"No text of Python's licence was found, neither at {', nor at '.join(map(str, places))}.")


def system_licences(sources: set[Path]) -> dict[str, str]:
    """The licences of libraries that are the operating system's, by their package."""
    inside = [Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), Path(__file__).resolve().parent.parent]
    libraries = [path for path in sorted(sources) if re.search(r"\.(so|dylib|dll)\b", path.name, re.IGNORECASE)]
    found: dict[str, str] = {}
    for path in libraries:
        if not any(path.is_relative_to(place) for place in inside):
            package = debian_package(path)
            name = f"{package or 'Library of the operating system'} ({path.name})"
            found[name] = debian_licence(package) if package else "As the operating system's licence tells."
    return found


def debian_package(path: Path) -> str | None:
    """The package of Debian or Ubuntu that a library came with."""
    if shutil.which("dpkg-query") is None:
        return None
    for name in (str(path), str(path).removeprefix("/usr")):
        said = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return said.stdout.split(":")[0]
    return None


def debian_licence(package: str) -> str:
    """The text that the package came with."""
    return (Path("/usr/share/doc") / package / "copyright").read_text("utf-8", "replace")
