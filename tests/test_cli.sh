#!/usr/bin/env bash
# The commands, as a person meets them.
. "$(dirname "$0")/shell.sh"
small_scene small
cd "$(dirname "$0")/.."

# Help, and how mistakes on the command line are met.
says 0 "usage: dew COMMAND" "$dew" --help
says 0 "dew 0." "$dew" --version
says 2 "usage: dew COMMAND" "$dew"
says 2 "did you mean 'run'?" "$dew" rnu
for command in run check list info laws bench; do
  says 0 "usage: dew $command" "$dew" $command --help
  says 0 "usage: dew $command" "$dew" help $command
done
says 2 "there is no option --theads; did you mean --threads?" "$dew" run --theads 3 x
says 2 "there is no option -z" "$dew" run -z x
says 2 "--set needs a value" "$dew" run x --set
says 2 "--threads is '0'; it must be a whole number, 1 or more" "$dew" run x --threads 0
says 2 "which scene?" "$dew" run
says 2 "one scene at a time" "$dew" run a b
says 2 "only one is possible" "$dew" run a --resume --force
says 2 "did you mean scenes/drop-on-plate.yaml?" "$dew" run drop-on-plat
says 2 "there is no 'pfb' (did you mean 'pbf'?)" "$dew" list pfb
says 2 "there is no 'quantites' (did you mean 'quantities'?)" "$dew" list quantites
says 2 "--output needs the name of a folder" "$dew" run x -o ""
says 2 "--changed says how to --resume" "$dew" run x --changed
says 2 "no case 'neighbors'; did you mean 'neighbours'?" "$dew" bench neighbors
"$dew" bench pool --threads 1 --json >"$work/bench"
for method in pbf sph mpm; do check "bench pool of $method" grep -q "\"case\": \"pool-$method\"" "$work/bench"; done

# Scenes.
says 0 "impaled-droplet" "$dew" list
says 0 "cfl" "$dew" list pbf
says 0 "kinetic_energy" "$dew" list quantities
for scene in scenes/rain-on-a-window.yaml scenes/*/*.yaml; do # the others of scenes/*.yaml below, by several methods
  # Two liquids with a tension between them: refused by that name by methods without.
  case $scene in
    */catheter-two-liquids.yaml | */drop-in-oil-on-plate.yaml | */two-liquids-rising-drop.yaml)
      "$dew" list mps | grep -q "tensions between materials" || continue ;;
  esac
  coarser=()
  [[ $scene != */film-catenoid.yaml ]] || coarser=(--set 'spacing=35 mm') # its shape takes 10 s as it is
  check "dew check $scene" "$dew" check "$scene" "${coarser[@]}"
done
# Lines that stay between two angles are refused by that name where a method cannot, and right with one angle.
says 2 "method 'mpm' cannot do advancing and receding contact angles" "$dew" check -m mpm rain-on-a-window
says 0 "right" "$dew" check -m mpm rain-on-a-window --set solids.pane.contact_angle=45
for method in pbf ddr sph; do says 0 "right" "$dew" check -m $method rain-on-a-window; done
for scene in scenes/*.yaml; do
  case $scene in */rain-on-a-window.yaml) continue ;; esac
  for method in pbf sph mpm; do check "dew check $scene -m $method" "$dew" check "$scene" -m $method; done
done
says 0 "drop-on-plate.yaml: right" "$dew" check drop-on-plate
says 2 "spacing" "$dew" check "$work/small.yaml" --set spacing=-1
says 2 "fem" "$dew" check "$work/small.yaml" --method fem
says 2 "1e+200 frames" "$dew" check "$work/small.yaml" --set duration=1e200 --set frame_rate=1
says 2 "density is 1e+30; it must be a number below" "$dew" check "$work/small.yaml" --set materials.water.density=1e30
says 2 "did you mean 'plate'?" "$dew" check "$work/small.yaml" --set solids.plat.friction=1
says 2 "liquids has no entry '3'" "$dew" check "$work/small.yaml" --set liquids.3.fill=cubic
says 2 "it is a folder" "$dew" check scenes
# Slip lengths do nothing in modes of papers, where liquid slips freely.
for method in pbf ddr; do
  paper() { "$dew" check "$work/small.yaml" -m $method --set $method.tension=paper "$@"; }
  says 0 "right" paper
  says 0 "right" paper --set solids.plate.slip_length=free
  says 2 "slip lengths need $method.tension" paper --set solids.plate.slip_length=1mm
  says 2 "slip lengths need $method.tension" paper --set 'changes=[{at: 1 ms, set: {solids.plate.slip_length: 1 mm}}]'
done
says 0 "emitters[0]: is 4.0 spacings across; method sph resolves 5" "$dew" check laws/trials/nozzle.yaml -m sph --set spacing="0.25 mm"
cat >"$work/thin.yaml" <<'END'
spacing: 0.1 mm
liquids:
  - {shape: {box: {min: [0, 0, 0], max: [1 mm, 1 mm, 0.95 mm]}}}
  - {shape: {box: {min: [0, 0, 1.05 mm], max: [1 mm, 1 mm, 2 mm]}}}
materials: {water: {density: 998}}
solids:
  - {name: floor, shape: {plane: {point: [0, 0, -1 mm], normal: [0, 0, 1]}}}
  - {name: sheet, shape: {box: {min: [-1 mm, -1 mm, 0.95 mm], max: [2 mm, 2 mm, 1.05 mm]}}}
END
says 2 ":8:19: error: solid 'sheet' is 1 spacings thick" "$dew" check "$work/thin.yaml"
says 0 "lies in solids, where no liquid is put" "$dew" check "$work/small.yaml" \
  --set 'liquids.0.shape={box: {min: [-1 mm, -1 mm, -1 mm], max: [1 mm, 1 mm, 1 mm]}}'
says 2 "surface_tensio" "$dew" check "$work/small.yaml" --set materials.water.surface_tensio=1

# What is wrong only once the simulation is made has its place in the file too.
cat >"$work/late.yaml" <<SCENE
title: Late mistakes
spacing: 0.2 mm
materials: {water: {density: 998}}
liquids:
  - shape: {sphere: {centre: [0, 0, 2e-3], radius: 1e-3}}
emitters:
  - {material: water, shape: {disc: {centre: [0, 0, 9e-3], normal: [0, 0, 1], radius: 1e-3}}, velocity: [0, 0, -0.2]}
SCENE
says 2 "late.yaml:7:95: error: the velocity" "$dew" check "$work/late.yaml"
sed -i '5s/1e-3}}/1e3}}/' "$work/late.yaml"
says 2 "late.yaml:5:13: error: at a spacing of 0.0002 m" "$dew" check "$work/late.yaml"
says 2 "late.yaml:7:95: error: the velocity" "$dew" check "$work/late.yaml"
says 2 "late.yaml:5:13: error: at a spacing of 0.0002 m" "$dew" run "$work/late.yaml" -o "$work/late" --no-render
check "nothing is written for a wrong scene" test ! -e "$work/late"

# A run and all it leaves.
says 0 "ParaView: $work/run/particles.pvd" "$dew" run "$work/small.yaml" -o "$work/run" --frames 3 --threads 2
for file in run.yaml particles.pvd probes.csv checkpoint.h5 preview.png preview.mp4 frames/particles_0003.vtp; do
  check "$file is left" test -s "$work/run/$file"
done
check "the pvd names the last frame" grep -q particles_0003.vtp "$work/run/particles.pvd"
check "probes: a line each frame" test "$(wc -l <"$work/run/probes.csv")" -eq 5
check "nothing unfinished is left" test -z "$(find "$work/run" -name '*.part*' -o -name '*.tmp*')"
for file in checkpoint.h5 particles.pvd probes.csv frames/particles_0003.vtp; do
  check "dew info $file" "$dew" info "$work/run/$file"
done
check "dew info of a run" "$dew" info "$work/run"
says 0 "a run of method pbf: A small drop" "$dew" info "$work/run"
says 0 "solids     plate" "$dew" info "$work/run"
says 2 "nothing.h5" "$dew" info "$work/nothing.h5"
says 0 "    3        0.0015" "$dew" measure "$work/run" height momentum
says 0 '{"frame": 2, "time": 0.001, "particle_count": ' "$dew" measure "$work/run" particle_count --frames 2 --json
says 2 "there is no quantity 'hight'; did you mean 'height'?" "$dew" measure "$work/run" hight
says 2 "pressure_jump: method pbf finds" "$dew" measure "$work/run" pressure_jump
says 2 "holds no such frame; there are 4, the last is 3" "$dew" measure "$work/run" height --frames 4:
says 2 "--frames is '3:2'; the first must not come after the last" "$dew" measure "$work/run" height --frames 3:2
says 0 '{"frame": 2, "time": 0.001, "drop_count": 1' "$dew" measure "$work/run" drop_count --of body=1 --frames 2 --json
says 2 "--of is 'bode=1'; it takes material=NAME, body=N or solid=NAME; did you mean 'body'?" "$dew" measure "$work/run" height --of bode=1
says 2 "--of is 'body=0'; body=1 is the largest body" "$dew" measure "$work/run" height --of body=0
says 2 'height: there is no material "watr"; did you mean "water"?' "$dew" measure "$work/run" height --of material=watr
says 2 "holds no run.yaml, so it is not the folder of a run" "$dew" measure "$work" height
says 2 "of which run, what?" "$dew" measure "$work/run"
"$dew" measure "$work/run" kinetic_energy momentum particle_count --csv | tail -n +2 >"$work/measured"
check "measured as by the probes" diff "$work/measured" <(tail -n +2 "$work/run/probes.csv")
for file in checkpoint.h5 particles.pvd probes.csv frames/particles_0003.vtp; do
  cp "$work/run/$file" "$work/nameless"
  check "dew info knows $file by its content" "$dew" info "$work/nameless"
done
says 2 "it is a scene; \`dew check\` says what it holds" "$dew" info "$work/small.yaml"
says 2 "it is a picture (PNG)" "$dew" info "$work/run/preview.png"
says 2 "it is a video (MP4)" "$dew" info "$work/run/preview.mp4"
says 2 "it is a mesh (OBJ)" "$dew" info tests/scenes_wrong/meshes/cube.obj
says 2 "it is a text that dew does not know" "$dew" info meson.build
says 2 "it holds bytes that dew does not know" "$dew" info "$dew"
says 2 "it is empty" "$dew" info /dev/null
says 2 "described are checkpoints (.h5), frames (.vtp), series (.pvd), tables of probes (.csv)" "$dew" info meson.build
says 2 "holds no run" "$dew" info "$work"
check "run.yaml is a scene" "$dew" check "$work/run/run.yaml"
says 2 "holds a run already; --resume goes on with it, --force replaces it" "$dew" run "$work/small.yaml" -o "$work/run"
says 2 "with a spacing of 0.00025 m, this run's is 0.00026 m" \
  "$dew" run "$work/small.yaml" -o "$work/run" --resume --set spacing=0.26mm
says 0 "resumed at frame 3" "$dew" run "$work/small.yaml" -o "$work/run" --resume --frames 4 --no-render
changed() { "$dew" run "$work/small.yaml" -o "$work/run" --resume --set solids.plate.friction=0.5 --no-render "$@"; }
says 2 "another scene" changed
says 2 "was  friction: 0" changed
says 2 "now  friction: 0.5" changed
says 2 "--resume --changed" changed
says 0 "resumed at frame 4" changed --changed --frames 5
says 0 "resumed at frame 5" changed --frames 6
says 2 "so its frame_rate is" changed --changed --set frame_rate=500
check "--force replaces" "$dew" run "$work/small.yaml" -o "$work/run" --force --frames 1 --no-render
check "--force removes old frames" test ! -e "$work/run/frames/particles_0003.vtp"
check "--quiet runs" "$dew" run "$work/small.yaml" -o "$work/quiet" --frames 1 --no-render --quiet
check "--quiet is quiet" test ! -s "$work/said"

# A limit that nothing can keep: a warning, and with --strict the end of the run, with the checkpoint before it.
says 0 "warning: density" "$dew" run "$work/small.yaml" -o "$work/warned" --frames 2 --no-render --set spacing="0.2 mm" --set watch.density=1e-9
says 0 "Watched at 2 of 3 frames" "$dew" run "$work/small.yaml" -o "$work/warned" --force --frames 2 --no-render
says 0 "a duration of 0.0012 s is no whole number of frames: the last one ends at 0.0015 s" "$dew" run "$work/small.yaml" -o "$work/warned" --force --no-render --set duration=1.2ms
says 0 "1.2 ms in 3 frames, which end at 1.5 ms" "$dew" check "$work/small.yaml" --set duration=1.2ms
says 1 "at its first warning (strict)" "$dew" run "$work/small.yaml" -o "$work/strict" --frames 2 --no-render --strict --set spacing="0.2 mm" --set watch.density=1e-9
cat >"$work/leaving.yaml" <<'END'
spacing: 0.3 mm
duration: 2 ms
frame_rate: 2000
method: ddr
gravity: [0, 0, 0]
materials: {water: {}}
domain: {min: [-3 mm, -3 mm, 0], max: [3 mm, 3 mm, 6 mm], x: periodic, y: wall, z: wall}
liquids: [{shape: {box: {min: [-3 mm, -3 mm, 0], max: [3 mm, 3 mm, 1 mm]}}}]
solids: [{name: ball, shape: {sphere: {centre: [2.5 mm, 0, 4 mm], radius: 1 mm}}, rigid: {density: 500, velocity: [1, 0, 0]}}]
END
leaving() { "$dew" run "$work/leaving.yaml" -o "$work/leaving" --no-render "$@"; }
says 0 "warning: the body 'ball' has left the domain by its periodic face +x at 0.000" leaving
check "a body that has left is told of once" test "$(grep -c "has left" "$work/said")" = 1
says 0 "resumed" leaving --resume --set duration="3 ms"
check "and not again after a resume" test "$(grep -c "has left" "$work/said")" = 0
says 1 "at its first warning (strict)" leaving --force --strict
cat >"$work/crushed.yaml" <<'END'
spacing: 0.3 mm
duration: 2 ms
frame_rate: 2000
method: ddr
gravity: [0, 0, 0]
materials: {water: {}}
domain: {min: [-3 mm, -3 mm, 0], max: [3 mm, 3 mm, 6 mm], x: wall, y: wall, z: wall}
liquids: [{shape: {box: {min: [-3 mm, -3 mm, 0], max: [-2 mm, 3 mm, 1 mm]}}}]
solids:
  - {name: ball, shape: {sphere: {centre: [1 mm, 0, 1 mm], radius: 1 mm}}, rigid: {density: 500}}
  - {name: lid, shape: {box: {min: [0, -1 mm, 2.2 mm], max: [2 mm, 1 mm, 3 mm]}}, motion: {translation: [0, 0, -t]}}
END
says 1 "warning: the body 'ball' is crushed between '" "$dew" run "$work/crushed.yaml" -o "$work/crushed" --no-render --strict
check "what is in the way of a solid is told of once" test "$(grep -c "is crushed" "$work/said")" = 1
says 0 "resumed" "$dew" run "$work/crushed.yaml" -o "$work/crushed" --no-render --resume --changed --frames 1
check "run.yaml names --strict" grep -q "strict: true" "$work/strict/run.yaml"
check "balances from the first frame on" "$dew" run "$work/small.yaml" -o "$work/balance" --frames 0 --no-render \
  --set 'probes.0.quantities=[energy_balance, mass_balance, momentum_balance]'
check "nothing is unexplained at the start" grep -q "^0,0,0,0,0,0" "$work/balance/probes.csv"

# What is in a folder that is not a run's is left alone.
mkdir -p "$work/own/pictures"
echo mine >"$work/own/pictures/holiday.png"
for option in --quiet --force --resume; do
  says 2 "holds pictures but no run.yaml" "$dew" run "$work/small.yaml" -o "$work/own" $option
done
check "my picture is still there" grep -q mine "$work/own/pictures/holiday.png"
says 2 "that of a run, whose scene is $work/run/run.yaml" "$dew" check "$work/run"

# The scene that a run wrote down gives the same run.
check "a run of run.yaml" "$dew" run "$work/run/run.yaml" -o "$work/again" --frames 1 --no-render -q
check "run.yaml gives the same bytes" cmp "$work/run/frames/particles_0001.vtp" "$work/again/frames/particles_0001.vtp"

# --set and --method are what they say.
check "--set" "$dew" run "$work/small.yaml" -o "$work/set" --frames 1 --no-render -q --set pbf.cfl=0.4 --method pbf
check "--set shows in run.yaml" grep -q "cfl: 0.4" "$work/set/run.yaml"
finish
