# Runs one program in a new Python, which ends with the program's exit code.
import asyncio, atexit, builtins, io, json, linecache, os, random, runpy, sys, time, traceback, types

_start_modules = [name for name in sys.modules if name.split(".")[0] in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core")]


class _Loop(asyncio.selector_events.BaseSelectorEventLoop):
    """Waits for time, for children, and for sockets; no thread ever wakes it."""

    def __init__(self):
        selector = _LoopSelector()
        super().__init__(selector)
        selector.loop, self.children = self, selector.children

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass

    async def getaddrinfo(self, host, port, *, family=0, type=0, proto=0, flags=0):
        return socket.getaddrinfo(host, port, family, type, proto, flags)

    async def getnameinfo(self, address, flags=0):
        return socket.getnameinfo(address, flags)

    def add_signal_handler(self, number, callback, *args):
        signal.signal(number, lambda *others: self.call_soon(callback, *args))

    def remove_signal_handler(self, number):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        return True


class _Loops(asyncio.events._AbstractEventLoopPolicy):
    """One loop, which is there when it is asked for."""

    _loop = None

    def get_event_loop(self):
        if self._loop is None:
            raise RuntimeError("There is no current event loop in thread 'MainThread'.")
        return self._loop

    def set_event_loop(self, loop):
        self._loop = loop

    def new_event_loop(self):
        return _Loop()


def _hide_javascript():
    """No boundary (that is outside of Python), but a plain error for a program that looks for it."""
    for name in _start_modules:
        del sys.modules[name]
    for name in ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "_ctypes"):
        sys.modules[name] = None
    sys.meta_path[:] = [finder for finder in sys.meta_path if "pyodide" not in getattr(finder, "__module__", type(finder).__module__)]


def _drop_own_frames(error, seen):
    """What this file does for a program is not in its tracebacks."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    frames = []
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename != "<vibey>":
            frames.append(step)
        step = step.tb_next
    for step, following in zip(frames, [*frames[1:], None]):
        step.tb_next = following
    error.__traceback__ = frames[0] if frames else None
    _drop_own_frames(error.__cause__, seen)
    _drop_own_frames(error.__context__, seen)


def _prepare(argv, cwd, env, site):
    _hide_javascript()
    asyncio.events._set_event_loop_policy(_Loops())
    asyncio.events._set_running_loop(None)
    # Removes Pyodide's wrapper, which waits for JavaScript.
    asyncio.run = asyncio.run.__wrapped__
    random.seed()
    sys.argv = argv
    sys.path[:] = [*(entry for entry in env.get("PYTHONPATH", "").split(":") if entry), *(entry for entry in sys.path if entry), site]
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.excepthook = sys.__excepthook__
    sys.displayhook = sys.__displayhook__
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    for name, descriptor, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        raw = io.open(descriptor, mode + "b", buffering=-1 if mode == "r" else 0, closefd=False)
        if mode == "r":
            stream = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape")
        else:
            errors = "backslashreplace" if name == "stderr" else "strict"
            stream = io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors=errors, line_buffering=True)
        stream.mode = mode
        setattr(sys, name, stream)
        setattr(sys, "__" + name + "__", stream)


def _print_exception(error):
    _drop_own_frames(error, set())
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in ("<vibey>", "<frozen runpy>"):
        frames = frames.tb_next
    hook = sys.excepthook
    if hook is not sys.__excepthook__:
        hook(type(error), error, frames)
    else:
        traceback.print_exception(type(error), error, frames)


def _exit_code(error):
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _run(call, _exit=os._exit):
    """`call`: JSON; `kind`: "code", "file", "module". Its file name keeps its frames out of tracebacks."""
    code, main = 0, types.ModuleType("__main__")
    call = json.loads(call)
    kind, target, cwd = call["kind"], call["program"], call["cwd"]
    try:
        _prepare(call["argv"], cwd, call["env"], call["site"])
        _prepare_processes(call["waits"])
        main.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = main
        if kind == "module":
            sys.path.insert(0, cwd)
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        elif kind == "file" and os.path.isdir(target):
            runpy.run_path(target, run_name="__main__")
        else:
            if kind == "file":
                with open(target, "rb") as file:
                    source = file.read()
                name = main.__file__ = os.path.abspath(target)
                sys.path.insert(0, os.path.dirname(name))
            else:
                source, name = target, "<string>" if kind == "code" else "<stdin>"
                sys.path.insert(0, "")
                linecache.cache[name] = (len(source), None, source.splitlines(True), name)
            exec(compile(source, name, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        code = _exit_code(error)
    except MemoryError:
        # Frees the program's objects first, because printing a message takes memory.
        code, main = 1, main.__dict__.clear()
    except BaseException as error:
        code = 130 if isinstance(error, KeyboardInterrupt) else 1
        _print_exception(error)
    if main is None:
        print("MemoryError: a program may take 512 MB here", file=sys.stderr)
    try:
        atexit._run_exitfuncs()
    except SystemExit as error:
        code = _exit_code(error)
    except BaseException:
        pass  # atexit has already printed the error.
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except BaseException:
            code = code or 120  # Python does the same.
    _exit(code)
