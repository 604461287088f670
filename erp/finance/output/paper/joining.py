"""Several of our papers as one file to print.

A paper is written by one library, with a plain table of its objects, so the pages of many are joined by giving their
objects new numbers. Only what the pages need is taken along: not the e-invoice inside, nor the marks of PDF/A.
"""

import re
from collections.abc import Iterator, Sequence

_REFERENCE = re.compile(rb"(\d+) 0 R\b")
_START = re.compile(rb"\s*(\d+) 0 obj\s")


def joined(papers: Sequence[bytes]) -> bytes:
    """The pages of the papers, one paper after the other."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    trees, count = [], 0
    for paper in papers:
        tree, pages, parts = _taken(paper, len(objects) + 1)
        trees.append(b"%d 0 R" % tree)
        count += pages
        objects += parts
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b" ".join(trees), count)
    return _file(objects)


def _taken(paper: bytes, first: int) -> tuple[int, int, list[bytes]]:
    """The number of the tree of a paper's pages, their count, and the objects that they need, from a number on."""
    by_number = dict(_objects(paper))
    root = _referred(paper[paper.rindex(b"trailer") :], b"Root")
    tree = _referred(by_number[root][0], b"Pages")
    numbers = {old: new for new, old in enumerate(_reached(by_number, tree), first)}
    count = re.search(rb"/Count (\d+)", by_number[tree][0])
    assert count is not None
    parts = []
    for old in numbers:
        head, stream = by_number[old]
        head = _REFERENCE.sub(lambda match: b"%d 0 R" % numbers[int(match[1])], head)
        if old == tree:
            head = head.replace(b"<<", b"<< /Parent 2 0 R", 1)
        parts.append(head + stream)
    return numbers[tree], int(count[1]), parts


def _objects(paper: bytes) -> Iterator[tuple[int, tuple[bytes, bytes]]]:
    """The objects of a paper by their numbers: what stands before the stream of each, and the stream."""
    table = int(paper[paper.rindex(b"startxref") :].split()[1])
    places = [int(line[:10]) for line in paper[table:].splitlines() if re.fullmatch(rb"\d{10} \d{5} n ?", line)]
    for start, end in zip(sorted(places), [*sorted(places)[1:], table], strict=True):
        match = _START.match(paper, start)
        assert match is not None
        content = paper[match.end() : paper.rindex(b"endobj", start, end)]
        head, mark, stream = content.partition(b"stream")
        yield int(match[1]), (head, mark + stream)


def _referred(text: bytes, name: bytes) -> int:
    match = re.search(rb"/%b (\d+) 0 R" % name, text)
    assert match is not None
    return int(match[1])


def _reached(by_number: dict[int, tuple[bytes, bytes]], first: int) -> list[int]:
    reached, waiting = dict[int, None](), [first]
    while waiting:
        number = waiting.pop()
        if number not in reached:
            reached[number] = None
            waiting += (int(match[1]) for match in _REFERENCE.finditer(by_number[number][0]))
    return list(reached)


def _file(objects: Sequence[bytes]) -> bytes:
    content, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
    for number, part in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, part.strip(b"\r\n "))
    table = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    content += b"".join(b"%010d 00000 n \n" % place for place in places)
    content += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(content)
