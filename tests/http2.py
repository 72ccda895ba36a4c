"""A client of HTTP/2 and gRPC that does what it is told, right or wrong: raw frames over a socket."""
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, body=b""):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


def header_block(pairs):
    """Literals without indexing, none compressed."""
    def text(value):
        value = value.encode() if isinstance(value, str) else value
        if len(value) < 127:
            return bytes([len(value)]) + value
        out, rest = bytearray([127]), len(value) - 127
        while rest > 127:
            out.append(rest & 127 | 128)
            rest >>= 7
        return bytes(out) + bytes([rest]) + value

    return b"".join(b"\0" + text(k) + text(v) for k, v in pairs)


def message(data, flag=0):
    return bytes([flag]) + struct.pack(">I", len(data)) + data


def settings(**values):
    numbers = {"window": 4, "streams": 3, "frame": 5}
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", numbers[k], v) for k, v in values.items()))


class Connection:
    def __init__(self, target, timeout=60, greet=True, **values):
        address = target.split("//")[-1]
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=timeout)
        self.next, self.buffer = 1, b""
        self.parts, self.answers = {}, {}
        if greet:
            self.send(PREFACE + settings(**values))

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.socket.close()

    def headers(self, path, extra=(), end=False):
        """Opens a stream; returns its number."""
        stream, self.next = self.next, self.next + 2
        pairs = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "x"),
                 ("te", "trailers"), ("content-type", "application/grpc")] + list(extra)
        self.send(frame(HEADERS, END_HEADERS | (END_STREAM if end else 0), stream, header_block(pairs)))
        return stream

    def body(self, stream, data, end=False):
        """In frames that every server takes."""
        for at in range(0, len(data), 16384):
            last = at + 16384 >= len(data)
            self.send(frame(DATA, END_STREAM if end and last else 0, stream, data[at:at + 16384]))

    def call(self, path, request=b"", extra=(), flag=0):
        stream = self.headers(path, extra)
        self.send(frame(DATA, END_STREAM, stream, message(request, flag)))
        return stream

    def master(self, method, request=b"", **options):
        return self.call("/tensorflow.MasterService/" + method, request, **options)

    def read_frame(self):
        """(kind, flags, stream, body); None at the end."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + self._length():
            got = self.socket.recv(1 << 16)
            if not got:
                return None
            self.buffer += got
        length = self._length()
        head, body = self.buffer[:9], self.buffer[9:9 + length]
        self.buffer = self.buffer[9 + length:]
        kind, flags, stream = head[3], head[4], struct.unpack(">I", head[5:])[0]
        if kind == SETTINGS and not flags & 1:
            self.send(frame(SETTINGS, 1, 0))
        return kind, flags, stream, body

    def _length(self):
        return struct.unpack(">I", b"\0" + self.buffer[:3])[0]

    def answer(self, stream):
        """The bytes of the headers and of the body of a stream, to its end. None: it was reset."""
        while stream not in self.answers:
            got = self.read_frame()
            assert got is not None, "the server closed the connection"
            kind, flags, number, data = got
            part = self.parts.setdefault(number, [b"", b""])
            if kind in (HEADERS, DATA):
                part[kind == DATA] += data
            if kind == RST or (kind in (HEADERS, DATA) and flags & END_STREAM):
                self.answers[number] = None if kind == RST else tuple(part)
                del self.parts[number]
        return self.answers.pop(stream)

    def closed(self):
        """Reads to the end of the connection, which must come before the time-out."""
        try:
            while self.read_frame() is not None:
                pass
        except ConnectionResetError:
            pass
        except socket.timeout:
            return False
        return True
