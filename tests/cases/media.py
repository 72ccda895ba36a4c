"""Sound, projected pictures, approximate selections and isotonic rows."""
import struct

import numpy as np

from opcase import Case, lit, script

CASES = []
TURN = [[0.8, -0.6, 2.0, 0.6, 0.8, -1.0, 0.01, 0.02]]
AWAY = [[1.0, 0.0, -7.5, 0.0, 1.0, 9.25, 0.0, 0.0], [2.0, 0.1, 3.0, 0.0, 0.5, -11.0, 0.0, 0.0]]
for interpolation in ("NEAREST", "BILINEAR"):
    for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST"):
        how = {"interpolation": interpolation, "fill_mode": mode}
        CASES.append(Case("ImageProjectiveTransformV2", ["dtype[2,5,6,2] 0..9", lit(TURN, "f32"),
                                                         lit([4, 7], "i32")], attrs=how, edges=False))
        CASES.append(Case("ImageProjectiveTransformV3", ["dtype[2,5,6,1] 0..9", lit(AWAY, "f32"),
                                                         lit([5, 6], "i32"), lit(3.0, "f32")],
                          attrs=how, edges=False))
CASES += [
    Case("ImageProjectiveTransformV2", ["dtype[2,5,6,2]", lit([[1.0] * 7], "f32"), lit([4, 7], "i32")],
         dtypes=["f32"], attrs={"interpolation": "NEAREST"}, edges=False, fails="INVALID_ARGUMENT"),
    Case("IsotonicRegression", ["T[3,9] 0..9"], edges=False),
    Case("IsotonicRegression", ["T[2,5] 0..9"], dtypes=["i32"], attrs={"output_dtype": "f64"}, edges=False),
    Case("ApproxTopK", ["T[3,9]"], attrs={"k": 4}, dtypes=["f32"], edges=False),
    Case("EncodeWav", ["f32[6,2]", lit(44100, "i32")], edges=False),
    Case("EncodeWav", [lit([[-2.0], [0.25], [1.0]], "f32"), lit(8000, "i32")], edges=False),
    Case("EncodeWav", ["f32[6,2]", lit(0, "i32")], edges=False, fails="INVALID_ARGUMENT"),
]


def wav(channels, samples, rate=16000, word=b"WAVE"):
    data = struct.pack("<%dh" % len(samples), *samples)
    head = struct.pack("<4sI4s4sIHHIIHH", b"RIFF", 36 + len(data), word, b"fmt ", 16, 1, channels,
                       rate, rate * channels * 2, channels * 2, 16)
    return head + b"LIST" + struct.pack("<I", 4) + b"abcd" + b"data" + struct.pack("<I", len(data)) + data


@script("DecodeWav")
def decode_wav(g):
    mono, stereo = wav(1, [0, 16384, -32768, 32767]), wav(2, [1, 2, 3, 4, 5, 6])
    for contents in (mono, stereo):
        for attrs in ({}, {"desired_channels": 1}, {"desired_channels": 3}, {"desired_samples": 2},
                      {"desired_samples": 6}):
            audio = g.op("DecodeWav", g.const(contents, "str"), **attrs)
            g.run([audio.name + ":0", audio.name + ":1"])
    for bad in (b"", b"RIFF", wav(1, [1], word=b"WAVX"), mono[:30]):
        g.run([g.op("DecodeWav", g.const(bad, "str"))])
CASES.append(decode_wav)


@script("ApproxTopK smallest", alone="its kernel for processors takes the largest of the last dimension")
def smallest(g):
    x = np.array([[3, 1], [2, 5], [1, 4]], np.float32)
    y = g.op("ApproxTopK", g.const(x), k=2, reduction_dimension=0, is_max_k=False)
    g.run([y.name + ":0", y.name + ":1"],
          expect=[np.array([[1, 1], [2, 4]], np.float32), np.array([[2, 0], [1, 2]], np.int32)])
CASES.append(smallest)
