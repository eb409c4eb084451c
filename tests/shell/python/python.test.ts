import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loopbackWorker } from "../loopback.ts";
import { project, type TestProject } from "../project.ts";

let shell: TestProject;
beforeAll(async () => {
  // Python's local time doesn't depend on the machine's time zone.
  vi.stubEnv("TZ", "Asia/Tokyo");
  shell = await project({
    createWorker: loopbackWorker,
    contents: {
      "hello.py": 'import sys\nprint("hello", sys.argv[1:])\n',
      "pkg/__init__.py": "",
      "pkg/tool.py": 'VALUE = 41\ndef add(n):\n    return VALUE + n\nif __name__ == "__main__":\n    print("as main", add(1))\n',
      "use.py": "from pkg.tool import add\nprint(add(1))\n",
      "fails.py": "def inner():\n    raise ValueError('no such thing')\n\ninner()\n",
      "data.json": '{"b": [1, 2], "a": "é"}',
      "test_add.py":
        "import unittest\nfrom pkg.tool import add\n\nclass Adding(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(add(1), 42)\n\n    def test_two(self):\n        self.assertEqual(add(2), 42)\n",
    },
  });
  await shell.run("python3 -c pass", { timeoutMs: 60_000 });
}, 60_000);

afterAll(() => void vi.unstubAllEnvs());

/** A command, its output, part of its error output, and its exit code. */
const commands: readonly (readonly [command: string, stdout: string, exitCode?: number, stderr?: string])[] = [
  ["python3 -c 'print(1 + 1)'", "2\n"],
  ["python -c 'print(\"ü\", 2**100)'", "ü 1267650600228229401496703205376\n"],
  ["python3 hello.py a 'b c'", "hello ['a', 'b c']\n"],
  [
    "python3 -c 'import time\nfor now in (time.time, time.perf_counter, time.monotonic):\n    all = [now() for _ in range(500)]\n    print(all == sorted(set(all)))'",
    "True\nTrue\nTrue\n",
  ],
  ["echo 'print(\"from stdin\")' | python3", "from stdin\n"],
  ["echo 'print(__name__)' | python3 - x", "__main__\n"],
  ["python3 -uc 'import sys; print(1); print(\"e\", file=sys.stderr); print(2)' > log 2>&1 & wait; cat log", "1\ne\n2\n"],
  ["python3 <<'EOF'\nfor i in range(3):\n    print(i)\nEOF", "0\n1\n2\n"],
  ["printf 'a\\nb\\n' | python3 -c 'import sys; print([l.strip() for l in sys.stdin])'", "['a', 'b']\n"],
  ["printf 'x\\n' | python3 -c 'print(input() * 2)'", "xx\n"],
  ["python3 -c 'print(input())' < /dev/null", "", 1, "EOFError"],
  ["python3 use.py", "42\n"],
  [
    `python3 -c 'import time, datetime as d; print(time.localtime(0)[:9], time.tzname, time.timezone, time.mktime((1970, 1, 32, 0, 0, 0, 0, 0, -1)), time.strftime("%H %Z", time.localtime(0)), d.datetime.fromtimestamp(0), d.datetime(2026, 7, 1).timestamp())'`,
    "(1970, 1, 1, 0, 0, 0, 3, 1, 0) ('UTC', 'UTC') 0 2678400.0 00 UTC 1970-01-01 00:00:00 1782864000.0\n",
  ],
  ["python3 -m pkg.tool", "as main 42\n"],
  ["(cd pkg && python3 -c 'import os; print(os.getcwd()); import tool; print(tool.VALUE)')", "/project/pkg\n41\n"],
  ["python3 -c 'import sys; sys.exit(3)'", "", 3],
  ["python3 -c 'import sys; sys.exit(\"bad thing\")'", "", 1, "bad thing\n"],
  ["python3 -c 'raise SystemExit'", ""],
  [
    "python3 fails.py",
    "",
    1,
    'Traceback (most recent call last):\n  File "/project/fails.py", line 4, in <module>\n    inner()\n    ~~~~~^^\n  File "/project/fails.py", line 2, in inner\n    raise ValueError(\'no such thing\')\nValueError: no such thing\n',
  ],
  ["python3 -c 'x ='", "", 1, "SyntaxError: invalid syntax"],
  ["python3 -c '1/0' 2>&1 | tail -1", "ZeroDivisionError: division by zero\n"],
  ["python3 none.py", "", 2, "python3: can't open file '/project/none.py': [Errno 2] No such file or directory\n"],
  ["python3 -m none", "", 1, "No module named none"],
  ["python3 -m json.tool --sort-keys data.json", '{\n    "a": "\\u00e9",\n    "b": [\n        1,\n        2\n    ]\n}\n'],
  ['python3 -c \'import json; print(json.load(open("data.json"))["b"])\'', "[1, 2]\n"],
  ["python3 -m unittest -q 2>&1 | tail -1", "FAILED (failures=1)\n"],
  ["python3 -m unittest test_add.Adding.test_one 2> /dev/null && echo passed", "passed\n"],
  ["X=1 python3 -c 'import os; print(os.environ[\"X\"])'", "1\n"],
  ["python3 -c 'import os; print(os.environ.get(\"X\"))'", "None\n"],
  ["python3 --version", "Python 3.14.2\n"],
  ["python3 -V", "Python 3.14.2\n"],
  ['python3 -c \'import sys; sys.stderr.write("oops\\n"); print("fine")\'', "fine\n", 0, "oops\n"],
  ["python3 -c 'import sys; sys.stdout.buffer.write(bytes([0xff, 0x00, 10]))' | od -An -tx1", " ff 00 0a\n"],
  ["python3 -uc 'print(1)'", "1\n"],
  ["python3 -W ignore -c 'print(2)'", "2\n"],
  ["python3 -z", "", 2, "unknown option -z"],
  ["python3 -i", "", 2, "there is no terminal here"],
  // A program may end with open files.
  [
    'python3 -c \'import sqlite3; c = sqlite3.connect("o.db"); c.execute("create table t(a)"); c.execute("insert into t values (1)"); c.commit()\'; python3 -c \'import sqlite3; c = sqlite3.connect("o.db"); c.execute("update t set a = 2"); c.commit(); raise SystemExit(0)\'; sqlite3 o.db "select a from t"; rm o.db',
    "2\n",
  ],
  [
    'printf abc > o.txt; python3 -c \'f = open("o.txt", "r+b", buffering=0); f.write(b"x"); import builtins; builtins.kept = f\'; cat o.txt; rm o.txt',
    "xbc",
  ],
  [
    'printf abc > o.txt; python3 -c \'import os; f = open("o.txt", "r+b", buffering=0); os.unlink("o.txt"); f.write(b"xyzw"); f.close()\'; ls o.txt 2>/dev/null; echo $?',
    "2\n",
  ],
  ['python3 -c \'import sqlite3; c = sqlite3.connect(":memory:"); print(c.execute("select 1 + 1").fetchone())\'', "(2,)\n"],
  ["python3 -c 'import numpy'", "", 1, "ModuleNotFoundError: No module named 'numpy'"],
  ["python3 -c 'import subprocess; subprocess.run([\"ls\"])'", "", 1, "OSError"],
  [
    "python3 -c 'import urllib.request; urllib.request.urlopen(\"https://example.com\")' 2>&1 | tail -1",
    "urllib.error.URLError: <urlopen error [Errno -2] Python reaches no other host than localhost here; use curl, or fetch in node, for example.com>\n",
  ],
  // In Node, as in some browsers, WebAssembly can't wait.
  [
    "python3 -m http.server 2>&1 | tail -1",
    "OSError: [Errno 138] Python has no sockets in this browser; write the server with node, or use Chrome or Edge\n",
  ],
  [
    "python3 -c 'import zoneinfo; zoneinfo.ZoneInfo(\"Europe/Berlin\")' 2>&1 | tail -1",
    "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Europe/Berlin: if there is one, run pip install tzdata'\n",
  ],
  // Python takes a while to start.
  [
    "timeout -p 5 python3 -c 'import signal, sys\nsignal.signal(15, lambda *a: (print(\"bye\"), sys.exit(4)))\nwhile True: pass'; timeout -p 2 python3 -c 'while True: pass'",
    "bye\n",
    143,
  ],
  ["python3 -c 'import js'", "", 1, "ModuleNotFoundError"],
  ["python3 -c 'import os; os._exit(7)'", "", 7],
  ["python3 -c 'import asyncio; print(asyncio.run(asyncio.sleep(0.01, 5)))'", "5\n"],
  ['python3 -c \'open("/lib/planted.py", "w")\'', "", 1, "Read-only file system"],
  ['python3 -c \'open("big", "wb").truncate(8_000_000_000)\'', "", 1, "File too large"],
  ['python3 -c \'import atexit; atexit.register(print, "bye"); print("hi")\'', "hi\nbye\n"],
  ["python3 -c 'import builtins; builtins.leak = 1'; python3 -c 'leak'", "", 1, "NameError: name 'leak' is not defined"],
  [
    'python3 -c \'import sys; sys.path.append("/x"); import pkg\'; python3 -c \'import sys; print("/x" in sys.path, "pkg" in sys.modules)\'',
    "False False\n",
  ],
];

describe("python3", () => {
  for (const [command, stdout, exitCode = 0, stderr = ""] of commands) {
    test(command, async () => {
      const outcome = await shell.run(command);
      expect(outcome.stdout).toBe(stdout);
      expect(outcome.stderr).toContain(stderr);
      if (stderr === "") expect(outcome.stderr).toBe("");
      expect(outcome.exitCode).toBe(exitCode);
    });
  }

  test("reads and writes the project's files as they are", async () => {
    const { changes, stdout, stderr } = await shell.run(
      `python3 - <<'EOF'
import os, pathlib, shutil
os.makedirs("out", exist_ok=True)
with open("out/a.txt", "w") as f:
    f.write("one\\n")
    f.write("two\\n")
with open("out/a.txt", "a") as f: f.write("three\\n")
with open("out/a.txt", "r+") as f:
    f.seek(4)
    f.write("TWO")
with open("out/b.bin", "wb") as f:
    f.seek(3)
    f.write(b"x")
os.rename("out/b.bin", "out/c.bin")
pathlib.Path("out/d").mkdir()
pathlib.Path("out/d/e.txt").write_text("é")
shutil.copy("hello.py", "out/copied.py")
os.remove("use.py")
print(sorted(os.listdir("out")), os.path.getsize("out/c.bin"), os.path.exists("use.py"))
print(open("out/a.txt").read(), end="")
EOF`,
    );
    expect(stderr).toBe("");
    expect(stdout).toBe("['a.txt', 'c.bin', 'copied.py', 'd'] 4 False\none\nTWO\nthree\n");
    const text = (name: string) => {
      const bytes = changes.find(({ path }) => path === name)?.bytes;
      return bytes ? new TextDecoder().decode(bytes) : bytes;
    };
    expect(text("out/a.txt")).toBe("one\nTWO\nthree\n");
    expect(text("out/c.bin")).toBe("\0\0\0x");
    expect(text("out/d/e.txt")).toBe("é");
    expect(text("use.py")).toBeNull();
    expect(text("out/b.bin")).toBeUndefined();
  });

  test("writes no dialog", async () => {
    const { exitCode, stderr, changes } = await shell.run(
      `python3 -c 'open("vibey/dialog-20260101-000000-x-done.md", "w").write("## User")'`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain("OSError: [Errno 69] Read-only file system");
    expect(changes).toEqual([]);
  });

  test("ends at the time limit with what it had printed", async () => {
    const run = (timeoutMs: number) =>
      shell.run(
        `python3 -c 'print("before", flush=True)
while True: pass'`,
        { timeoutMs },
      );
    let ended = await run(1_000);
    // On a busy machine Python takes longer than that to start.
    for (let timeoutMs = 4_000; ended.stdout === "" && timeoutMs < 100_000; timeoutMs *= 4) ended = await run(timeoutMs);
    const { limit, stdout, stderr } = ended;
    expect(limit).toBe("time");
    expect(stdout).toBe("before\n");
    expect(stderr).toContain("KeyboardInterrupt");
  });

  const real = spawnSync("python3", ["--version"]).status === 0;
  test.skipIf(!real)("prints what Python on this machine prints", async () => {
    const code = [
      "print({1: [2.5, None, True]}, 'a\\tb', 1e100, (1,), set())",
      "import re; print(re.sub(r'(\\w+) (\\w+)', r'\\2 \\1', 'hello world'))",
      "from collections import Counter; print(Counter('mississippi').most_common(2))",
      "import hashlib; print(hashlib.sha256(b'x').hexdigest())",
      "import datetime; print(datetime.date(2026, 1, 31) + datetime.timedelta(days=30))",
      "import csv, io; print(list(csv.DictReader(io.StringIO('a,b\\n1,2'))))",
      "import decimal; print(decimal.Decimal('0.1') + decimal.Decimal('0.2'))",
      "print(f'{3.14159:.2f} {1000000:,} {255:#x}')",
    ].join("\n");
    const theirs = spawnSync("python3", ["-c", code], { encoding: "utf8" });
    expect(theirs.stderr).toBe("");
    const ours = await shell.run(`python3 - <<'EOF'\n${code}\nEOF`);
    expect(ours.stdout).toBe(theirs.stdout);
  });
});
