#!/usr/bin/env bash
# Disks that are full and folders that may not be written: a clear message, and nothing good is lost.
. "$(dirname "$0")/shell.sh"
small_scene small
run() { "$dew" run "$work/small.yaml" --checkpoint-every 0 "$@"; }

# A folder that cannot be: there is a file of its name.
: >"$work/file"
says 1 "$work/file" run -o "$work/file/run"

# A folder without the right to write (root has it anyway).
if [ "$(id -u)" -ne 0 ]; then
  mkdir "$work/closed"
  chmod a-w "$work/closed"
  says 1 "$work/closed" run -o "$work/closed/run"
fi

# A limit on the size of files stands for the full disk.
limited() { bash -c 'ulimit -f 8; exec "$@"' limited "$dew" run "$work/small.yaml" --checkpoint-every 0 --no-render "$@"; }
says 1 "$work/limited" limited -o "$work/limited"
check "no half file is left" test -z "$(find "$work/limited" -name '*.part*')"

# A run that has a checkpoint, then no more room: the checkpoint stays, and the run goes on when there is room again.
check "a run" run -o "$work/whole" --no-render -q
check "its beginning" run -o "$work/full" --no-render -q --frames 3
sum=$(cksum <"$work/full/checkpoint.h5")
says 1 "--resume" limited -o "$work/full" --resume
check "the checkpoint is kept" test "$(cksum <"$work/full/checkpoint.h5")" = "$sum"
check "it goes on when there is room" run -o "$work/full" --no-render -q --resume
check "to the same frame" cmp "$work/whole/frames/particles_0008.vtp" "$work/full/frames/particles_0008.vtp"
check "to the same probes" cmp "$work/whole/probes.csv" "$work/full/probes.csv"

# A real full disk, where mounting is allowed.
mkdir "$work/small-disk"
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=400k tmpfs "$work/small-disk" 2>/dev/null; then
  says 1 "space" run -o "$work/small-disk/run" --no-render --set spacing=0.15mm
  umount "$work/small-disk"
fi
finish
