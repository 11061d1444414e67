"""Makes a C file of any file, so that the program carries it: embed.py NAME INPUT OUTPUT defines const char NAME[], which a
zero ends."""
import sys

name, source, output = sys.argv[1:]
data = open(source, "rb").read() + b"\0"
rows = (", ".join("'\\x%02x'" % byte for byte in data[k:k + 16]) for k in range(0, len(data), 16))
with open(output, "w") as file:
    file.write("extern const char %s[];\nconst char %s[] = {\n%s};\n" % (name, name, ",\n".join(rows)))
