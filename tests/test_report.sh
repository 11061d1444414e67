#!/usr/bin/env bash
# The table of `dew laws` and its report, by runs that are much too small to measure anything.
. "$(dirname "$0")/shell.sh"
cd "$work"
small=(--method pbf --threads 1 --set particles=200/400/800)
swing=(--law oscillation --set spread=0 --set periods=1 "${small[@]}")

# The table: aligned, a closing line, plain where it is no terminal; what is wrong is told.
says 2 "there is no resolution 'rough'; coarse, medium, fine or all is right" "$dew" laws --resolution coarse,rough
says 2 "there is no method 'pfb'" "$dew" laws --method pfb
says 2 "three for coarse/medium/fine: 200/400/800" "$dew" laws --law oscillation --set particles=200/400
says 2 "three for coarse/medium/fine: 200/400/800" "$dew" laws --law oscillation --set particles=200//800
says 2 "--report needs the name of a folder" "$dew" laws --report ""
says 0 " of 4 within target, " "$dew" laws "${swing[@]}" --resolution coarse,medium --quiet
cp said table
check "a heading and four lines" test "$(grep -cE '^(law|oscillation) ' table)" -eq 5
check "no colours in a file" test "$(grep -c $'\033' table)" -eq 0
check "columns are aligned" awk '/^(law|oscillation)/ {if (!w) w = length($0); if (length($0) != w) exit 1}' table
if command -v script >/dev/null; then
  script -qec "env TERM=xterm NO_COLOR= '$dew' laws ${swing[*]} --quiet" \
    /dev/null >coloured 2>&1
  check "colours on a terminal" grep -q $'\033\[1;31m' coloured
fi

# Progress says what, and how long it takes.
says 0 "[1/1] oscillation by pbf, coarse: " "$dew" laws "${swing[@]}"
cp said progress
check "the time left" grep -q "% | 0:00 left$" progress

# JSON: the keys, and the order from the second resolution on.
"$dew" laws "${swing[@]}" --resolution coarse,medium --json >lines 2>/dev/null
check "JSON" python3 - lines <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == 4, rows
for key in ("law", "method", "resolution", "measured", "theory", "error", "target", "pass", "cpu_seconds", "order", "case"):
    assert all(key in r for r in rows), key
assert [r["resolution"] for r in rows] == ["coarse"] * 2 + ["medium"] * 2
assert rows[0]["order"] is None and isinstance(rows[2]["order"], float)
import math
p = math.log(abs(rows[2]["error"] / rows[0]["error"])) / math.log((rows[2]["particles"] / rows[0]["particles"]) ** (-1 / 3))
assert abs(p - rows[2]["order"]) < 0.01 * abs(p), (p, rows[2]["order"])
PYTHON

# The table of the README from the lines.
mkdir -p copy/tools && cp "$OLDPWD/tools/laws_table.py" copy/tools/
printf 'before\n<!-- laws -->\nold\n<!-- end -->\nafter\n' >copy/README.md
check "laws_table.py" python3 copy/tools/laws_table.py lines
check "a line of the table" grep -q '^| `oscillation` | frequency | .*medium |$' copy/README.md
check "what is around the table stays" sh -c "head -n 1 copy/README.md | grep -qx before && tail -n 1 copy/README.md | grep -qx after"
check "the old table goes" sh -c "! grep -qx old copy/README.md"
echo '{"law"' >>lines
says 1 "lines:5: not a JSON object" python3 copy/tools/laws_table.py lines

# The report. Its name must be escaped on the page.
page="$work/a<b>&c"
says 0 "Report: $page/index.html" "$dew" laws --law laplace "${swing[@]}" --resolution coarse,medium --set rest=0.3 --set window=0.3 \
  --report "$page"
check "results.jsonl" test "$(grep -c '^{"law": "oscillation"' "$page/results.jsonl")" -eq 4
check "a picture" grep -q PNG "$page/pictures/laplace-pbf-coarse-1.png"
check "plots of error against resolution" test -s "$page/plots/oscillation-order-frequency.svg"
check "plots of the law" test -s "$page/plots/laplace-pbf-medium-1.svg"
check "data and script beside the plots" test -s "$page/plots/laplace-pbf-medium-1.dat" -a -s "$page/plots/laplace-pbf-medium-1.gp"
check "nothing unfinished is left" test -z "$(find "$page" -name '*.part*' -o -name '*.tmp*')"
check "the page" python3 - "$page" <<'PYTHON'
import html.parser, os, sys, xml.dom.minidom
folder = sys.argv[1]
text = open(folder + "/index.html", encoding="utf-8").read()
empty = {"meta", "img", "link", "br"}

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.rows, self.ids, self.links, self.words = [], 0, set(), [], []
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.rows += tag == "tr"
        if "id" in a:
            assert a["id"] not in self.ids, a["id"]
            self.ids.add(a["id"])
        self.links += [a[k] for k in ("src", "href") if k in a]
        assert tag != "script"
        if tag not in empty:
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()
    def handle_data(self, data):
        self.words.append(data)

page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert page.rows >= 3 + 5 + 11, page.rows
words = "".join(page.words)
assert "a<b>&c" in words, "the command, as it was typed"
assert "<b>&c" not in text
assert "--resolution coarse,medium" in words
assert page.words.count("met") + page.words.count("not met") >= 14
for link in page.links:
    assert "//" not in link, "nothing from elsewhere: " + link
    if link.startswith("#"):
        assert link[1:] in page.ids, link
    else:
        assert os.path.getsize(os.path.join(folder, link)) > 0, link
plots = [link for link in set(page.links) if link.endswith(".svg")]
assert len(plots) >= 5, plots
for link in plots:
    svg = xml.dom.minidom.parse(os.path.join(folder, link))
    assert svg.documentElement.tagName == "svg"
    assert svg.getElementsByTagName("path"), link
assert [link for link in page.links if link.endswith(".png")]
PYTHON
if command -v xmllint >/dev/null; then check "plots are XML" xmllint --noout "$page"/plots/*.svg; fi

# The same measurements make the same bytes: of a law that fails at once, which costs no CPU time to tell.
for k in 1 2; do
  "$dew" laws --law hydrostatic --method pbf --quiet --threads 1 --set density=-1 --report same >said 2>&1
  check "a run that fails ends with 1" test $? -ne 2
  mv same/index.html "same-$k.html"
done
check "the same page twice" sh -c "sed 's/[0-9.]*<small> s//' same-1.html >a; sed 's/[0-9.]*<small> s//' same-2.html | cmp - a"
check "the page says that it failed" grep -q 'class="badge fail">failed' same-1.html

# Into a folder that is there: its own files are replaced, others stay; a page of somebody else's is not touched.
mkdir -p mine && echo "my notes" >mine/notes.txt
check "a folder that is there" "$dew" laws "${swing[@]}" --report mine
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

# gnuplot: missing, or failing.
mkdir none bad
says 1 "apt install gnuplot-nox" env PATH="$work/none" "$dew" laws --law momentum --report other
check "nothing is made without gnuplot" test ! -e other
printf '#!/bin/sh\n[ "$1" = --version ] && exit\necho "no ink left" >&2\nexit 3\n' >bad/gnuplot && chmod +x bad/gnuplot
says 1 "no ink left" env PATH="$work/bad:$PATH" "$dew" laws --law laplace "${small[@]}" --set rest=0.3 --set window=0.3 --report halved
check "a page all the same" grep -q "pressure jump" halved/index.html

# What was measured before the end by a signal is on the page.
"$dew" laws --law momentum --law oscillation --method pbf --threads 1 --quiet --set particles=200/200/100000 --set duration=0.1 \
  --resolution coarse,fine --report cut >/dev/null 2>&1 &
for _ in $(seq 100); do
  grep -q "Not finished: 1 of 4" cut/index.html 2>/dev/null && break
  sleep 0.1
done
kill -KILL $! && wait $! 2>/dev/null
check "an interrupted report" grep -q "Not finished: 1 of 4 runs" cut/index.html
check "with what was measured" grep -q "angular momentum" cut/index.html
finish
