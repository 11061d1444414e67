# Sourced by quickstart and run-tests: packages and builds, quietly, with what was said kept in out/setup.log.

packages=(git meson ninja-build gcc cmake pkg-config libfyaml-dev libudunits2-dev libassimp-dev libmuparser-dev
  libode-dev libembree-dev libhdf5-dev zlib1g-dev libpng-dev ffmpeg libcmocka-dev clang clang-format clang-tidy
  python3-jsonschema python3-yaml)

mkdir -p out
log=$PWD/out/setup.log

# Runs a command with its output in the log; on failure shows the log's end and stops.
quietly() {
  echo "+ $*" >>"$log"
  if ! "$@" >>"$log" 2>&1; then
    echo "failed: $*" >&2
    tail -n 30 "$log" >&2
    echo "(all of it: $log)" >&2
    exit 1
  fi
}

# Installs those of the given packages that are missing.
setup_packages() {
  if ! command -v dpkg-query >/dev/null; then
    command -v meson >/dev/null && return
    echo "This is neither Debian nor Ubuntu: install what these packages hold, then try again:" >&2
    echo "  $*" >&2
    exit 1
  fi
  local missing=() package as_root=()
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Packages are missing and there is no sudo; as root:  apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "Installing ${#missing[@]} packages (once; minutes) ..."
  quietly "${as_root[@]}" apt-get -q update
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}"
}

# setup_folder FOLDER [MESON OPTION...]: configures the folder where that is not done.
setup_folder() {
  local folder=$1
  shift
  [ -f "$folder/build.ninja" ] && return
  rm -rf "$folder"
  # Warnings are errors with the compiler that they were cleared with; others warn of other things.
  local strict=false
  [ $# -eq 0 ] && [[ "$(cc -dumpversion)" == 12* ]] && strict=true
  quietly meson setup "$folder" -Dwerror=$strict "$@"
}

# setup_build FOLDER [MESON OPTION...]: configures the folder and builds its default targets.
setup_build() {
  setup_folder "$@"
  local folder=$1
  [ -n "$(ninja -C "$folder" -n 2>/dev/null | grep -v 'no work to do' | grep '^\[' || true)" ] && echo "Building $folder ..."
  quietly ninja -C "$folder"
}
