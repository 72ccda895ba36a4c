#!/usr/bin/env python3
"""tools/check_rooms.py on small trees with one mistake each: every rule is seen to fail."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CHECK = os.path.join(ROOT, "tools", "check_rooms.py")

TABLE = """
base                 # the first
low     base         : tensorflow/
high    low          : weir/high.h weir/ops/
cli     *
"""

FILES = {
    "src/base/str.h": "#include <stdio.h>\n",
    "src/low/low.h": '#include "base/str.h"\n',
    "src/low/low.c": '#include "low/low.h"\n#include "tensorflow/c/c_api.h"\n',
    "src/low/low_impl.h": '#include "low/low.h"\n',
    "src/low/low_test.c": '#include "weir/high.h"\n',
    "src/high/high.c": '#include "weir/high.h"\n#include "low/low.h"\n',
    "src/cli/main.c": '#include "weir/high.h"\n#include "base/str.h"\n',
    "include/tensorflow/c/c_api.h": "",
    "include/weir/high.h": '#include "tensorflow/c/c_api.h"\n',
    "include/weir/ops/math.h": '#include "weir/high.h"\n',
}


def check(table, files):
    """(exit code, output) of the check on a tree."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in [("tools/rooms.txt", table)] + list(files.items()):
            path = os.path.join(root, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def changed(path, text):
    return {**FILES, path: text}


def without(path):
    return {p: t for p, t in FILES.items() if p != path}


# what is wrong, the table, the files, what the check says
MISTAKES = [
    ("a circle through a public header",
     TABLE.replace("low     base", "low     base high"),
     changed("src/low/low.c", '#include "low/low.h"\n#include "weir/high.h"\n'),
     "in a circle: low -> high (src/low/low.c:2), high -> low"),
    ("the same with angle brackets",
     TABLE.replace("low     base", "low     base high"),
     changed("src/low/low.c", '#include "low/low.h"\n#include <weir/high.h>\n'),
     "in a circle: low -> high"),
    ("a public header of a room that the row does not name",
     TABLE, changed("src/low/low.c", '#include "low/low.h"\n#include "weir/high.h"\n'),
     "src/low/low.c:2: low may not include weir/high.h, of high"),
    ("a public header that includes one of a room above",
     TABLE, changed("include/tensorflow/c/c_api.h", '#include "weir/ops/math.h"\n'),
     "low may not include weir/ops/math.h, of high"),
    ("a room that the row does not name",
     TABLE, changed("src/base/str.h", '#include "low/low.h"\n'), "base may not include low/low.h"),
    ("a row without a room", TABLE + "dash base\n", FILES, "dash is a row without a room"),
    ("a room without a row", TABLE, changed("src/new/new.c", ""), "src/new is a room without a row"),
    ("a row that names no room", TABLE + "base nothing\n", FILES,
     "base may include nothing, which is no room"),
    ("a row that says too much", TABLE.replace("high    low", "high    low base"), FILES,
     "high includes nothing of base: the row says too much"),
    ("a row of everything", TABLE.replace("high    low  ", "high    *    "), FILES,
     "only cli may include anything, not high"),
    ("a public header that nobody owns", TABLE, changed("include/weir/new.h", ""),
     "include/weir/new.h belongs to no room"),
    ("an owned header that is not there", TABLE, without("include/weir/ops/math.h"),
     "high owns weir/ops/, which is not there"),
    ("the inside of another room", TABLE,
     changed("src/high/high.c", '#include "weir/high.h"\n#include "low/low_impl.h"\n'),
     "low/low_impl.h is for low alone"),
    ("an own header that is not first", TABLE,
     changed("src/low/low.c", '#include "base/str.h"\n#include "low/low.h"\n'),
     "includes its own header low.h, but not first"),
    ("a header without its room", TABLE, changed("src/low/low.c", '#include "low.h"\n'),
     'write "low/low.h"'),
    ("a header of no room", TABLE, changed("src/low/low.c", '#include "odd/odd.h"\n'),
     "odd/odd.h belongs to no room"),
]


def main():
    failed = 0
    cases = [("a tree without a mistake", TABLE, FILES, None)] + MISTAKES
    for what, table, files, says in cases:
        code, output = check(table, files)
        good = code == 0 if says is None else code == 1 and says in output
        if not good:
            failed += 1
            print("FAIL %s: exit %d\n%s" % (what, code, output))
    print("rooms of small trees: %d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
