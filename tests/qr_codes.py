"""Reading a QR code from its squares, as a phone does (ISO/IEC 18004), for versions 1 to 9 with error correction M."""

MASKS = (
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
)
BLOCKS = {1: (16,), 2: (28,), 3: (44,), 4: (32, 32), 5: (43, 43), 6: (27,) * 4, 7: (31,) * 4}
BLOCKS |= {8: (38, 38, 39, 39), 9: (36, 36, 36, 37, 37)}
CENTRES = {1: (), 2: (6, 18), 3: (6, 22), 4: (6, 26), 5: (6, 30), 6: (6, 34)}
CENTRES |= {7: (6, 22, 38), 8: (6, 24, 42), 9: (6, 26, 46)}


def read(rows):
    """The text of a code whose rows of squares, true where dark, have a quiet zone of four squares."""
    assert not any(rows[edge][x] or rows[x][edge] for edge in (0, 3, -4, -1) for x in range(len(rows)))
    return _text(_data([row[4:-4] for row in rows[4:-4]]))


def _data(code):
    size = len(code)
    version = (size - 17) // 4
    form = sum(code[8][x] << 14 - i for i, x in enumerate((0, 1, 2, 3, 4))) ^ 0x5412
    level, mask = form >> 13, MASKS[form >> 10 & 7]
    assert level == 0, "not error correction M"
    bits = [code[y][x] ^ (not mask(y, x)) for y, x in _path(size, version)]
    words = [int("".join(str(int(bit)) for bit in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)]
    blocks: list[list[int]] = [[] for _ in BLOCKS[version]]
    taken = iter(words)
    for i in range(max(BLOCKS[version])):
        for block, length in zip(blocks, BLOCKS[version], strict=True):
            if i < length:
                block.append(next(taken))
    return bytes(word for block in blocks for word in block)


def _path(size, version):
    """The squares of data in their order: two columns at a time, from the right, up and down."""
    centres, last = CENTRES[version], size - 7
    found = {(y, x) for y in centres for x in centres} - {(6, 6), (6, last), (last, 6)}
    fixed = {(y + dy, x + dx) for y, x in found for dy in range(-2, 3) for dx in range(-2, 3)}
    fixed |= (
        {(y, x) for y in range(9) for x in range(9)} | {(6, i) for i in range(size)} | {(i, 6) for i in range(size)}
    )
    fixed |= {pair for i in range(8) for j in range(9) for pair in ((j, size - 1 - i), (size - 1 - i, j))}
    if version >= 7:
        fixed |= {pair for i in range(6) for j in (9, 10, 11) for pair in ((i, size - j), (size - j, i))}
    columns = [*range(size - 1, 7, -2), 5, 3, 1]
    for turn, right in enumerate(columns):
        for y in range(size) if turn % 2 else reversed(range(size)):
            yield from ((y, x) for x in (right, right - 1) if (y, x) not in fixed)


def _text(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    at = 12 if bits[:4] == "0111" else 0  # the character set is named first
    assert bits[at : at + 4] == "0100", "not in bytes"
    length = int(bits[at + 4 : at + 12], 2)
    return int(bits[at + 12 : at + 12 + 8 * length], 2).to_bytes(length).decode()
