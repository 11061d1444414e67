#!/usr/bin/env python3
"""`dew schema` is a JSON Schema by which every scene that is right is right, and every scene that is wrong is wrong, as
far as a schema can tell; and the tables of the documentation are those of the program.   test_schema.py DEW FOLDER"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

# Scenes whose mistake is not of key, type, range or word, with what it is of. A schema cannot tell these.
BEYOND = {
    "all_at_once": "meshes, places and flows",
    "alias_of_itself": "syntax",
    "angle_in_metres": "a unit that does not fit",
    "angle_too_large": "a range, in a number with a unit",
    "binary": "syntax",
    "box_min_above_max": "two values",
    "box_rounding": "two values",
    "changes_angle_of_energies": "two values",
    "colour_range_backwards": "two values",
    "complex_key": "syntax",
    "cylinder_without_length": "two values",
    "density_in_newton_per_metre": "a unit that does not fit",
    "dimension_two": "what the method can",
    "domain_min_above_max": "two values",
    "domain_without_min": "two values",
    "duplicate_in_flow": "syntax",
    "duplicate_key": "syntax",
    "elastic_without": "what the method can",
    "emitter_ends_first": "two values",
    "empty": "syntax",
    "energies_that_part": "two values",
    "expression_assignment": "an expression",
    "expression_bracket": "an expression",
    "expression_function": "an expression",
    "expression_two_values": "an expression",
    "expression_unknown_name": "an expression",
    "expression_wrong_variable": "an expression",
    "eye_is_target": "two values",
    "frame_longer_than_run": "two values",
    "gravity_out_of_plane": "two values",
    "heat_without": "what the method can",
    "height_above_its_box": "an expression's values",
    "height_of_z": "an expression",
    "hysteresis_of_walls": "two values",
    "implicit_bad": "an expression",
    "implicit_outside_its_box": "an expression's values",
    "joints_without_solids": "a name",
    "keyframe_unit": "a unit that does not fit",
    "keyframes_and_expressions": "two values",
    "keyframes_out_of_order": "two values",
    "liquid_plane": "an endless shape",
    "liquids_empty": "a list that is empty beside another one",
    "looks_along_up": "two values",
    "mesh_empty": "a file",
    "mesh_folder": "a file",
    "mesh_missing": "a file",
    "mesh_no_triangles": "a file",
    "mesh_open": "a file",
    "mesh_wrong_name": "a file",
    "not_utf8": "syntax",
    "rigid_joints": "what a joint holds",
    "number_huge": "a number that no computer knows",
    "odd_size": "even numbers",
    "only_comments": "syntax",
    "parallel_rectangle": "two values",
    "parameter_unit": "a unit that does not fit",
    "probes_same_name": "two values",
    "same_name_twice": "two values",
    "solute_of_method": "what the method can",
    "spacing_in_seconds": "a unit that does not fit",
    "syntax_brace": "syntax",
    "syntax_indent": "syntax",
    "syntax_quote": "syntax",
    "syntax_tab": "syntax",
    "tension_in_pascal": "an expression, for all that a schema knows",
    "tension_of_temperature": "what the method can",
    "torus_closed": "two values",
    "two_liquids": "what the method can",
    "unit_in_vector": "a unit that does not fit",
    "unknown_alias": "syntax",
    "unknown_colour": "a method's fields",
    "unknown_field": "a method's fields",
    "unknown_material": "a name",
    "unknown_unit": "a unit that does not fit",
    "which_material": "what the method can",
    "zero_normal": "three values",
}


class Loader(yaml.SafeLoader):
    """Plain scalars as dew reads them (YAML 1.2): yes is a word, 1e-3 a number."""


Loader.yaml_implicit_resolvers = {}
NUMBER = re.compile(r"^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$")
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(null|~|)$"), ["n", "~", ""])
Loader.add_implicit_resolver("tag:dew,2026:number", NUMBER, list("+-.0123456789"))


def number(loader, node):
    value = float(node.value)
    return int(value) if value == int(min(max(value, -1e300), 1e300)) else value


Loader.add_constructor("tag:dew,2026:number", number)


def faults(validator, path):
    try:
        scene = yaml.load(path.read_bytes(), Loader)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        return [f"cannot be read: {error}"]
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:150]}" for e in validator.iter_errors(scene)]


def main():
    dew, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([dew, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = 0
    scenes = sorted(root.glob("scenes/**/*.yaml"))
    for path in scenes:
        for fault in faults(validator, path)[:5]:
            print(f"{path} is right, but: {fault}")
            bad += 1
    wrong = sorted(root.glob("tests/scenes_wrong/*.yaml"))
    for path in wrong:
        if path.stem not in BEYOND and not faults(validator, path):
            print(f"{path} is wrong, but the schema does not tell")
            bad += 1
    tables = [root / "tools/scene_tables.py", dew, root / "docs/scene-format.md", "--check"]
    bad += subprocess.run(list(map(str, tables))).returncode != 0
    assert len(scenes) >= 20 and len(wrong) >= 60, (len(scenes), len(wrong))
    return bad > 0


sys.exit(main())
