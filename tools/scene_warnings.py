#!/usr/bin/env python3
"""Runs scenes without pictures, as quickly as each says ("# Quickly: --set ..."), and tells what each warned of.

    python3 tools/scene_warnings.py build/dew [--seconds N] [SCENE...]

Without SCENE all of scenes/ are run, which takes an hour of one core. A line a scene: its method, seconds of one core,
and its warnings; status 1 when there was one, 2 when a run failed or took longer than N seconds (600)."""
import argparse
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile


def quick_settings(scene):
    """The --set options that the scene's comment names."""
    line = next((l for l in scene.read_text().splitlines() if l.startswith("# Quickly")), "")
    return shlex.split(" ".join(re.findall(r"--set \S+='[^']*'|--set \S+", line)))


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(dew, scene, seconds):
    """What went wrong (or None), and the warnings."""
    with tempfile.TemporaryDirectory() as folder:
        command = [dew, "run", str(scene), *quick_settings(scene), "--no-render", "--threads", "1", "--output", folder, "--force"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"longer than {seconds} s", []
    said = re.split(r"[\r\n]+", done.stderr + done.stdout)
    return (f"status {done.returncode}" if done.returncode else None), [l for l in said if "warning:" in l]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dew")
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_intermixed_args()
    scenes = options.scenes or sorted(pathlib.Path("scenes").rglob("*.yaml"))
    worst = 0
    for scene in scenes:
        method = re.search(r"^method: (\w+)", scene.read_text(), re.M)
        before = spent()
        wrong, warnings = run(options.dew, scene, options.seconds)
        print(f"{scene} {method.group(1) if method else '?'} {spent() - before:.0f} s:", wrong or "ran,", "; ".join(warnings) or "no warning", flush=True)
        worst = max(worst, 2 if wrong else 1 if warnings else 0)
    sys.exit(worst)


if __name__ == "__main__":
    main()
