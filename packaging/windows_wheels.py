"""The requirements that Windows reads, for pip on another system: windows_wheels.py FILE [--only | --without NAME ...].

pip judges markers by the system that it runs on, also when it downloads for another one.
"""

import argparse
import re
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement

WINDOWS = {
    "implementation_name": "cpython",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "platform_system": "Windows",
    "python_full_version": "3.11.9",
    "python_version": "3.11",
    "sys_platform": "win32",
}


def main() -> None:
    """Print them, one a line, with their hashes and without markers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--without", nargs="+", default=[], metavar="NAME")
    arguments = parser.parse_args()
    for name, line in read_there(arguments.file.read_text("utf-8")).items():
        if name not in arguments.without and (arguments.only is None or name in arguments.only):
            print(line)


def read_there(text: str) -> dict[str, str]:
    """The lines of a file of requirements that count on Windows, by the name of the package."""
    lines = {}
    for line in text.replace("\\\n", " ").splitlines():
        stated, *hashes = re.split(r"\s+(?=--hash=)", line.partition("#")[0].strip())
        if not stated:
            continue
        requirement = Requirement(stated)
        if requirement.marker is None or requirement.marker.evaluate(WINDOWS):
            lines[requirement.name] = " ".join([f"{requirement.name}{requirement.specifier}", *hashes])
    return lines


if __name__ == "__main__":
    main()
