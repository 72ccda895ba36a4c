"""Structs of C headers as ctypes, read from the headers themselves: what a field is today."""
import ctypes as c
import re

BASIC = {"int": c.c_int, "int32_t": c.c_int32, "int64_t": c.c_int64, "uint64_t": c.c_uint64,
         "size_t": c.c_size_t, "float": c.c_float, "double": c.c_double, "bool": c.c_bool}


def read(*paths):
    """{name: class or, for an enumerator, number} of the structs and enums of the headers."""
    out = {"TF_Output": type("TF_Output", (c.Structure,), {"_fields_": [("oper", c.c_void_p), ("index", c.c_int)]}),
           "TF_DataType": c.c_int}
    for path in paths:
        with open(path) as f:
            text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
        for kind, body, name in re.findall(r"typedef (struct|enum) \w+ \{(.*?)\} (\w+);", text, re.S):
            if kind == "enum":
                add_enum(out, body, name)
            else:
                out[name] = type(name, (c.Structure,), {"_fields_": list(fields(out, body))})
    return out


def add_enum(out, body, name):
    value = -1
    for item in filter(None, (i.strip() for i in body.split(","))):
        label, _, given = (part.strip() for part in item.partition("="))
        value = int(given, 0) if given else value + 1
        out[label] = value
    out[name] = c.c_int


def fields(known, body):
    for line in filter(None, (i.strip() for i in body.split(";"))):
        if "(" in line:  # a pointer to a function
            yield re.search(r"\(\*(\w+)\)", line).group(1), c.c_void_p
            continue
        type_, names = re.match(r"((?:const |struct )*\w+)\s*(.*)", line, re.S).groups()
        for name in names.split(","):
            stars, name = re.match(r"\s*((?:\*|const|\s)*)(\w+)", name).groups()
            bare = re.sub(r"const |struct ", "", type_)
            yield name, pointer(bare) if "*" in stars else BASIC.get(bare) or known[bare]


def pointer(bare):
    return c.c_char_p if bare == "char" else c.c_void_p
