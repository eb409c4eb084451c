import { describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { frameElement, testFrame, type TestFrame } from "./frame.ts";
import { type Machine, ourMachine, type Printed } from "./machine.ts";

interface WatchCommands {
  readonly watch: () => Promise<string>;
  readonly seenBy: (address: string) => Promise<readonly string[]>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vitest.config.ts adds them.
const { watch, seenBy } = commands as unknown as WatchCommands;

const tooMany = "node: not started: at most 16 processes run at one time here, and a program starts at most 256\n";

const dialog = "vibey/dialog-20260101-000000-start-done.md";

/** A process that runs `code` instead of `node`, with everything that a worker of the frame has. `say` prints, and `port` leads to the shell. */
const hostile = (code: string): string => `onmessage = async ({ data: { port } }) => {
  const say = (text) => port.postMessage({ type: "print", stream: "stdout", printed: String(text) + "\\n" });
  const end = () => port.postMessage({ type: "ended", code: 0, broken: null });
  try { await (async () => { ${code} })(); } catch (error) { say("threw " + error); }
  end();
};`;

async function run(here: TestFrame, line = "node -e 0"): Promise<Printed> {
  const machine = await ourMachine({ programs: async () => here.frame, dialogs: { [dialog]: "kept" } });
  return machine.run(line);
}

/** Code that tries every way in which a worker might reach the network, and prints the results. */
const ways = (address: string): string => `
  const url = ${JSON.stringify(address)};
  const ways = {
    fetch: () => fetch(url + "fetch"),
    "fetch without cors": () => fetch(url + "no-cors", { mode: "no-cors" }),
    xhr: () => { const x = new XMLHttpRequest(); x.open("GET", url + "xhr", false); x.send(); },
    importScripts: () => importScripts(url + "importScripts"),
    "import()": () => import(url + "import"),
    "import() of a text": () => import("data:text/javascript,export default 1"),
    "a function's import()": () => new Function("u", "return import(u)")(url + "function"),
    "import() of JSON": () => new Function("u", "return import(u, { with: { type: 'json' } })")(url + "json"),
    "a module's import": () => new Promise((ok, no) => {
      const w = new Worker(URL.createObjectURL(new Blob(["import '" + url + "module'; postMessage(1)"])), { type: "module" });
      w.onmessage = ok; w.onerror = () => no(new Error("blocked"));
    }),
    FontFace: () => new FontFace("x", "url(" + url + "font)").load(),
    WebSocketStream: () => new WebSocketStream(url.replace("http", "ws") + "stream").opened,
    "a stream of WebAssembly": () => WebAssembly.compileStreaming(fetch(url + "wasm", { mode: "no-cors" })),
    WebSocket: () => new Promise((ok, no) => { const w = new WebSocket(url.replace("http", "ws") + "ws"); w.onopen = ok; w.onerror = () => no(new Error("blocked")); }),
    EventSource: () => new Promise((ok, no) => { const w = new EventSource(url + "events"); w.onopen = ok; w.onerror = () => no(new Error("blocked")); }),
    WebTransport: () => new WebTransport(url.replace("http:", "https:") + "transport").ready,
    sendBeacon: () => navigator.sendBeacon(url + "beacon"),
    fetchLater: () => fetchLater(url + "later", { activateAfter: 0 }),
    RTCPeerConnection: () => new RTCPeerConnection(),
    indexedDB: () => new Promise((ok, no) => { const q = indexedDB.open("x"); q.onsuccess = ok; q.onerror = () => no(q.error); }),
    caches: () => caches.open("x"),
    files: () => navigator.storage.getDirectory(),
    locks: () => navigator.locks.request("x", () => 1),
    cookies: () => cookieStore.getAll(),
    serviceWorker: () => navigator.serviceWorker.register(url + "sw.js"),
    SharedWorker: () => new SharedWorker(URL.createObjectURL(new Blob(["1"]))),
    "worker of the server's script": () => new Promise((ok, no) => { const w = new Worker(url + "worker"); w.onmessage = ok; w.onerror = () => no(new Error("blocked")); }),
    "a worker's fetch": () => new Promise((ok, no) => {
      const code = "fetch('" + url + "nested').then(() => postMessage('REACHED'), () => postMessage('blocked'))";
      const w = new Worker(URL.createObjectURL(new Blob([code])));
      w.onmessage = ({ data }) => (data === "REACHED" ? ok() : no(new Error(data)));
      w.onerror = () => no(new Error("blocked"));
    }),
    "the app's own file": () => fetch(new URL("/index.html", ${JSON.stringify(location.href)}).href),
    "a frame": () => { document.createElement("iframe"); },
    "the opener": () => { parent.postMessage("x", "*"); },
    "shared memory": () => { new Worker(URL.createObjectURL(new Blob([""]))).postMessage(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })); },
  };
  for (const [name, go] of Object.entries(ways)) {
    const late = new Promise((_, no) => setTimeout(() => no(new Error("silent")), 1500));
    try { await Promise.race([go(), late]); say(name + ": REACHED"); } catch (error) { say(name + ": " + (error instanceof ReferenceError || error instanceof TypeError ? "absent or blocked" : "blocked")); }
  }`;

describe("from a frame of programs", () => {
  test("nothing leads to a server, to storage or to another page, whatever runs there", async () => {
    const address = await watch();
    const here = await testFrame(hostile(ways(address)));
    const { stdout } = await run(here);
    here.close();
    expect(await seenBy(address)).toEqual([]);
    expect(stdout.split("\n").filter((line) => line.includes("REACHED"))).toEqual([]);
    expect(stdout.trim().split("\n")).toHaveLength(31);
  });

  test("a channel of any name is heard in no other frame, and not by the page", async () => {
    const heard: unknown[] = [];
    const channel = new BroadcastChannel("x");
    channel.addEventListener("message", ({ data }) => heard.push(data));
    window.addEventListener("message", ({ data, source }) => source !== window && heard.push(data));
    const listens = `const c = new BroadcastChannel("x"); let got = "nothing"; c.onmessage = ({ data }) => { got = data; }; await new Promise((ok) => setTimeout(ok, 600)); say(got);`;
    const speaks = `const c = new BroadcastChannel("x"); for (let i = 0; i < 20; i++) { c.postMessage("hi"); await new Promise((ok) => setTimeout(ok, 20)); } postMessage("to the frame"); say("spoke");`;
    const [a, b] = await Promise.all([testFrame(hostile(listens)), testFrame(hostile(speaks))]);
    const [listened] = await Promise.all([run(a), run(b)]);
    expect([listened.stdout, heard]).toEqual(["nothing\n", []]);
    a.close();
    b.close();
    channel.close();
  });

  test("only the parent's first word counts: not a sibling's, and no second one", async () => {
    const element = frameElement();
    document.body.append(element);
    await new Promise((resolve) => element.addEventListener("load", resolve, { once: true }));
    const place = [...Array(window.length).keys()].find((i) => window[i] === element.contentWindow);
    const sibling = document.createElement("iframe");
    sibling.srcdoc = `<script>const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => parent.postMessage({ sibling: data }, "*"); parent[${place}].postMessage("hello", "*", [port2]); parent.postMessage("asked", "*");</script>`;
    const said: unknown[] = [];
    const asked = new Promise<void>((resolve) =>
      window.addEventListener("message", ({ data }) => {
        said.push(data);
        if (data === "asked") resolve();
      }),
    );
    document.body.append(sibling);
    await asked;
    const speak = async (): Promise<unknown> => {
      const { port1, port2 } = new MessageChannel();
      const answer = new Promise((resolve) => {
        port1.addEventListener("message", ({ data }) => resolve(data));
        setTimeout(() => resolve("nothing"), 500);
      });
      port1.start();
      element.contentWindow?.postMessage("hello", "*", [port2]);
      return answer;
    };
    expect(await speak()).toEqual({ type: "ready" });
    expect(await speak()).toBe("nothing");
    expect(said).toEqual(["asked"]);
    element.remove();
    sibling.remove();
  });

  test("what a process says changes no dialog, and what makes no sense ends it", async () => {
    const bytes = `new TextEncoder().encode("forged")`;
    for (const call of [
      `call: "write", args: ["/project/${dialog}", ${bytes}]`,
      `call: "append", args: ["/project/vibey/../${dialog}", ${bytes}]`,
      `call: "rename", args: ["/tmp", "/project/${dialog}"]`,
      `call: "unlink", args: ["/project/${dialog}"]`,
      `call: "removeFolder", args: ["/project/vibey", true]`,
    ]) {
      const here = await testFrame(hostile(`port.postMessage({ type: "change", ${call} }); say("said");`));
      expect((await run(here, `node -e 0; cat ${dialog}`)).stdout).toBe("said\nkept");
      here.close();
    }
    for (const message of [
      `{ type: "change", call: "load", args: [] }`,
      `{ type: "change", call: "__proto__", args: [] }`,
      `{ type: "change", call: "write", args: ["/tmp/x", "text"] }`,
      `{ type: "fetch", id: 1, request: { url: "https://example.com/", method: "GET", headers: [], body: null, program: "curl", follow: true } }`,
      `null`,
    ]) {
      const here = await testFrame(hostile(`port.postMessage(${message}); await new Promise(() => {});`));
      expect(await run(here)).toMatchObject({ exitCode: 134, stderr: "node: the program said what the shell does not understand\n" });
      here.close();
    }
  });

  test("requests and commands that wait carry no more than a limit, whatever each of them may", async () => {
    const here = await testFrame(
      hostile(
        `for (let id = 1; id <= 5; id++) port.postMessage({ type: "exec", id, command: "sleep 100", cwd: "/tmp", env: {}, stdin: "x".repeat(16_000_000) }); await new Promise(() => {});`,
      ),
    );
    expect(await run(here)).toMatchObject({
      exitCode: 134,
      stderr: "node: stopped with requests and commands of more than 64 MB under way\n",
    });
    here.close();
  });

  test("memory can't be shared with a thread, and the program is told so", async () => {
    const here = await testFrame();
    const { stdout } = await run(
      here,
      `node -e 'const { Worker } = require("worker_threads"); const w = new Worker("require(\\"worker_threads\\").parentPort.once(\\"message\\", console.log)", { eval: true }); try { w.postMessage(new Int32Array(new SharedArrayBuffer(8))) } catch (e) { console.log(e.message) } w.postMessage("a copy")'`,
    );
    expect(stdout).toBe("memory can't be shared with a thread here (SharedArrayBuffer); send a copy\na copy\n");
    here.close();
  });

  test("memory can't be shared beside a port either, whose other end is closed then", async () => {
    const here = await testFrame();
    const { stdout } = await run(
      here,
      `node -e 'const { MessageChannel, Worker } = require("worker_threads"); const w = new Worker("require(\\"worker_threads\\").parentPort.once(\\"message\\", console.log)", { eval: true }); for (const shared of [new SharedArrayBuffer(4), new Int32Array(new SharedArrayBuffer(4))]) { const { port1, port2 } = new MessageChannel(); port1.on("message", () => {}).on("close", () => console.log("closed")); try { w.postMessage({ port2, shared }, [port2]) } catch (e) { console.log(e.message) } } w.postMessage("a copy")'`,
    );
    const told = "memory can't be shared with a thread here (SharedArrayBuffer); send a copy\n";
    expect(
      stdout
        .split(/(?<=\n)/)
        .toSorted()
        .join(""),
    ).toBe(`a copy\nclosed\nclosed\n${told}${told}`);
    here.close();
  });

  test.each([
    ["a worker that is not started", `execArgv: ["--bad"], `, ""],
    [
      "a worker that has ended, as its sender does not know yet",
      "",
      `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000); `,
    ],
  ])("a port that is sent to %s is closed", async (_name, option, wait) => {
    const here = await testFrame();
    const { stdout, stderr } = await run(
      here,
      `node -e 'const { MessageChannel, Worker } = require("worker_threads"); const { port1, port2 } = new MessageChannel(); port1.on("message", () => {}).on("close", () => console.log("closed")); const sent = new MessageChannel(); sent.port1.on("message", () => {}).on("close", () => console.log("closed")); const w = new Worker("", { ${option}eval: true, workerData: port2, transferList: [port2] }); w.on("error", () => {}); ${wait}w.postMessage(sent.port2, [sent.port2])'`,
    );
    expect(stdout, stderr).toBe("closed\nclosed\n");
    here.close();
  });

  test("what can't be passed on to another process ends the program, and not the shell", async () => {
    const here = await testFrame(
      hostile(
        `const { port1 } = new MessageChannel(); port.postMessage({ type: "child", id: 1, start: "{}", words: null, piped: false, hasInput: false, data: port1, ports: [] }, [port1]); await new Promise(() => {});`,
      ),
    );
    const { exitCode, stdout, stderr } = await run(here, "node -e 0; echo $?");
    expect([exitCode, stdout]).toEqual([0, "134\n"]);
    expect(stderr).toMatch(/^node: .+\n$/);
    here.close();
  });

  test("a process is no one's after it has ended: the next one of the dialog finds nothing of it", async () => {
    const here = await testFrame();
    await run(here, `node -e 'globalThis.planted = 1; Array.prototype.planted = 2; Promise = 3'`);
    expect((await run(here, `node -p '[typeof planted, [].planted, typeof Promise].join()'`)).stdout).toBe("undefined,,function\n");
    here.close();
  });
});

describe("a program in a frame", () => {
  test("has what Node has and nothing of the browser's", async () => {
    const here = await testFrame();
    const { stdout } = await run(
      here,
      `node -e 'const wanted = ["indexedDB", "caches", "WebSocket", "XMLHttpRequest", "EventSource", "Worker", "SharedWorker", "importScripts", "BroadcastChannel", "self", "postMessage", "close", "name", "location", "onmessage", "addEventListener", "FileReaderSync", "WorkerGlobalScope", "CacheStorage", "vibeyHost"]; console.log(wanted.filter((name) => globalThis[name] !== undefined || new Function("return typeof " + name)() !== "undefined"), typeof WebAssembly, typeof SharedArrayBuffer)'`,
    );
    expect(stdout).toBe("[] object function\n");
    const replaced = await run(
      here,
      `node -e '"use strict"; for (const name of ["navigator", "crypto", "performance", "fetch", "structuredClone", "console"]) { delete globalThis[name]; if (name in globalThis) process.stdout.write(name); globalThis[name] = 5 } process.stdout.write(typeof navigator)'`,
    );
    expect(replaced).toEqual({ stdout: "number", stderr: "", exitCode: 0 });
    here.close();
  });

  test("that starts others without end comes to 16 at one time, and all of them end with it", async () => {
    const here = await testFrame();
    const machine = await ourMachine({
      programs: async () => here.frame,
      files: {
        "bomb.js": `const { Worker } = require("worker_threads"); let refused = 0; for (let i = 0; i < 20; i++) new Worker("setInterval(() => {}, 1000)", { eval: true }).on("exit", () => { if (++refused === 5) process.exit(3) });`,
      },
    });
    const { stderr, exitCode } = await machine.run("node bomb.js");
    expect(exitCode).toBe(3);
    expect(stderr).toBe(tooMany.repeat(5));
    expect((await machine.run("node -p 1")).stdout).toBe("1\n");
    here.close();
  });

  test("that starts others as commands, without end, comes no further either", async () => {
    const here = await testFrame();
    const machine = await ourMachine({
      programs: async () => here.frame,
      files: {
        "wait.js": "setInterval(() => {}, 1000)",
        "bomb.js": `const { exec } = require("child_process"); let refused = 0; for (let i = 0; i < 20; i++) exec("node wait.js", (error, out, said) => { process.stderr.write(said); if (++refused === 5) process.exit(3) });`,
      },
    });
    expect(await machine.run("node bomb.js")).toMatchObject({ stderr: tooMany.repeat(5), exitCode: 3 });
    expect((await machine.run("node -p 1")).stdout).toBe("1\n");
    here.close();
  });

  test("that replaces what every array has ends as it would", async () => {
    const here = await testFrame();
    const line = `node -e 'Array.prototype.map = () => "planted"; JSON.stringify = () => 1; process.exitCode = 3'`;
    expect(await run(here, line)).toMatchObject({ stderr: "", exitCode: 3 });
    here.close();
  });

  test("prints in order as it goes, is stopped while it computes, and keeps what it wrote", async () => {
    const here = await testFrame();
    const code = `require("fs").writeFileSync("kept.txt", "a"); console.log("one"); console.error("two"); require("fs").appendFileSync("kept.txt", "b"); for (;;);`;
    let changes = 0;
    const machine: Machine = await ourMachine({
      programs: async () => here.frame,
      changed() {
        changes += 1;
        if (changes === 2) machine.stop();
      },
    });
    expect(await machine.run(`node -e '${code}'`)).toMatchObject({ stdout: "one\n", stderr: "two\n" });
    expect((await machine.run("cat kept.txt")).stdout).toBe("ab");
    expect(await run(here, `node -e 'for (;;) console.log("x".repeat(100000))' | wc -c`)).toMatchObject({
      stderr: "node: stopped after printing more than 32 MB\n",
    });
    here.close();
  });
});
