#!/usr/bin/env python3
"""Every function of weir/ops.h, called from C: its node is made, and options of zeros are none.

Writes a program that calls each function with inputs of fitting types, compiles it against the
headers and the library, and reads what it says of each op.
"""
import argparse
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def load_tool(name):
    """A script of tools/ as a module."""
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(ROOT, "tools", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


TOOL = load_tool("ops_header")
# Ops whose attrs must say more than the values that this test makes up.
REFUSED = {"Einsum", "XlaEinsum", "ParallelConcat", "ParseSequenceExample", "ParseSequenceExampleV2",
           "ParseSingleSequenceExample", "RaggedTensorToTensor"}
HEAD = """#include <stdio.h>
#include <string.h>
#include "weir/ops.h"

static TF_Output in(weir_builder *b, TF_DataType type)
{
    return weir_build_placeholder(b, "in", type, -1, NULL);
}

static TF_Output ref(weir_builder *b, TF_DataType type)
{
    return weir_variable_v2(b, "ref", &(weir_dims){-1}, type, NULL);
}

static TF_Tensor *tensor(void)
{
    TF_Tensor *t = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
    memset(TF_TensorData(t), 0, sizeof(float));
    return t;
}
static const int64_t ints[5] = {1, 1, 1, 1, 1};
static const float floats[4] = {1, 1, 1, 1};
static const weir_dims shapes[2] = {{-1}, {-1}};
static const char *const strings[1] = {"a"};
"""
MAIN = """
typedef void (*call)(weir_builder *b, bool zeros);
static const struct { const char *op; call fn; } calls[] = {
%s};

/* The node's bytes; why it was not made otherwise. */
static bool make(int i, bool zeros, TF_Buffer *out, char *why, size_t bytes)
{
    TF_Graph *graph = TF_NewGraph();
    weir_builder *b = weir_build_new(graph);
    TF_Status *status = TF_NewStatus();
    calls[i].fn(b, zeros);
    snprintf(why, bytes, "%%s", TF_Message(weir_build_status(b)));
    TF_Operation *op = TF_GraphOperationByName(graph, "made");
    if (op)
        TF_OperationToNodeDef(op, out, status);
    TF_DeleteStatus(status);
    weir_build_delete(b);
    TF_DeleteGraph(graph);
    return op != NULL;
}

int main(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char why[2000];
        TF_Buffer *with = TF_NewBuffer(), *without = TF_NewBuffer();
        bool made = make((int)i, false, without, why, sizeof why) &&
                    make((int)i, true, with, why, sizeof why);
        bool same = made && with->length == without->length &&
                    memcmp(with->data, without->data, with->length) == 0;
        for (char *c = why; *c; c++)
            *c = *c == '\\n' || *c == '\\t' ? ' ' : *c;
        printf("%%s\\t%%s\\t%%s\\n", calls[i].op, !made ? "refused" : same ? "made" : "differs", why);
        TF_DeleteBuffer(with);
        TF_DeleteBuffer(without);
    }
    return 0;
}
"""


def c_type(name):
    return "TF_" + {"half": "HALF"}.get(name, name.upper())


def chosen(attr):
    """The type that a type attr gets."""
    allowed = attr.allowed or ["float"]
    return "float" if "float" in allowed else allowed[0]


def one_input(arg, attrs):
    """C for an input, or for the elements of a list."""
    bare = re.sub(r"Ref\((.*)\)", r"\1", arg.type).rpartition(" * ")[2]
    type_ = c_type(chosen(attrs[bare]) if bare in attrs else bare)
    one = "%s(b, %s)" % ("ref" if "Ref(" in arg.type else "in", type_)
    if not arg.is_list:
        return one
    count = 1 if bare in attrs and attrs[bare].kind == "list(type)" else 2
    return "(TF_Output[]){%s}, %d" % (", ".join([one] * count), count)


def value(attr):
    """C for a required attr."""
    of = TOOL.element(attr)
    if of == "type":
        return "(TF_DataType[]){%s}, 1" % c_type(chosen(attr))
    if of:
        return {"int": "ints, %d" % max(attr.least, 4), "float": "floats, %d" % max(attr.least, 1),
                "shape": "shapes, 1", "string": "strings, 1", "func": "strings, 1"}[of]
    if attr.kind == "string":
        return '"%s"' % (attr.allowed[0].strip("'") if attr.allowed else "a")
    return {"int": "2", "float": "1", "bool": "true", "type": c_type(chosen(attr)), "func": '"f"',
            "shape": "&shapes[0]", "tensor": "tensor()"}[attr.kind]


def call(op):
    attrs = {a.name: a for a in op.attrs}
    arguments = ["b", '"made"'] + [one_input(a, attrs) for a in op.inputs]
    arguments += [value(a) for a in op.required]
    if op.optional:
        arguments.append("zeros ? &(%s_options){0} : NULL" % op.function)
    return "static void try_%s(weir_builder *b, bool zeros)\n{\n    %s(%s);\n}\n" % (
        op.function, op.function, ", ".join(arguments))


def program(ops):
    rows = "".join('    {"%s", try_%s},\n' % (op.name, op.function) for op in ops)
    return HEAD + "\n".join(map(call, ops)) + MAIN % rows


def check(line):
    """None, or what is wrong with what the program says of an op."""
    op, what, why = line.split("\t")
    if what == "differs":
        return "%s: options of zeros are not the defaults" % op
    if (what == "refused") != (op in REFUSED):
        return "%s is %s: %s" % (op, what, why)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    ops = [op for family in TOOL.read_ops(os.path.join(build, "weir")).values() for op in family]
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "calls.c"), os.path.join(folder, "calls")
        with open(source, "w") as f:
            f.write(program(ops))
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu17", "-O0", "-w",
                        "-I" + os.path.join(ROOT, "include"), source, "-L" + build, "-lweir",
                        "-Wl,-rpath," + build, "-o", binary], check=True)
        lines = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
    wrong = [w for w in map(check, lines) if w]
    if len(lines) != len(ops):
        wrong.append("%d of %d ops were called" % (len(lines), len(ops)))
    for what in wrong:
        print(what)
    print("weir/ops.h: %d passed, %d failed" % (len(lines) - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
