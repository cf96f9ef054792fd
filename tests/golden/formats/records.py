# SPDX-License-Identifier: GPL-2.0-only
"""Format files as their text says, without libtraceevent: fields, random records of them, and what is in these."""
import random
import re
import struct

LINE = re.compile(r"^\tfield:(.*?)(\w+)(\[[^;]*\])?;\toffset:(\d+);\tsize:(\d+);\tsigned:(\d);$")
# What an x86-64 compiler says of them.
UNSIGNED = {1: "u8 __u8 uint8_t|unsigned char", 2: "u16 __u16 uint16_t umode_t|unsigned short",
            4: "u32 __u32 uint32_t uid_t gid_t qid_t dev_t unsigned uint|unsigned int",
            8: "u64 __u64 uint64_t size_t|unsigned long|unsigned long long"}
SIGNED = {1: "s8 __s8 int8_t|signed char", 2: "s16 __s16 int16_t short",
          4: "s32 __s32 int32_t int pid_t key_t key_serial_t clockid_t timer_t mqd_t rwf_t",
          8: "s64 __s64 int64_t long ssize_t off_t loff_t|long long"}
TYPES = {}
for table, sign in ((UNSIGNED, False), (SIGNED, True)):
    for width, names in table.items():
        words, *phrases = names.split("|")
        TYPES.update({name: (width, sign) for name in words.split() + phrases})


class Field:
    def __init__(self, match):
        kind, self.name, self.brackets, offset, size, sign = match.groups()
        self.offset, self.size, self.signed = int(offset), int(size), sign == "1"
        self.where = None
        for where in ("__data_loc", "__rel_loc"):
            if kind.startswith(where + " "):
                self.where, kind = where, kind[len(where):].strip()
        if kind.rstrip().endswith("]"):
            kind, self.brackets = re.match(r"(.*)(\[.*\])\s*$", kind.strip()).groups()
        kind = kind.strip()
        while kind.startswith(("const ", "volatile ")):
            kind = kind.split(" ", 1)[1]
        self.type = kind

    def is_text(self):
        return self.type == "char" and bool(self.brackets or self.where)

    def element(self):
        """Size, sign and whether it is shown in hex, of an array's."""
        count = re.match(r"\[(\d+)\]", self.brackets or "")
        if not self.where and count and self.size % int(count.group(1)) == 0:
            size = self.size // int(count.group(1))
            if size <= 8:
                return size, self.signed, "*" in self.type
        if self.type == "cpumask_t":
            return 8, False, True
        known = TYPES.get(self.type) or ((1, False) if self.type == "char" else None)
        return (known[0], self.signed, False) if known else (1, self.signed, True)


def read_format(path):
    with open(path) as file:
        text = file.read().split("\nprint fmt:")[0]
    lines = [line for line in text.splitlines() if line.startswith("\tfield:")]
    fields = [LINE.match(line) for line in lines]
    assert all(fields), f"{path}: {lines}"
    return [Field(match) for match in fields]


def number(data, signed):
    return int.from_bytes(data, "little", signed=signed)


def extend(value, size, signed):
    return number((value & (1 << 64) - 1).to_bytes(8, "little")[:size], signed)


def shown(field, data):
    """The value of a field in JSON, from its bytes."""
    if field.is_text():
        return data.split(b"\0")[0].decode("latin-1")
    by_value = field.type.startswith(("struct ", "union ")) and "*" not in field.type
    if field.where or field.brackets or by_value or len(data) not in (1, 2, 4, 8):
        size, signed, is_hex = field.element()
        parts = [data[i:i + size] for i in range(0, len(data) - size + 1, size)]
        return [hex(number(part, False)) if is_hex else number(part, signed) for part in parts]
    value = number(data, field.signed)
    if "*" in field.type:
        return hex(number(data, False))
    if field.type in ("bool", "_Bool") and len(data) == 1:
        return value != 0
    if field.type == "char" and len(data) == 1:
        return chr(value) if 0x20 <= value <= 0x7e else value
    known = TYPES.get(field.type)
    return extend(value, *known) if known and known[0] <= len(data) else value


def draw_bytes(field, size):
    if field.is_text():
        end = random.randint(0, size)
        letters = "".join(random.choice("abc/ \"\\\t\1~") for _ in range(end)).encode()
        return (letters + (b"" if end == size else b"\0") + random.randbytes(size))[:size]
    if random.random() < 0.3:
        return random.choice([b"\0", b"\xff", b"\x80", b"\x7f"]) * size
    return random.randbytes(size)


def draw(fields):
    """A record and what it says."""
    end = (max(field.offset + field.size for field in fields) + 7) & ~7
    record, tail, want = bytearray(random.randbytes(end)), b"", {}
    record[0:2] = b"\x39\x05"
    for field in fields:
        if field.name.startswith(("common_", "__")):
            continue
        place = slice(field.offset, field.offset + field.size)
        if field.where:
            size = field.element()[0] * random.choice([0, 1, 2, 5, 40])
            data = draw_bytes(field, size)
            base = field.offset + 4 if field.where == "__rel_loc" else 0
            record[place] = struct.pack("<I", size << 16 | end + len(tail) - base)
            tail += data + bytes(-len(data) % 4)
        else:
            data = draw_bytes(field, field.size)
            record[place] = data
        want[field.name] = shown(field, data)
    return bytes(record) + tail, want
