"""A task, or a server of clients, that answers as it likes: gRPC's own server with any bytes, and streams as Weir's tasks.

    peer = Peer(answer, stream=True)     # answer(method, request, call) -> bytes, raises grpc's abort by call.fail
    peer.port

RunGraph of a Weir master is a stream if the task's HTTP/2 settings say that it takes them. gRPC's server does not, so a
line in front of it adds the setting.
"""
import concurrent.futures
import queue
import socket
import struct
import threading

import grpc

import http2
import pb

STREAMS = 0x7765  # the setting: the most bytes of a message that a task likes to get by a stream
IDENTITY = lambda b: b


class Line:
    """Passes bytes on; adds a frame of settings after the server's, and drops its acknowledgement."""

    def __init__(self, to):
        self.to, self.sockets = to, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                return
            self.sockets += [near, far]
            threading.Thread(target=self.pump, args=(near, far, len(http2.PREFACE), self.drop_second), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, 0, self.add_setting), daemon=True).start()

    @staticmethod
    def add_setting(frame, state):
        if frame[3] == http2.SETTINGS and not frame[4] & 1 and not state:
            state.append(1)
            return frame + http2.frame(http2.SETTINGS, 0, 0, struct.pack(">HI", STREAMS, 1 << 20))
        return frame

    @staticmethod
    def drop_second(frame, state):
        if frame[3] == http2.SETTINGS and frame[4] & 1:
            state.append(1)
            return b"" if len(state) == 2 else frame
        return frame

    @staticmethod
    def pump(source, sink, skip, change):
        held, state = b"", []
        try:
            while True:
                got = source.recv(1 << 16)
                if not got:
                    break
                held += got
                out = b""
                if skip and len(held) >= skip:
                    out, held, skip = held[:skip], held[skip:], 0
                while not skip and len(held) >= 9:
                    end = 9 + struct.unpack(">I", b"\0" + held[:3])[0]
                    if len(held) < end:
                        break
                    out += change(held[:end], state)
                    held = held[end:]
                if out:
                    sink.sendall(out)
        except OSError:
            pass
        for s in (source, sink):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()
        for s in self.sockets:
            s.close()


class Call:
    """One call in progress, for |answer|: fail() ends it with any status; messages and send() are those of a stream."""

    def __init__(self, context, requests):
        self.context, self.requests, self.out = context, requests, queue.Queue()

    def fail(self, code, text):
        self.context.abort(code, text)

    def send(self, key, data):
        self.send_raw(pb.varint(len(key) + 1) + key + data)

    def send_raw(self, data):
        self.out.put(data)

    def open(self):
        return self.context.is_active()


class Peer(grpc.GenericRpcHandler):
    def __init__(self, answer, threads=40, stream=True):
        self.answer, self.calls = answer, 0
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(threads), handlers=[self],
                                  options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
                                           ("grpc.http2.min_ping_interval_without_data_ms", 1), ("grpc.so_reuseport", 0)])
        inner = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()
        self.line = Line(inner) if stream else None
        self.port = self.line.port if self.line else inner

    def service(self, details):
        method = details.method.rsplit("/", 1)[1]
        if "weir-stream" in dict(details.invocation_metadata):
            return grpc.stream_stream_rpc_method_handler(lambda r, c: self.by_stream(method, r, c), IDENTITY, IDENTITY)
        if details.method.startswith("/weir."):
            return None
        return grpc.unary_unary_rpc_method_handler(lambda r, c: self.plainly(method, r, c), IDENTITY, IDENTITY)

    def plainly(self, method, request, context):
        self.calls += 1
        return self.answer(method, request, Call(context, iter(())))

    def by_stream(self, method, requests, context):
        self.calls += 1
        call, first = Call(context, requests), next(requests)

        def work():
            try:
                call.out.put(pb.varint(0) + self.answer(method, first, call))
            except Exception:  # pylint: disable=broad-except
                pass
            call.out.put(None)

        threading.Thread(target=work, daemon=True).start()
        while True:
            data = call.out.get()
            if data is None:
                return
            yield data

    def stop(self):
        self.server.stop(0)
        if self.line:
            self.line.close()
