#!/usr/bin/env bash
# The table of `dew laws` and its report, by runs that are much too small to measure anything.
. "$(dirname "$0")/shell.sh"
cd "$work"
small=(--method pbf --threads 1 --set particles=200/400/800)
swing=(--law oscillation --set spread=0 --set periods=1 "${small[@]}")

# The table: aligned, a closing line, plain where it is no terminal; what is wrong is told.
says 2 "there is no resolution 'rough'; coarse, medium, fine or all is right" "$dew" laws --resolution coarse,rough
says 2 "there is no method 'pfb'" "$dew" laws --method pfb
says 2 "there is no group of laws 'waive'; did you mean 'waves'?" "$dew" laws --group waive
says 0 "Group waves:" "$dew" laws --group waves --law momentum --list
check "groups choose laws" test "$(grep -cE "^(oscillation|momentum|laplace|energy): " said)" -eq 2
says 2 "three for coarse/medium/fine: 200/400/800" "$dew" laws --law oscillation --set particles=200/400
says 2 "three for coarse/medium/fine: 200/400/800" "$dew" laws --law oscillation --set particles=200//800
says 2 "there is no level 'rough'; normal or fine is right" "$dew" laws --level rough
says 2 "filling" "$dew" laws --filling -1
says 2 "--quick has sizes of its own" "$dew" laws --quick --resolution fine
says 2 "there is no quick case" "$dew" laws --quick --group jets --method mpm
"$dew" laws --quick --law momentum --method sph --method mpm --threads 1 --json >quick 2>/dev/null
check "quick cases" test "$(grep -c '^{"law": "momentum"' quick)" -eq 8
says 2 "--report needs the name of a folder" "$dew" laws --report ""
says 0 " of 4 within target, " "$dew" laws "${swing[@]}" --resolution coarse,medium --quiet
cp said table
check "laws met are counted" grep -qx "pbf: [01] of 1 laws met in every figure" table
check "a heading and four lines" test "$(grep -cE '^(law|oscillation) ' table)" -eq 5
check "of what every law is held to only misses" sh -c "! grep -q '^watch .* yes ' table"
check "no colours in a file" test "$(grep -c $'\033' table)" -eq 0
check "columns are aligned" awk '/^(law|oscillation)/ {if (!w) w = length($0); if (length($0) != w) exit 1}' table
if command -v script >/dev/null; then
  # 100 particles: as few miss the frequency for sure.
  script -qec "env TERM=xterm NO_COLOR= '$dew' laws ${swing[*]} --set particles=100 --quiet" \
    /dev/null >coloured 2>&1
  check "colours on a terminal" grep -q $'\033\[1;31m' coloured
fi

# Progress says what, and how long it takes.
says 0 "[1/1] oscillation by pbf, coarse: " "$dew" laws "${swing[@]}"
cp said progress
check "the time left" grep -q "% | 0:00 left$" progress

# JSON: the keys, and the order from the second resolution on.
"$dew" laws "${swing[@]}" --resolution coarse,medium --json >all 2>/dev/null
check "what every law is held to" test "$(grep -c '^{"law": "watch", "group": "conservation", .* "case": "oscillation", .*"warned": ' all)" -ge 6
grep -v '^{"law": "watch"' all >lines
check "JSON" python3 - lines <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == 4, rows
for key in ("law", "group", "method", "resolution", "measured", "theory", "error", "target", "pass", "cpu_seconds", "order", "case"):
    assert all(key in r for r in rows), key
assert [r["resolution"] for r in rows] == ["coarse"] * 2 + ["medium"] * 2
assert rows[0]["order"] is None and isinstance(rows[2]["order"], float)
import math
p = math.log(abs(rows[2]["error"] / rows[0]["error"])) / math.log((rows[2]["particles"] / rows[0]["particles"]) ** (-1 / 3))
assert abs(p - rows[2]["order"]) < 0.01 * abs(p), (p, rows[2]["order"])
PYTHON

# A finer level has 0.7 of the spacing, another filling other particles of the same liquid; a table tells how they differ.
for extra in "--level fine" "--filling 1"; do
  "$dew" laws "${swing[@]}" $extra --json 2>/dev/null | grep -v '^{"law": "watch"'
done >others
check "levels and fillings" python3 - lines others <<'PYTHON'
import json, sys
plain, others = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
fine, turned = others[:2], others[2:]
assert [(r["level"], r["filling"]) for r in (plain[0], fine[0], turned[0])] == [("normal", 0), ("fine", 0), ("normal", 1)]
assert abs(fine[0]["particles"] * 0.343 / plain[0]["particles"] - 1) < 0.02
assert turned[0]["particles"] == plain[0]["particles"] and turned[0]["measured"] != plain[0]["measured"]
PYTHON
cat lines others >all
says 0 "2 figures: " python3 "$OLDPWD/tools/laws_scatter.py" --from <(grep coarse all)
cp said scatter
check "a line a figure" grep -q '^| `oscillation` | pbf | frequency | [-+0-9.]* % | [0-9.]* % | [-+0-9.]* % | 4.00 % | ' scatter

# The tables of the documents from the lines, which the record takes in place of those of the same runs.
mkdir -p copy/tools copy/docs && cp "$OLDPWD/tools/laws_table.py" copy/tools/
for page in copy/README.md copy/docs/figures.md; do printf 'before\n<!-- laws -->\nold\n<!-- end -->\nafter\n' >$page; done
sed 's/"case": "[^"]*"/"case": "of long ago"/' lines >copy/docs/laws.jsonl
grep '"oscillation"' lines | head -n 1 | sed 's/"oscillation"/"honey"/' >>copy/docs/laws.jsonl
check "laws_table.py --add" python3 copy/tools/laws_table.py --add lines
check "the record" sh -c "! grep -q '\"oscillation\".*of long ago' copy/docs/laws.jsonl && grep -q honey copy/docs/laws.jsonl"
check "laws_table.py" python3 copy/tools/laws_table.py
check "a line of the table" grep -q '^| `oscillation` | frequency | .*medium |$' copy/docs/figures.md
check "what is around the table stays" sh -c "head -n 1 copy/README.md | grep -qx before && tail -n 1 copy/README.md | grep -qx after"
check "a line for the group" grep -qx '| \*\*waves\*\* | | |' copy/docs/figures.md
check "figures met" grep -qx '| waves | [0-9]* of [0-9]* |' copy/README.md
check "the old table goes" sh -c "! grep -qx old copy/README.md copy/docs/figures.md"
echo '{"law"' >>lines
says 1 "lines:5: not a line" python3 copy/tools/laws_table.py lines

# The report. Its name must be escaped on the page.
page="$work/a<b>&c"
says 0 "Report: $page/index.html" "$dew" laws --law laplace "${swing[@]}" --resolution coarse,medium --set rest=0.3 --set window=0.3 \
  --report "$page"
check "results.jsonl" test "$(grep -c '^{"law": "oscillation"' "$page/results.jsonl")" -eq 4
check "a picture" grep -q PNG "$page/pictures/laplace-pbf-coarse-1.png"
check "nothing unfinished is left" test -z "$(find "$page" -name '*.part*' -o -name '*.tmp*')"
check "the data" python3 - "$page" "$work/lines" <<'PYTHON'
import json, math, os, re, sys
folder, lines = sys.argv[1:]
def no_constant(name):
    raise ValueError("JSON knows no " + name)
text = open(folder + "/index.html", encoding="utf-8").read()
slot = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
assert "<" not in slot, "nothing in the data may end the script"
data = json.loads(slot, parse_constant=no_constant)
assert data == json.load(open(folder + "/laws.json", encoding="utf-8"))
assert "a<b>&c" in data["command"] and "--resolution coarse,medium" in data["command"], "the command, as it was typed"
assert data["planned_runs"] == len(data["runs"]) == 4
assert [l["name"] for l in data["laws"]] == ["laplace", "oscillation"]
assert [m["name"] for m in data["methods"]] == ["pbf"]
for law in data["laws"]:
    assert law["title"] and law["physics"] and law["equation"]
    for target in law["targets"]:
        assert len(target["target"]) == 3 and target["sentence"] and target["error_kind"] in ("relative", "absolute", "degrees")
figures = [r for run in data["runs"] for r in run["results"]]
assert len(figures) >= 14
rows = [json.loads(line) for line in open(folder + "/results.jsonl")]
assert figures == [r for r in rows if r["law"] != "watch"] and len(rows) > len(figures)
for run in data["runs"]:
    assert run["lacks"] is None and run["failure"] is None and run["cpu_seconds"] > 0
    known = {t["quantity"] for l in data["laws"] if l["name"] == run["law"] for t in l["targets"]}
    for r in run["results"]:
        assert r["quantity"] in known and (r["law"], r["method"], r["resolution"]) == (run["law"], run["method"], run["resolution"])
        assert isinstance(r["pass"], bool) and (r["order"] is None or run["resolution"] == "medium"), r
    assert run["plots"], run["law"]
    for plot in run["plots"]:
        assert plot["title"] and plot["x"] and plot["y"]
        assert {c["kind"] for c in plot["curves"]} & {"measured", "points"} and "theory" in {c["kind"] for c in plot["curves"]}
        for curve in plot["curves"]:
            assert len(curve["x"]) == len(curve["y"]) > 0
    for picture in run["pictures"]:
        assert picture["caption"] and os.path.getsize(os.path.join(folder, picture["file"])) > 0
assert any(run["pictures"] for run in data["runs"]) and any(r["order"] for r in figures)
assert "<noscript>" in text and not re.search(r'(?:src|href)="(?:https?:)?//', text), "nothing from elsewhere"
PYTHON

# What the page's script makes of it, where there is a browser.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
drawn() {
  HOME=$work timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run \
    --user-data-dir="$work/browser" --dump-dom "file://$1" 2>/dev/null
}
if [ -n "$browser" ]; then
  ln -s "$page" seen && drawn "$work/seen/index.html" >drawn
  check "the page as it is drawn" python3 - "$page" drawn <<'PYTHON'
import html.parser, os, sys
folder, drawn = sys.argv[1:]
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.plots, self.curves, self.ids, self.links, self.words, self.is_script = 0, 0, 0, set(), [], [], False
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.is_script = tag in ("script", "style", "noscript")
        self.rows += tag == "tr"
        self.plots += tag == "svg"
        self.curves += tag == "path" and a["class"].split()[0] in ("curve", "mark")
        if "id" in a:
            assert a["id"] not in self.ids, a["id"]
            self.ids.add(a["id"])
        self.links += [a[k] for k in ("src", "href") if k in a]
    def handle_endtag(self, tag):
        self.is_script = False
    def handle_data(self, data):
        if not self.is_script:
            self.words.append(data)
page = Page()
page.feed(open(drawn, encoding="utf-8").read())
words = "".join(page.words)
assert page.rows >= 3 + 5 + 11, page.rows
assert page.plots >= 5 and page.curves >= 2 * page.plots, (page.plots, page.curves)
assert "a<b>&c" in words and "--resolution coarse,medium" in words, "the command, as it was typed"
assert page.words.count("met") + page.words.count("not met") >= 14
assert "Error of frequency against resolution" in words and "Not finished" not in words and "ω" in words
for link in page.links:
    if link.startswith("#"):
        assert link == "#" or link[1:] in page.ids, link
    else:
        assert os.path.exists(os.path.join(folder, link)), link
PYTHON
fi

# The same measurements make the same bytes: of a law that fails at once, which costs no CPU time to tell.
fails=(--law hydrostatic --method pbf --quiet --threads 1 --set density=-1)
for k in 1 2; do
  "$dew" laws "${fails[@]}" --report same >said 2>&1
  check "a run that fails ends with 1" test $? -ne 2
  mv same/index.html "same-$k.html" && mv same/laws.json "same-$k.json"
done
for kind in html json; do
  check "the same $kind twice" sh -c "sed 's/\"cpu_seconds\": [^,]*//' same-1.$kind >a; sed 's/\"cpu_seconds\": [^,]*//' same-2.$kind | cmp - a"
done
check "the data say that it failed" python3 -c 'import json; assert json.load(open("same-1.json"))["runs"][0]["failure"]'
if [ -n "$browser" ]; then
  drawn "$PWD/same-1.html" >drawn
  check "the page says that it failed" grep -q 'class="badge fail">failed' drawn
fi

# Into a folder that is there: its own files are replaced, others stay; a page of somebody else's is not touched.
mkdir -p mine && echo "my notes" >mine/notes.txt
"$dew" laws "${fails[@]}" --report mine >said 2>&1 # a folder that is there
check "a report in it" test -s mine/laws.json
check "again into the same" "$dew" laws "${swing[@]}" --report mine
check "what else was there" grep -qx "my notes" mine/notes.txt
mkdir -p site && echo "<html>my site</html>" >site/index.html
says 2 "index.html is there and no report of \`dew laws\`" "$dew" laws --law momentum --report site
check "it is as it was" grep -q "my site" site/index.html
echo "a file" >plain
says 1 "plain" "$dew" laws --law momentum --report plain/report
if [ "$(id -u)" -ne 0 ]; then
  mkdir shut && chmod a-w shut
  says 1 "you may not write there" "$dew" laws --law momentum --report shut/report
fi

# What was measured before the end by a signal is on the page.
"$dew" laws --law momentum --law oscillation --method pbf --threads 1 --quiet --set particles=200/200/100000 --set duration=0.1 \
  --resolution coarse,fine --report cut >/dev/null 2>&1 &
is_cut() { python3 -c 'import json; d = json.load(open("cut/laws.json")); assert (len(d["runs"]), d["planned_runs"]) == (1, 4)'; }
for _ in $(seq 100); do
  is_cut 2>/dev/null && break
  sleep 0.1
done
kill -KILL $! && wait $! 2>/dev/null
check "an interrupted report" is_cut
check "with what was measured, on the page too" grep -q "damping ratio" cut/index.html
finish
