"""Compressed bytes that unpack to many more."""
import zlib


def zstd_frame(data, repeated=b"", times=0):
    """A frame of one block: bytes as they are, or one byte many times."""
    block = (1 | len(data) << 3).to_bytes(3, "little") + data
    if times:
        block = (1 | 1 << 1 | times << 3).to_bytes(3, "little") + repeated
    return b"\x28\xb5\x2f\xfd\xa0" + (times or len(data)).to_bytes(4, "little") + block


def zlib_zeros(mebibytes):
    """A thousandth of them."""
    packer = zlib.compressobj()
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(mebibytes)) + packer.flush()
