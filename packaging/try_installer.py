"""Try the installer on Windows, or under Wine, as users do: python packaging/try_installer.py FOLDER OLDER.

Each folder has a program for Windows and its installer; OLDER those of a version before. It needs a user who has not
installed the program, and leaves nothing behind.
"""

import argparse
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    raise SystemExit("packaging/try_installer.py: This needs Windows or Wine.")

import winreg

PROGRAMS = Path(os.environ["LOCALAPPDATA"]) / "Programs" / "erp"
DATA = Path(os.environ["LOCALAPPDATA"]) / "erp"
LINK = Path(os.environ["APPDATA"]) / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "erp.lnk"
PROGRAM, UNINSTALL, TASK = PROGRAMS / "erp.exe", PROGRAMS / "uninstall.exe", DATA / "erp-task.xml"
KEYS = r"Software\Microsoft\Windows\CurrentVersion"
RUNNING, OLDER, CANNOT_WRITE = 3, 4, 5
FILES = {"erp.exe", "LICENSE.txt", "licences.txt", "parts.cdx.json", "uninstall.exe"}
OWN = "not the installer's\n"
"""The content of a file beside the program that is not the installer's."""
CTRL_C = """
import ctypes, sys
console = ctypes.windll.kernel32
console.FreeConsole()
assert console.AttachConsole(int(sys.argv[1]))
console.SetConsoleCtrlHandler(None, True)
assert console.GenerateConsoleCtrlEvent(0, 0)
"""
"""Presses Ctrl-C in the console of a process."""


class Built:
    """A program and its installer."""

    def __init__(self, folder: Path) -> None:
        (self.setup,) = folder.glob("erp-*-setup.exe")
        self.program = self.setup.with_name(self.setup.name.replace("-setup", ""))
        self.version = self.setup.name.split("-")[1]

    def install(self, *words: str) -> int:
        """Run it without asking; its exit code."""
        return ended(self.setup, "/S", *words)

    def is_installed(self) -> bool:
        """Whether this version is what the user has, all of it."""
        return (
            value("DisplayVersion") == self.version
            and checksum(PROGRAM) == checksum(self.program)
            and {path.name for path in PROGRAMS.iterdir() if path.is_file()} >= FILES
            and LINK.is_file()
        )


def main() -> int:
    """Go through the life of an installed program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("older", type=Path)
    arguments = parser.parse_args()
    new, old = Built(arguments.folder), Built(arguments.older)
    if PROGRAMS.exists() or DATA.exists() or value("DisplayVersion"):
        raise SystemExit("packaging/try_installer.py: This user has the program already.")
    try:
        a_folder_that_cannot_be_written(old)
        a_first_version(old)
        an_update_while_it_runs(new, old)
        an_update_of_a_program_that_cannot_be_written(new, old)
        an_update(new, old)
        an_uninstall(new)
        a_start_at_sign_in(new)
        an_uninstall_with_a_task_while_it_runs(new)
    finally:
        if UNINSTALL.exists():
            ended(UNINSTALL, "/S", f"_?={PROGRAMS}")
        shutil.rmtree(PROGRAMS, ignore_errors=True)
        shutil.rmtree(DATA, ignore_errors=True)
    return 0


def a_folder_that_cannot_be_written(old: Built) -> None:
    PROGRAMS.parent.mkdir(exist_ok=True)
    PROGRAMS.write_text(OWN, "utf-8")
    check("an install is refused where there can be no folder", old.install() == CANNOT_WRITE)
    check("it leaves nothing in the Start menu and the list of apps", is_forgotten())
    check("it leaves the file there alone", PROGRAMS.read_text("utf-8") == OWN)
    PROGRAMS.unlink()


def a_first_version(old: Built) -> None:
    check("a silent install succeeds", old.install() == 0)
    check("the program, its licences, the Start menu and the list of apps have it", old.is_installed())
    check(
        "the list of apps has the publisher and the icon", value("Publisher") and value("DisplayIcon") == str(PROGRAM)
    )
    check("Windows finds the program by its name", value("", r"App Paths\erp.exe") == str(PROGRAM))
    check("the installer makes no data folder", not DATA.exists())
    licences = old.program.with_name(f"{old.program.stem}-licences.txt")
    check("the licences are those of the program", checksum(PROGRAMS / "licences.txt") == checksum(licences))
    check("the installed program prints its version", "erp " in output("version"))
    check("the installed program passes its own test", "FAILED" not in output("selftest"))


def an_update_while_it_runs(new: Built, old: Built) -> None:
    with serving():
        check("an update while it runs is refused", new.install() == RUNNING)
        check("the version that was there is unchanged", old.is_installed())
        check("an uninstall while it runs is refused", ended(UNINSTALL, "/S", f"_?={PROGRAMS}") == RUNNING)
        check("and leaves everything in place", old.is_installed())
    check("the data is in the user's own folder", (DATA / "control.db").is_file())


def an_update_of_a_program_that_cannot_be_written(new: Built, old: Built) -> None:
    """Read-only, where that holds: not for root under Wine."""
    PROGRAM.chmod(stat.S_IREAD)
    try:
        if can_be_written():
            print("- (nothing is read-only for this user)")
            return
        check("an update of a read-only program is refused, not as one that runs", new.install() == CANNOT_WRITE)
        check("so is an uninstall", ended(UNINSTALL, "/S", f"_?={PROGRAMS}") == CANNOT_WRITE)
    finally:
        PROGRAM.chmod(stat.S_IWRITE)
    check("the version that was there remains", old.is_installed())


def an_update(new: Built, old: Built) -> None:
    before = contents(DATA)
    check("an update succeeds", new.install() == 0)
    check("the new version is installed", new.is_installed())
    check("the data is the same, byte for byte", contents(DATA) == before)
    check("an older version is refused", old.install() == OLDER)
    check("the new version remains", new.is_installed())
    check("the same version can be installed again", new.install() == 0 and new.is_installed())
    check("the data is still the same", contents(DATA) == before)


def an_uninstall(new: Built) -> None:
    before, own = contents(DATA), PROGRAMS / "erp-data" / "own.txt"
    own.parent.mkdir()
    own.write_text(OWN, "utf-8")
    uninstall()
    check("nothing of the program remains", not FILES & {path.name for path in PROGRAMS.iterdir()} and is_forgotten())
    check("the data is kept, byte for byte", contents(DATA) == before)
    check("data beside the program is kept", own.read_text("utf-8") == OWN)
    shutil.rmtree(PROGRAMS)


def a_start_at_sign_in(new: Built) -> None:
    TASK.write_text(r"<Command>C:\Office\erp.exe</Command>", "utf-16")
    check("an install that starts it at sign-in, instead of another copy, succeeds", new.install("/SIGNIN") == 0)
    check("the program has made its task", f"<Command>{PROGRAM}</Command>" in TASK.read_text("utf-16"))
    own = TASK.read_text("utf-16").replace("<Arguments>", "<Arguments>--lan ")
    TASK.write_text(own, "utf-16")
    end_task()
    check("an update", until(lambda: new.install("/SIGNIN") == 0))
    check("keeps the user's own settings of the task", "--lan" in own and TASK.read_text("utf-16") == own)
    uninstall()
    check("the task has gone with the program", not TASK.exists() and not PROGRAMS.exists() and is_forgotten())
    check("the data is kept", (DATA / "control.db").is_file())


def an_uninstall_with_a_task_while_it_runs(new: Built) -> None:
    check("an install with the start at sign-in succeeds again", new.install("/SIGNIN") == 0)
    end_task()
    check("its server ends", until(can_be_written))
    own = TASK.read_text("utf-16")
    with serving():
        check("an uninstall while it runs is refused", ended(UNINSTALL, "/S", f"_?={PROGRAMS}") == RUNNING)
        check("the program is still there", new.is_installed())
        check("it still starts at sign-in", TASK.exists() and TASK.read_text("utf-16") == own and has_task())
    uninstall()
    check("once it has ended, the task goes with the program", not TASK.exists() and not PROGRAMS.exists())


@contextmanager
def serving() -> Iterator[None]:
    """The installed program, started by hand, until Ctrl-C."""
    server = subprocess.Popen(
        [PROGRAM, "serve", "--no-browser", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        creationflags=subprocess.CREATE_NO_WINDOW,
    )
    try:
        check("the installed program serves", server.stdout and "ready at" in server.stdout.readline())
        yield
    finally:
        subprocess.run([sys.executable, "-c", CTRL_C, str(server.pid)], stdin=subprocess.DEVNULL, check=True)
        server.communicate(timeout=60)


def end_task() -> None:
    subprocess.run(["schtasks", "/End", "/TN", "erp"], capture_output=True, check=False)


def has_task() -> bool:
    """Whether Task Scheduler has it; Wine always says so."""
    return subprocess.run(["schtasks", "/Query", "/TN", "erp"], capture_output=True, check=False).returncode == 0


def uninstall() -> None:
    """Do it as Windows' list of apps does: the uninstaller goes on as a copy of itself."""
    subprocess.run(str(value("QuietUninstallString")), stdin=subprocess.DEVNULL, timeout=300, check=True)
    check("a silent uninstall ends", until(is_forgotten))


def is_forgotten() -> bool:
    """Whether neither the list of apps nor the Start menu has the program."""
    return not LINK.exists() and value("DisplayVersion") is None and value("", r"App Paths\erp.exe") is None


def ended(program: Path, *words: str) -> int:
    """Run a program; its exit code. NSIS reads the last word up to its end, so quotes would belong to the folder."""
    line = " ".join([f'"{program}"', *words])
    return subprocess.run(line, stdin=subprocess.DEVNULL, timeout=300, check=False).returncode


def output(word: str) -> str:
    """The output of a command of the installed program, which succeeds."""
    done = subprocess.run([PROGRAM, word], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    check(f"erp {word} succeeds", done.returncode == 0)
    return done.stdout.decode(errors="replace")


def can_be_written() -> bool:
    """Whether the installed program can be written, as it cannot while it runs."""
    try:
        PROGRAM.open("ab").close()
    except PermissionError:
        return False
    return True


def value(name: str, key: str = r"Uninstall\erp") -> object:
    """A value of the user's registry, or None."""
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, rf"{KEYS}\{key}") as opened:
            return winreg.QueryValueEx(opened, name)[0]
    except FileNotFoundError:
        return None


def contents(folder: Path) -> dict[str, str]:
    """The checksums of all its files."""
    return {str(path.relative_to(folder)): checksum(path) for path in folder.rglob("*") if path.is_file()}


def checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def until(is_so: Callable[[], bool]) -> bool:
    """Wait for something that another process does, for a minute at most."""
    end = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def check(sentence: str, is_so: object) -> None:
    """Print a sentence that is true, or end with it."""
    if not is_so:
        raise SystemExit(f"packaging/try_installer.py: This is not so: {sentence}.")
    print(f"- {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
