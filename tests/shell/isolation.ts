/** Something that a command leaves behind, and how another command looks for it. */
export interface Plant {
  readonly name: string;
  readonly plant: string;
  readonly look: string;
  /** The output of the look if nothing was planted. */
  readonly clean: string;
  /** Its output in the same dialog, if that dialog may know of the plant. */
  readonly sameDialog?: string;
  /** Also runs in `npm test`. */
  readonly always?: boolean;
}

const python = (code: string): string => `python3 - <<'EOF'\n${code}\nEOF`;
const dumps = { look: python("import json; print(json.dumps([1]))"), clean: "[1]\n" };

export const plants: readonly Plant[] = [
  { name: "a patched json.dumps", plant: python('import json; json.dumps = lambda *_: "planted"'), ...dumps, always: true },
  { name: "a patched builtin", plant: python("import builtins; builtins.len = lambda _: 7"), look: python("print(len([]))"), clean: "0\n" },
  {
    name: "a hooked io.open",
    plant: python("import io; io.open = print"),
    look: python("import io; print(io.open is open)"),
    clean: "True\n",
  },
  {
    name: "a method of a class of the standard library",
    plant: python('import pathlib; pathlib.Path.exists = lambda _: "planted"'),
    look: python('import pathlib; print(pathlib.Path("/none").exists())'),
    clean: "False\n",
  },
  {
    name: "code of a function, exchanged in place",
    plant: python('import json\ndef f(*a, **k): return "planted"\njson.dumps.__code__ = f.__code__; json.dumps.__kwdefaults__ = None'),
    ...dumps,
  },
  {
    name: "a module in site-packages",
    plant: python(
      'import site, sys\nfor folder in [*sys.path, "/lib/python3.14/site-packages"]:\n    try: open(folder + "/planted.py", "w").write("")\n    except (OSError, TypeError): pass\nimport os\nfor f in ("planted.py",):\n    if os.path.exists(f): os.remove(f)',
    ),
    look: python('import importlib.util; print(importlib.util.find_spec("planted"))'),
    clean: "None\n",
    always: true,
  },
  {
    name: "a module that was never a file",
    plant: python('import sys, types; sys.modules["planted"] = types.ModuleType("planted")'),
    look: python('import sys; print("planted" in sys.modules)'),
    clean: "False\n",
  },
  {
    name: "an import hook",
    plant: python(
      'import sys; sys.meta_path.insert(0, type("Finder", (), {"find_spec": lambda *a: None})()); sys.path_hooks.insert(0, print)',
    ),
    // The number of hooks depends on the host.
    look: python('import sys; print(any(type(one).__name__ == "Finder" for one in sys.meta_path), print in sys.path_hooks)'),
    clean: "False False\n",
  },
  {
    name: "an audit hook",
    plant: python('import sys; sys.addaudithook(lambda event, _: event == "open" and sys.stdout.write("planted"))'),
    look: python('open("/tmp/audit", "w").close(); print("clean")'),
    clean: "clean\n",
  },
  {
    name: "something at the end of the next program",
    plant: python(
      'import atexit, sys; sys.unraisablehook = print; atexit._clear(); import threading; threading._register_atexit(print, "planted")',
    ),
    look: python('print("clean")'),
    clean: "clean\n",
  },
  {
    name: "an object that acts when it is collected",
    plant: python('import gc\nclass P:\n    def __del__(self): open("/tmp/collected", "w")\np = P(); p.p = p; gc.disable()'),
    look: python("import gc, os; print(gc.isenabled())"),
    clean: "True\n",
  },
  {
    name: "a task of an event loop",
    plant: python(
      'import asyncio\nasync def later():\n    await asyncio.sleep(0.01); open("/tmp/later", "w").close()\nloop = asyncio.new_event_loop(); loop.create_task(later())',
    ),
    look: `sleep 0.05; ls /tmp/later 2>/dev/null; echo clean`,
    clean: "clean\n",
  },
  {
    name: "a signal's handler",
    plant: python("import signal; signal.signal(2, print)"),
    look: python("import signal; print(signal.getsignal(2) is print)"),
    clean: "False\n",
  },
  {
    name: "the environment",
    plant: python('import os; os.environ["PLANTED"] = "1"; os.putenv("PLANTED", "1")'),
    look: python('import os; print(os.environ.get("PLANTED"))'),
    clean: "None\n",
  },
  {
    name: "the seed of random",
    plant: python("import random; random.seed(1); random.random = lambda: 7"),
    look: python("import random; print(random.random() == 7)"),
    clean: "False\n",
  },
  {
    name: "a file in /tmp",
    plant: "echo planted > /tmp/x",
    look: "cat /tmp/x 2>/dev/null; echo clean",
    clean: "clean\n",
    sameDialog: "planted\nclean\n",
    always: true,
  },
  {
    name: "a file of Python's in /tmp",
    plant: python('open("/tmp/y", "w").write("planted")'),
    look: "ls /tmp | grep y; echo clean",
    clean: "clean\n",
    sameDialog: "y\nclean\n",
  },
  {
    name: "a folder at the root",
    plant: "mkdir -p /opt/planted",
    look: "ls -d /opt/planted 2>/dev/null; echo clean",
    clean: "clean\n",
    sameDialog: "/opt/planted\nclean\n",
  },
  {
    name: "a command in a folder of PATH",
    plant: 'mkdir -p /tmp/bin; printf "echo planted\\n" > /tmp/bin/ls; chmod +x /tmp/bin/ls; export PATH=/tmp/bin:$PATH',
    look: "echo $PATH",
    clean: "/usr/bin:/bin\n",
    sameDialog: "/tmp/bin:/usr/bin:/bin\n",
    always: true,
  },
  {
    name: "a function, an alias, an option",
    plant: 'ls() { echo planted; }; alias cat="echo planted"; set -f; shopt -s nullglob',
    look: "type -t ls; echo $-",
    clean: "file\nhBs\n",
  },
  {
    name: "an exported variable",
    plant: "export GIT_CONFIG_GLOBAL=/tmp/g PYTHONPATH=/tmp",
    look: "echo [$GIT_CONFIG_GLOBAL$PYTHONPATH]",
    clean: "[]\n",
    sameDialog: "[/tmp/g/tmp]\n",
  },
  {
    name: "a prototype of node's",
    plant: "node -e 'Array.prototype.map = () => \"planted\"; globalThis.planted = 1; JSON.stringify = () => 1'",
    look: "node -p '[typeof planted, JSON.stringify([1].map(String))].join()'",
    clean: 'undefined,["1"]\n',
    always: true,
  },
  {
    name: "a module of node's",
    plant: 'node -e \'require("fs").readFileSync = () => "planted"; require.cache.planted = 1\'',
    look: 'echo a > /tmp/f; node -p \'require("fs").readFileSync("/tmp/f", "utf8").trim() + ("planted" in require.cache)\'',
    clean: "afalse\n",
  },
  {
    name: "a timer of node's",
    plant: 'node -e \'setTimeout(() => require("fs").writeFileSync("/tmp/timer", ""), 20); process.exit(0)\'',
    look: "sleep 0.05; ls /tmp/timer 2>/dev/null; echo clean",
    clean: "clean\n",
  },
  {
    name: "a table of sqlite's",
    plant: "sqlite3 :memory: 'create table planted(a)'",
    look: "sqlite3 :memory: .tables; echo clean",
    clean: "clean\n",
    always: true,
  },
  {
    name: "a prototype through jq",
    plant:
      "echo '{}' | jq '.__proto__.planted = 1' > /dev/null; echo '{}' | jq 'setpath([\"__proto__\", \"planted\"]; 1)' > /dev/null; true",
    look: "echo '{}' | jq -c '.planted'",
    clean: "null\n",
  },
  {
    name: "a variable of awk's",
    plant: "awk 'BEGIN { a[\"__proto__\"] = 1; x = 1 }'",
    look: 'awk \'BEGIN { print "[" x "]", length(a) }\'',
    clean: "[] 0\n",
  },
];

/** Attempts of a program to reach JavaScript. Each sets `vibeyReached` if it succeeds. */
export interface Reach {
  readonly code: string;
  readonly always?: boolean;
}

const made = "globalThis.vibeyReached = 1";
const core = `import importlib.machinery as m, importlib.util as u\ns = m.BuiltinImporter.find_spec("_pyodide_core"); core = u.module_from_spec(s); s.loader.exec_module(core)`;

export const pythonReaches: readonly Reach[] = [
  { code: `import js\njs.setTimeout.constructor("${made}")()`, always: true },
  { code: `import js\njs.eval("${made}")` },
  { code: `import pyodide_js` },
  { code: `from pyodide.code import run_js\nrun_js("${made}")`, always: true },
  { code: `from pyodide.ffi import to_js\nto_js([]).constructor.constructor("${made}")()` },
  { code: `from pyodide.ffi import run_js\nrun_js("${made}")` },
  { code: `import _pyodide_core\n_pyodide_core.create_proxy(print).constructor("${made}")()` },
  {
    code: `import sys\nfor n in ("js", "pyodide", "pyodide_js", "_pyodide_core", "_pyodide"): del sys.modules[n]\nimport js\njs.eval("${made}")`,
  },
  {
    code: `import sys\nfor n in ("js", "pyodide", "pyodide_js", "_pyodide_core", "_pyodide"): del sys.modules[n]\nfrom pyodide.ffi import to_js\nto_js([]).constructor.constructor("${made}")()`,
    always: true,
  },
  { code: `${core}\ncore.create_proxy(print).constructor("${made}")()`, always: true },
  { code: `${core}\ncore.create_once_callable(print).constructor("${made}")()` },
  { code: `${core}\ncore.to_js([1]).constructor.constructor("${made}")()` },
  { code: `${core}\ncore.run_js("${made}")` },
  { code: `import ctypes\nctypes.CDLL(None).emscripten_run_script(b"${made}")`, always: true },
  { code: `import sys\ndel sys.modules["_ctypes"]\nimport ctypes\nctypes.CDLL(None).emscripten_run_script(b"${made}")`, always: true },
  { code: `import sys\ndel sys.modules["_ctypes"]\nimport ctypes\nctypes.pythonapi.emscripten_run_script(b"${made}")` },
  { code: `import sys\ndel sys.modules["_ctypes"]\nimport ctypes\nf = ctypes.CFUNCTYPE(None)(print)\nf()` },
  {
    code: `import _imp, importlib.machinery as m\nopen("/tmp/x.so", "wb").write(b"\\0asm\\1\\0\\0\\0")\n_imp.create_dynamic(m.ModuleSpec("x", None, origin="/tmp/x.so"))`,
  },
  {
    code: `import gc\nfound = 0\nfor o in gc.get_objects():\n    if type(o).__module__ == "pyodide.ffi" and type(o).__name__ == "JsProxy":\n        found += 1\n        o.constructor.constructor("${made}")()\nif not found: raise SystemExit(1)`,
  },
  {
    code: `import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\nf.f_globals["_pyodide_core"].create_proxy(print).constructor("${made}")()`,
  },
  {
    code: `import gc, types\nfor o in gc.get_objects():\n    if isinstance(o, types.BuiltinFunctionType) and o.__name__ in ("run_js", "eval_js"): o("${made}"); break\nelse: raise SystemExit(1)`,
  },
];

export const sandboxReaches: readonly Reach[] = [
  { code: `echo '{}' | jq '.constructor.constructor'`, always: true },
  { code: `echo '{}' | jq 'getpath(["constructor","constructor"])("${made}")'` },
  { code: `awk 'BEGIN { f = "constructor"; @f("${made}") }'` },
  { code: `node -e 'Function("${made}")(); (async () => {}).constructor("${made}")(); eval("${made}")'`, always: true },
  { code: `node -e 'require("vm").runInThisContext("${made}")'` },
  { code: `node --input-type=module -e 'import("data:text/javascript,${made}")'` },
  { code: `sqlite3 :memory: "select load_extension('x')"` },
];
