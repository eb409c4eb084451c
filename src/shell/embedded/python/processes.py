# `subprocess`, `os.system` and `time.sleep`, on top of the shell: this Python's `os.system` passes its text to the shell, and the
# answer is read from a device. The C function waits for the answer if the browser can make WebAssembly wait.
import base64, errno, io, shlex, signal, subprocess, threading

# Pyodide's own `sleep` waits for JavaScript.
_hand_over, _start_sleep = os.system, time.sleep.__wrapped__
_device = "/dev/vibey"
_waits = False


def _ask(**request):
    """The answer's first line, and the bytes after it."""
    if not _waits:
        raise OSError(errno.ENOTSUP, "Python can't wait for other commands in this browser; run the command from the shell, or use Chrome or Edge")
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
    told = json.loads(head)
    if "error" in told:
        raise OSError(errno.EAGAIN, told["error"])
    return told, body


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


def _read_input(stream):
    """All of a file, or of what another child printed."""
    stream = getattr(stream, "buffer", stream)
    return stream.read() if isinstance(getattr(stream, "raw", None), _Output) else _read_all(_descriptor(stream))


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
            data = _read_input(stdin)
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
        told, body = _ask(op="wait", ids=running, ms=None if seconds is None else min(max(0, seconds), threading.TIMEOUT_MAX) * 1000)
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
    if not _waits or not isinstance(seconds, (int, float)) or not seconds > 0:
        return _start_sleep(seconds)
    if seconds > threading.TIMEOUT_MAX:
        raise OverflowError("timestamp too large to convert to C PyTime_t")
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        _ask(op="wait", ids=[], ms=left * 1000)


# Signals that end a program without a handler for them.
_ends_by = {signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM}
_set_signal, _get_signal = signal.signal, signal.getsignal


def _end_by_signal(number, frame, _exit=os._exit):
    _exit(128 + number)


def _shown_handler(handler):
    return signal.SIG_DFL if handler is _end_by_signal else handler


def _signal(number, handler):
    """Sets the handler for the signal, and returns the previous one."""
    given = _end_by_signal if handler == signal.SIG_DFL and number in _ends_by else handler
    return _shown_handler(_set_signal(number, given))


for _number in _ends_by:
    _set_signal(_number, _end_by_signal)


def _prepare_processes(waits):
    global _waits
    _waits = waits
    signal.signal, signal.getsignal = _signal, lambda number: _shown_handler(_get_signal(number))
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
