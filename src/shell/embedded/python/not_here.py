# Makes features that this Python lacks fail with a plain error; runs after processes.py.


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


def _patch_zones(module):
    load = module.load_tzdata

    def load_tzdata(key):
        try:
            return load(key)
        except module.ZoneInfoNotFoundError:
            raise module.ZoneInfoNotFoundError(f"No time zone found with key {key}: if there is one, run pip install tzdata") from None

    module.load_tzdata = load_tzdata


_Patched.patches["zoneinfo._common"] = _patch_zones
_Patched.patches["multiprocessing.context"] = _patch_context
_Patched.patches["concurrent.futures.process"] = _patch_process_pool
