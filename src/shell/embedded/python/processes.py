# `subprocess`, `os.system`, `time.sleep` and the processes of `asyncio`, over the shell: `os.system` of this Python hands its text to the shell, and the
# answer is read from a device. The C function waits for it, where the browser can let WebAssembly wait.
import base64, errno, io, shlex, signal, subprocess, threading

# Pyodide's own `sleep` waits for JavaScript.
_hand_over, _start_sleep = os.system, time.sleep.__wrapped__
_device = "/dev/vibey"
_waits = False


def _ask(**request):
    """The answer's first line, and the bytes after it."""
    if not _waits:
        raise OSError(errno.ENOTSUP, "this browser can't let Python wait for another command; run it from the shell, or use Chrome or Edge")
    left = _hand_over(json.dumps(request))
    if left < 0:
        raise OSError(errno.EIO, "the shell does not answer")
    parts = []
    device = os.open(_device, os.O_RDONLY)
    try:
        while left > 0 and (part := os.read(device, left)):
            parts.append(part)
            left -= len(part)
    finally:
        os.close(device)
    head, _, body = b"".join(parts).partition(b"\n")
    return json.loads(head), body


def _write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data) :]


def _read_all(descriptor):
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _descriptor(stream):
    return stream if isinstance(stream, int) else stream.fileno()


def _flush_streams():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass


class _Child:
    """A command of the shell. It begins when its input is known, and what it prints is there when it has ended."""

    children = {}

    def __init__(self, words, cwd, env, streams, shell=False):
        self.cwd = os.fspath(cwd) if cwd is not None else os.getcwd()
        if isinstance(self.cwd, bytes):
            self.cwd = os.fsdecode(self.cwd)
        if not os.path.isdir(self.cwd):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.cwd)
        self.cwd = os.path.abspath(self.cwd)
        self.env = {os.fsdecode(name): os.fsdecode(value) for name, value in (os.environ if env is None else env).items()}
        self.words = [os.fsdecode(os.fspath(word)) for word in words]
        self.streams = streams
        self.id = self.code = None
        self.killed = 0
        self.outputs = {1: b"", 2: b""}
        if not shell:
            self._find()

    def _find(self):
        name = self.words[0]
        if name == sys.executable:
            return
        if "/" in name and not name.startswith(("/bin/", "/usr/bin/", "/usr/local/bin/")):
            if not os.path.exists(os.path.join(self.cwd, name)):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
            if not os.access(os.path.join(self.cwd, name), os.X_OK) or os.path.isdir(os.path.join(self.cwd, name)):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
            return
        start, _ = _ask(op="start", command=f"type -P -- {shlex.quote(name)}", cwd=self.cwd, env=self.env, input="")
        if _ask(op="wait", ids=[start["id"]])[0].get("code") != 0:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)

    def start(self, data=b""):
        if self.id is not None:
            return
        _flush_streams()
        stdin = self.streams[0]
        if stdin not in (None, subprocess.PIPE, subprocess.DEVNULL):
            data = _read_all(_descriptor(stdin))
        words = ["python3" if self.words[0] == sys.executable else self.words[0], *self.words[1:]]
        command = shlex.join(words) + (" 2>&1" if self.streams[2] == subprocess.STDOUT else "")
        request = {"command": command, "cwd": self.cwd, "env": self.env, "input": base64.b64encode(data).decode()}
        if self.streams[1] not in (None, subprocess.DEVNULL):
            request["output"] = "bytes"
        self.id = _ask(op="start", **request)[0]["id"]
        _Child.children[self.id] = self

    def wait(self, seconds=None):
        """Its exit code; None when it still runs after so many seconds."""
        self.start()
        _Child.wait_for_any([self], seconds)
        return self.code

    @staticmethod
    def wait_for_any(children, seconds):
        running = [child.id for child in children if child.code is None and child.id is not None]
        if children and not running:
            return
        told, body = _ask(op="wait", ids=running, ms=None if seconds is None else max(0, seconds) * 1000)
        if told["id"]:
            _Child.children.pop(told["id"])._ended(told, body)

    def _ended(self, told, body):
        outputs = {1: body[: told["out"]], 2: body[told["out"] :]}
        for number, data in outputs.items():
            stream = self.streams[number]
            if stream == subprocess.PIPE:
                self.outputs[number] = data
            elif stream not in (subprocess.DEVNULL, subprocess.STDOUT):
                _write_all(number if stream is None else _descriptor(stream), data)
        self.code = -self.killed if self.killed else told["code"]

    def kill(self, number):
        if self.code is not None or number == 0:
            return
        self.killed = int(number)
        if self.id is None:
            self.code = -self.killed
        else:
            _ask(op="kill", ids=[self.id])


class _Input(io.RawIOBase):
    """What is written to a child; closed, it lets the child begin."""

    def __init__(self, child):
        self.child, self.data = child, io.BytesIO()

    def writable(self):
        return True

    def write(self, data):
        if self.closed:
            raise ValueError("write to closed file")
        return self.data.write(data)

    def close(self):
        if not self.closed:
            super().close()
            self.child.start(self.data.getvalue())


class _Output(io.RawIOBase):
    """What a child printed. To read waits for its end."""

    def __init__(self, child, number, before):
        self.child, self.number, self.at, self.before = child, number, 0, before

    def readable(self):
        return True

    def readinto(self, buffer):
        self.before()
        while self.child.wait() is None:
            pass
        data = self.child.outputs[self.number][self.at : self.at + len(buffer)]
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


def _get_handles(self, stdin, stdout, stderr):
    self._streams = [stdin, stdout, stderr]
    return (-1,) * 6


def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell, *others):
    if preexec_fn is not None:
        raise subprocess.SubprocessError("preexec_fn can't be used here: no process is made")
    words = [args] if isinstance(args, (str, bytes, os.PathLike)) else list(args)
    if shell:
        words = ["/bin/sh", "-c", *words]
    if executable is not None:
        words[0] = executable
    self._child = child = _Child(words, cwd, env, self._streams, shell)
    self.args, self._child_created = args, True
    _Popen_pids[0] += 1
    self.pid = _Popen_pids[0]
    stdin, stdout, stderr = self._streams

    def text(stream, **settings):
        if not self.text_mode:
            return stream
        return io.TextIOWrapper(stream, encoding=self.encoding or "utf-8", errors=self.errors, **settings)

    if stdin == subprocess.PIPE:
        self.stdin = text(io.BufferedWriter(_Input(child)), write_through=True)
    else:
        child.start()

    def close_input():
        if self.stdin and not self.stdin.closed:
            self.stdin.close()

    if stdout == subprocess.PIPE:
        self.stdout = text(io.BufferedReader(_Output(child, 1, close_input)))
    if stderr == subprocess.PIPE:
        self.stderr = text(io.BufferedReader(_Output(child, 2, close_input)))


_Popen_pids = [4400]


def _communicate(self, data, endtime, timeout):
    if self.stdin and not self.stdin.closed:
        if data:
            self.stdin.write(data)
        self.stdin.close()
    if self._child.wait(None if endtime is None else self._remaining_time(endtime)) is None:
        raise subprocess.TimeoutExpired(self.args, timeout)
    self.returncode = self._child.code
    return tuple(stream.read() if stream else None for stream in (self.stdout, self.stderr))


def _wait(self, timeout=None):
    if self.returncode is None:
        if self.stdin and not self.stdin.closed:
            self.stdin.close()
        if self._child.wait(timeout) is None and timeout is not None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        self.returncode = self._child.code
    return self.returncode


def _poll(self, *others, **named):
    if self.returncode is None and self._child.id is not None:
        self._child.wait(0)
    if self.returncode is None:
        self.returncode = self._child.code
    return self.returncode


def _send_signal(self, number):
    if self.poll() is None:
        self._child.kill(number)


def _system(command):
    child = _Child(["/bin/sh", "-c", command], None, None, [None, None, None], True)
    while child.wait() is None:
        pass
    return child.code << 8


def _sleep(seconds, /):
    if not _waits or not seconds > 0:
        return _start_sleep(seconds)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        _ask(op="wait", ids=[], ms=left * 1000)


class _Transport(asyncio.SubprocessTransport):
    """A child of `asyncio`: its protocol hears everything when the child has ended."""

    def __init__(self, loop, protocol, words, cwd, env, streams, shell):
        super().__init__({"subprocess": None})
        self._loop, self._protocol, self._streams = loop, protocol, streams
        self._child = _Child(words, cwd, env, streams, shell)
        _Popen_pids[0] += 1
        self._pid, self._closed = _Popen_pids[0], False
        self._pipes = {number: _Reading() for number in (1, 2) if streams[number] == subprocess.PIPE}
        if streams[0] == subprocess.PIPE:
            self._pipes[0] = _Writing(loop, self)
        protocol.connection_made(self)
        if streams[0] != subprocess.PIPE:
            self.begin(b"")

    def begin(self, data):
        if self._child.id is None and self._child.code is None:
            self._child.start(data)
        if self not in self._loop.children:
            self._loop.children.append(self)

    def ended(self):
        protocol, child = self._protocol, self._child
        for number in (1, 2):
            if number in self._pipes:
                if child.outputs[number]:
                    protocol.pipe_data_received(number, child.outputs[number])
                protocol.pipe_connection_lost(number, None)
        if 0 in self._pipes:
            protocol.pipe_connection_lost(0, None)
        protocol.process_exited()
        self._closed = True
        protocol.connection_lost(None)

    async def _wait(self):
        while self._child.code is None:
            if 0 in self._pipes:
                self._pipes[0].close()
            await asyncio.sleep(0.005)
        return self._child.code

    def get_pid(self):
        return self._pid

    def get_returncode(self):
        return self._child.code

    def get_pipe_transport(self, number):
        return self._pipes.get(number)

    def get_protocol(self):
        return self._protocol

    def set_protocol(self, protocol):
        self._protocol = protocol

    def is_closing(self):
        return self._closed

    def send_signal(self, number):
        if self._child.code is not None:
            raise ProcessLookupError()
        self._child.kill(number)
        self.begin(b"")

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def close(self):
        if not self._closed and self._child.code is None and self._child.id is not None:
            self._child.kill(signal.SIGKILL)


class _Reading(asyncio.ReadTransport):
    def pause_reading(self):
        pass

    def resume_reading(self):
        pass

    def close(self):
        pass

    def is_closing(self):
        return False


class _Writing(asyncio.WriteTransport):
    def __init__(self, loop, transport):
        super().__init__()
        self._loop, self._transport, self._data, self._closed = loop, transport, [], False

    def write(self, data):
        self._data.append(bytes(data))

    def can_write_eof(self):
        return True

    def write_eof(self):
        self.close()

    def get_write_buffer_size(self):
        return 0

    def is_closing(self):
        return self._closed

    def close(self):
        if not self._closed:
            self._closed = True
            self._transport.begin(b"".join(self._data))

    abort = close


async def _make_subprocess_transport(self, protocol, args, shell, stdin, stdout, stderr, bufsize, cwd=None, env=None, executable=None, **others):
    words = ["/bin/sh", "-c", args] if shell else list(args)
    if executable is not None:
        words[0] = executable
    return _Transport(self, protocol, words, cwd, env, [stdin, stdout, stderr], shell)


def _select(self, timeout):
    """Waits for time, and for children: nothing else can happen."""
    running = [each._child for each in self.children]
    if timeout is None and not running:
        raise RuntimeError("the event loop waits for something that can't happen here")
    if running:
        _Child.wait_for_any(running, timeout)
    elif timeout > 0:
        time.sleep(timeout)
    for each in [each for each in self.children if each._child.code is not None]:
        self.children.remove(each)
        self.call_soon(each.ended)
    return []


def _no_thread(self):
    raise RuntimeError("can't start new thread: there are no threads in this Python; call the function itself, or use asyncio")


def _no_fork():
    raise OSError(errno.ENOTSUP, "Python can't fork here; run another program with subprocess")


def _no_process(self, *others, **named):
    raise OSError(errno.ENOTSUP, "multiprocessing can't start processes here; call the function in a loop, or run another program with subprocess")


class _Patched:
    """Loads a module of the standard library, and changes it before anyone sees it."""

    patches = {}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in cls.patches:
            return None
        for finder in sys.meta_path:
            if finder is not cls and (spec := finder.find_spec(name, path, target)) is not None:
                spec.loader = cls(spec.loader, cls.patches[name])
                return spec
        return None

    def __init__(self, loader, patch):
        self.loader, self.patch = loader, patch

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.patch(module)


def _patch_process_pool(module):
    module.ProcessPoolExecutor.__init__ = _no_process


def _patch_context(module):
    for name in ("Pool", "Manager", "Queue", "SimpleQueue", "JoinableQueue", "Pipe", "Lock", "Event", "Value", "Array"):
        setattr(module.BaseContext, name, _no_process)
    module.process.BaseProcess.start = _no_process


_Patched.patches["multiprocessing.context"] = _patch_context
_Patched.patches["concurrent.futures.process"] = _patch_process_pool


def _prepare_processes(waits):
    global _waits
    _waits = waits
    sys.executable = "/usr/bin/python3"
    os.system, time.sleep = _system, _sleep
    os.fork = _no_fork
    threading.Thread.start = _no_thread
    sys.meta_path.insert(0, _Patched)


subprocess._can_fork_exec = True
for _name, _function in {
    "_get_handles": _get_handles,
    "_execute_child": _execute_child,
    "_communicate": _communicate,
    "_wait": _wait,
    "wait": _wait,
    "_internal_poll": _poll,
    "poll": _poll,
    "send_signal": _send_signal,
}.items():
    setattr(subprocess.Popen, _name, _function)
_Loop._make_subprocess_transport, _Loop.select = _make_subprocess_transport, _select
