"""Draws the particles near the plane y = 0 of some frames of a run beside each other: liquid blue, its surface dark, gas
orange.

    python3 tools/draw_slice.py OUT.png HALF_WIDTH THICKNESS DIR FRAME [FRAME ...]

HALF_WIDTH of a picture and THICKNESS of the slice in mm, about the origin; frames count from 0.
"""
import struct
import sys
import zlib

from frames import frames_of, read_frame

SIDE, RADIUS = 300, 2.4


def put_dot(picture, width, left, x, y, colour):
    for row in range(max(0, int(y - RADIUS)), min(SIDE, int(y + RADIUS) + 1)):
        for column in range(max(0, int(x - RADIUS)), min(SIDE, int(x + RADIUS) + 1)):
            if (column - x) ** 2 + (row - y) ** 2 <= RADIUS ** 2:
                at = 3 * (row * width + left + column)
                picture[at:at + 3] = bytes(colour)


def draw(frame, picture, width, left, half, thickness):
    places = frame["Points"]
    for i, material in enumerate(frame["material"]):
        x, y, z = (1e3 * c for c in places[3 * i:3 * i + 3])
        if abs(y) > thickness / 2:
            continue
        colour = (230, 150, 60) if material else (30, 60, 200) if frame["is_surface"][i] else (110, 170, 255)
        put_dot(picture, width, left, (x + half) / (2 * half) * SIDE, SIDE - (z + half) / (2 * half) * SIDE, colour)


def write_png(path, width, picture):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes(picture[3 * width * y:3 * width * (y + 1)]) for y in range(SIDE))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, SIDE, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    half, thickness, numbers = float(sys.argv[2]), float(sys.argv[3]), [int(n) for n in sys.argv[5:]]
    width = SIDE * len(numbers)
    picture = bytearray(b"\xff" * (3 * width * SIDE))
    files = frames_of(sys.argv[4])
    for k, number in enumerate(numbers):
        draw(read_frame(files[number]), picture, width, SIDE * k, half, thickness)
    write_png(sys.argv[1], width, picture)


main()
