import { afterAll, beforeAll, expect, test } from "vitest";
import { createShellWorker } from "../../../src/shell/create-worker.ts";
import { project, type TestProject } from "../project.ts";

/** Python's sockets need a browser in which WebAssembly can wait. */
let here: TestProject;
beforeAll(async () => {
  here = await project({
    createWorker: createShellWorker,
    contents: {
      "www/a.txt": "hello\n",
      "server.js":
        'require("http").createServer((q, r) => { let b = ""; q.on("data", (d) => (b += d)).on("end", () => r.end(q.method + q.url + b)); }).listen(3000);\n',
      "keeps.py":
        'from http.server import *\nclass H(BaseHTTPRequestHandler):\n    protocol_version = "HTTP/1.1"\n    def do_GET(self):\n        body = self.path.encode()\n        self.send_response(200)\n        self.send_header("Content-Length", str(len(body)))\n        self.end_headers()\n        self.wfile.write(body)\n    def log_message(self, *a): pass\nThreadingHTTPServer(("", 8002), H).serve_forever()\n',
      "echo.py":
        'import socket\ns = socket.socket()\ns.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\ns.bind(("127.0.0.1", 5000)); s.listen()\nwhile True:\n    c, a = s.accept()\n    with c:\n        while data := c.recv(1024):\n            if data == b"quit\\n": raise SystemExit(3)\n            c.sendall(data.upper())\n',
      "signals.py":
        'import signal, sys, time\ndef end(n, frame):\n    print("got", n, flush=True); sys.exit(7)\nsignal.signal(signal.SIGTERM, end)\nsignal.signal(signal.SIGUSR1, lambda n, frame: print("first", n, flush=True))\nprint("ready", flush=True)\nwhile True: time.sleep(10)\n',
    },
  });
  await here.run("python3 -c pass", { timeoutMs: 200_000 });
});
afterAll(() => here.sandbox.dispose());

const program = (code: string): string => `python3 - <<'EOF'\n${code}\nEOF`;
const until = (port: number): string => `until nc -z localhost ${port}; do sleep 0.05; done`;

const commands: readonly (readonly [name: string, command: string, stdout: string])[] = [
  [
    "http.server is reached by curl, Python and node, sees files that are written later, and ends by a signal",
    `python3 -m http.server -d www 8000 > log 2>&1 & ${until(8000)}; curl -s localhost:8000/a.txt; echo more > www/b.txt; curl -s localhost:8000/b.txt; curl -s -o /dev/null -w '%{http_code}\\n' localhost:8000/none; python3 -c 'import urllib.request; print(urllib.request.urlopen("http://localhost:8000/a.txt").read())'; node -e 'fetch("http://localhost:8000/a.txt").then(r=>r.text()).then(t=>console.log("node", t))'; kill %1; wait %1; echo $?; sed 's/.*"GET/GET/' log`,
    'hello\nmore\n404\nb\'hello\\n\'\nnode hello\n\n143\nServing HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...\nGET /a.txt HTTP/1.1" 200 -\nGET /b.txt HTTP/1.1" 200 -\n127.0.0.1 - - [day] code 404, message File not found\nGET /none HTTP/1.1" 404 -\nGET /a.txt HTTP/1.1" 200 -\nGET /a.txt HTTP/1.1" 200 -\n',
  ],
  [
    "urllib and http.client reach a server of node",
    `node server.js & ${until(3000)}; ${program('import urllib.request, http.client\nprint(urllib.request.urlopen("http://127.0.0.1:3000/x?y=1").read())\nprint(urllib.request.urlopen("http://localhost:3000/p", data=b"hello").read())\nc = http.client.HTTPConnection("localhost", 3000)\nfor i in range(2):\n    c.request("GET", f"/{i}"); print(c.getresponse().read())\nc.close()')}\nkill %1`,
    "b'GET/x?y=1'\nb'POST/phello'\nb'GET/0'\nb'GET/1'\n",
  ],
  [
    "sockets: connections, time limits, files over them, and an exit code",
    `python3 echo.py & P=$!; ${until(5000)}; ${program('import socket\nwith socket.create_connection(("localhost", 5000), timeout=5) as c:\n    c.sendall(b"hello\\n"); print(c.recv(100), c.getpeername())\n    c.settimeout(0.1)\n    try: c.recv(1)\n    except TimeoutError as e: print(e)\n    c.setblocking(False)\n    try: c.recv(1)\n    except BlockingIOError as e: print(e)\nc = socket.create_connection(("localhost", 5000)); f = c.makefile("rwb"); f.write(b"a\\n"); f.flush(); print(f.readline()); c.close(); f.close()\nsocket.create_connection(("localhost", 5000)).send(b"quit\\n")')}\nwait $P; echo $?`,
    "b'HELLO\\n' ('127.0.0.1', 5000)\ntimed out\n[Errno 6] Resource temporarily unavailable\nb'A\\n'\n3\n",
  ],
  [
    "asyncio's servers and connections, beside processes",
    program(
      'import asyncio\nasync def handle(r, w):\n    w.write(b"got " + await r.readline()); await w.drain(); w.close()\nasync def main():\n    server = await asyncio.start_server(handle, "127.0.0.1", 0)\n    port = server.sockets[0].getsockname()[1]\n    async def ask(n):\n        r, w = await asyncio.open_connection("localhost", port)\n        w.write(b"%d\\n" % n); out = await r.read(); w.close(); return out\n    async def child():\n        p = await asyncio.create_subprocess_exec("echo", "x", stdout=-1)\n        return await p.communicate()\n    print(await asyncio.gather(ask(1), child(), ask(2)))\n    server.close()\nasyncio.run(main())',
    ),
    "[b'got 1\\n', (b'x\\n', None), b'got 2\\n']\n",
  ],
  [
    "a server with threads answers a connection while another one is kept open",
    `python3 keeps.py & ${until(8002)}; ${program('import http.client\na, b = (http.client.HTTPConnection("localhost", 8002) for _ in "ab")\na.request("GET", "/a"); print(a.getresponse().read()); b.request("GET", "/b"); print(b.getresponse().read())')}\ncurl -s localhost:8002/c; kill %1`,
    "b'/a'\nb'/b'\n/c",
  ],
  [
    "what is not there, at once",
    program(
      'import socket, urllib.request\ndef a(run):\n    try: run()\n    except OSError as e: print(e)\ns = socket.socket(); s.bind(("", 7000))\na(lambda: socket.socket().bind(("", 7000)))\na(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))\na(lambda: socket.create_connection(("1.1.1.1", 80)))\na(lambda: urllib.request.urlopen("http://localhost:9999"))\na(lambda: urllib.request.urlopen("https://example.com"))\nx, y = socket.socketpair(); x.send(b"x"); print(y.recv(1))',
    ),
    "[Errno 3] Address in use\n[Errno 5] Python has only TCP sockets here (AF_INET or AF_INET6 with SOCK_STREAM)\n[Errno 40] Python reaches no other host than localhost here; use curl, or fetch in node, for 1.1.1.1\n<urlopen error [Errno 14] Connection refused>\n<urlopen error [Errno -2] Python reaches no other host than localhost here; use curl, or fetch in node, for example.com>\nb'x'\n",
  ],
  [
    "handlers of signals, and what a signal without one does",
    "python3 signals.py > out & P=$!; until grep -q ready out; do sleep 0.05; done; kill -USR1 $P; until grep -q first out; do sleep 0.05; done; kill $P; wait $P; echo $?; cat out; for s in TERM INT KILL; do rm -f out; python3 -c 'import time; print(1, flush=True); time.sleep(50)' > out 2> /dev/null & until grep -q 1 out 2> /dev/null; do sleep 0.05; done; kill -$s $!; wait $!; echo $?; done",
    "7\nready\nfirst 10\ngot 15\n143\n130\n137\n",
  ],
];

test.for(commands)("%s", async ([, command, stdout]) => {
  const network = async () => ({ kind: "failed", why: "no network" }) as const;
  const outcome = await here.run(command, { timeoutMs: 250_000, network });
  expect(outcome.stdout.replaceAll(/\[\d\d\/\w+\/[^\]]*\]/g, "[day]"), outcome.stderr).toBe(stdout);
});
