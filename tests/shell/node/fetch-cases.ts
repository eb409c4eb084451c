import type { Case } from "./cases.ts";

/** A program that starts a server and sends it requests. `at` is the server's address. */
const served = (answer: string, ask: string): string =>
  `const http = require("http"); const s = http.createServer((q, r) => { ${answer} }).listen(0, async () => { const at = "http://localhost:" + s.address().port; ${ask} })`;

export const fetchCases: readonly Case[] = [
  served(
    ``,
    `const end = new AbortController(); setTimeout(() => end.abort(), 20); try { await fetch(at, { signal: end.signal }) } catch (e) { console.log(e.name, e === end.signal.reason) } try { await fetch(at, { signal: AbortSignal.timeout(20) }) } catch (e) { console.log(e.name) } try { await fetch(at, { signal: AbortSignal.abort(new RangeError("mine")) }) } catch (e) { console.log(e.name) } s.close(); s.closeAllConnections()`,
  ),
  `const s = require("http").createServer((q, r) => { q.socket.on("close", () => { console.log("gone"); s.close() }) }).listen(0, () => { const end = new AbortController(); fetch("http://localhost:" + s.address().port, { signal: end.signal }).catch((e) => console.log(e.name)); setTimeout(() => end.abort(), 100) })`,
  served(
    `if (q.url === "/") { r.writeHead(302, { location: "/x" }); r.end() } else r.end("here " + q.url)`,
    `const one = await fetch(at, { redirect: "manual" }); console.log(one.status, one.headers.get("location"), one.redirected, one.ok); const two = await fetch(at); console.log(two.status, two.redirected, await two.text()); try { await fetch(at, { redirect: "error" }) } catch (e) { console.log(e.message, e.cause.message) } console.log(await (await fetch(at + "/y", { redirect: "error" })).text()); s.close()`,
  ),
  served(
    `r.setHeader("Set-Cookie", ["a=1; Path=/", "b=2, c"]); r.end()`,
    `const { headers } = await fetch(at); console.log(headers.getSetCookie(), headers.get("set-cookie"), [...headers].filter(([n]) => n === "set-cookie")); const h = new Headers(headers); h.append("set-cookie", "d"); console.log(h.getSetCookie().length); h.delete("set-cookie"); console.log(h.getSetCookie()); s.close()`,
  ),
  `const f = new FormData(); f.append("a", "1"); f.append("file", new Blob(["text"], { type: "text/plain" }), "n.txt"); f.append("plain", new Blob(["x"])); f.append("a", "2"); console.log([...f.keys()], [...f.values()].map((v) => v.name ?? v), f.get("file").name, f.get("file") instanceof File, f.get("plain").name); f.set("a", "3"); f.forEach((v, k) => console.log(k, typeof v)); console.log(f.getAll("a"), String(f))`,
  `import { Blob } from "buffer"; const f = new FormData(); f.append('q"uote', "1\\r\\n--x"); f.append("file", new Blob(["te", "xt"], { type: "text/html" }), 'n".txt'); f.append("empty", ""); const back = await new Response(f).formData(); console.log([...back.keys()], back.get('q"uote').length, back.get("file").name, back.get("file").type, await back.get("file").text(), JSON.stringify(back.get("empty"))); console.log([...(await new Request("http://a/", { method: "POST", body: new URLSearchParams("a=1&b=x+y") }).formData())]); try { await new Response("x").formData() } catch (e) { console.log(e.name) } const copy = new Request(new Request("http://a/", { method: "POST", body: f })); console.log((await copy.formData()).get("file").name)`,
  `const of = (body) => new Request("http://a/", { method: "POST", body }).headers.get("content-type"); console.log(of(new URLSearchParams("a=1")), of("x"), of(new Blob(["x"], { type: "text/css" })), of(new Uint8Array(2)), of(new FormData()).slice(0, 30), new Response(new URLSearchParams()).headers.get("content-type"), new Response(new Blob([])).headers.get("content-type"), new Request("http://a/", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }).headers.get("content-type"))`,
  served(
    `const z = require("zlib"); if (q.url === "/none") return r.end(String(q.headers["accept-encoding"])); const way = q.url.slice(1); r.setHeader("Content-Encoding", way); r.end({ gzip: z.gzipSync, deflate: z.deflateSync }[way](JSON.stringify({ a: "x".repeat(50) })))`,
    `for (const way of ["gzip", "deflate"]) { const r = await fetch(at + "/" + way); console.log(r.headers.get("content-encoding"), (await r.json()).a.length) } console.log(await (await fetch(at + "/none")).text(), await (await fetch(at + "/none", { headers: { "Accept-Encoding": "identity" } })).text(), (await fetch(at + "/gzip", { method: "HEAD" })).status); s.close()`,
  ),
  served(
    `r.end(JSON.stringify([q.headers["user-agent"], q.headers["accept-language"], q.headers["sec-fetch-mode"], q.headers.accept]))`,
    `console.log(await (await fetch(at)).text()); s.close()`,
  ),
  `const s = require("net").createServer().listen(0, () => { const { port } = s.address(); s.close(() => fetch("http://127.0.0.1:" + port).catch((e) => console.log(e.message, e.cause.code))) })`,
];
