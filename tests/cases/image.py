"""Pictures: files, sizes, colours, boxes."""
import base64
import struct
import zlib

import numpy as np

from opcase import Case, lit

INVALID = "INVALID_ARGUMENT"
RESIZES = [{}, {"align_corners": True}, {"half_pixel_centers": True}]


def png(pixels, bits=8, color=2, palette=b"", trns=b"", interlace=0):
    """A PNG file of rows of packed samples, made by hand so that every kind can be had."""
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + bytes(r) for r in pixels[2])
    out = b"\x89PNG\r\n\x1a\n" + chunk(
        b"IHDR", struct.pack(">IIBBBBB", pixels[0], pixels[1], bits, color, 0, 0, interlace))
    if palette:
        out += chunk(b"PLTE", palette)
    if trns:
        out += chunk(b"tRNS", trns)
    return out + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def samples(w, h, per_row):
    rng = np.random.RandomState(w * 100 + h)
    return w, h, [rng.randint(0, 256, per_row).astype(np.uint8).tobytes() for _ in range(h)]


PNGS = {
    "rgb": png(samples(5, 4, 15)),
    "gray": png(samples(5, 4, 5), color=0),
    "gray_alpha": png(samples(5, 4, 10), color=4),
    "rgba": png(samples(5, 4, 20), color=6),
    "rgb16": png(samples(5, 4, 30), bits=16),
    "gray16": png(samples(5, 4, 10), bits=16, color=0),
    "gray1": png(samples(5, 4, 1), bits=1, color=0),
    "gray4": png(samples(5, 4, 3), bits=4, color=0),
    "palette": png(samples(5, 4, 3), bits=4, color=3, palette=bytes(range(48))),
    "palette_trns": png(samples(5, 4, 3), bits=4, color=3, palette=bytes(range(48)),
                        trns=bytes(range(100, 116))),
}


def bmp(w, h, channels, top_down=False):
    rng = np.random.RandomState(channels)
    row = (w * channels + 3) // 4 * 4
    pixels = rng.randint(0, 256, row * h).astype(np.uint8).tobytes()
    head = struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, w, -h if top_down else h, 1, 8 * channels, 0,
                       len(pixels), 0, 0, 0, 0)
    return head + info + pixels


def gif(frames, w=4, h=3, interlaced=False):
    """Frames of raw codes: 9-bit LZW with a clear code before every pixel."""
    def bits(values):
        acc = n = 0
        out = bytearray()
        for v in values:
            acc |= v << n
            n += 9
            while n >= 8:
                out.append(acc & 255)
                acc >>= 8
                n -= 8
        if n:
            out.append(acc & 255)
        return bytes(out)
    out = b"GIF89a" + struct.pack("<HHBBB", w, h, 0xf7, 0, 0)
    out += bytes((i * 37 + 11) % 256 for i in range(768))
    for left, top, fw, fh, seed in frames:
        rng = np.random.RandomState(seed)
        codes = []
        for v in rng.randint(0, 256, fw * fh):
            codes += [256, int(v)]
        data = bits(codes + [257])
        out += b"\x2c" + struct.pack("<HHHHB", left, top, fw, fh, 0x40 if interlaced else 0)
        out += b"\x08"
        for i in range(0, len(data), 255):
            part = data[i:i + 255]
            out += bytes([len(part)]) + part
        out += b"\0"
    return out + b"\x3b"


STILL = gif([(0, 0, 4, 3, 1)])
MOVING = gif([(0, 0, 4, 3, 1), (1, 1, 2, 2, 2), (0, 0, 4, 3, 3)])
LACED = gif([(0, 0, 6, 11, 4)], 6, 11, interlaced=True)

# Small JPEG files: colour with halved chroma, grey, and progressive.
JPEGS = {name: base64.b64decode(text) for name, text in {
    "color": (
        "/9j/4AAQSkZJRgABAQEBLAEsAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0"
        "KSEiMEExNDk7Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7"
        "Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozv/wAARCAANABYDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAA"
        "AAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAk"
        "M2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT"
        "lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QA"
        "HwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdh"
        "cRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hp"
        "anN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk"
        "5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDgrXQc4+Sti18PZx8ldXZ6bDxx+lbtnpkHHH6V4tHEOsefl+cy"
        "Vjjbfw5lfufpRXp1tpUG3p+lFeisImrn2VPPJcqP/9k="
    ),
    "gray": (
        "/9j/4AAQSkZJRgABAQEBLAEsAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZG"
        "NywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAANABYBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcI"
        "CQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcY"
        "GRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKj"
        "pKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AOI0"
        "n+Gu20n+Gu007/V/hXiuk/w122k/w12mnf6v8K//2Q=="
    ),
    "full": (
        "/9j/4AAQSkZJRgABAQEBLAEsAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX"
        "RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj"
        "Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wgARCAAJAAkDAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA"
        "AwQF/8QAFwEBAQEBAAAAAAAAAAAAAAAAAwIABP/aAAwDAQACEAMQAAABzBhM1J8KUv8A/8QAGBAAAgMAAAAAAAAA"
        "AAAAAAAAAAEDEBP/2gAIAQEAAQUCUZmKv//EABgRAAIDAAAAAAAAAAAAAAAAAAACAxAT/9oACAEDAQE/AVkNBa//"
        "xAAYEQACAwAAAAAAAAAAAAAAAAAAARAREv/aAAgBAgEBPwHRYo//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEB"
        "AAY/Ah//xAAXEAADAQAAAAAAAAAAAAAAAAAAEGFx/9oACAEBAAE/IZmX/9oADAMBAAIAAwAAABBsT//EABQRAQAA"
        "AAAAAAAAAAAAAAAAACD/2gAIAQMBAT8QF//EABURAQEAAAAAAAAAAAAAAAAAACAh/9oACAECAQE/ELB//8QAFRAB"
        "AQAAAAAAAAAAAAAAAAAAEEH/2gAIAQEAAT8QBSf/2Q=="
    ),
}.items()}


def files(op, contents, **kw):
    return Case(op, [lit(contents, "str", fed=True)], edges=False, **kw)


def boxes(n):
    rng = np.random.RandomState(n)
    a, b = rng.rand(n, 2) * .5, .4 + rng.rand(n, 2) * .6
    return np.concatenate([a, b], 1).astype(np.float32)


SCORES = np.random.RandomState(3).rand(12).astype(np.float32)

CASES = [
    *[files("DecodePng", data, attrs={"channels": c, "dtype": t}, note=name)
      for name, data in PNGS.items() for c in (0, 1, 3, 4) for t in ("u8", "u16")],
    *[files("DecodeImage", PNGS[n], attrs={"channels": 0, "dtype": t}, note=n)
      for n in ("rgb", "rgb16", "gray4") for t in ("u8", "u16", "f32")],
    files("DecodePng", PNGS["rgb"], attrs={"channels": 2}, fails=INVALID),
    files("DecodePng", PNGS["rgb"][:60], fails=INVALID),
    files("DecodePng", b"", fails=INVALID, says="Input is empty."),
    files("DecodePng", b"no picture", fails=INVALID, says="Unknown image file format."),
    files("DecodeImage", b"\xff\xd8\xff", fails=INVALID),
    *[files(op, STILL) for op in ("DecodeGif", "DecodePng", "DecodeJpeg", "DecodeImage")],
    *[files(op, LACED) for op in ("DecodeGif", "DecodeImage")],
    *[files("DecodeGif", MOVING), files("DecodeImage", MOVING),
      files("DecodeImage", MOVING, attrs={"expand_animations": False}),
      files("DecodePng", MOVING, fails=INVALID),
      files("DecodeGif", MOVING[:850]), files("DecodeGif", MOVING[:-1]),
      files("DecodeGif", MOVING[:820], fails=INVALID)],
    files("DecodeGif", PNGS["rgb"]),
    *[files("DecodeJpeg", data, attrs={"channels": c, "ratio": r, "fancy_upscaling": f,
                                       "dct_method": d}, note=name)
      for name, data in JPEGS.items() for c in (0, 1, 3) for r in (1, 2, 8) for f in (True, False)
      for d in ("", "INTEGER_ACCURATE")],
    *[files("DecodeImage", JPEGS["color"], attrs={"dtype": t}) for t in ("u8", "u16", "f32")],
    files("DecodePng", JPEGS["gray"]),
    files("DecodeGif", JPEGS["color"]),
    files("DecodeJpeg", PNGS["rgb"]),
    files("DecodeJpeg", JPEGS["color"], attrs={"channels": 4}, fails=INVALID),
    files("DecodeJpeg", JPEGS["color"], attrs={"ratio": 3}, fails=INVALID),
    files("DecodeJpeg", JPEGS["color"], attrs={"dct_method": "SLOW"}, fails=INVALID),
    files("DecodeJpeg", JPEGS["color"][:-100], fails=INVALID),
    files("DecodeJpeg", JPEGS["color"][:-100], attrs={"try_recover_truncated": True,
                                                     "acceptable_fraction": .01},
          fails=INVALID),
    *[Case("DecodeAndCropJpeg", [lit(data, "str", fed=True), lit(window)], attrs={"channels": c},
           edges=False, note=name)
      for name, data in JPEGS.items() for c in (0, 1, 3)
      for window in ([0, 0, 5, 6], [2, 3, 4, 5], [3, 1, 6, 7])],
    Case("DecodeAndCropJpeg", [lit(JPEGS["color"], "str", fed=True), lit([5, 5, 20, 3])],
         fails=INVALID, edges=False),
    *[Case("DecodeAndCropJpeg", [lit(data, "str", fed=True), lit([1, 1, 2, 2])], fails=INVALID, edges=False,
           says="can run on JPEG only, but detected " + kind)
      for kind, data in [("BMP", bmp(5, 4, 3, False)), ("PNG", next(iter(PNGS.values()))), ("GIF", STILL)]],
    *[Case("ExtractJpegShape", [lit(data, "str", fed=True)], attrs={"output_type": "*"},
           edges=False, note=name) for name, data in JPEGS.items()],
    *[files("DecodeBmp", bmp(5, 4, c, t)) for c in (1, 3, 4) for t in (False, True)],
    files("DecodeImage", bmp(5, 4, 3)),
    files("DecodeImage", bmp(5, 4, 3), attrs={"dtype": "f32"}),
    files("DecodeImage", bmp(5, 4, 3), attrs={"dtype": "u16"}),
    *[files("DecodeBmp", bmp(5, 4, c), attrs={"channels": w}) for c in (1, 3, 4) for w in (3, 4)],
    files("DecodeBmp", bmp(5, 4, 3), attrs={"channels": 1}, fails=INVALID),
    files("DecodeBmp", bmp(5, 4, 3) + b"x", fails=INVALID),
    files("DecodeBmp", bmp(5, 4, 3)[:70], fails=INVALID),
    files("DecodeBmp", PNGS["rgb"], fails=INVALID, says="Trying to decode PNG format using DecodeBmp"),
    files("DecodePng", bmp(5, 4, 3), fails=INVALID),

    Case("EncodePng", ["T[5,4,3]"], edges=False),
    Case("EncodePng", ["u8[2,5,4,1]"], edges=False),
    Case("EncodePng", ["u8[5,4,5]"], fails=INVALID, edges=False),
    Case("EncodePng", ["u8[5,4,2]"], attrs={"compression": 0}, edges=False),
    Case("EncodeJpeg", ["u8[13,22,3]"], edges=False),
    Case("EncodeJpeg", ["u8[9,9,1]"], attrs={"quality": 50, "progressive": True}, edges=False),
    Case("EncodeJpeg", ["u8[9,9,3]"], attrs={"chroma_downsampling": False, "optimize_size": True,
                                             "density_unit": "cm", "x_density": 7}, edges=False),
    Case("EncodeJpeg", ["u8[9,9,3]"], attrs={"xmp_metadata": "meta"}, edges=False),
    Case("EncodeJpeg", ["u8[9,9,4]"], fails=INVALID, edges=False),
    Case("EncodeJpeg", ["u8[9,9,3]"], attrs={"format": "grayscale"}, fails=INVALID, edges=False),
    Case("EncodeJpeg", ["u8[9,9,3]"], attrs={"quality": 101}, fails=INVALID, edges=False),
    Case("EncodeJpegVariableQuality", ["u8[9,9,3]", lit(70)], edges=False),

    *[Case(op, ["T[2,5,4,3]", lit([h, w])], attrs=a, grad=op != "ResizeArea" and (h, w) == (7, 9),
           dtypes=None if (h, w) == (7, 9) else ["f32", "u8"], numeric=False, edges=False)
      for op in ("ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic", "ResizeArea")
      for h, w in ((7, 9), (3, 2), (5, 4), (1, 1), (10, 8))
      for a in RESIZES if not (op == "ResizeArea" and "half_pixel_centers" in a)],
    Case("ResizeBilinear", ["f32[2,5,4,3]", lit([0, 2], fed=True)], fails=INVALID, edges=False),
    Case("ResizeBilinear", ["f32[2,5,4,3]", lit([-1, 2], fed=True)], fails=INVALID, edges=False),
    Case("ResizeBilinear", ["f32[2,0,4,3]", lit([2, 2])], fails=INVALID, edges=False),
    Case("ResizeBilinear", ["f32[0,5,4,3]", lit([2, 2])], edges=False),
    Case("ResizeBilinear", ["f32[5,4,3]", lit([2, 2])], fails=INVALID, edges=False),
    Case("ResizeBilinear", ["f32[1,5,4,3]", lit([2, 2])],
         attrs={"align_corners": True, "half_pixel_centers": True}, fails=INVALID, edges=False),
    *[Case("ResizeBilinearGrad", ["f32[2,7,9,3]", "T[2,5,4,3]"], attrs=a, edges=False)
      for a in RESIZES],
    *[Case("ResizeBicubicGrad", ["f32[2,7,9,3]", "T[2,5,4,3]"], attrs=a, edges=False)
      for a in RESIZES],
    *[Case("ResizeNearestNeighborGrad", ["T[2,7,9,3] 0..9", lit([5, 4])], attrs=a, edges=False)
      for a in RESIZES],

    *[Case("CropAndResize", ["T[2,6,7,3]", lit(boxes(4), "f32", fed=True), lit([0, 1, 1, 0]),
                             lit([h, w])],
           attrs={"method": m, "extrapolation_value": .5}, edges=False,
           grad=m == "bilinear" and (h, w) == (3, 5), numeric=False)
      for m in ("bilinear", "nearest") for h, w in ((3, 5), (1, 1))],
    Case("CropAndResize", ["f32[1,6,7,2]", lit([[-.2, .1, 1.4, .9], [.8, .7, .1, .2]], "f32"),
                           lit([0, 0]), lit([4, 4])], edges=False),
    Case("CropAndResize", ["f32[1,6,7,2]", lit(boxes(1), "f32"), lit([1], fed=True), lit([4, 4])],
         fails="OUT_OF_RANGE", edges=False),
    Case("CropAndResize", ["f32[1,6,7,2]", lit(boxes(1), "f32"), lit([0]), lit([0, 4], fed=True)],
         fails=INVALID, edges=False),
    Case("CropAndResize", ["f32[2,1,1,1]", lit([[1e40, 0, 0, 0]], "f32"), lit([1]), lit([1, 1])],
         edges=False, fails=INVALID, says="not finite"),
    Case("CropAndResize", ["f32[1,1,1,1]", "f32[11,4]", lit([0] * 11), lit([2065374891, 1145309325], fed=True)],
         edges=False, fails=INVALID, says="overflow"),
    *[Case("CropAndResizeGradImage", ["f32[4,3,5,3]", lit(boxes(4), "f32"), lit([0, 1, 1, 0]),
                                      lit([2, 6, 7, 3])], attrs={"method": m, "T": "*"},
           edges=False, rtol=2e-3, atol=4e-3)
      for m in ("bilinear", "nearest")],
    Case("CropAndResizeGradBoxes", ["f32[4,3,5,3]", "T[2,6,7,3]", lit(boxes(4), "f32"),
                                    lit([0, 1, 1, 0])], edges=False, rtol=1e-4, atol=1e-3),

    Case("AdjustContrastv2", ["T[2,5,4,3]", lit(.7)], edges=False),
    Case("AdjustContrastv2", ["f32[5,4,3]", lit(2.)], edges=False),
    Case("AdjustContrastv2", ["f32[4,3]", lit(2.)], fails=INVALID, edges=False),
    *[Case("AdjustHue", ["T[5,4,3] prob", lit(d)], edges=False, atol=2e-3) for d in (.3, -.9)],
    *[Case("AdjustSaturation", ["T[5,4,3] prob", lit(d)], edges=False, atol=2e-3) for d in (.3, 2.)],
    Case("AdjustHue", ["f32[5,4,2]", lit(.1)], fails=INVALID, edges=False),
    Case("RGBToHSV", ["T[5,4,3] prob"], edges=False, atol=4e-3),
    Case("HSVToRGB", ["T[5,4,3] prob"], edges=False, atol=4e-3),
    Case("RGBToHSV", ["f32[0,3]"], edges=False),

    Case("DrawBoundingBoxes", ["T[2,9,11,3]", lit(np.stack([boxes(3), boxes(3)[::-1]]), "f32")],
         edges=False),
    Case("DrawBoundingBoxes", ["f32[1,9,11,1]", lit([[[.1, .1, .6, .7], [-.5, -.5, 1.5, 1.5],
                                                     [.9, .9, .1, .1]]], "f32")], edges=False),
    Case("DrawBoundingBoxesV2", ["f32[1,9,11,3]", lit([boxes(3)], "f32"),
                                 lit([[.1, .2, .3], [.4, .5, .6]])], edges=False),

    Case("NonMaxSuppression", [lit(boxes(12), "f32", fed=True), lit(SCORES), lit(5)], edges=False),
    Case("NonMaxSuppressionV2", [lit(boxes(12), "T", fed=True), lit(SCORES, "T"), lit(5),
                                 lit(.3, "T_threshold")], edges=False, dtypes={"T": ["f32"]}),
    Case("NonMaxSuppressionV3", [lit(boxes(12), "f32", fed=True), lit(SCORES), lit(20), lit(.5),
                                 lit(.4)], edges=False),
    *[Case("NonMaxSuppressionV4", [lit(boxes(12), "f32", fed=True), lit(SCORES), lit(20), lit(.5),
                                   lit(.4)], attrs={"pad_to_max_output_size": p}, edges=False)
      for p in (False, True)],
    *[Case("NonMaxSuppressionV5", [lit(boxes(12), "f32", fed=True), lit(SCORES), lit(20), lit(.5),
                                   lit(.1), lit(s)], attrs={"pad_to_max_output_size": p},
           edges=False) for p in (False, True) for s in (0., .5)],
    Case("NonMaxSuppressionV5", [lit([[0., 0, np.inf, np.inf]] * 3 + [[0., 0, 1, 1]], "f32", fed=True),
                                 lit([.9, .8, .7, .6], "f32", fed=True), lit(4), lit(.5), lit(.1), lit(.5)], edges=False,
         note="infinite"),
    Case("NonMaxSuppressionWithOverlaps", ["f32[5,5] prob", "f32[5] prob", lit(4), lit(.5), lit(.1)],
         edges=False),
    Case("NonMaxSuppressionV3", [lit(boxes(2), "f32", fed=True), lit(SCORES[:2]), lit(2), lit(1.5),
                                 lit(0.)], fails=INVALID, edges=False),

    *[Case(op, ["f32[2,6,8,1]", lit([3, 2]), lit([[.5, -.5], [-.3, .7]], "f32")],
           attrs={"centered": c, "normalized": n, "noise": "zero", "uniform_noise": False},
           edges=False)
      for op in ("ExtractGlimpse", "ExtractGlimpseV2") for c in (True, False)
      for n in (True, False)],
    *[Case("SampleDistortedBoundingBoxV2",
           [lit([60, 80, 3], "T"), lit([[[.1, .2, .6, .9]]], "f32"), lit(.3)],
           attrs={"seed": s, "seed2": 7}, edges=False, dtypes=["i32", "i64"])
      for s in (1, 2, 3, 4)],
    *[Case("StatelessSampleDistortedBoundingBox",
           [lit([60, 80, 3], "T"), lit([[[.1, .2, .6, .9]]], "f32"), lit(.3), lit([s, 7], "Tseed")],
           edges=False, dtypes={"T": ["i32", "i64"], "Tseed": ["i32", "i64"]})
      for s in (1, 2, 3)],
    Case("StatelessSampleDistortedBoundingBox",
         [lit([60, 80, 3]), lit(np.zeros((1, 0, 4)), "f32"), lit(.3), lit([1, 2])],
         attrs={"use_image_if_no_bounding_boxes": True, "area_range": [.1, .3]}, edges=False),
    Case("SampleDistortedBoundingBox", [lit([60, 80, 3]), lit([[[.1, .2, .6, .9]]], "f32")],
         attrs={"seed": 9, "aspect_ratio_range": [.5, 2.], "area_range": [.1, .5]}, edges=False),
    Case("SampleDistortedBoundingBoxV2", [lit([60, 80, 3]), lit(np.zeros((1, 0, 4)), "f32"),
                                          lit(.3)], attrs={"seed": 1}, fails=INVALID, edges=False),
]

# ---- boxes of several classes
for kinds in [1, 3]:
    for pad in [False, True]:
        for clip in [False, True]:
            CASES.append(Case(
                "CombinedNonMaxSuppression",
                ["f32[2,12,%d,4]" % kinds, lit(np.random.RandomState(5).rand(2, 12, 3), "f32", fed=True), lit(4), lit(7),
                 lit(.3, "f32"), lit(.2, "f32")],
                attrs={"pad_per_class": pad, "clip_boxes": clip}, edges=False, note="%d %s %s" % (kinds, pad, clip)))
for more, says in [([lit(0), lit(7), lit(.3, "f32")], "positive"), ([lit(4), lit(7), lit(1.3, "f32")], "iou_threshold")]:
    CASES.append(Case("CombinedNonMaxSuppression", ["f32[2,12,1,4]", "f32[2,12,3]", *more, lit(.2, "f32")],
                      edges=False, fails=INVALID, says=says))
CASES.append(Case("CombinedNonMaxSuppression", [
    "f32[1,6,1,4]", "f32[1,6,1]", lit(2**31 - 1), lit(8), lit(.5, "f32"), lit(-1e9, "f32")],
    attrs={"pad_per_class": True}, edges=False, note="large per class"))


# ---- resampling by kernels ---------------------------------------------------------------------------

def resample(kernel="lanczos3", antialias=True, size=(5, 3), scale=(.7, 1.3), shift=(0.2, -.4), shape="T[2,7,6,3]",
             **kw):
    return Case("ScaleAndTranslate", [shape, lit(list(size), fed=True), lit(list(scale), "f32", fed=True),
                                      lit(list(shift), "f32", fed=True)],
                attrs={"kernel_type": kernel, "antialias": antialias}, edges=False, **{"rtol": 1e-4, "atol": 1e-4, **kw})


FLOATS = ["f32"]
CASES += [resample(k, a, dtypes=FLOATS, grad=True)
          for k in ("lanczos1", "Lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
          for a in (True, False)]
CASES += [
    resample(),
    resample(scale=(.1, 4), size=(2, 30), dtypes=FLOATS, grad=True),
    resample(shift=(-20, 3), dtypes=FLOATS, grad=True),
    resample(shape="T[0,7,6,3]", dtypes=FLOATS),
    resample("cubic", dtypes=FLOATS, fails=INVALID, says="Unrecognized kernel type: cubic"),
    resample(scale=(0, 1), dtypes=FLOATS, fails=INVALID, says="Scale must be greater than zero."),
    resample(size=(0, 1), dtypes=FLOATS, fails=INVALID, says="output dimensions must be positive"),
    resample(shape="T[2,0,6,3]", dtypes=FLOATS, fails=INVALID, says="input image must be of non-zero size"),
    Case("ScaleAndTranslateGrad", ["f32[2,5,3,3]", "f32[2,7,6,3]", lit([.7, 1.3], "f32"), lit([.2, -.4], "f32")],
         edges=False, rtol=1e-4, atol=1e-4),
]
