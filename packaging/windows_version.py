"""The version resource of erp.exe, which Windows shows under Details, in the form that PyInstaller reads."""

import re

TEXT = """\
VSVersionInfo(
    ffi=FixedFileInfo(
        filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)
    ),
    kids=[
        StringFileInfo([StringTable("040904B0", [
            StringStruct("CompanyName", "The erp authors"),
            StringStruct("FileDescription", "erp, business management for a small office"),
            StringStruct("FileVersion", "{version}"),
            StringStruct("InternalName", "erp"),
            StringStruct("LegalCopyright", "The erp authors, MIT licence"),
            StringStruct("OriginalFilename", "erp.exe"),
            StringStruct("ProductName", "erp"),
            StringStruct("ProductVersion", "{version}"),
        ])]),
        VarFileInfo([VarStruct("Translation", [0x0409, 0x04B0])]),
    ],
)
"""


def resource(version: str) -> str:
    """The resource of a version such as 0.4.0 or 0.4.0rc1; the letters appear only in its text."""
    return TEXT.format(numbers=numbers(version), version=version)


def numbers(version: str) -> tuple[int, ...]:
    """The four numbers by which Windows compares versions."""
    parts = [int(digits) for digits in re.findall(r"\d+", version)][:3]
    return tuple(parts + [0] * (4 - len(parts)))
