"""Text: joins, splits, parts, numbers, case, regular expressions, hashes, Unicode."""
from opcase import Case, lit

INVALID = "INVALID_ARGUMENT"
WORDS = ["", "a", "ab", "abcd", "abcdefgh", "x" * 17, "y" * 33, "z" * 65, "w" * 200, "h\u00e9llo \u20ac"]


def one(op, text, **kw):
    """A case whose only input is the strings |text|, fed."""
    return Case(op, [lit(text, "str", fed=True)], edges=False, **kw)


CASES = [
    Case("StringJoin", [["str[2,3]", "str[]", "str[2,3]"]]),
    Case("StringJoin", [["str[4]", "str[4]"]], attrs={"separator": ", "}),
    Case("StringJoin", [["str[2]", "str[3]"]], fails=INVALID, edges=False),
    Case("StringJoin", [["str[]"]], edges=False),

    Case("ReduceJoin", ["str[2,3]", lit([0])]),
    Case("ReduceJoin", ["str[2,3]", lit([0, 1])], attrs={"separator": "-"}),
    Case("ReduceJoin", ["str[2,3]", lit([1, 0])]),
    Case("ReduceJoin", ["str[2,3,4]", lit([-1, 0])], attrs={"keep_dims": True}),
    Case("ReduceJoin", ["str[2,3]", lit([], "i32")]),
    Case("ReduceJoin", ["str[2,3]", lit([2], fed=True)], fails=True, edges=False),
    Case("ReduceJoin", ["str[2,3]", lit([1, 1], fed=True)], fails=INVALID, edges=False),
    Case("UnsortedSegmentJoin", ["str[4]", lit([0, 2, 0, 1], "Tindices"), lit(4, "Tnumsegments")],
         attrs={"separator": ":"}, edges=False),
    Case("UnsortedSegmentJoin", ["str[3,2]", lit([1, 1, 0]), lit(2)], edges=False),
    Case("UnsortedSegmentJoin", ["str[3,2]", lit([[0, 1], [1, 0], [1, 1]]), lit(3)], edges=False),
    Case("UnsortedSegmentJoin", ["str[3]", lit([0, 5, 1], fed=True), lit(3)], fails=INVALID,
         edges=False),
    Case("UnsortedSegmentJoin", ["str[3]", lit([0, -1, 1], fed=True), lit(3)], fails=INVALID,
         edges=False),

    *[Case("StringSplit", [lit(["a,b;;c", "", ";", "x"], fed=True), lit(d)],
           attrs={"skip_empty": s}, edges=False) for d in (",;", "", ",") for s in (True, False)],
    *[Case("StringSplitV2", [lit(["a b c ", "  x", "", "a,,b,", "one"], fed=True), lit(sep)],
           attrs={"maxsplit": m}, edges=False) for sep in ("", ",", ",,") for m in (-1, 0, 1, 2)],
    Case("StringSplitV2", [lit([], "str", fed=True), lit(" ")], edges=False),
    Case("StringSplitV2", [lit("x", fed=True), lit(" ")], fails=INVALID, edges=False),

    Case("Substr", [lit(["hello", "world"], fed=True), lit(-3, "T"), lit(2, "T")], edges=False),
    Case("Substr", [lit(["hello"], fed=True), lit(1), lit(-2)], edges=False),
    Case("Substr", [lit(["hello"], fed=True), lit(5), lit(2)], edges=False),
    Case("Substr", [lit(["hello", "abc"], fed=True), lit([1, 2]), lit([2, 9])], edges=False),
    Case("Substr", [lit([["hello"], ["abc"]], fed=True), lit([1, 2]), lit([2, 1])], edges=False),
    Case("Substr", [lit("hello", fed=True), lit([1, 2, 0]), lit([2, 1, 5])], edges=False),
    Case("Substr", [lit(["h\u00e9llo \u20ac!"], fed=True), lit(1), lit(3)],
         attrs={"unit": "UTF8_CHAR"}, edges=False),
    Case("Substr", [lit(["h\u00e9llo \u20ac!"], fed=True), lit(-2), lit(9)],
         attrs={"unit": "UTF8_CHAR"}, edges=False),
    Case("Substr", [lit(["w"], fed=True), lit(-2), lit(1)], fails=INVALID, edges=False,
         says="pos -2 out of range for string b'w' at index 0"),
    Case("Substr", [lit(["hello"], fed=True), lit([1]), lit(1)], fails=INVALID, edges=False),

    one("StringToNumber", [" 12 ", "0x1f", "inf", "nan", "-Inf", ".5", "1.", "-3e-2"],
        attrs={"out_type": "f32"}),
    one("StringToNumber", ["1e300", "2.5", "-7"], attrs={"out_type": "f64"}),
    *[one("StringToNumber", ["12", " 7 ", "+5"], attrs={"out_type": t})
      for t in ("i32", "i64", "u32", "u64")],
    one("StringToNumber", ["-9223372036854775808", "9223372036854775807"],
        attrs={"out_type": "i64"}),
    one("StringToNumber", ["18446744073709551615"], attrs={"out_type": "u64"}),
    *[one("StringToNumber", [text], attrs={"out_type": t}, fails=INVALID,
          says="could not correctly convert string: " + text)
      for text, t in (("x", "f32"), ("", "f32"), ("1 2", "f32"), ("0x10", "i32"),
                      ("3000000000", "i32"), ("-1", "u32"), ("9223372036854775808", "i64"))],

    Case("AsString", ["T[2,3]"], dtypes=["f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64",
                                         "u8", "u16", "u32", "u64", "c64", "c128", "bool"]),
    Case("AsString", ["f32[3]"], attrs={"precision": 3, "width": 9, "fill": "0"}, edges=False),
    Case("AsString", ["f32[3]"], attrs={"scientific": True, "precision": 2}, edges=False),
    Case("AsString", ["f64[3]"], attrs={"shortest": True, "width": 12, "fill": "-"}, edges=False),
    Case("AsString", ["c64[3]"], attrs={"precision": 1, "fill": "+"}, edges=False),
    Case("AsString", ["i32[3]"], attrs={"width": 5, "fill": "-"}, edges=False),
    Case("AsString", ["str[3]"], attrs={"width": 9}, edges=False),
    Case("AsString", ["i32[3]"], attrs={"fill": "x"}, fails=INVALID, edges=False),
    Case("AsString", ["i32[3]"], attrs={"scientific": True}, fails=INVALID, edges=False),
    Case("AsString", ["f32[3]"], attrs={"scientific": True, "shortest": True}, fails=INVALID,
         edges=False),

    Case("StringFormat", [["i64[10]", "f32[2,3]", "str[2,2]", "bool[]", "f16[3]"]],
         attrs={"T": ["i64", "f32", "str", "bool", "f16"], "template": "x{}y{}{}|{}{}",
                "placeholder": "{}"}, edges=False),
    Case("StringFormat", [["f64[2,3,4]"]], attrs={"T": ["f64"], "summarize": 1}, edges=False),
    Case("StringFormat", [["i32[5,7]"]], attrs={"T": ["i32"], "summarize": -1}, edges=False),
    Case("StringFormat", [["i32[0,3]"]], attrs={"T": ["i32"]}, edges=False),
    Case("StringFormat", [["i32[2]"]], attrs={"T": ["i32"], "template": "no"}, fails=INVALID,
         edges=False),

    one("StringToHashBucket", WORDS, attrs={"num_buckets": 1 << 40}),
    one("StringToHashBucketFast", WORDS, attrs={"num_buckets": 1000}),
    one("StringToHashBucketStrong", WORDS, attrs={"num_buckets": 1 << 40, "key": [3, 5]}),
    one("StringToHashBucketStrong", WORDS, attrs={"num_buckets": 9, "key": [3]}, fails=INVALID),
    Case("Fingerprint", ["T[3,4]", lit("farmhash64")], edges=False,
         dtypes=["f32", "i64", "u8", "bool", "c128", "str"]),
    Case("Fingerprint", ["str[3]", lit("farmhash64")], edges=False),
    Case("Fingerprint", ["f32[0,4]", lit("farmhash64")], edges=False),
    Case("Fingerprint", ["f32[2]", lit("md5", fed=True)], fails=INVALID, edges=False),

    one("StringLength", WORDS),
    one("StringLength", WORDS, attrs={"unit": "UTF8_CHAR"}),
    one("StringLower", ["AbC\u00c0", "", "x"]),
    one("StringLower", ["AbC\u00c0\u0394", ""], attrs={"encoding": "utf-8"}),
    one("StringUpper", ["abC\u00e0", "stra\u00dfe"]),
    one("StringUpper", ["abC\u00e0\u03b4", "stra\u00dfe"], attrs={"encoding": "utf-8"}),
    one("StringUpper", ["a"], attrs={"encoding": "latin"}, fails=INVALID),
    one("StringStrip", ["  a b\t\n", "", " ", "x"]),

    *[Case("RegexReplace", [lit(["hello world", "aaa", "", "a1b22", "\u00e9t\u00e9"], fed=True),
                            lit(pattern), lit(rewrite)],
           attrs={"replace_global": all_}, edges=False)
      for all_ in (True, False)
      for pattern, rewrite in (("o", "0"), ("a*", "-"), ("(\\w)(\\w)", "\\2\\1"), ("[a-m]+?", "<\\0>"),
                               ("\\d+$", "#"), ("(?i)HELLO|a", "X"), ("\\b", "|"), (".", "\\\\"),
                               ("b", "\\9"), ("[^aeiou\\s]", ""), ("(l+)o", "[\\1]"), ("x{0,2}", "."))],
    Case("RegexReplace", [lit(["a"], fed=True), lit("(", fed=True), lit("")], fails=INVALID,
         edges=False, says="Invalid pattern: (, error: missing )"),
    *[Case("RegexFullMatch", [lit(["abc", "a\nc", "ABC", "", "a.c", "aXYc"], fed=True), lit(p)],
           edges=False)
      for p in ("a.c", "(?s)a.c", "(?i)abc", ".*", "a\\.c", "a[A-Z]{2}c", "a[[:upper:]]+c", "",
                "a|abc", "^abc$", "(a|ab)(c|bcd)?", "\\x61bc", "\\Qa.c\\E")],
    one("StaticRegexFullMatch", ["foo", "bar"], attrs={"pattern": "fo+"}),
    one("StaticRegexReplace", ["foo", "bar"], attrs={"pattern": "o", "rewrite": "0"}),
    one("StaticRegexReplace", ["foo"], attrs={"pattern": "o", "rewrite": "0",
                                              "replace_global": False}),
    one("StaticRegexFullMatch", ["foo"], attrs={"pattern": "[z"}, fails=INVALID),

    one("EncodeBase64", ["", "a", "ab", "abc", "\u00ff\u00fe?"]),
    one("EncodeBase64", ["", "a", "ab", "abc"], attrs={"pad": True}),
    one("DecodeBase64", ["", "YQ", "YQ==", "YWI=", "YWJj", "_-8"]),
    one("DecodeBase64", ["a"], fails=INVALID, says="length cannot be 1 modulo 4"),
    one("DecodeBase64", ["a*=="], fails=INVALID, says="Invalid character found in base64."),

    *[one("UnicodeTranscode", [b"a\xffb", b"\xe2\x82", "h\u00e9\u20ac\U0001f600", b"\x01\n"],
          attrs={"input_encoding": "UTF-8", "output_encoding": e, "errors": how,
                 "replace_control_characters": control})
      for e in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for how in ("replace", "ignore")
      for control in (False, True)],
    one("UnicodeTranscode", [b"\x00a\xd8\x3d\xde\x00", b"\xd8\x00\x00a"],
        attrs={"input_encoding": "UTF-16-BE", "output_encoding": "UTF-8"}),
    one("UnicodeTranscode", [b"\xfe\xff\x00*", b"\xff\xfe*\x00", b"\x00*", b"\x00<\xfe\xff\x00>"],
        attrs={"input_encoding": "utf-16", "output_encoding": "UTF-8"}),
    one("UnicodeTranscode", [b"\x00\x00\x00a\x00\x00\x20\xac", b"\xff\xfe\0\0a\0\0\0"],
        attrs={"input_encoding": "UTF-32", "output_encoding": "UTF-8"}),
    one("UnicodeTranscode", [b"\x5c\x5c", b"\x8f\x70", b"\x83\x4f", b"a\x82"],
        attrs={"input_encoding": "shift_jis", "output_encoding": "UTF-8"}),
    one("UnicodeTranscode", [b"\xca\xf5"], attrs={"input_encoding": "gb18030",
                                                  "output_encoding": "UTF-16-BE"}),
    one("UnicodeTranscode", [b"\xff"], attrs={"input_encoding": "UTF-8", "errors": "strict",
                                              "output_encoding": "UTF-8"}, fails=INVALID),
    *[one(op, ["h\u00e9\u20ac", "", b"a\xffb"], attrs={"input_encoding": "UTF-8", "Tsplits": t})
      for op in ("UnicodeDecode", "UnicodeDecodeWithOffsets") for t in ("i32", "i64")],
    one("UnicodeDecode", [b"\xff"], attrs={"input_encoding": "UTF-8", "errors": "strict"},
        fails=INVALID),
    Case("UnicodeEncode", [lit([97, 0x20ac, -1, 0x1f600], fed=True), lit([0, 2, 2, 4], "Tsplits")],
         attrs={"output_encoding": "UTF-16-BE"}, edges=False),
    Case("UnicodeEncode", [lit([97], fed=True), lit([0, 2], fed=True, dtype="i64")],
         attrs={"output_encoding": "UTF-8"}, fails=INVALID, edges=False),
    Case("UnicodeScript", [lit([97, 1041, 0x4e00, 0x30, -1, 0x110000, 0x3042, 0x5d0], fed=True)],
         edges=False),
]


# ---- n-grams ----------------------------------------------------------------------------------------

def ngrams(widths, pad, keep, data="abcdef", splits=(0, 4, 4, 5, 6), **kw):
    return Case("StringNGrams", [lit(list(data), "str", fed=True), lit(list(splits), "Tsplits", fed=True)],
                attrs={"separator": "|", "ngram_widths": widths, "left_pad": "LP", "right_pad": "RP",
                       "pad_width": pad, "preserve_short_sequences": keep}, edges=False, **kw)


CASES += [ngrams(w, p, k) for w in ([3], [2, 3], [1], [5], []) for p in (0, 1, -1, 4) for k in (True, False)
          if w or p >= 0]
CASES += [
    ngrams([2], 0, False, data="", splits=[0, 0]),
    ngrams([2], 0, False, data="", splits=[]),
    ngrams([2], 0, False, splits=[1, 6], fails="INVALID_ARGUMENT", says="First split value must be 0, got 1"),
    ngrams([2], 0, False, splits=[0, 5, 2, 6], fails="INVALID_ARGUMENT", says="Invalid split value 2, must be in [5, 6]"),
    ngrams([2], 0, False, splits=[0, 5], fails="INVALID_ARGUMENT",
           says="Last split value must be data size. Expected 6, got 5"),
    ngrams([0], 0, False, fails="INVALID_ARGUMENT", says="ngram_widths must contain positive values"),
    ngrams([], -1, True, fails="INVALID_ARGUMENT", says="Pad width should be >= 0"),
]
