#!/usr/bin/env python3
"""check_rooms.py [ROOT]: the #include lines of src/ and include/ against tools/rooms.txt.

A row names a room, the rooms whose headers it includes, and behind a colon the public headers that
are the room's: an include of "weir/train.h" is one of room train. A room includes its own headers and
those of the rooms of its row, directly or through them. Checked are:

  - every #include against the rows, and the doors: headers named *_impl.h stay inside their room, and a
    .c file includes its own header first;
  - that rooms never include each other in a circle, as their files really are;
  - that rows are true: each has a room, each room has a row, each room that a row names is included by
    some file, and only the command's row is "*";
  - that every public header has one owner.

A unit test may include any room, to get graphs and sessions to test with, and counts for nothing else.
"""
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^">]+)[">]')
CODE = (".c", ".h", ".inc", ".cu")
ANYTHING = ("cli",)  # rooms whose row may be "*"


class Rooms:
    """tools/rooms.txt."""

    def __init__(self, path):
        self.rows, self.owned = {}, []
        for line in open(path, encoding="utf-8"):
            line = line.split("#")[0]
            if not line.strip():
                continue
            words, _, headers = line.partition(":")
            room, *others = words.split()
            self.rows[room] = others
            self.owned += [(header, room) for header in headers.split()]

    def complaints(self):
        for room, others in self.rows.items():
            if "*" in others and room not in ANYTHING:
                yield "only %s may include anything, not %s" % (" ".join(ANYTHING), room)
            for other in others:
                if other != "*" and other not in self.rows:
                    yield "%s may include %s, which is no room" % (room, other)

    def owner(self, header):
        """The room of a public header: by its name, or by its folder's."""
        best = max((o for o in self.owned if header == o[0] or
                    (o[0].endswith("/") and header.startswith(o[0]))),
                   key=lambda o: len(o[0]), default=(None, None))
        return best[1]

    def room_of(self, header):
        folder = header.split("/")[0]
        return folder if folder in self.rows else self.owner(header)

    def reach(self):
        """{room: every room it may include}"""
        def walk(room, seen):
            others = self.rows if "*" in self.rows[room] else self.rows[room]
            for other in others:
                if other in self.rows and other not in seen:
                    seen.add(other)
                    walk(other, seen)
            return seen
        return {room: walk(room, {room}) for room in self.rows}


class Tree:
    """The files of src/ and include/, each with its room and what it includes."""

    def __init__(self, root, rooms):
        self.root, self.rooms, self.folders, self.public = root, rooms, set(), []
        self.files = []  # (path, room)
        for folder, path in self.walk("src"):
            self.folders.add(folder.split(os.sep)[0])
            self.files.append((path, folder.split(os.sep)[0]))
        for folder, path in self.walk("include"):
            header = os.path.relpath(path, os.path.join(root, "include"))
            self.public.append(header)
            self.files.append((path, rooms.owner(header)))

    def walk(self, top):
        base = os.path.join(self.root, top)
        for folder, _, names in sorted(os.walk(base)):
            for name in sorted(names):
                if name.endswith(CODE):
                    yield os.path.relpath(folder, base), os.path.join(folder, name)

    def includes(self, path):
        """(line number, header) of includes that are of the tree."""
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            m = INCLUDE.match(line)
            quoted = m and '"' in line
            if quoted or (m and m.group(1) in self.public):
                yield number, m.group(1)

    def edges(self):
        """{room: {other: "file:line" that shows it}}, without unit tests."""
        found = {room: {} for room in self.rooms.rows}
        for path, room in self.files:
            if room not in found or path.endswith("_test.c"):
                continue
            for number, header in self.includes(path):
                other = self.rooms.room_of(header)
                if other and other != room:
                    where = "%s:%d" % (os.path.relpath(path, self.root), number)
                    found[room].setdefault(other, where)
        return found


def check_file(tree, path, room, may):
    test = path.endswith("_test.c")
    own = os.path.basename(path)[:-2] + ".h" if path.endswith(".c") else None
    own_exists = own and os.path.exists(os.path.join(os.path.dirname(path), own))
    quoted = []
    for number, header in tree.includes(path):
        other = tree.rooms.room_of(header)
        quoted.append(os.path.basename(header))
        if "/" not in header:
            yield number, 'write "%s/%s"' % (room, header)
        elif not other:
            yield number, "%s belongs to no room of tools/rooms.txt" % header
        elif other not in may[room] and not test:
            yield number, "%s may not include %s, of %s (tools/rooms.txt)" % (room, header, other)
        elif header.endswith("_impl.h") and other != room:
            yield number, "%s is for %s alone" % (header, other)
    if own_exists and own in quoted and quoted[0] != own:
        yield 1, "includes its own header %s, but not first" % own


def check_rows(tree, edges):
    """Rows, rooms and owners that are not what the tree is."""
    rows = tree.rooms.rows
    yield from tree.rooms.complaints()
    yield from ("%s is a row without a room" % r for r in rows if r not in tree.folders)
    yield from ("src/%s is a room without a row" % r for r in sorted(tree.folders - set(rows)))
    for room, others in rows.items():
        yield from ("%s includes nothing of %s: the row says too much" % (room, other)
                    for other in others if other in rows and other not in edges[room])
    for header in tree.public:
        if not tree.rooms.owner(header):
            yield "include/%s belongs to no room" % header
    for name, room in tree.rooms.owned:
        if not any(h == name or (name.endswith("/") and h.startswith(name)) for h in tree.public):
            yield "%s owns %s, which is not there" % (room, name)


def find_cycle(edges):
    """Rooms that lead back to the first, or none."""
    done = set()

    def walk(room, path):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        for other in edges.get(room, ()):
            found = walk(other, path + [room])
            if found:
                return found
        done.add(room)
        return None
    return next((c for c in (walk(room, []) for room in edges) if c), None)


def check_cycle(edges):
    cycle = find_cycle(edges)
    if cycle:
        steps = ["%s -> %s (%s)" % (a, b, edges[a][b]) for a, b in zip(cycle, cycle[1:])]
        yield "rooms include each other in a circle: " + ", ".join(steps)


def main(root):
    rooms = Rooms(os.path.join(root, "tools", "rooms.txt"))
    tree = Tree(root, rooms)
    may, edges = rooms.reach(), tree.edges()
    said = list(check_rows(tree, edges)) + list(check_cycle(edges))
    for what in said:
        print("tools/rooms.txt: " + what)
    failed = 0
    for path, room in tree.files:
        found = list(check_file(tree, path, room, may)) if room in may else []
        failed += bool(found)
        for number, what in found:
            print("%s:%d: %s" % (os.path.relpath(path, root), number, what))
    passed = len(tree.files) - failed
    print("rooms: %d passed, %d failed" % (passed, failed + len(said)))
    return 1 if failed or said else 0


if __name__ == "__main__":
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    sys.exit(main(os.path.normpath(sys.argv[1] if len(sys.argv) > 1 else here)))
