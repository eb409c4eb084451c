import { expect, test } from "vitest";
import { createDialogPorts } from "../../src/shell/embedded/loopback/dialog-ports.ts";

const silent = () => ({ data: () => undefined, end: () => undefined, close: () => undefined });

/** Ports whose timers run when the test decides; `shown` lists them by session and port. */
function open() {
  const timers = new Set<() => void>();
  const ports = createDialogPorts({
    now: () => 0,
    after(_ms, callback) {
      timers.add(callback);
      return () => void timers.delete(callback);
    },
  });
  let changes = 0;
  ports.listen(() => changes++);
  return {
    ports,
    pass: () => {
      for (const callback of timers) callback();
      timers.clear();
    },
    changes: () => changes,
    shown: () => ports.servers().map(({ session, port, owner }) => `${session}:${port} ${owner.background ?? "-"}`),
  };
}
const inBackground = () => ({ background: "bg-1", command: "node server.js" });
const inFront = () => ({ background: null, command: "npm test" });

test("servers in the background are listed at once, by port and dialog, and only once each", async () => {
  const { ports, shown, pass, changes } = open();
  const two = await ports.of("two", inBackground).listen(3000, silent);
  const one = await ports.of("one", inBackground).listen(3000, silent);
  await ports.of("one", inBackground).listen(80, silent);
  expect(await ports.of("one", inFront).listen(3000, silent)).toBeNull();
  expect(shown()).toEqual(["one:80 bg-1", "one:3000 bg-1", "two:3000 bg-1"]);
  one?.close();
  one?.close();
  expect(shown()).toEqual(["one:80 bg-1", "two:3000 bg-1"]);
  two?.close();
  // The first change is reported at once, the others together a little later.
  expect(changes()).toBe(1);
  pass();
  expect(changes()).toBe(2);
});

test("a server of a command in the foreground is listed when it has listened for a while; one of a test is not", async () => {
  const { ports, shown, pass, changes } = open();
  const short = await ports.of("one", inFront).listen(0, silent);
  short?.close();
  pass();
  expect([shown(), changes()]).toEqual([[], 0]);
  const long = await ports.of("one", inFront).listen(0, silent);
  pass();
  expect(shown()).toEqual(["one:40000 -"]);
  long?.close();
  expect(shown()).toEqual([]);
});

test("what a server sends after its answer is not read, however much it is", async () => {
  const { ports } = open();
  let connection: { send(bytes: Uint8Array): void } | null = null;
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody`;
  const more = "HTTP/1.1 204 \r\n\r\n".repeat(50_000);
  await ports.of("one", inBackground).listen(80, (end) => {
    connection = end;
    return { ...silent(), data: () => connection?.send(new TextEncoder().encode(answer + more)) };
  });
  const request = { url: "http://localhost/", method: "GET", headers: [], body: null, program: "preview", follow: true };
  const got = await ports.fetch("one", request, new AbortController().signal);
  expect(got).toMatchObject({ kind: "answer", status: 200, body: new TextEncoder().encode("body") });
});
