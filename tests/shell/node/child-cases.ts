import type { Case } from "./cases.ts";

/** Where child processes get their input and send their output, and streams that end with the program. */
export const childCases: readonly Case[] = [
  `const fs = require("fs"); const out = fs.openSync("out.log", "a"); const c = require("child_process").spawn("node", ["-e", "console.log('hi'); console.error('bad')"], { stdio: ["ignore", out, out] }); fs.closeSync(out); console.log(c.stdout, c.stderr); c.on("close", (code) => console.log(code, fs.readFileSync("out.log", "utf8").split("\\n").sort()))`,
  `const fs = require("fs"); fs.writeFileSync("in", "b\\na\\n"); fs.writeFileSync("log", "0 "); const c = require("child_process").spawn("sort", { stdio: [fs.openSync("in"), fs.openSync("log", "a"), "inherit"] }); c.on("close", (code) => console.log(code, fs.readFileSync("log", "utf8")))`,
  `const fs = require("fs"); fs.writeFileSync("in", "piped in"); const c = require("child_process").spawn("node", ["-e", "process.stdin.pipe(process.stdout)"], { stdio: [fs.openSync("in"), 1, process.stderr] }); c.on("close", (code) => console.log("\\n" + code))`,
  `const fs = require("fs"); const out = fs.createWriteStream("log"); out.on("open", () => { const c = require("child_process").spawn("echo", ["to a stream"], { stdio: ["ignore", out, 2] }); c.on("close", () => { console.log(fs.readFileSync("log", "utf8")); require("child_process").spawn("sh", ["-c", "echo swapped >&2"], { stdio: ["ignore", 2, 1] }) }) })`,
  { run: "printf 'b\\na\\n' | node main.js", files: { "main.js": `require("child_process").spawn("sort", { stdio: "inherit" })` } },
  `const c = require("child_process").spawn("cat"); c.stdout.on("data", (d) => { console.log(String(d)); c.stdin.end() }); c.on("close", (code) => console.log(code)); c.stdin.write("one")`,
  `const c = require("child_process").spawn("cat"); let all = ""; c.stdout.on("data", (d) => (all += d)); c.on("close", (code) => console.log(code, all)); c.stdin.write("one "); setTimeout(() => { c.stdin.write("two"); c.stdin.end() }, 30)`,
  `import { pipeline } from "node:stream/promises"; await pipeline(["a", "b"], async function* (all) { for await (const x of all) yield x.toUpperCase() + "\\n" }, process.stdout); console.error("then")`,
  `const { pipeline, Readable } = require("stream"); pipeline(Readable.from(["d\\n"]), process.stdout, (e) => console.error("done", e))`,
];
