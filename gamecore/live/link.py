"""From a WebAssembly object file to a module that a browser loads: a linker for one file.

LLVM's object of a whole program is a module but for three things: its data begin at address 0,
where the stack has to be; memory and stack pointer are imports; and nothing is exported. As there
is no second file, no index changes, and what is left to do fits on a page. A linker for any number
of files is some hundred megabytes.

References
----------
"WebAssembly object file linking", in the tool-conventions repository of the WebAssembly project.
"""

from collections.abc import Iterable, Iterator

#: Bytes for the stack, below the data: whoever overflows it leaves the memory, and traps.
STACK = 1 << 18
PAGE = 1 << 16
#: The undefined symbol that stands for the first address after the data.
HEAP = "__heap_base"
_IMPORT, _MEMORY, _GLOBAL, _EXPORT, _CODE, _DATA = 2, 5, 6, 7, 10, 11
_KEPT = (1, 3)  # types and functions are as they should be
#: Relocations of functions, types and globals, whose indices do not change.
_SETTLED = (0, 6, 7)
#: Relocations of addresses: two kinds in the code (LEB128 in five bytes), one in the data.
_IN_CODE, _IN_DATA = (3, 4), 5


class _Reader:
    """Bytes, read one after the other."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, signed: bool = False) -> int:
        value = shift = 0
        more = True
        while more:
            byte = self.take(1)[0]
            value, shift, more = value | (byte & 127) << shift, shift + 7, byte > 127
        return value - (1 << shift) if signed and byte & 64 else value

    def name(self) -> str:
        return self.take(self.number()).decode()

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)

    def __bool__(self) -> bool:
        return self.at < len(self.data)


def linked(found: bytes, exports: Iterable[str]) -> bytes:
    """Return the module of an object file, its memory and some of its functions exported.

    Parameters
    ----------
    found : bytes
        What LLVM emitted.
    exports : iterable of str
        Names of functions.

    Raises
    ------
    ValueError
        If a function is missing, or something is met that one file of kernels does not need.
    """
    sections = {name or number: content for number, name, content in _sections(found)}
    symbols = list(_symbols(_Reader(sections["linking"])))
    places = {name: index for name, kind, _, index, _ in symbols if kind == 0}
    missing = _imported_functions(_Reader(sections[_IMPORT]))
    if missing:
        raise ValueError(f"nobody defines {', '.join(missing)}")
    segments = list(_segments(_Reader(sections.get(_DATA, b"\0"))))
    end = STACK + max((at + len(data) for at, data in segments), default=0)
    heap = -(-end // 16) * 16

    def address(symbol: int, addend: int) -> int:
        name, kind, defined, segment, offset = symbols[symbol]
        if kind != 1 or not (defined or name == HEAP):
            raise ValueError(f"nobody defines {name}")
        return addend + (STACK + segments[segment][0] + offset if defined else heap)

    code, data = bytearray(sections[_CODE]), bytearray(sections.get(_DATA, b"\0"))
    for target, name in ((code, "reloc.CODE"), (data, "reloc.DATA")):
        for kind, offset, symbol, addend in _relocations(_Reader(sections.get(name, b"\0\0"))):
            if kind in _IN_CODE:
                target[offset : offset + 5] = _padded(address(symbol, addend))
            elif kind == _IN_DATA:
                target[offset : offset + 4] = address(symbol, addend).to_bytes(4, "little")
            elif kind not in _SETTLED:
                raise ValueError(f"relocation {kind} of {symbols[symbol][0]} is not expected")
    filled = [
        b"\0\x41" + _leb(STACK + at, 64) + b"\x0b" + _leb(len(content)) + content
        for at, content in _segments(_Reader(bytes(data)))
        if any(content)
    ]
    listed = [_text("memory") + b"\2\0", *(_text(n) + b"\0" + _leb(places[n]) for n in exports)]
    content = {number: sections[number] for number in _KEPT} | {
        _MEMORY: b"\1\0" + _leb(-(-heap // PAGE)),
        _GLOBAL: b"\1\x7f\1\x41" + _leb(STACK, 64) + b"\x0b",  # one i32 that changes: the stack
        _EXPORT: _vector(listed),
        _CODE: bytes(code),
        _DATA: _vector(filled),
    }
    parts = [bytes([k]) + _leb(len(content[k])) + content[k] for k in sorted(content)]
    return b"\0asm\1\0\0\0" + b"".join(parts)


def _leb(value: int, limit: int = 128) -> bytes:
    """Return a number as LEB128; with the limit 64 as a signed one, which must not be negative."""
    out = bytearray()
    while value >= limit:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _padded(value: int) -> bytes:
    """Return an address as LEB128 in the five bytes that an object has for it, signed or not."""
    return bytes([value >> 7 * k & 127 | 128 for k in range(4)] + [value >> 28])


def _text(name: str) -> bytes:
    return _leb(len(name)) + name.encode()


def _vector(items: list[bytes]) -> bytes:
    return _leb(len(items)) + b"".join(items)


def _sections(module: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Yield the number, the name (of a custom section) and the content of each section."""
    reader = _Reader(module[8:])
    while reader:
        number, content = reader.number(), _Reader(reader.take(reader.number()))
        yield number, content.name() if number == 0 else "", content.rest()


def _imported_functions(reader: _Reader) -> list[str]:
    """Return the names of imported functions; the memory and the stack pointer are expected."""
    found = []
    for _ in range(reader.number()):
        reader.name()
        name, kind = reader.name(), reader.number()
        if kind == 0:
            found.append(name)
            reader.number()
        elif kind == 2:
            reader.take(1)  # no upper limit
            reader.number()
        elif kind == 3:
            reader.take(2)
        else:
            raise ValueError(f"an import of kind {kind}, {name}, is not expected")
    return found


def _symbols(reader: _Reader) -> Iterator[tuple[str, int, bool, int, int]]:
    """Yield each symbol: its name, its kind, whether it is defined, its index, its offset."""
    reader.number()  # the version
    while reader:
        kind, table = reader.number(), _Reader(reader.take(reader.number()))
        if kind != 8:
            continue
        for _ in range(table.number()):
            kind, flags = table.number(), table.number()
            defined, name, index, offset = not flags & 16, "", 0, 0
            if kind == 1:
                name = table.name()
                if defined:
                    index, offset, _ = table.number(), table.number(), table.number()
            else:
                index = table.number()
                if kind != 3 and (defined or flags & 64):
                    name = table.name()
            yield name, kind, defined, index, offset


def _segments(reader: _Reader) -> Iterator[tuple[int, bytes]]:
    """Yield the address of each piece of data, and its bytes."""
    for _ in range(reader.number()):
        reader.take(2)  # active, i32.const
        at = reader.number(signed=True)
        reader.take(1)
        yield at, reader.take(reader.number())


def _relocations(reader: _Reader) -> Iterator[tuple[int, int, int, int]]:
    """Yield the kind, the place, the symbol and the addend of each relocation."""
    reader.number()  # the section
    for _ in range(reader.number()):
        kind, offset, symbol = reader.number(), reader.number(), reader.number()
        yield (
            kind,
            offset,
            symbol,
            reader.number(signed=True) if kind in (*_IN_CODE, _IN_DATA) else 0,
        )
