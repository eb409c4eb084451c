import type { Case } from "./cases.ts";

/** Bytes that leave the program, as parts of larger buffers or in large amounts. */
export const streamCases: readonly Case[] = [
  `const fs = require("fs"); fs.writeFileSync("f", "hello\\n"); fs.createReadStream("f").pipe(process.stdout); fs.writeSync(2, Buffer.from("abcd\\n").subarray(2))`,
  `import fs from "fs"; fs.writeFileSync("f", "hello\\n"); for await (const c of fs.createReadStream("f")) process.stdout.write(c); const f = await fs.promises.open("f"); const b = Buffer.alloc(9, "."); console.log((await f.read(b, 1, 3, 2)).bytesRead, String(b), (await f.read(b, 0, 9, 20)).bytesRead); await f.close()`,
  {
    run: "head -c 100000 /dev/zero | node main.js | wc -c",
    files: { "main.js": `process.stdin.on("data", (d) => process.stdout.write(d))` },
  },
  `const http = require("http"), fs = require("fs"); fs.writeFileSync("f", "hello"); const s = http.createServer((q, r) => { if (q.method === "POST") return q.pipe(r); if (q.url === "/part") return r.end(Buffer.from("abcdefgh").subarray(1, 4)); r.writeHead(200, { "Content-Length": 5 }); fs.createReadStream("f").pipe(r) }).listen(0, async () => { const at = "http://localhost:" + s.address().port; console.log(await (await fetch(at)).text(), await (await fetch(at + "/part")).text(), await (await fetch(at, { method: "POST", body: Buffer.from("abc").subarray(1) })).text()); s.close() })`,
  `const net = require("net"); const s = net.createServer((c) => c.end(Buffer.from("abcdef").subarray(2, 4))).listen(0, () => net.connect(s.address().port).on("data", (d) => { console.log(String(d)); s.close() }))`,
  `const fs = require("fs"), z = require("zlib"); fs.writeFileSync("a", Buffer.from("abcdef").subarray(2, 4)); fs.appendFileSync("a", Buffer.from("xyz").subarray(1)); console.log(fs.readFileSync("a", "utf8"), String(z.gunzipSync(z.gzipSync(Buffer.from("abcdef").subarray(2)))))`,
];
