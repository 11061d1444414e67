"""Counts the tests in meson's logs, every cmocka test by itself, and says "N passed, N failed".

count_tests.py LOG... [--passed NAME] [--failed NAME]
"""
import json
import re
import sys

passed, failed, names = 0, 0, []
arguments = sys.argv[1:]
while arguments:
    word = arguments.pop(0)
    if word in ("--passed", "--failed"):
        name = arguments.pop(0)
        if word == "--passed":
            passed += 1
        else:
            failed, names = failed + 1, names + [name]
        continue
    folder = word.split("/")[0]
    with open(word) as log:
        for line in log:
            test = json.loads(line)
            text = test.get("stdout", "") + test.get("stderr", "")
            counts = [sum(int(n) for n in re.findall(r"\[  %s *\] (\d+) test" % key, text)) for key in ("PASSED", "FAILED")]
            is_right = test["result"] in ("OK", "EXPECTEDFAIL")
            if test["result"] == "SKIP":
                continue
            if counts == [0, 0] or (not is_right and counts[1] == 0):
                counts = [counts[0] + is_right, counts[1] + (not is_right)]
            passed, failed = passed + counts[0], failed + counts[1]
            if not is_right:
                names.append("%s: %s (%s)" % (folder, test["name"], test["result"]))
for name in names:
    print("failed:", name)
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed or not passed else 0)
