import { afterAll, beforeAll, expect, test } from "vitest";
import { createShellWorker } from "../../../src/shell/create-worker.ts";
import { project, type TestProject } from "../project.ts";

let here: TestProject;
beforeAll(async () => {
  here = await project({
    createWorker: createShellWorker,
    contents: {
      "run.py": 'import subprocess\nr = subprocess.run(["echo", "a b", "c"], capture_output=True, text=True)\nprint(r)\n',
      "tool.py": 'import sys\nprint("out", sys.argv[1:]); print("err", file=sys.stderr); sys.exit(len(sys.argv) - 1)\n',
    },
  });
  await here.run("python3 -c pass", { timeoutMs: 100_000 });
});
afterAll(() => here.sandbox.dispose());

const program = (code: string): string => `python3 - <<'EOF'\n${code}\nEOF`;

const programs: readonly (readonly [name: string, command: string, stdout: string, exitCode?: number, stderr?: string])[] = [
  [
    "run, with what it printed",
    "python3 run.py",
    "CompletedProcess(args=['echo', 'a b', 'c'], returncode=0, stdout='a b c\\n', stderr='')\n",
  ],
  [
    "Python in Python",
    program(
      'import subprocess, sys\nr = subprocess.run([sys.executable, "tool.py", "x", "y z"], capture_output=True, text=True)\nprint(r.returncode, r.stdout, r.stderr)',
    ),
    "2 out ['x', 'y z']\n err\n\n",
  ],
  [
    "what a child prints is the program's",
    program(
      'import subprocess, os\nprint("before")\nsubprocess.run("echo child; echo bad >&2; exit 3", shell=True)\nprint(os.system("echo again; exit 2") >> 8)',
    ),
    "before\nchild\nagain\n2\n",
    0,
    "bad\n",
  ],
  [
    "check and its errors",
    program(
      'import subprocess\ntry:\n    subprocess.run(["false"], check=True)\nexcept subprocess.CalledProcessError as e:\n    print(e)\ntry:\n    subprocess.check_output(["nosuch"])\nexcept FileNotFoundError as e:\n    print(type(e).__name__, e.filename)\nprint(subprocess.check_output("printf hi; echo no >&2", shell=True, stderr=subprocess.STDOUT))\nprint(subprocess.getoutput("echo x | tr x y"), subprocess.getstatusoutput("exit 4"))',
    ),
    "Command '['false']' returned non-zero exit status 1.\nFileNotFoundError nosuch\nb'hino\\n'\ny (4, '')\n",
  ],
  [
    "input, folder and environment",
    program(
      'import subprocess, os\nos.makedirs("sub", exist_ok=True)\nprint(subprocess.run(["cat"], input=b"\\xff\\x00a", stdout=-1).stdout)\nprint(subprocess.run("pwd; echo $X", shell=True, cwd="sub", env={**os.environ, "X": "1"}, capture_output=True, text=True).stdout)\np = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\nprint(p.communicate("b\\na\\n"), p.returncode)\nwith subprocess.Popen(["printf", "1\\n2\\n"], stdout=subprocess.PIPE, text=True) as p:\n    for line in p.stdout: print(repr(line))',
    ),
    "b'\\xff\\x00a'\n/project/sub\n1\n\n('a\\nb\\n', None) 0\n'1\\n'\n'2\\n'\n",
  ],
  [
    "what one child prints as the input of another, and times without an end",
    program(
      'import subprocess, time\na = subprocess.Popen(["printf", "b\\na\\n"], stdout=subprocess.PIPE)\nb = subprocess.Popen(["sort"], stdin=a.stdout, stdout=subprocess.PIPE, text=True)\na.stdout.close()\nprint(b.communicate()[0], a.wait())\nprint(subprocess.run(["true"], timeout=float("inf")).returncode)\ntry:\n    time.sleep(float("inf"))\nexcept OverflowError as e: print(e)',
    ),
    "a\nb\n 0\n0\ntimestamp too large to convert to C PyTime_t\n",
  ],
  [
    "files that each has written",
    program(
      'import subprocess, os\nopen("a.txt", "w").write("one\\n")\nf = open("b.txt", "w"); f.write("kept"); f.flush()\nprint(subprocess.check_output("cat a.txt; cat b.txt; echo two >> a.txt; rm -f c.txt; echo new > d.txt; rm b.txt", shell=True))\nprint(open("a.txt").read(), open("d.txt").read(), os.path.exists("b.txt"), sorted(n for n in os.listdir() if n.endswith(".txt")))\nopen("b.txt", "w").write("again")\nwith open("log.txt", "w") as log: subprocess.run(["echo", "into"], stdout=log)\nprint(open("log.txt").read(), open("b.txt").read())',
    ),
    "b'one\\nkept'\none\ntwo\n new\n False ['a.txt', 'd.txt']\ninto\n again\n",
  ],
  [
    "a time limit, an end and a poll",
    program(
      'import subprocess, time\ntry:\n    subprocess.run(["sleep", "20"], timeout=0.05)\nexcept subprocess.TimeoutExpired as e:\n    print(e)\np = subprocess.Popen(["sleep", "20"])\nprint(p.poll())\np.terminate()\nprint(p.wait())\np = subprocess.Popen(["true"])\nwhile p.poll() is None: time.sleep(0.01)\nprint(p.returncode)',
    ),
    "Command '['sleep', '20']' timed out after 0.05 seconds\nNone\n-15\n0\n",
  ],
  [
    "asyncio",
    program(
      'import asyncio\nasync def main():\n    p = await asyncio.create_subprocess_exec("sort", stdin=-1, stdout=-1)\n    print(await p.communicate(b"b\\na\\n"), p.returncode)\n    async def one(n):\n        p = await asyncio.create_subprocess_shell(f"echo {n}; exit {n}", stdout=asyncio.subprocess.PIPE)\n        out, _ = await p.communicate()\n        return out, p.returncode\n    print(await asyncio.gather(one(1), one(2)))\n    p = await asyncio.create_subprocess_exec("true")\n    print(await p.wait())\n    p = await asyncio.create_subprocess_exec("sleep", "20")\n    try:\n        await asyncio.wait_for(p.wait(), 0.05)\n    except TimeoutError:\n        p.kill(); print(await p.wait())\nasyncio.run(main())',
    ),
    "(b'a\\nb\\n', None) 0\n[(b'1\\n', 1), (b'2\\n', 2)]\n0\n-9\n",
  ],
  ["an error in a program with processes", program('import subprocess\nsubprocess.run(["nosuch"])'), "", 1, "FileNotFoundError"],
  [
    "recursion, as deep as without processes",
    program("import sys\ndef f(n): return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError as e: print(e)"),
    "maximum recursion depth exceeded\n",
  ],
  [
    "what is not there, with what to use instead",
    program(
      "import threading, multiprocessing, os, concurrent.futures as f\ndef a(run):\n    try: run()\n    except Exception as e: print(type(e).__name__, e)\na(lambda: threading.Thread(target=print).start())\na(lambda: f.ThreadPoolExecutor().submit(print))\na(lambda: multiprocessing.Process(target=print).start())\na(lambda: multiprocessing.Pool(2))\na(lambda: list(f.ProcessPoolExecutor().map(print, [1])))\na(os.fork)",
    ),
    "RuntimeError can't start new thread: there are no threads in this Python; call the function itself, or use asyncio\nRuntimeError can't start new thread: there are no threads in this Python; call the function itself, or use asyncio\nOSError [Errno 138] multiprocessing can't start processes here; call the function in a loop, or run another program with subprocess\nOSError [Errno 138] multiprocessing can't start processes here; call the function in a loop, or run another program with subprocess\nOSError [Errno 138] multiprocessing can't start processes here; call the function in a loop, or run another program with subprocess\nOSError [Errno 138] Python can't fork here; run another program with subprocess\n",
  ],
];

test.for(programs)("%s", async ([, command, stdout, exitCode = 0, stderr = ""]) => {
  const outcome = await here.run(command, { timeoutMs: 100_000 });
  expect(outcome).toMatchObject({ stdout, exitCode });
  if (exitCode === 0) expect(outcome.stderr).toBe(stderr);
  else expect(outcome.stderr).toContain(stderr);
});

test("of much that is only shown the middle is left out, and the program runs to its end", async () => {
  const command = 'python3 -c \'for i in range(150): print("x" * 1_000_000)\nprint("end")\'';
  const outcome = await here.run(command.replace("\\n", "\n"), { timeoutMs: 100_000 });
  expect(outcome).toMatchObject({ exitCode: 0, limit: "output", stderr: "" });
  expect(outcome.stdout).toContain("bytes of 150000154 cut here: the output limit is 1000000 bytes");
  expect(outcome.stdout).toMatch(/xend\n$|\nend\n$/);
});
