"""Reads frames of a run (particles_NNNN.vtp) with Python's own library alone."""
import array
import glob
import os
import re
import struct
import zlib

TYPES = {"Float32": "f", "Float64": "d", "Int32": "i", "Int64": "q", "UInt8": "B"}


def frames_of(folder):
    return sorted(glob.glob(os.path.join(folder, "frames", "particles_*.vtp")))


def read_frame(path):
    """Every array by its name; "Points" are the places, x y z x y z ..."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.index(b"<AppendedData")
    body = data.index(b"_", begin) + 1
    arrays = {}
    for tag in re.findall(r"<DataArray [^>]*>", data[:begin].decode()):
        fields = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        at = body + int(fields["offset"])
        blocks = struct.unpack_from("<Q", data, at)[0]
        sizes = struct.unpack_from("<%dQ" % blocks, data, at + 24)
        at += 24 + 8 * blocks
        raw = b""
        for size in sizes:
            raw += zlib.decompress(data[at:at + size])
            at += size
        values = array.array(TYPES[fields["type"]])
        values.frombytes(raw)
        arrays[fields["Name"]] = values
    return arrays
