"""The ZIP container of torch.save: members stored as they are, each beginning at a multiple of 64. Only that much of the format.

Everything that a file says about itself is checked against its size before it is believed.
"""
import errno
import io
import operator
import struct
import zlib

ALIGNMENT = 64
_LOCAL, _CENTRAL, _END, _END64, _LOCATOR64 = b"PK\3\4", b"PK\1\2", b"PK\5\6", b"PK\6\6", b"PK\6\7"
_UTF8 = 0x800
_MOST32 = 0xFFFFFFFF
_PIECE = 1 << 20


class BadArchive(RuntimeError):
    """The file is no archive, or is cut off or damaged."""


def _bad(what):
    return BadArchive(f"failed reading zip archive: {what}")


# ------------------------------------------------------------------ writing

def write_all(file, data):
    """Writes everything to a file-like object whose write() may take less. None is what raw files return that would block; of other
    objects, which need not count, PyTorch takes it for everything."""
    view = memoryview(data)
    while len(view):
        n = file.write(view)
        if n is None:
            if isinstance(file, io.RawIOBase):
                raise BlockingIOError(errno.EAGAIN, "write could not complete without blocking", 0)
            return
        n = operator.index(n)
        if not 0 < n <= len(view):
            raise OSError(errno.EIO, f"write() returned {n}, which should be between 1 and {len(view)}")
        view = view[n:]


def read_some(file, size):
    """As many bytes of a file-like object, whose read() may give less; fewer at its end."""
    parts, left = [], size
    while left > 0:
        data = file.read(left)
        if data is None:
            raise BlockingIOError(errno.EAGAIN, "read could not complete without blocking", 0)
        if not data:
            break
        parts.append(data)
        left -= len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Writer:
    """Writes members to file (with write()) one after the other. The checksum of a member stands before its bytes: where the file can be
    rewritten, it is filled in afterwards, so that large members go through the processor's caches once."""

    def __init__(self, file, rewritable=False):
        self.file, self.at, self.members, self.rewritable = file, 0, [], rewritable

    def _write(self, data):
        write_all(self.file, data)
        self.at += len(data)

    def add(self, name, data):
        """A member with these bytes (a bytes object or a view of bytes)."""
        late = self.rewritable and len(data) > _PIECE
        checksum = 0 if late else zlib.crc32(data)
        start = self._begin(name, checksum, len(data))
        if not late:
            self._write(data)
            return
        for at in range(0, len(data), _PIECE):
            part = data[at:at + _PIECE]
            checksum = zlib.crc32(part, checksum)
            self._write(part)
        self.file.seek(start + 14)
        write_all(self.file, struct.pack("<I", checksum))
        self.file.seek(self.at)
        self.members[-1] = self.members[-1][:3] + (checksum,)

    def add_zeros(self, name, size):
        """A member of `size` zero bytes."""
        zeros, checksum = bytes(min(_PIECE, size)), 0
        for at in range(0, size, _PIECE):
            checksum = zlib.crc32(zeros[:size - at], checksum)
        self._begin(name, checksum, size)
        for at in range(0, size, _PIECE):
            self._write(zeros[:size - at])

    def _begin(self, name, checksum, size):
        """The header of a member; where it begins."""
        name = name.encode()
        start = self.at
        wide = struct.pack("<HHQQ", 1, 16, size, size) if size >= _MOST32 else b""
        shown = _MOST32 if wide else size
        fixed = 30 + len(name) + len(wide) + 4
        padding = -(start + fixed) % ALIGNMENT
        extra = wide + struct.pack("<2sH", b"FB", padding) + b"Z" * padding
        self._write(struct.pack("<4sHHHHHIIIHH", _LOCAL, 45 if wide else 20, _UTF8, 0, 0, 0x21, checksum, shown, shown, len(name), len(extra)) +
                    name + extra)
        self.members.append((name, start, size, checksum))
        return start

    def finish(self):
        start = self.at
        for name, offset, size, checksum in self.members:
            wide = b"".join(struct.pack("<Q", x) for x in (size, size, offset) if x >= _MOST32)
            extra = struct.pack("<HH", 1, len(wide)) + wide if wide else b""
            self._write(struct.pack("<4sHHHHHHIIIHHHHHII", _CENTRAL, 45, 45 if wide else 20, _UTF8, 0, 0, 0x21, checksum, min(size, _MOST32),
                                    min(size, _MOST32), len(name), len(extra), 0, 0, 0, 0, min(offset, _MOST32)) + name + extra)
        size, count = self.at - start, len(self.members)
        if start >= _MOST32 or count >= 0xFFFF:
            end = self.at
            self._write(struct.pack("<4sQHHIIQQQQ", _END64, 44, 45, 45, 0, 0, count, count, size, start))
            self._write(struct.pack("<4sIQI", _LOCATOR64, 0, end, 1))
        self._write(struct.pack("<4sHHHHIIH", _END, 0, 0, min(count, 0xFFFF), min(count, 0xFFFF), min(size, _MOST32), min(start, _MOST32), 0))


# ------------------------------------------------------------------ reading

class Member:
    __slots__ = ("name", "header", "size", "checksum", "offset")

    def __init__(self, name, header, size, checksum):
        self.name, self.header, self.size, self.checksum, self.offset = name, header, size, checksum, None


class Reader:
    """The members of a file-like object with seek() and read() (and readinto(), if it has it)."""

    def __init__(self, file):
        self.file = file
        file.seek(0, 2)
        self.size = file.tell()
        self.members = {}
        self._directory()

    def at(self, offset, size):
        """Exactly these bytes."""
        if offset < 0 or size < 0 or offset + size > self.size:
            raise _bad(f"{size} bytes at {offset} are outside the file of {self.size} bytes")
        self.file.seek(offset)
        data = read_some(self.file, size)
        if len(data) != size:
            raise _bad(f"the file gave {len(data)} of {size} bytes at {offset}")
        return data

    def _directory(self):
        """Reads the central directory, which is the file's end."""
        tail_at = max(0, self.size - 22 - 0xFFFF)
        tail = self.at(tail_at, self.size - tail_at)
        k = tail.rfind(_END)
        if k < 0 or len(tail) - k < 22:
            raise _bad("failed finding central directory (is the file cut off?)")
        _, disk, start_disk, here, count, size, offset, comment = struct.unpack_from("<4sHHHHIIH", tail, k)
        end = tail_at + k
        if tail_at + k + 22 + comment != self.size:
            raise _bad("something follows the central directory")
        if k >= 20 and tail[k - 20:k - 16] == _LOCATOR64:
            _, _, end64, _ = struct.unpack_from("<4sIQI", tail, k - 20)
            wide = self.at(end64, 56)
            if wide[:4] != _END64:
                raise _bad("the 64-bit end record is missing")
            _, _, _, _, disk, start_disk, here, count, size, offset = struct.unpack("<4sQHHIIQQQQ", wide)
            end = end64
        if disk or start_disk or here != count or offset + size > end or count * 46 > size:
            raise _bad("the central directory does not fit into the file")
        directory, p, total = self.at(offset, size), 0, 0
        for _ in range(count):
            p, member = self._entry(directory, p, offset)
            if member.name in self.members:
                raise _bad(f"two members are called {member.name!r}")
            total += member.size
            if total > self.size:  # members that share bytes would take more memory than the file has
                raise _bad("its members are larger than the file")
            self.members[member.name] = member
        if not count:
            raise _bad("it is empty")

    def _entry(self, directory, p, end):
        if len(directory) - p < 46:
            raise _bad("the central directory is cut off")
        (magic, _, _, flags, method, _, _, checksum, packed, size, name_length, extra_length, comment, disk, _, _,
         header) = struct.unpack_from("<4sHHHHHHIIIHHHHHII", directory, p)
        after = p + 46 + name_length + extra_length + comment
        if magic != _CENTRAL or after > len(directory) or disk:
            raise _bad("an entry of the central directory is damaged")
        try:
            name = directory[p + 46:p + 46 + name_length].decode("utf-8")
        except UnicodeDecodeError:
            raise _bad("a member's name is no UTF-8") from None
        extra = directory[p + 46 + name_length:p + 46 + name_length + extra_length]
        size, packed, header = _wide_numbers(extra, size, packed, header)
        if flags & 1 or method != 0 or size != packed:
            raise _bad(f"member {name!r} is compressed or encrypted; torch.save stores members as they are")
        if header + 30 + size > end:
            raise _bad(f"member {name!r} does not fit into the file")
        return after, Member(name, header, size, checksum)

    def find(self, name):
        """A member with its data's place in the file; None if there is none."""
        member = self.members.get(name)
        if member is not None and member.offset is None:
            magic, *_, name_length, extra_length = struct.unpack("<4sHHHHHIIIHH", self.at(member.header, 30))
            offset = member.header + 30 + name_length + extra_length
            if magic != _LOCAL or offset + member.size > self.size:
                raise _bad(f"the header of member {name!r} is damaged")
            member.offset = offset
        return member

    def read(self, member):
        data = self.at(member.offset, member.size)
        self._check(member, zlib.crc32(data))
        return data

    def read_into(self, member, view):
        """Fills a writable view of as many bytes."""
        self.file.seek(member.offset)
        checksum, done = 0, 0
        read_into = getattr(self.file, "readinto", None)
        while done < member.size:
            part = view[done:done + _PIECE]
            data = read_some(self.file, len(part)) if read_into is None else None
            n = read_into(part) if read_into else len(data)
            if n is None:
                raise BlockingIOError(errno.EAGAIN, "read could not complete without blocking", 0)
            if not 0 < n <= len(part):
                raise _bad(f"the file ended inside member {member.name!r}")
            if data:
                part[:n] = data
            checksum = zlib.crc32(part[:n], checksum)
            done += n
        self._check(member, checksum)

    def _check(self, member, checksum):
        if checksum != member.checksum:
            raise _bad(f"member {member.name!r} is damaged: its checksum is wrong")


def _wide_numbers(extra, size, packed, header):
    """The numbers that did not fit into 32 bits stand in a field of their own."""
    p = 0
    while p + 4 <= len(extra):
        tag, n = struct.unpack_from("<HH", extra, p)
        if tag == 1:
            field = extra[p + 4:p + 4 + n]
            values = iter(struct.unpack(f"<{len(field) // 8}Q", field[:len(field) // 8 * 8]))
            try:
                size = next(values) if size == _MOST32 else size
                packed = next(values) if packed == _MOST32 else packed
                header = next(values) if header == _MOST32 else header
            except StopIteration:
                raise _bad("a 64-bit field is cut off") from None
            break
        p += 4 + n
    return size, packed, header
