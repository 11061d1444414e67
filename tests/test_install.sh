#!/usr/bin/env bash
# Installed into a folder, dew serves a program that knows pkg-config alone.
build=$1
. "$(dirname "$0")/shell.sh" "$build/dew"
prefix=$(meson introspect "$build" --buildoptions | python3 -c 'import json, sys
print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
check "meson install" env DESTDIR="$work/root" meson install -C "$build" --no-rebuild --quiet
pc=$(dirname "$(find "$work/root" -name dew-io.pc)")
export PKG_CONFIG_PATH=$pc PKG_CONFIG_SYSROOT_DIR=$work/root
lib=$(dirname "$(find "$work/root" -name libdew-io.so)")
export LD_LIBRARY_PATH=$lib
example=$(dirname "$0")/../examples/drop.c
check "drop.c is below 60 lines" test "$(wc -l <"$example")" -lt 60
check "drop.c against the installed library" \
  sh -c "cc '$example' -Wall -Werror \$(pkg-config --cflags --libs dew-io) -o '$work/drop'"
says 0 "particles; the first one moves" "$work/drop" "$work/frames" 1
check "it wrote a frame" test -s "$work/frames/particles.pvd"

cat >"$work/core.c" <<'CORE'
#include <dew/dew.h>
int main(void)
{
    dew_simulation_def def = dew_default_simulation_def();
    dew_simulation *s;
    return dew_simulation_create(&def, &s) == DEW_INVALID && dew_message()[0] ? 0 : 1;
}
CORE
check "a program against the core" sh -c "cc '$work/core.c' \$(pkg-config --cflags --libs dew) -o '$work/core'"
check "it runs" "$work/core"
check "headers stand alone" sh -c "for h in $work/root$prefix/include/dew/*.h; do echo \"#include <dew/\$(basename \$h)>\"; done |
  cc -std=c17 -Wall -Werror -I'$work/root$prefix/include' -x c -fsyntax-only -"
check "only dew_ symbols are shown" sh -c "! nm -D --defined-only '$lib/libdew.so' '$lib/libdew-io.so' |
  awk 'NF == 3 {print \$3}' | grep -v '^dew_' | grep -vE '^(_init|_fini|__bss_start|_edata|_end)\$'"
check "scenes are installed" test -s "$work/root$prefix/share/dew/scenes/drop-on-plate.yaml"
check "the program runs" "$work/root$prefix/bin/dew" --version
finish
