import type { Case } from "./cases.ts";

const echo = `const { parentPort, workerData, isMainThread, threadId } = require("worker_threads"); parentPort.on("message", (m) => { if (m === "stop") parentPort.close(); else parentPort.postMessage({ got: m, workerData, isMainThread, thread: threadId > 0 }) });`;

/** Programs with several processes, which only the browser's own engine supports. Each always prints in the same order, even on a busy machine. */
export const processCases: readonly Case[] = [
  {
    run: "node main.js",
    files: {
      "w.js": echo,
      "main.js": `const { Worker, isMainThread, parentPort, threadId } = require("worker_threads"); console.log(isMainThread, parentPort, threadId); const w = new Worker("./w.js", { workerData: { a: [1, 2] } }); w.on("online", () => console.log("online")); w.on("message", (m) => { console.log(m); w.postMessage("stop") }); w.on("exit", (code) => console.log("exit", code)); w.postMessage({ n: 1n, d: new Date(0), m: new Map([[1, 2]]) })`,
    },
  },
  `const { Worker } = require("worker_threads"); const w = new Worker("const { parentPort } = require('worker_threads'); parentPort.once('message', () => { console.log('printed'); setTimeout(() => { throw new TypeError('no') }, 5) }); parentPort.postMessage(process.argv.slice(2))", { eval: true, argv: ["x"] }); w.on("message", (m) => { console.log(m); w.postMessage("go") }); w.on("error", (e) => console.log(e.name, e.message, e instanceof Error)); w.on("exit", (c) => console.log("exit", c))`,
  `const { Worker } = require("worker_threads"); const w = new Worker("for (;;);", { eval: true }); setTimeout(async () => { console.log(typeof (await w.terminate())) }, 50); w.on("exit", (c) => console.log("exit", typeof c)); try { new Worker("x.js") } catch (e) { console.log(e.code) } try { w.postMessage(() => {}) } catch (e) { console.log(e.name) }`,
  `import { Worker } from "node:worker_threads"; const all = await Promise.all([1, 2, 3].map((n) => new Promise((done) => { const w = new Worker(new URL("data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData * 2)"), { workerData: n }); w.on("message", done) }))); console.log(all);`,
  {
    run: "node main.js",
    files: {
      "child.js": `console.log("child", process.argv.slice(2), process.env.X, process.connected); process.on("message", (m) => { process.send({ twice: m.n * 2 }); if (m.n === 2) process.exit(5) }); process.send("ready");`,
      "main.js": `const { fork } = require("child_process"); const c = fork("./child.js", ["a"], { env: { ...process.env, X: "1" } }); c.on("message", (m) => { console.log("parent", m); if (m === "ready") { c.send({ n: 1 }); c.send({ n: 2 }) } }); c.on("exit", (code, signal) => console.log("exit", code, signal)); c.on("close", () => console.log("close", c.connected))`,
    },
  },
  {
    run: "node main.js",
    files: {
      "child.js": `process.on("message", () => {}); console.log("out"); console.error("err"); setInterval(() => {}, 1000)`,
      "main.js": `const c = require("child_process").fork("child.js", { silent: true }); c.stdout.on("data", (d) => { console.log("piped", String(d)); c.kill() }); c.on("exit", (code, signal) => console.log(code, signal, c.killed))`,
    },
  },
  {
    run: "node main.js",
    files: {
      "child.js": `process.on("message", (m) => { require("fs").writeFileSync("made.txt", m); process.send("done"); process.disconnect() })`,
      "main.js": `const fs = require("fs"); const c = require("child_process").fork("child.js"); c.on("message", (m) => console.log(m, fs.readFileSync("made.txt", "utf8"))); c.on("disconnect", () => console.log("disconnect")); c.send("text of the parent")`,
    },
  },
  {
    run: "node main.js",
    files: {
      "w.js": `const { parentPort, workerData } = require("worker_threads"); const { receiveMessageOnPort } = require("worker_threads"); console.log(workerData.name, receiveMessageOnPort(workerData.port).message); workerData.port.on("message", (m) => { if (m.more) { m.more.postMessage({ last: new Map([[1, m.n]]) }); m.more.close(); workerData.port.close() } else workerData.port.postMessage({ twice: m.n * 2 }) });`,
      "main.js": `const lines = []; const said = (...words) => lines.push(require("util").format(...words)); process.on("exit", () => console.log(lines.sort().join("\\n"))); const { MessageChannel, MessagePort, Worker } = require("worker_threads"); const { port1, port2 } = new MessageChannel(); port1.postMessage("waits"); const w = new Worker("./w.js", { workerData: { name: "w", port: port2 }, transferList: [port2] }); const more = new MessageChannel(); port1.on("message", (m) => { said(m); port1.postMessage({ n: 7, more: more.port2 }, [more.port2]) }); port1.postMessage({ n: 21 }); more.port1.on("message", (m) => said(m)); more.port1.on("close", () => said("more closed")); w.on("exit", (code) => said("exit", code)); try { port1.postMessage(1, [port2]) } catch (e) { said(e.name, e.message) } said(port2 instanceof MessagePort)`,
    },
  },
  {
    run: "node main.js",
    files: {
      "a.js": `const { parentPort } = require("worker_threads"); parentPort.once("message", ({ port }) => { port.postMessage([1]); port.on("message", (m) => { parentPort.postMessage(["a has", m]); if (m.length === 6) port.close(); else port.postMessage([...m, m.length + 1]) }) })`,
      "b.js": `const { parentPort } = require("worker_threads"); parentPort.once("message", ({ port }) => { port.onmessage = ({ data, ports }) => { parentPort.postMessage(["b has", data, ports.length]); port.postMessage([...data, data.length + 1]) }; port.on("close", () => parentPort.postMessage(["b closed"])) })`,
      "main.js": `const { MessageChannel, Worker } = require("worker_threads"); const { port1, port2 } = new MessageChannel(); const [a, b] = ["./a.js", "./b.js"].map((f) => new Worker(f)); a.postMessage({ port: port1 }, [port1]); setTimeout(() => b.postMessage({ port: port2 }, { transfer: [port2] }), 50); const lines = []; let left = 2; for (const w of [a, b]) w.on("message", (words) => lines.push(require("util").format(...words))).on("exit", () => --left === 0 && console.log(lines.sort().join("\\n")))`,
    },
  },
  `const { MessageChannel, Worker } = require("worker_threads"); const { port1, port2 } = new MessageChannel(); const w = new Worker("require('fs').writeFileSync('made.txt', 'text'); require('worker_threads').workerData.postMessage('made')", { eval: true, workerData: port2, transferList: [port2] }); port1.on("message", (m) => console.log(m, require("fs").readFileSync("made.txt", "utf8"))); port1.on("close", () => console.log("closed with the worker"))`,
  `const { MessageChannel, Worker } = require("worker_threads"); const { port1, port2 } = new MessageChannel(); const w = new Worker("require('worker_threads').parentPort.once('message', (p) => { p.on('close', () => console.log('closed')); p.on('message', () => {}) })", { eval: true }); port1.close(); w.postMessage(port2, [port2]); w.on("exit", (c) => console.log("exit", c))`,
  {
    run: "node main.js",
    files: {
      "before.js": `globalThis.before = 1`,
      "w.js": `console.log(process.execArgv, globalThis.before, process.argv.slice(2), require("worker_threads").workerData)`,
      "main.js": `const { Worker } = require("worker_threads"); new Worker("./w.js", { execArgv: ["--require", "./before.js"], argv: ["x"], workerData: 5 })`,
    },
  },
  {
    run: "node main.js",
    files: {
      "child.js": `process.on("message", (m) => { process.send({ map: m.map, date: m.date, big: m.big * 2n, bytes: m.bytes, error: m.error.message }, () => process.disconnect()) })`,
      "main.js": `const c = require("child_process").fork("child.js", [], { serialization: "advanced", execArgv: ["--no-warnings"] }); c.on("message", (m) => console.log(m)); c.on("exit", (code) => console.log(code)); c.send({ map: new Map([["a", 1]]), date: new Date(0), big: 4n, bytes: new Uint8Array([1, 2]), error: new RangeError("far") })`,
    },
  },
  `const { promisify } = require("util"); const run = promisify(require("child_process").exec); const fs = require("fs"); fs.writeFileSync("a", "1"); (async () => { await run("echo 2 >> a; mkdir -p d/e; echo x > d/e/f; rm -rf gone"); console.log(fs.readFileSync("a", "utf8"), fs.readdirSync("d/e"), fs.existsSync("gone")); await run("rm -r d; mv a b"); console.log(fs.readdirSync(".").filter((n) => n !== "main.js" && n !== "vibey"), fs.readFileSync("b", "utf8")) })()`,
  {
    run: "node main.js",
    files: {
      "echo.js": `process.stdin.on("data", (d) => process.stdout.write("<" + d + ">")); process.stdin.on("end", () => { console.log("end"); process.exitCode = 3 })`,
      "main.js": `const c = require("child_process").spawn("node", ["echo.js", "-v"], { stdio: ["pipe", "pipe", "inherit"] }); const said = []; c.stdout.on("data", (d) => { said.push(String(d)); if (said.length === 1) c.stdin.write("two"); else if (said.length === 2) c.stdin.end() }); c.on("exit", (code, signal) => console.log("exit", code, signal)); c.on("close", (code) => console.log("close", code, said.join(""), typeof c.send, c.connected)); c.stdin.write("one")`,
    },
  },
  {
    run: "node main.js",
    files: {
      "read.js": `const fs = require("fs"); const b = Buffer.alloc(4); const next = () => fs.read(0, b, 0, 4, null, (e, n) => { fs.writeSync(1, n + ":" + b.subarray(0, n) + "\\n"); if (n > 0) next() }); next()`,
      "main.js": `const c = require("child_process").spawn(process.execPath, ["read.js"]); c.stdout.on("data", (d) => process.stdout.write(d)); c.on("close", (code) => console.log(code)); setTimeout(() => { c.stdin.write("abcd"); setTimeout(() => c.stdin.end("ef"), 100) }, 100)`,
    },
  },
  {
    run: "node main.js",
    files: {
      "service.js": `process.stdin.on("data", (d) => { require("fs").writeFileSync("made.txt", d); process.stdout.write("made") })`,
      "main.js": `const c = require("child_process").spawn("node", ["service.js"]); c.unref(); c.stdin.unref(); c.stdout.unref(); c.stdout.on("data", () => { console.log(require("fs").readFileSync("made.txt", "utf8")); c.kill(); clearInterval(wait) }); const wait = setInterval(() => {}, 1000); c.stdin.write("text")`,
    },
  },
  `const { execFile, spawn } = require("child_process"); execFile("node", ["-p", "process.argv.length + process.env.X", "a"], { env: { ...process.env, X: "x" } }, (e, out) => { console.log(e, out); execFile("node", ["-e", "console.error('bad'); process.exit(4)"], (e, out, err) => { console.log(e.code, JSON.stringify(out), err); const c = spawn("node", ["-e", "setInterval(() => {}, 1000); console.log(1)"]); c.stdout.on("data", () => c.kill()); c.on("close", (code, signal) => console.log(code, signal, c.killed)) }) })`,
  {
    run: "node main.js",
    files: {
      "child.js": `process.once("SIGTERM", (name, number) => { console.log(name, number); process.on("SIGTERM", () => process.exit(5)); console.log("again") }); setInterval(() => {}, 1000); console.log("ready")`,
      "main.js": `const c = require("child_process").spawn("node", ["child.js"], { stdio: ["ignore", "pipe", "inherit"] }); c.stdout.on("data", (d) => { process.stdout.write(d); if (/ready|again/.test(d)) console.log(c.kill(), c.killed) }); c.on("exit", (code, signal) => console.log("exit", code, signal, c.kill()))`,
    },
  },
  {
    run: "node main.js",
    files: {
      "child.js": `process.on("SIGINT", () => console.log("stays")); setInterval(() => {}, 1000); console.log("ready")`,
      "main.js": `const c = require("child_process").fork("child.js", { silent: true }); c.stdout.on("data", (d) => { process.stdout.write(d); c.kill(/ready/.test(d) ? 2 : "SIGKILL") }); c.on("exit", (code, signal) => console.log(code, signal)); try { c.kill("SIGNONE") } catch (e) { console.log(e.code, e.message) }`,
    },
  },
  `const c = require("child_process").spawn("node", ["--nope", "x.js"], { stdio: ["ignore", "ignore", "pipe"] }); let err = ""; c.stderr.on("data", (d) => (err += d)); c.on("close", (code) => console.log(code, err.includes("bad option: --nope")))`,
  `const c = require("child_process").spawn("node", ["-e", "0"], { cwd: "gone" }); c.on("error", (e) => console.log(e.code, e.syscall.startsWith("spawn "), c.pid))`,
  `const fs = require("fs"); fs.mkdirSync("d"); fs.writeFileSync("d/a", "1"); const seen = new Set(); const w = fs.watch("d", (event, name) => { seen.add(event + " " + name); if (name === "end") w.close() }); w.on("close", () => console.log([...seen].filter((each) => !each.endsWith(" end")).sort())); fs.writeFileSync("d/a", "12"); setTimeout(() => require("child_process").exec("echo x > d/b; rm d/a", () => setTimeout(() => fs.writeFileSync("d/end", ""), 600)), 50); try { fs.watch("gone") } catch (e) { console.log(e.code, e.syscall, e.path, e.message) }`,
  `const fs = require("fs"); fs.writeFileSync("a", "1"); fs.watchFile("a", { interval: 20 }, (now, before) => { console.log(now.size, before.size); fs.unwatchFile("a") }); setTimeout(() => fs.writeFileSync("a", "123"), 100)`,
  `import fs from "node:fs"; const end = new AbortController(); fs.mkdirSync("d"); setTimeout(() => fs.mkdirSync("d/e"), 100); try { for await (const { eventType, filename } of fs.promises.watch("d", { signal: end.signal })) { console.log(eventType, filename); end.abort() } } catch (e) { console.log(e.name) }`,
];
