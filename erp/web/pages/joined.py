"""The modules of the pages joined into few files: a slow phone waits for round trips, not for bytes.

One file has what all screens need, and each screen has a file with the further modules that it needs. A module becomes
a function, which is called once and answers its names; `M` keeps them by the path of the module.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping

FORM = b"2"
"""Raised whenever the same modules are joined in another way: it is part of the address of the files."""

APP = "app.js"
_FROM = re.compile(r'^(import|export) \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (const|class|(?:async )?function\*?) (\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_ANY_LATER = "import(`./${file}.js`)"
_RENAMED = re.compile(r"(\w+) as (\w+)")
_COMMENT = re.compile(r"^ *//.*\n", re.MULTILINE)

_HEAD = """export const M = {};
export const at = (name) => new URL(`../${name}`, import.meta.url).href;
export async function bring(name) {
  if (!M[name]) await import(new URL(`${name}.js`, import.meta.url).href);
  return M[name];
}
"""


def needed(scripts: Mapping[str, str], names: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    """Modules and what they import at once, each after those that it needs; without those that are known."""
    seen = dict.fromkeys(known)
    found: list[str] = []

    def take(name: str) -> None:
        if name in seen:
            return
        seen[name] = None
        for other in _FROM.findall(scripts[name]):
            take(_beside(name, other[2]))
        found.append(name)

    for name in names:
        take(name)
    return found


def base_file(scripts: Mapping[str, str], names: Iterable[str]) -> str:
    """The file of the modules that all screens have; the app's own text comes last, and starts it."""
    modules = (_joined(name, scripts[name]) for name in names if name != APP)
    start, _ = _body(APP, scripts[APP])
    return "\n".join((_HEAD, *modules, start))


def further_file(scripts: Mapping[str, str], names: Iterable[str], address: str) -> str:
    """The file of the further modules of a screen; `address` is where the file of the base is."""
    return "\n".join(
        (f'import {{ at, bring, M }} from "{address}";', *(_joined(name, scripts[name]) for name in names))
    )


def _joined(name: str, script: str) -> str:
    text, names = _body(name, script)
    return f"{_kept(name)} ??= (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();"


def _body(name: str, script: str) -> tuple[str, list[str]]:
    """The text of a module without comments, imports and exports, and the names that it answers."""
    names: list[str] = []

    def come(match: re.Match[str]) -> str:
        verb, listed, path = match.groups()
        source = _kept(_beside(name, path))
        if verb == "import":
            own = _RENAMED.sub(r"\1: \2", listed)
            return f"const {{{own}}} = {source};\n"
        names.extend(f"{one.strip()}: {source}.{one.strip()}" for one in listed.split(",") if one.strip())
        return ""

    def go(match: re.Match[str]) -> str:
        names.append(match[2])
        return f"{match[1]} {match[2]}"

    text = _EXPORT.sub(go, _FROM.sub(come, _COMMENT.sub("", script)))
    text, count = _DEFAULT.subn("const default_ = ", text)
    names += ["default: default_"] * count
    text = _LATER.sub(lambda match: f'bring("{_path(_beside(name, match[1]))}")', text)
    return text.replace(_ANY_LATER, "bring(file)").replace("import.meta.url", f'at("{name}")'), names


def _beside(name: str, path: str) -> str:
    """The module that another one names by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _path(name: str) -> str:
    return name.removesuffix(".js")


def _kept(name: str) -> str:
    return f'M["{_path(name)}"]'
