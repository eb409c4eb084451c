import type { Case } from "./cases.ts";

const server = (answer: string, ask: string): string =>
  `const http = require("http"); const s = http.createServer((q, r) => { ${answer} }).listen(0, () => { const { port } = s.address(); ${ask} })`;

/** Connections that end in the middle of a message, at either end. */
export const disconnectCases: readonly Case[] = [
  server(
    `r.writeHead(200, { "Content-Type": "text/event-stream" }); const t = setInterval(() => r.write("data: x\\n\\n"), 10); q.on("aborted", () => console.log("aborted")); q.on("error", (e) => console.log(e.code, e.message)); q.on("close", () => { clearInterval(t); console.log("closed", q.destroyed, r.destroyed, r.write("more")); s.close(() => console.log("ended")) })`,
    `const q = http.get({ port }, (r) => { r.on("error", (e) => console.error(e.code, e.message)); r.once("data", () => q.destroy()) })`,
  ),
  server(
    `r.write("x"); q.on("close", () => console.log("request closed")); r.on("close", () => { console.log("response closed", r.writableEnded); s.close() })`,
    `const end = new AbortController(); fetch("http://localhost:" + port, { signal: end.signal }).then((r) => r.text()).catch((e) => console.error(e.name)); setTimeout(() => end.abort(), 100)`,
  ),
  server(
    `if (q.url === "/request") q.destroy(); else r.destroy()`,
    `http.get({ port, path: "/request" }).on("error", (e) => { console.log(e.code, e.message); http.get({ port }).on("error", (e) => { console.log(e.code, e.message); fetch("http://localhost:" + port).catch((e) => { console.log(e.name, e.message, e.cause.code, e.cause.message); s.close(() => console.log("ended")) }) }) })`,
  ),
  server(
    `r.write("part"); setTimeout(() => r.destroy(), 30)`,
    `http.get({ port }, (r) => { r.on("data", (d) => console.log(String(d))); r.on("aborted", () => console.log("aborted")); r.on("error", (e) => console.log(e.code, e.message, r.complete)); r.on("close", () => s.close(() => console.log("ended"))) })`,
  ),
  server(
    `q.on("end", () => console.log("end")); q.on("close", () => console.log("close", q.aborted)); r.end("whole", () => console.log("finished"))`,
    `http.get({ port, agent: false }, (r) => { r.resume(); r.on("close", () => { console.log("answered", r.aborted); s.close() }) })`,
  ),
];
