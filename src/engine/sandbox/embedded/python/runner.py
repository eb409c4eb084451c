# Runs one program in the interpreter that is kept: as a fresh Python would, as far as can be seen from the program.
import atexit, builtins, gc, io, linecache, os, runpy, sys, traceback, types, warnings

_kept_modules = set(sys.modules)
_kept_path = [entry for entry in sys.path if entry]
_kept_filters = list(warnings.filters)
_kept_builtins = dict(builtins.__dict__)
_kept_limit = sys.getrecursionlimit()


def _reset(argv, cwd, env):
    for name in list(sys.modules):
        if name not in _kept_modules:
            del sys.modules[name]
    builtins.__dict__.clear()
    builtins.__dict__.update(_kept_builtins)
    warnings.filters[:] = _kept_filters
    sys.setrecursionlimit(_kept_limit)
    sys.argv = argv
    sys.path[:] = _kept_path
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.settrace(None)
    sys.setprofile(None)
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


def _run(kind, target, argv, cwd, env):
    """kind: "code", "file", "module"; returns the exit code. Its file name keeps its frames out of tracebacks."""
    code = 0
    try:
        _reset(list(argv), cwd, dict(env))
        main = types.ModuleType("__main__")
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
    except BaseException as error:
        code = 130 if isinstance(error, KeyboardInterrupt) else 1
        _print_exception(error)
    try:
        atexit._run_exitfuncs()
    except SystemExit as error:
        code = _exit_code(error)
    except BaseException:
        pass  # atexit has printed it.
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except BaseException:
            code = code or 120  # As Python itself does.
    sys.modules.pop("__main__", None)
    os.chdir("/")
    gc.collect()
    return code
