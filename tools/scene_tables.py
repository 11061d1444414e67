#!/usr/bin/env python3
"""The tables of docs/scene-format.md, between their markers, from `dew schema`.   scene_tables.py DEW FILE [--check]

<!-- table: liquids --> begins the table of the keys of a liquid: a path of keys, entries of lists and maps as they are;
<!-- shapes --> that of the kinds of shapes; <!-- end --> ends each. --check changes nothing and fails where something
would change."""

import json
import re
import subprocess
import sys


def inner(value):
    """The schema of a value behind what wraps it: the entries of a list, of a map."""
    while True:
        if "allOf" in value:
            value = value["allOf"][0]
        elif "items" in value and isinstance(value["items"], dict):
            value = value["items"]
        elif isinstance(value.get("additionalProperties"), dict):
            value = value["additionalProperties"]
        else:
            return value


def find(schema, path):
    at = schema
    for key in path.split("."):
        at = inner(schema["$defs"][key] if key in schema["$defs"] else at["properties"][key])
    return at


def shown(value):
    return f"[{', '.join(map(shown, value))}]" if isinstance(value, list) else str(value).lower()


def row(key, value, required):
    default = "must be given" if key in required else shown(value["default"]) if "default" in value else ""
    words = inner(value).get("enum", []) if "allOf" in value and "enum" in value["allOf"][0] else []
    listed = f" ({', '.join(f'`{w}`' for w in words)})" if words and key != "method" else ""
    return f"| `{key}` | {value.get('x-unit', '')} | {default} | {value['description']}{listed} |"


def table(schema, path):
    at = find(schema, path) if path else schema
    methods = {key for key, value in at["properties"].items() if "allOf" not in value}
    rows = [row(k, v, at.get("required", [])) for k, v in at["properties"].items() if k not in methods]
    if methods:
        rows.append("| a method's name | | | a block of that method's own parameters, see `dew list`: `pbf: {tension: paper}` |")
    return ["| key | unit | default | meaning |", "|---|---|---|---|"] + rows


def shapes(schema):
    lines = ["| shape | what it is | its keys |", "|---|---|---|"]
    for kind, value in schema["$defs"]["shape"]["properties"].items():
        body = value["allOf"][0]
        keys = "; ".join(f"`{k}`: {v['description']}" + (f" ({v['x-unit']})" if "x-unit" in v else "")
                         for k, v in body.get("properties", {}).items())
        if "items" in body and "$ref" in body["items"]:
            keys = "a list of shapes"
        lines.append(f"| `{kind}` | {value['description']} | {keys} |")
    return lines


def main():
    dew, path = sys.argv[1:3]
    schema = json.loads(subprocess.run([dew, "schema"], check=True, capture_output=True, text=True).stdout)
    text = open(path).read()

    def fresh(match):
        lines = shapes(schema) if match[1] == "shapes" else table(schema, (match[2] or "").strip())
        return "\n".join([match[0].split("\n")[0], *lines, "<!-- end -->"])

    made = re.sub(r"<!-- (shapes|table:([^\n>]*)) -->\n.*?<!-- end -->", fresh, text, flags=re.S)
    if "--check" not in sys.argv:
        open(path, "w").write(made)
    elif made != text:
        sys.exit(f"{path} is not what `dew schema` says: tools/scene_tables.py {dew} {path}")


main()
