#!/usr/bin/env python3
"""Checks the #include lines of src/ against tools/rooms.txt, and the doors of the rooms.

A room includes its own headers and those of the rooms its row allows, directly or through them;
headers named *_impl.h stay inside their room; a .c file includes its own header first. A unit test may
include any room, to get graphs and sessions to test with.
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def read_table(path):
    rows = {}
    for line in open(path):
        words = line.split("#")[0].split()
        if words:
            rows[words[0]] = words[1:]
    return rows


def closure(rows):
    """{room: every room it may include}"""
    def reach(room, seen):
        for other in list(rows) if "*" in rows[room] else rows[room]:
            if other not in rows:
                sys.exit("rooms.txt: %s may include %s, which is no room" % (room, other))
            if other not in seen:
                seen.add(other)
                reach(other, seen)
        return seen
    return {room: reach(room, {room}) for room in rows}


def complaints(path, room, may):
    own = os.path.basename(path)[:-2] + ".h" if path.endswith(".c") else None
    own_exists = own and os.path.exists(os.path.join(os.path.dirname(path), own))
    quoted = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        m = INCLUDE.match(line)
        if not m:
            continue
        target = m.group(1)
        other = target.split("/")[0]
        quoted.append(os.path.basename(target))
        if "/" not in target:
            yield number, 'write "%s/%s"' % (room, target)
        elif other not in may and other not in ("tensorflow", "weir"):
            yield number, "there is no room %s" % other
        elif other in may and other not in may[room]:
            yield number, "%s may not include %s (tools/rooms.txt)" % (room, target)
        elif target.endswith("_impl.h") and other != room:
            yield number, "%s is for %s alone" % (target, other)
    if own_exists and own in quoted and quoted[0] != own:
        yield 1, "includes its own header %s, but not first" % own


def main():
    may = closure(read_table(os.path.join(ROOT, "tools", "rooms.txt")))
    files = failed = 0
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        room = os.path.relpath(folder, os.path.join(ROOT, "src")).split(os.sep)[0]
        for name in sorted(names):
            if not name.endswith((".c", ".h", ".inc", ".cu")):
                continue
            path = os.path.join(folder, name)
            files += 1
            if room not in may:
                found = [(1, "src/%s is no room of tools/rooms.txt" % room)]
            else:
                allowed = {**may, room: set(may)} if name.endswith("_test.c") else may
                found = list(complaints(path, room, allowed))
            failed += bool(found)
            for number, what in found:
                print("%s:%d: %s" % (os.path.relpath(path, ROOT), number, what))
    print("rooms: %d passed, %d failed" % (files - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
