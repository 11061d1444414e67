# Sourced by tests of the program: counts like cmocka, so that the sums are of tests and not of files.
set -u
dew=$(realpath "$1")
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
passed=0 failed=0

ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }

# check NAME COMMAND...: the command must succeed.
check() {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1; then ok; else bad "$name"; sed 's/^/  | /' "$work/said" | head -n 20; fi
}

# says STATUS TEXT COMMAND...: the command must end with the status, and say the text.
says() {
  local status=$1 text=$2 got=0
  shift 2
  "$@" >"$work/said" 2>&1 || got=$?
  if [ $got -eq "$status" ] && grep -qF -- "$text" "$work/said"; then
    ok
  else
    bad "$* (status $got, not $status, or does not say \"$text\")"
    sed 's/^/  | /' "$work/said" | head -n 20
  fi
}

finish() {
  echo "[  PASSED  ] $passed test(s)."
  [ $failed -eq 0 ] && exit 0
  echo "[  FAILED  ] $failed test(s)."
  exit 1
}

# A scene that runs in a second: NAME [EXTRA LINES].
small_scene() {
  cat >"$work/$1.yaml" <<SCENE
title: A small drop
spacing: 0.25 mm
duration: 4 ms
frame_rate: 2000
materials:
  water: {density: 998, viscosity: 1 mPa s, surface_tension: 72.8 mN/m}
liquids:
  - {material: water, shape: {ellipsoid: {centre: [0, 0, 1.1 mm], semi_axes: [1.2 mm, 1 mm, 1 mm]}}, velocity: [0, 0, -0.3]}
solids:
  - {name: plate, shape: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}, contact_angle: 100 deg}
emitters:
  - {material: water, shape: {disc: {centre: [0, 0, 4 mm], normal: [0, 0, -1], radius: 0.7 mm}}, velocity: [0, 0, -1]}
probes:
  - {name: drop, quantities: [kinetic_energy, momentum, particle_count]}
output: {size: [160, 120], samples: 1}
${2:-}
SCENE
}
