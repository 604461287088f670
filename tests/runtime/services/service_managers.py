"""The service managers of the three systems, as far as tests need them, and readers of their files."""

import re
import subprocess


class Manager:
    """Records every command; those that begin like one of `refused` fail."""

    def __init__(self, refused=(), said=""):
        self.commands = []
        self.refused = [tuple(words) for words in refused]
        self.said = said

    def __call__(self, words):
        words = tuple(words)
        self.commands.append(words)
        fails = any(words[: len(start)] == start for start in self.refused)
        return subprocess.CompletedProcess(words, 1 if fails else 0, "" if fails else self.said, "it will not" * fails)


def unit(text):
    """Read a unit file: the last value of each key, by section."""
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    for line in text.split("\n"):
        if not line or line.startswith(("#", ";")):
            continue
        if header := re.fullmatch(r"\[(.+)\]", line):
            section = sections.setdefault(header[1], {})
            continue
        key, _, value = line.partition("=")
        section[key] = value.strip()
    return sections


def systemd_words(line):
    """Read an ExecStart as systemd does: quotes and escapes first, then %, and in arguments $."""
    words = []
    for word in re.findall(r'"((?:[^"\\]|\\.)*)"(?:\s+|$)', line):
        plain = re.sub(r"\\(.)", r"\1", word)
        assert not re.search(r"(?<!%)(%%)*%(?!%)", plain), f"a specifier in {plain}"
        words.append(plain.replace("%%", "%"))
    assert words[0].startswith("/")
    assert not re.search(r"[\"'\\]", words[0]), "systemd refuses this as the path of a program"
    for word in words[1:]:
        assert not re.search(r"(?<!\$)(\$\$)*\$(?!\$)", word), f"a variable in {word}"
    return [words[0], *(word.replace("$$", "$") for word in words[1:])]


def windows_words(line):
    """Read arguments as a program on Windows does: a backslash counts only before a quotation mark."""
    words, word, quoted, begun, position = [], "", False, False, 0
    while position < len(line):
        if match := re.compile(r'(\\*)"').match(line, position):
            word += "\\" * (len(match[1]) // 2)
            begun, position = True, match.end()
            if len(match[1]) % 2:
                word += '"'
            else:
                quoted = not quoted
            continue
        if line[position] in " \t" and not quoted:
            words += [word] if begun else []
            word, begun = "", False
        else:
            word, begun = word + line[position], True
        position += 1
    return [*words, word] if begun else words
