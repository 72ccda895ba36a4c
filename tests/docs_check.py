"""Whether what the documentation says is true: docs_test.py runs this.

Checked in every page:

- relative links lead to files, and their anchors to headings;
- paths in code spans exist: `src/exec/step.c`, `exec/step.c`, `weir/train.h`; with * some file matches;
- flags (`--steps`), variables (`WEIR_SKIP`) and functions (`weir_session_run`) occur in the source;
- lines have at most 130 columns, but for tables and generated pages.

And of the whole: every page is in the index; every environment variable, pass and stage of the tests has a
row; the picture of the rooms is up to date. The part of the glossary between comments "old names" is left out.
"""
import glob
import os
import re
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
DOCS = os.path.join(ROOT, "docs")
GENERATED = ("docs/reference/cli.md", "docs/reference/ops.md", "docs/reference/conformance.md")
MOST_COLUMNS = 130

LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")
SPAN = re.compile(r"`([^`\n]+)`")
OLD_NAMES = re.compile(r"<!-- old names: begin -->.*?<!-- old names: end -->", re.S)
FENCED = re.compile(r"^```.*?^```", re.S | re.M)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9_-]*)")
NAME = re.compile(r"\b(?:WEIR|weir|TF|TFE)_[A-Za-z0-9_]+[*<]?")  # weir_*, weir_pass_<name>
PATH = re.compile(r"[\w.<>*\[\]-]+(?:/[\w.<>*\[\]-]+)+/?")

# Flags of other programs that the pages show.
FOREIGN_FLAGS = {"preset", "build", "cflags", "libs", "modversion", "resv-ports", "logdir", "args", "compile"}
# Names that a page makes up, or that are TensorFlow's Python package's or another program's.
FOREIGN_NAMES = {"TF_ENABLE_ONEDNN_OPTS"}
# First parts of paths that are not of this tree: what is installed, what commands make, TensorFlow's.
MADE_UP = {"src/ops/nn/softsign2.c"}  # the example of CONTRIBUTING.md
OUTSIDE = {"bin", "lib", "share", "build", "client", "data", "framework", "kernel_tests", "ops", "training",
           "runs", "run1", "model", "DIR", "photos", "package", "save", "image", "assets", "variables", "localhost"}


def relative(path):
    return os.path.relpath(path, ROOT)


# ---- the source ------------------------------------------------------------------------------------

def source_files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True).stdout.split("\n")
    return [p for p in listed if p and os.path.isfile(os.path.join(ROOT, p))]


def option_variables(commands):
    """The environment variables of all options: WEIR_TRAIN_SAVE_STEPS."""
    for section in re.split(r"^#+ weir ", commands, flags=re.M)[1:]:
        command = section.split("\n", 1)[0]
        for option in re.findall(r"--([a-z][a-z_-]*)", section):
            yield "_".join(("weir", command, option)).upper().replace(" ", "_").replace("-", "_")


class Source:
    """Words and flags of all files but the documentation; paths of all files and folders."""

    def __init__(self):
        self.files = source_files()
        self.paths = set(self.files) | {os.path.dirname(p) for p in self.files}
        for path in list(self.paths):
            while path:
                self.paths.add(path)
                path = os.path.dirname(path)
        self.rooms = {p.split("/")[1] for p in self.files if p.startswith("src/")}
        self.words, self.flags = set(), set(FOREIGN_FLAGS)
        for path in self.files:
            if path.endswith((".md", ".bin", ".gz")) or path.startswith("fuzz/corpus/"):
                continue
            with open(os.path.join(ROOT, path), errors="replace") as f:
                text = f.read()
            self.words.update(WORD.findall(text))
            self.flags.update(FLAG.findall(text))
        with open(os.path.join(DOCS, "reference", "cli.md")) as f:
            commands = f.read()
        self.flags.update(FLAG.findall(commands))
        self.words.update(option_variables(commands))

    def has_name(self, name):
        if name[-1] in "*<":
            return any(w.startswith(name[:-1]) for w in self.words)
        return name in self.words or name in FOREIGN_NAMES

    def has_path(self, path):
        if path in MADE_UP:
            return True
        pattern = re.sub(r"<[^>]*>|\[[^\]]*\]", "*", path.rstrip("/"))
        tries = [pattern, "src/" + pattern, "include/" + pattern]
        if "*" in pattern:
            return any(glob.glob(os.path.join(ROOT, t), recursive=True) for t in tries)
        return any(t in self.paths for t in tries)

    def owns_path(self, path):
        """Whether the path is meant to be one of this tree."""
        first = path.split("/")[0]
        tops = {p.split("/")[0] for p in self.files if "/" in p}
        return first in tops | self.rooms | {"weir"} and first not in OUTSIDE | {"tensorflow"} or \
            (first in self.rooms and re.search(r"\.(c|h|inc)$", path) is not None)


# ---- a page ----------------------------------------------------------------------------------------

def slug(heading):
    text = re.sub(r"`|\*", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.strip().lower()))
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path):
    with open(path) as f:
        text = FENCED.sub("", f.read())
    return {"#" + slug(h) for h in re.findall(r"^#+ (.*)$", text, re.M)}


def check_links(path, text):
    for target, anchor in LINK.findall(FENCED.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(to):
            yield "link to %s, which is not there" % target
        elif anchor and to.endswith(".md") and anchor not in anchors(to):
            yield "link to %s%s: there is no such heading" % (target, anchor)


def check_names(text, source):
    spans = SPAN.findall(FENCED.sub("", text))
    code = spans + FENCED.findall(text)
    for name in sorted({n for c in code for n in NAME.findall(c)}):
        if not source.has_name(name):
            yield "%s does not occur in the source" % name
    for flag in sorted({f for c in code for f in FLAG.findall(c)}):
        if flag not in source.flags and not flag.endswith("_hosts"):
            yield "--%s is a flag of no program" % flag
    for span in spans:
        found = PATH.fullmatch(span)
        if found and source.owns_path(span) and not source.has_path(span):
            yield "%s is not there" % span


def check_lines(text):
    for number, line in enumerate(FENCED.sub(lambda m: "\n" * m.group(0).count("\n"), text).split("\n"), 1):
        if len(line) > MOST_COLUMNS and not line.startswith("|"):
            yield "line %d has %d columns" % (number, len(line))


# ---- the whole -------------------------------------------------------------------------------------

def page(*names):
    with open(os.path.join(DOCS, *names)) as f:
        return f.read()


def listed(path, pattern):
    full = os.path.join(ROOT, path)
    if not os.path.exists(full):
        return []
    with open(full) as f:
        return re.findall(pattern, f.read(), re.M)


def check_index():
    linked = {t for t, _ in LINK.findall(page("index.md"))}
    for path in sorted(glob.glob(os.path.join(DOCS, "**", "*.md"), recursive=True)):
        name = os.path.relpath(path, DOCS)
        if name != "index.md" and name not in linked:
            yield "docs/index.md does not name %s" % name


def check_settings():
    settings, old = page("reference", "settings.md"), page("glossary.md")
    passes = re.findall(r"`(\w+)`", settings.split("### Passes")[1].split("## ConfigProto")[0])
    known = listed("src/pass/passes.inc", r"^WEIR_PASS\(\w+, (\w+),")
    if list(dict.fromkeys(p for p in passes if p in known)) != known:
        yield "docs/reference/settings.md does not list the passes of src/pass/passes.inc in their order"
    for name in known:
        if "| `%s` |" % name not in page("internals", "passes.md"):
            yield "docs/internals/passes.md has no row for pass %s" % name
    for name in listed("src/base/env.c", r'"((?:WEIR_|TF_)[A-Z_]+)"') + listed("src/base/env.inc", r'^WEIR_SWITCH\(\w+, "(\w+)"'):
        if "`" + name not in settings and "`" + name not in old:
            yield "docs/reference/settings.md has no row for %s" % name
    renamed = listed("src/base/env.inc", r'^WEIR_SWITCH\(\w+, "\w+", "(\w+)"') + \
        listed("src/base/env.inc", r'^WEIR_SKIP_ALIAS\("(\w+)"') + \
        ["pass `" + n for n in listed("src/pass/passes.inc", r'^WEIR_PASS\(.*, "(\w+)"\)')]
    for name in renamed:
        if "| `%s" % name not in old and "| %s`" % name not in old:
            yield "docs/glossary.md does not say what %s is called now" % name


def check_stages():
    rows = re.findall(r"^\| ([a-z, -]+) \|", page("internals", "testing.md"), re.M)
    described = {name for row in rows for name in row.split(", ")}
    for name in listed("tools/run_tests", r'^    Stage\("([a-z-]+)", '):
        if name not in described:
            yield "docs/internals/testing.md does not describe the stage %s" % name


def check_picture():
    done = subprocess.run([os.path.join(ROOT, "tools", "rooms_picture"), "--check"], capture_output=True, text=True)
    if done.returncode:
        yield (done.stdout + done.stderr).strip().split("\n")[0]


def check_itself(source):
    """A page full of mistakes: each must be found. Names are put together so that no file has them."""
    wrong = ["[a](nowhere.md)", "[b](index.md#no-such-heading)", "`src/exec/nothing_here.c`", "`--no-such" + "-flag`",
             "`WEIR_" + "NO_SUCH_SWITCH`", "`weir_" + "no_such_function`", "x" * (MOST_COLUMNS + 1)]
    for mistake in wrong:
        found = list(check_links(os.path.join(DOCS, "index.md"), mistake)) + list(check_names(mistake, source)) + \
            list(check_lines(mistake))
        if len(found) != 1:
            yield "the check of the pages does not see that this is wrong: %s" % mistake


def complaints(pages, whole=True):
    """Yields what is wrong with the pages, a line each."""
    source = Source()
    yield from check_itself(source)
    for path in pages:
        with open(path) as f:
            text = OLD_NAMES.sub("", f.read())
        found = list(check_links(path, text)) + list(check_names(text, source))
        if relative(path) not in GENERATED:
            found += check_lines(text)
        yield from ("%s: %s" % (relative(path), what) for what in found)
    if whole:
        for check in (check_index, check_settings, check_stages, check_picture):
            yield from check()
