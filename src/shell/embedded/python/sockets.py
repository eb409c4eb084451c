# `socket`, `select` and `selectors`, on top of the dialog's ports; runs after not_here.py.
import re, select, selectors, socket

_elsewhere = "Python reaches no other host than localhost here; use curl, or fetch in node, for "
_own_host = re.compile(r"(localhost|127(\.\d+){3}|0\.0\.0\.0|::1?|::ffff:127\.0\.0\.1)$")


class _Wire:
    """What a socket stands for; one that was made by `dup` stands for the same."""

    def __init__(self):
        self.id, self.near, self.far, self.listens, self.users = 0, None, None, False, 1


class _Socket(socket.socket):
    """A TCP socket of the dialog's own machine."""

    _open, _last, _forgotten = {}, 1_000_000, []

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        self._io_refs, self._closed, self._number = 0, True, -1
        if not _waits:
            raise OSError(errno.ENOTSUP, "Python has no sockets in this browser; write the server with node, or use Chrome or Edge")
        kind = socket.SOCK_STREAM if type == -1 else type & 0xF
        if family not in (-1, socket.AF_INET, socket.AF_INET6) or kind != socket.SOCK_STREAM:
            raise OSError(errno.EAFNOSUPPORT, "Python has only TCP sockets here (AF_INET or AF_INET6 with SOCK_STREAM)")
        self._family, self._proto, self._seconds, self._closed = socket.AddressFamily(socket.AF_INET if family == -1 else family), max(proto, 0), socket.getdefaulttimeout(), False
        if fileno is None:
            self._take(_Wire())
        elif fileno in _Socket._open:
            self._number = fileno
        else:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def _take(self, wire):
        _Socket._last += 1
        self._number, self._closed = _Socket._last, False
        _Socket._open[self._number] = wire

    def __del__(self):
        # This can run at any time, and a request may be under way, so the socket is closed later.
        if not getattr(self, "_closed", True):
            _Socket._forgotten.append(self._number)

    @property
    def _wire(self):
        wire = _Socket._open.get(self._number)
        if wire is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return wire

    def _ask(self, op, **request):
        while _Socket._forgotten:
            _Socket._close_number(_Socket._forgotten.pop())
        return _ask(op=op, **request)

    def _connected(self):
        wire = self._wire
        if wire.far is None:
            raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))
        return wire

    @property
    def family(self):
        return self._family

    @property
    def type(self):
        return socket.SOCK_STREAM

    @property
    def proto(self):
        return self._proto

    @property
    def timeout(self):
        return self._seconds

    def fileno(self):
        return self._number

    def gettimeout(self):
        return self._seconds

    def settimeout(self, seconds):
        if seconds is not None and seconds < 0:
            raise ValueError("Timeout value out of range")
        self._seconds = seconds if seconds is None else float(seconds)

    def setblocking(self, on):
        self._seconds = None if on else 0.0

    def getblocking(self):
        return self._seconds != 0

    def setsockopt(self, *others):
        self._wire

    def getsockopt(self, level, name, size=None):
        self._wire
        number = int(socket.SOCK_STREAM) if (level, name) == (socket.SOL_SOCKET, socket.SO_TYPE) else 0
        return number if size is None else number.to_bytes(size, "little")

    def _address(self, address):
        """Its host and port, when it means this machine."""
        if not isinstance(address, tuple) or len(address) < 2:
            raise TypeError("AF_INET address must be tuple, not " + type(address).__name__)
        host, port = address[:2]
        if not isinstance(port, int):
            raise TypeError(f"'{type(port).__name__}' object cannot be interpreted as an integer")
        if not 0 <= port <= 65535:
            raise OverflowError("bind(): port must be 0-65535.")
        if host == "":
            host = "0.0.0.0" if self._family == socket.AF_INET else "::"
        if not _own_host.match(host):
            raise OSError(errno.ENETUNREACH, _elsewhere + host)
        return host, port

    def _named(self, host, port):
        return (host, port) if self._family == socket.AF_INET else (host, port, 0, 0)

    def _in_family(self, host):
        return ("127.0.0.1" if self._family == socket.AF_INET else "::1") if host == "localhost" else host

    def bind(self, address):
        host, port = self._address(address)
        told, _ = self._ask("listen", port=port)
        if not told["id"]:
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        wire = self._wire
        wire.id, wire.near = told["id"], (self._in_family(host), told["port"])

    def listen(self, backlog=None):
        wire = self._wire
        if wire.near is None:
            self.bind(("", 0))
        wire.listens = True

    def accept(self):
        wire = self._wire
        if not wire.listens:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        number = self._until(lambda ms: self._ask("accept", id=wire.id, ms=ms)[0]["id"] or None)
        made = _Wire()
        local = self._in_family("localhost")
        made.id, made.near, made.far = number, (local, wire.near[1]), (local, 50_000 + number % 15_000)
        connection = self.__class__.__new__(self.__class__)
        _Socket.__init__(connection, self._family, socket.SOCK_STREAM, self._proto)
        _Socket._open[connection._number] = made
        return connection, self._named(*made.far)

    def connect(self, address):
        wire = self._wire
        if wire.far is not None:
            raise OSError(errno.EISCONN, os.strerror(errno.EISCONN))
        host, port = self._address(address)
        if wire.id:
            self._ask("close", id=wire.id)
        told, _ = self._ask("connect", port=port)
        if not told["id"]:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        local = self._in_family("localhost")
        wire.id, wire.near, wire.far = told["id"], wire.near or (local, 50_000 + told["id"] % 15_000), (local, port)

    def connect_ex(self, address):
        try:
            self.connect(address)
        except OSError as error:
            return error.errno
        return 0

    def getsockname(self):
        return self._named(*(self._wire.near or ("0.0.0.0" if self._family == socket.AF_INET else "::", 0)))

    def getpeername(self):
        return self._named(*self._connected().far)

    def _until(self, ask):
        """What is answered when it is there; `ask` is given milliseconds, None for no end."""
        end = None if self._seconds is None else time.monotonic() + self._seconds
        while True:
            left = None if end is None else max(0, end - time.monotonic()) * 1000
            answer = ask(left)
            if answer is not None:
                return answer
            if self._seconds == 0:
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            if end is not None and time.monotonic() >= end:
                raise TimeoutError("timed out")

    def recv(self, size, flags=0):
        wire = self._connected()
        if size < 0:
            raise ValueError("negative buffersize in recv")
        if size == 0:
            return b""

        def ask(ms):
            beside = [number for number, _ in _Nested.servers] if self._seconds is None else []
            told, data = self._ask("recv", id=wire.id, size=min(size, 1 << 20), ms=ms, beside=beside)
            if told["state"] == "beside":
                _Nested.handle(told["id"])
            if told["state"] == "reset":
                raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
            return data if told["state"] == "data" else None

        return self._until(ask)

    def recv_into(self, buffer, size=0, flags=0):
        with memoryview(buffer) as view, view.cast("B") as place:
            data = self.recv(size or len(place), flags)
            place[: len(data)] = data
            return len(data)

    def recvfrom(self, size, flags=0):
        return self.recv(size, flags), None

    def send(self, data, flags=0):
        wire = self._connected()
        with memoryview(data) as view, view.cast("B") as all:
            part = bytes(all[: 1 << 20])
        if part and not self._ask("send", id=wire.id, data=base64.b64encode(part).decode())[0]["sent"]:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        return len(part)

    def sendall(self, data, flags=0):
        with memoryview(data) as view, view.cast("B") as all:
            at = 0
            while at < len(all):
                at += self.send(all[at:])

    def sendmsg(self, buffers, *others):
        return self.send(b"".join(buffers))

    def sendfile(self, file, offset=0, count=None):
        return self._sendfile_use_send(file, offset, count)

    def shutdown(self, how):
        wire = self._connected()
        if how in (socket.SHUT_WR, socket.SHUT_RDWR):
            self._ask("shut", id=wire.id)

    def dup(self):
        copy = self.__class__.__new__(self.__class__)
        _Socket.__init__(copy, self._family, socket.SOCK_STREAM, self._proto)
        _Socket._open[copy._number] = self._wire
        self._wire.users += 1
        copy.settimeout(self._seconds)
        return copy

    def detach(self):
        number, self._number, self._closed = self._number, -1, True
        return number

    @staticmethod
    def _close_number(number):
        wire = _Socket._open.pop(number, None)
        if wire is None:
            return
        wire.users -= 1
        if wire.users == 0 and wire.id:
            _ask(op="close", id=wire.id)

    def _real_close(self):
        number, self._number = self._number, -1
        _Socket._close_number(number)


class _Nested:
    """Where Python would handle each connection of a server in a thread: the next one is handled while the handler of another one waits."""

    servers, most = [], 50

    @classmethod
    def process_request(cls, server, request, address):
        nested = len(cls.servers) < cls.most
        if nested:
            cls.servers.append((server.socket._wire.id, server))
        try:
            server.finish_request(request, address)
        finally:
            if nested:
                cls.servers.pop()
            server.shutdown_request(request)

    @classmethod
    def handle(cls, number):
        for each, server in cls.servers:
            if each == number:
                return server._handle_request_noblock()


def _patch_socketserver(module):
    module.ThreadingMixIn.process_request = lambda server, request, address: _Nested.process_request(server, request, address)


_Patched.patches["socketserver"] = _patch_socketserver


def _number_of(each):
    return each if isinstance(each, int) else each.fileno()


def _ready(readers, writers, seconds, children=()):
    """Which of these descriptors can be read and written. Files can, always."""
    wires = {number: _Socket._open.get(number) for number in {*readers, *writers}}
    writable = [number for number in writers if wires[number] is None or wires[number].far is not None]
    files = [number for number in readers if wires[number] is None]
    waits = {wires[number].id: number for number in readers if wires[number] is not None and wires[number].id}
    if writable or files:
        seconds = 0
    ms = None if seconds is None else max(0, min(seconds, threading.TIMEOUT_MAX)) * 1000
    told, body = _ask(op="wait", ids=list(children), sockets=list(waits), ms=ms)
    if told["id"]:
        _Child.children.pop(told["id"])._ended(told, body)
    return files + [waits[number] for number in told.get("ready", ())], writable


def _select_many(readers, writers, others, timeout=None):
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = None if end is None else max(0, end - time.monotonic())
        readable, writable = _ready([_number_of(each) for each in readers], [_number_of(each) for each in writers], left)
        if readable or writable or (end is not None and time.monotonic() >= end):
            return [each for each in readers if _number_of(each) in readable], [each for each in writers if _number_of(each) in writable], []


class _Selector(selectors._BaseSelectorImpl):
    def _waits_for(self):
        keys = self.get_map().values()
        return [key.fd for key in keys if key.events & selectors.EVENT_READ], [key.fd for key in keys if key.events & selectors.EVENT_WRITE]

    def _found(self, readable, writable):
        found = []
        for number in {*readable, *writable}:
            key = self.get_map().get(number)
            events = (selectors.EVENT_READ if number in readable else 0) | (selectors.EVENT_WRITE if number in writable else 0)
            if key is not None and events & key.events:
                found.append((key, events & key.events))
        return found

    def select(self, timeout=None):
        readers, writers = self._waits_for()
        readable, writable, _ = _select_many(readers, writers, [], None if timeout is None else max(0, timeout))
        return self._found(readable, writable)


class _LoopSelector(_Selector):
    """What an event loop waits for: sockets, children and time."""

    def __init__(self):
        super().__init__()
        self.children, self.loop = [], None

    def select(self, timeout=None):
        running = [each._child for each in self.children]
        readers, writers = self._waits_for()
        found = []
        if readers or writers:
            ids = [child.id for child in running if child.code is None and child.id is not None]
            found = self._found(*_ready(readers, writers, timeout, ids))
        elif timeout is None and not running:
            raise RuntimeError("the event loop waits for something that can't happen here")
        elif running:
            _Child.wait_for_any(running, timeout)
        elif timeout > 0:
            time.sleep(timeout)
        for each in [each for each in self.children if each._child.code is not None]:
            self.children.remove(each)
            self.loop.call_soon(each.ended)
        return found


def _getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    if isinstance(host, bytes):
        host = host.decode()
    if isinstance(port, (str, bytes)):
        name = port if isinstance(port, str) else port.decode()
        known = {"http": 80, "https": 443}
        if not name.isdigit() and name not in known:
            raise socket.gaierror(socket.EAI_SERVICE, "Servname not supported for ai_socktype")
        port = known.get(name) or int(name)
    numbers = host and re.fullmatch(r"[\d.]+|[\da-fA-F:.]*:[\da-fA-F:.]*", host)
    if host and not numbers and not _own_host.match(host):
        raise socket.gaierror(socket.EAI_NONAME, _elsewhere + host)
    any_host = {socket.AF_INET: "0.0.0.0", socket.AF_INET6: "::"}
    own_host = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
    found = socket.AF_INET6 if numbers and ":" in host else family or socket.AF_INET
    if not host:
        host = (any_host if flags & socket.AI_PASSIVE else own_host)[found]
    elif not numbers:
        host = own_host[found]
    address = (host, port or 0) if found == socket.AF_INET else (host, port or 0, 0, 0)
    return [(socket.AddressFamily(found), socket.SOCK_STREAM, 6, "", address)]


def _gethostbyname(name):
    return _getaddrinfo(name, 0, socket.AF_INET)[0][4][0]


def _gethostbyaddr(name):
    if not _own_host.match(name):
        raise socket.herror(1, "Unknown host")
    return "localhost", [], [_gethostbyname(name)]


# Constants of settings without an effect here, with Linux's numbers.
for _name, _number in {
    "SO_DEBUG": 1,
    "SO_REUSEADDR": 2,
    "SO_BROADCAST": 6,
    "SO_SNDBUF": 7,
    "SO_RCVBUF": 8,
    "SO_KEEPALIVE": 9,
    "SO_OOBINLINE": 10,
    "SO_LINGER": 13,
    "SO_REUSEPORT": 15,
    "SO_RCVTIMEO": 20,
    "SO_SNDTIMEO": 21,
    "SOMAXCONN": 4096,
    "TCP_NODELAY": 1,
    "TCP_KEEPIDLE": 4,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 6,
    "IPPROTO_IPV6": 41,
    "IPV6_V6ONLY": 26,
}.items():
    if not hasattr(socket, _name):
        setattr(socket, _name, _number)

# urllib3 can use sockets here; on this platform it would use JavaScript instead.
_urllib3 = types.ModuleType("urllib3.contrib.emscripten")
_urllib3.inject_into_urllib3 = lambda: None
sys.modules[_urllib3.__name__] = _urllib3


def _socketpair(*given):
    with _Socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        one = _Socket()
        one.connect(server.getsockname())
        return one, server.accept()[0]


_Socket.__name__ = _Socket.__qualname__ = "socket"
_Socket.__module__ = "socket"
socket.socket = socket.SocketType = _Socket
socket.getaddrinfo, socket.gethostbyname, socket.gethostbyaddr = _getaddrinfo, _gethostbyname, _gethostbyaddr
socket.gethostbyname_ex = lambda name: (name, [], [_gethostbyname(name)])
socket.getnameinfo = lambda address, flags: (address[0], str(address[1]))
socket.socketpair, socket.gethostname = _socketpair, lambda: "localhost"
socket.has_dualstack_ipv6 = lambda: False
select.select = _select_many
selectors.DefaultSelector = selectors.SelectSelector = selectors.PollSelector = _Selector
