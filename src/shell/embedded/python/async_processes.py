# The processes of `asyncio`; runs after processes.py.


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


_Loop._make_subprocess_transport = _make_subprocess_transport
