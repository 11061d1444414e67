#!/usr/bin/env bash
# A run that was broken off and resumed leaves the bytes of one that was not.
. "$(dirname "$0")/shell.sh"
small_scene small

# Files that must be the same: all but those that name times of day or folders.
same() {
  local file
  for file in probes.csv particles.pvd $(cd "$work/whole" && ls frames/*.vtp pictures/*.png 2>/dev/null); do
    cmp -s "$work/whole/$file" "$1/$file" || { echo "$file differs"; return 1; }
  done
}

# Speeds are all the same at first: the colours are fitted to a later picture.
colours=output.colour_by=velocity
run() { "$dew" run "$work/small.yaml" -q --checkpoint-every 0 --set $colours "$@"; }
# The run itself in the background, not a shell around it, so that a signal reaches it.
start() { "$dew" run "$work/small.yaml" --checkpoint-every 0 --set $colours "$@" & }

check "a whole run" run -o "$work/whole"
check "one of another number of threads" run -o "$work/threads" --threads 3
check "it has the same bytes" same "$work/threads"

# Killed at several moments, without any warning.
seconds=$( { TIMEFORMAT=%R; time run -o "$work/timed" >/dev/null 2>&1; } 2>&1)
for part in 0.15 0.35 0.6 0.85; do
  rm -rf "$work/killed"
  start -o "$work/killed" >/dev/null 2>&1
  victim=$!
  sleep "$(awk "BEGIN {print $part * $seconds}")"
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
  check "resumed after kill -9 at $part" run -o "$work/killed" --resume
  check "the same bytes after kill -9 at $part" same "$work/killed"
  check "no half file is left after kill -9 at $part" test -z "$(find "$work/killed" -name '*.part*')"
done

# Asked to stop: says how to go on, and going on works; the last whole frame is saved, whenever the last checkpoint was due.
for every in 0 1000; do
  rm -rf "$work/stopped"
  "$dew" run "$work/small.yaml" --checkpoint-every $every --set $colours -o "$work/stopped" >"$work/farewell" 2>&1 &
  victim=$!
  sleep "$(awk "BEGIN {print 0.5 * $seconds}")"
  kill -INT $victim
  wait $victim
  status=$?
  if [ $status -ne 0 ]; then # else it was done already
    frames=$(ls "$work/stopped/frames" | grep -c particles)
    check "status 1 after Ctrl-C" test $status -eq 1
    check "it says how to go on" grep -q -- "--resume" "$work/farewell"
    check "it saved the last of $frames frames" grep -q "^Frame $((frames - 1)) .* is saved" "$work/farewell"
  fi
  check "resumed after Ctrl-C" run -o "$work/stopped" --resume
  check "the same bytes after Ctrl-C" same "$work/stopped"
done

# Two at once would write over each other.
start -o "$work/twice" >/dev/null 2>&1
victim=$!
for i in $(seq 100); do [ -e "$work/twice/run.yaml" ] && break; sleep 0.02; done
kill -STOP $victim
says 2 "another run is writing" run -o "$work/twice" --resume
says 2 "another run is writing" run -o "$work/twice" --force
kill -CONT $victim
check "the first is not disturbed" wait $victim
check "the same bytes of the first" same "$work/twice"

# Half files go, whoever's is not the run's stays.
touch "$work/twice/archive.part-1" "$work/twice/probes.csv.part-1" "$work/twice/frames/particles_0001.vtp.part-1"
check "resumed beside other files" run -o "$work/twice" --resume
check "what is not the run's stays" test -e "$work/twice/archive.part-1"
check "half files are gone" test ! -e "$work/twice/probes.csv.part-1" -a ! -e "$work/twice/frames/particles_0001.vtp.part-1"

# Resumed twice, and when nothing is left to do.
check "the first part" run -o "$work/parts" --frames 2
check "the second part" run -o "$work/parts" --frames 5 --resume
check "the rest" run -o "$work/parts" --resume
check "the same bytes in three parts" same "$work/parts"
check "resumed when it was done" run -o "$work/parts" --resume
check "still the same" same "$work/parts"

# Where a scene names no frame rate it has 60 frames; made longer, a run keeps the rate that it began with.
grep -v frame_rate "$work/small.yaml" >"$work/unrated.yaml"
unrated() { "$dew" run "$work/unrated.yaml" -o "$work/unrated" --no-render --set max_particles=300 "$@"; }
says 0 "in 60 frames" "$dew" check "$work/unrated.yaml"
check "the first part" unrated --frames 2
says 0 "resumed at frame 2" unrated --resume --frames 3 --set duration="8 ms"

check "run.yaml names the colours" grep -q "colour_range: \[" "$work/parts/run.yaml"

# Pictures left out in between, and colours changed: those are fitted anew.
check "the first part" run -o "$work/blind" --frames 2
check "the second part, without pictures" run -o "$work/blind" --frames 5 --resume --no-render
check "the rest" run -o "$work/blind" --resume
check "the last picture is the same" cmp "$work/whole/pictures/00008.png" "$work/blind/pictures/00008.png"
check "other colours" run -o "$work/blind" --resume --set output.colour_by=pressure

# Checkpoints that are no good.
cp -r "$work/parts" "$work/broken"
head -c 3000 "$work/parts/checkpoint.h5" >"$work/broken/checkpoint.h5"
says 2 "checkpoint.h5" run -o "$work/broken" --resume
echo nonsense >"$work/broken/checkpoint.h5"
says 2 "checkpoint.h5" run -o "$work/broken" --resume
: >"$work/broken/checkpoint.h5"
says 2 "checkpoint.h5" run -o "$work/broken" --resume
finish
