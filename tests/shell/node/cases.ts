import { childCases } from "./child-cases.ts";
import { disconnectCases } from "./disconnect-cases.ts";
import { fetchCases } from "./fetch-cases.ts";
import { variousCases } from "./various-cases.ts";
import { streamCases } from "./stream-cases.ts";

/** A program or a command line, or a command line with its files. */
export type Case = string | { readonly run: string; readonly files: Readonly<Record<string, string>> };

/** Scripts run as `main.js`, or as `main.mjs` if they import or export. A text that begins with `node ` is a command line. */
/** Sections whose output depends on the engine and on the process itself. With each change they run whole in the browser, and in part on QuickJS. */
export const ofEngine = [
  "order",
  "errors",
  "async context",
  "bytes that leave",
  "connections that end",
  "children's input and output",
  "fetch",
];

export const cases: Readonly<Record<string, readonly Case[]>> = {
  "command line": [
    `node -e 'console.log("hi")'`,
    `node -p '1 + 1'`,
    `node -p '({a: 1, b: [1, 2]})'`,
    `node -p '"text"'`,
    `node -pe 'process.argv.slice(1)' a b`,
    `node -e 'console.log(process.argv.length, process.argv.slice(1))' -- a -b`,
    `node --input-type=module -e 'import fs from "fs"; console.log(typeof fs.readFileSync, import.meta.url.slice(0, 8))'`,
    `node -e 'const fs = require("fs"); console.log(fs.existsSync("/nope"))'`,
    `node -e 'console.log(os.EOL === "\\n", path.join("a", "..", "b"))'`,
    `node --version`,
    `echo 'console.log("from stdin")' | node`,
    `echo 'console.log("dash", process.argv.slice(2))' | node - x y`,
    `node --bogus; echo $?`,
    `node -e; echo $?`,
    `node nope.js 2>/dev/null; echo $?`,
    {
      run: `node --check good.js && echo fine; node --check bad.js 2>/dev/null; echo $?`,
      files: { "good.js": "let a = 1;", "bad.js": "let a = ;" },
    },
    {
      run: `node --env-file=.env -p '[process.env.A, process.env.B, process.env.C, process.env.D]'`,
      files: { ".env": "A=1\nB='two words'\n# no\nC=\"x\\ny\"\nD=v # comment\n" },
    },
    { run: `node -r ./pre.js -e 'console.log(globalThis.pre)'`, files: { "pre.js": "globalThis.pre = 'loaded';" } },
    {
      run: `node --import ./pre.mjs main.mjs`,
      files: { "pre.mjs": "globalThis.pre = 'loaded';", "main.mjs": "console.log(globalThis.pre);" },
    },
    { run: `A=1 node -p 'process.env.A + process.env.NOPE'`, files: {} },
    { run: `printf 'a\\nb\\n' | node main.js`, files: { "main.js": `console.log(require("fs").readFileSync(0, "utf8").split("\\n"))` } },
    { run: `printf 'a\\nb' | node main.js`, files: { "main.js": `console.log(require("fs").readFileSync("/dev/stdin").toString())` } },
    {
      run: `printf '1\\n2\\n3' | node main.mjs`,
      files: { "main.mjs": `let n = 0; for await (const chunk of process.stdin) n += chunk.length; console.log(n);` },
    },
    {
      run: `printf '1\\n2\\n3' | node main.js`,
      files: {
        "main.js": `process.stdin.setEncoding("utf8"); let s = ""; process.stdin.on("data", (d) => (s += d)).on("end", () => console.log(JSON.stringify(s)));`,
      },
    },
    {
      run: `printf '1\\n2\\n3' | node main.mjs`,
      files: {
        "main.mjs": `import { createInterface } from "node:readline"; for await (const line of createInterface({ input: process.stdin })) console.log("line", line);`,
      },
    },
    {
      run: `printf 'Ada\\n' | node main.mjs`,
      files: {
        "main.mjs": `import { createInterface } from "node:readline/promises"; const rl = createInterface({ input: process.stdin, output: process.stdout }); console.log("hello " + (await rl.question("name? "))); rl.close();`,
      },
    },
    { run: `node main.js | head -c 3`, files: { "main.js": `process.stdout.write("abcdef")` } },
    { run: `node main.js | base64`, files: { "main.js": `process.stdout.write(Buffer.from([0, 255, 128, 10]))` } },
  ],
  "exit codes": [
    `process.exit(3)`,
    `process.exitCode = 4; console.log("on")`,
    `process.on("exit", (code) => console.log("exit", code)); process.exitCode = 2;`,
    `process.on("exit", (code) => { console.log("exit", code); process.exitCode = 9; }); process.exit(5)`,
    `setTimeout(() => console.log("never"), 1000); console.log("a"); process.exit()`,
    `try { process.exit(6) } catch { console.log("caught") } finally { console.log("finally") }`,
    `process.on("beforeExit", () => console.log("before")); console.log("first")`,
    `process.on("SIGTERM", () => console.log("never")); console.log("a handler keeps nothing alive", process.listenerCount("SIGTERM"))`,
    `process.on("SIGUSR2", (...given) => { console.log(given); process.exit(3) }); process.kill(process.pid, "SIGUSR2"); setInterval(() => {}, 1000)`,
    `const wait = setInterval(() => {}, 1000); process.once("SIGHUP", (...given) => { console.log(given, process.listenerCount("SIGHUP")); clearInterval(wait) }); console.log(process.kill(process.pid, 1))`,
    `for (const name of ["SIGKILL", "SIGSTOP"]) try { process.on(name, () => 0) } catch (e) { console.log(e.code, e.syscall, e.message, e.errno) } console.log(process.listenerCount("SIGKILL")); try { process.kill(process.pid, "SIGNONE") } catch (e) { console.log(e.code, e.message) }`,
    `let n = 0; process.on("beforeExit", () => { if (n++ < 2) setTimeout(() => console.log("again", n), 1); });`,
    `node -e 'throw new Error("x")' 2>/dev/null; echo $?`,
    `node -e 'Promise.reject(new Error("x"))' 2>/dev/null; echo $?`,
    `echo 'process.on("exit", (code) => { console.log("exit", code); process.exitCode = 5 }); throw new Error("x")' > a.js; node a.js 2>&1 | grep "^exit\\|^Error"; node a.js 2> /dev/null; echo $?`,
    `echo 'process.on("exit", () => { throw new Error("y") }); throw new Error("x")' > a.js; node a.js 2>&1 | grep "^Error"; node a.js 2> /dev/null; echo $?`,
    `echo 'process.on("uncaughtException", () => { throw new Error("y") }); process.on("exit", () => console.log("exit")); throw new Error("x")' > a.js; node a.js 2>&1 | grep "^exit\\|^Error"; node a.js 2> /dev/null; echo $?`,
    `node -e 'process.on("exit", () => process.exit(9)); throw new Error("x")' 2>&1; echo $?`,
    `node -e 'process.on("uncaughtException", (e) => console.log("got", e.message)); setTimeout(() => console.log("later"), 1); throw new Error("x")'`,
    `node -e 'process.on("unhandledRejection", (e) => console.log("got", e.message)); Promise.reject(new Error("x"))'`,
    `const p = Promise.reject(new Error("late")); process.on("unhandledRejection", () => console.log("unhandled")); setTimeout(() => p.catch(() => console.log("handled")), 5)`,
    `const p = Promise.reject(new Error("x")); queueMicrotask(() => p.catch((e) => console.log("in time", e.message)))`,
    {
      run: `node main.mjs 2>/dev/null; echo $?`,
      files: { "main.mjs": "console.log('a'); await new Promise(() => {}); console.log('never');" },
    },
    { run: `node main.mjs 2>/dev/null; echo $?`, files: { "main.mjs": "console.log('a'); throw new Error('x');" } },
  ],
  order: [
    `setTimeout(() => console.log("timeout")); setImmediate(() => console.log("immediate")); process.nextTick(() => console.log("tick")); Promise.resolve().then(() => console.log("promise")); console.log("sync")`.replace(
      `setImmediate(() => console.log("immediate")); `,
      "",
    ),
    `Promise.resolve().then(() => { console.log("p1"); process.nextTick(() => console.log("t2")); }).then(() => console.log("p2")); process.nextTick(() => { console.log("t1"); Promise.resolve().then(() => console.log("p3")); });`,
    `setTimeout(() => console.log(2), 20); setTimeout(() => console.log(1), 5); setTimeout((a, b) => console.log(a, b), 1, "x", "y")`,
    `let n = 0; const i = setInterval(() => { console.log(++n); if (n === 3) clearInterval(i); }, 2)`,
    `const t = setTimeout(() => console.log("never"), 5); clearTimeout(t); const u = setTimeout(() => console.log("never"), 100000); u.unref(); console.log(t.hasRef(), u.hasRef())`,
    `setTimeout(() => { console.log("a"); Promise.resolve().then(() => console.log("b")); process.nextTick(() => console.log("c")); }, 1); setTimeout(() => console.log("d"), 1)`,
    `const { setTimeout: wait } = require("timers/promises"); (async () => { console.log(await wait(2, "v")); })()`,
    `require("fs").readFile(__filename, () => { setTimeout(() => console.log("timeout")); setImmediate(() => console.log("immediate")); })`,
    `(async () => { for (let i = 0; i < 3; i++) { await null; console.log(i); } })(); console.log("first")`,
  ],
  console: [
    `console.log("%s is %d years and %i, %f, %j %o %O %%", "Ada", 36.5, 36.5, 1.5, { a: 1 }, [1], { b: 2 }, "extra")`,
    `console.log([1, 2, 3], { a: { b: { c: { d: 1 } } } }, "text", ["text"], null, undefined, true, 1n, Symbol("s"))`,
    `console.log(new Map([["a", 1]]), new Set([1, "b"]), new Date(0), /x/gi, () => 1, function f() {}, class A {}, class B extends Array {})`,
    `class P { constructor() { this.x = 1; } get y() { return 2; } #z = 3; } console.log(new P(), [new P()], Object.create(null), Object.create(P.prototype))`,
    `console.log(Array.from({ length: 120 }, (_, i) => i)); console.log("x".repeat(200).match(/.{20}/g))`,
    `console.log([undefined, , null], [[[[1]]]], { "a-b": 1, 2: 3, [Symbol("k")]: 4 })`,
    `console.log(Buffer.from("héllo"), new Uint8Array([1, 2]), new ArrayBuffer(4), new Float64Array(2))`,
    `const a = { n: 1 }; a.self = a; console.log(a); console.log([a, a])`,
    `console.log(Promise.resolve(4), new Promise(() => {}), (async () => {})()); const p = Promise.reject(3); p.catch(() => {}); console.log(p)`,
    `console.log([1.0, -0, 0, NaN, Infinity, 1e21, 123456789.125], "it's", ["it's", 'say "hi"', "both ' and \\""])`,
    `console.table([{ a: 1, b: "x" }, { a: 2, c: true }]); console.table([[1, 2], [3, 4]]); console.table(["a", "b"]); console.table([{ a: 1, b: 2 }], ["b"])`,
    `console.group("G"); console.log("in"); console.group(); console.log("deep\\nlines"); console.groupEnd(); console.groupEnd(); console.log("out")`,
    `console.count(); console.count("x"); console.count(); console.countReset(); console.count()`,
    `console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 }); console.log(require("util").inspect({ a: { b: { c: { d: 1 } } } }, { depth: null, compact: false }))`,
    `console.error("err"); console.warn("warn"); console.info("info"); console.debug("debug"); console.assert(1 === 2, "no %s", "way"); console.assert(true)`,
    `console.log({ get a() { return 1; }, set a(v) {}, get b() { return 1; }, set c(v) {} }, Object.assign(() => 1, { x: 1 }))`,
    `console.log(new (class extends Map {})([[1, { a: 1 }]]), new WeakMap(), Math, JSON, globalThis === global, [function () {}])`,
    `console.log({ a: "x".repeat(100), b: "y".repeat(20) }, ["aaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccccc"])`,
    `const { inspect, format } = require("util"); class M { [inspect.custom](d, o) { return "M<" + d + ">"; } } console.log(new M(), [new M()], format("%s", new M()), format("%c styled", "css"))`,
    `console.log(Object.assign(new Error("m"), { stack: "Error: m" }), [Object.assign(new TypeError("t"), { stack: "TypeError: t", code: "E" })])`,
  ],
  errors: [
    `try { null.x } catch (e) { console.log(e instanceof TypeError, e.name) } try { nope } catch (e) { console.log(e.name, e.message) }`,
    `const e = new Error("outer", { cause: new Error("inner") }); console.log(e.cause.message, e.stack.split("\\n")[0], String(e))`,
    `class MyError extends Error { constructor(m) { super(m); this.name = "MyError"; this.extra = 1; } } try { throw new MyError("x") } catch (e) { console.log(e.name, e.message, e.extra, e instanceof MyError, Object.prototype.toString.call(e), e.stack.split("\\n")[0]) }`,
    `try { JSON.parse("{") } catch (e) { console.log(e.name) } try { new Array(-1) } catch (e) { console.log(e.name) } try { (function f() { f() })() } catch (e) { console.log(e.name, e.message) }`,
    `const e = new AggregateError([new Error("a")], "many"); console.log(e.errors.length, e.message)`,
    `function f() { const o = {}; Error.captureStackTrace(o, f); return o.stack; } console.log(typeof f(), f().split("\\n")[0])`,
    `const prepare = Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites; const o = {}; function f() { Error.captureStackTrace(o); return o.stack[0]; } const c = f(); Error.prepareStackTrace = prepare; console.log(c.getFunctionName(), c.getLineNumber(), c.isEval(), c.isNative(), c.getTypeName(), c.getMethodName(), c.isToplevel(), c.getEvalOrigin())`,
    `const f = new Function("a", "b", "return a + b"); console.log(f(1, 2), f.name, f instanceof Function, f.constructor === Function, Function("return 3")(), String(f)); try { new Function("return (") } catch (e) { console.log(e.name) } class F extends Function { constructor() { super("return 7") } } console.log(new F()(), new F() instanceof F)`,
    `new Function("p", "return import(p)")("node:path").then((m) => console.log(m.basename("a/b")))`,
    `console.log(require("util").parseEnv('A=1\\nB="x y"\\n# c\\nC=a # b'))`,
    `try { require("fs").readFileSync("/no/such") } catch (e) { console.log(e.code, e.errno, e.syscall, e.path, e.message) }`,
    `try { require("./nope") } catch (e) { console.log(e.code, e.message.split("\\n")[0], e.requireStack.length) }`,
    `try { require("fs").readFileSync(123456) } catch (e) { console.log(e.code, e.message) } try { require("fs").readFileSync({}) } catch (e) { console.log(e.code, e.name, e.message) }`,
    `try { Buffer.from(5) } catch (e) { console.log(e.code, e.message) } try { require("path").join(1) } catch (e) { console.log(e.code, e.message) }`,
    `import("./nope.mjs").catch((e) => console.log(e.code, e.name)); import("no-such-package").catch((e) => console.log(e.code))`,
  ],
  modules: [
    {
      run: `node a.js`,
      files: {
        "a.js": `const b = require("./b"); console.log(b.name, require("./b") === b, module.id, require.main === module, module.children.length, typeof require.resolve("./b"))`,
        "b.js": `exports.name = "b"; exports.file = __filename.split("/").pop();`,
      },
    },
    {
      run: `node a.js`,
      files: {
        "a.js": `exports.done = false; const b = require("./b"); exports.done = true; console.log("a", b.done)`,
        "b.js": `const a = require("./a"); console.log("b sees", a.done); exports.done = true;`,
      },
    },
    {
      run: `node a.js`,
      files: {
        "a.js": `console.log(require("./data").x, require("./lib"), require("pkg"), require("pkg/sub"), require("@s/p"))`,
        "data.json": `{"x": 1}`,
        "lib/index.js": `module.exports = "lib index"`,
        "node_modules/pkg/package.json": `{"name": "pkg", "main": "./m"}`,
        "node_modules/pkg/m.js": `module.exports = "pkg main"`,
        "node_modules/pkg/sub.js": `module.exports = "pkg sub"`,
        "node_modules/@s/p/index.js": `module.exports = "scoped"`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import def, { named, other as alias } from "./b.mjs"; import * as ns from "./b.mjs"; console.log(def, named, alias, Object.keys(ns)); export {};`,
        "b.mjs": `export default "d"; export const named = 1; const other = 2; export { other };`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import c, { x, y } from "./c.cjs"; console.log(c, x, y); import { z } from "./re.cjs"; console.log(z);`,
        "c.cjs": `exports.x = 1; module.exports.y = 2;`,
        "re.cjs": `module.exports = require("./z.cjs")`,
        "z.cjs": `exports.z = 3`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import { a } from "exp"; import { b } from "exp/feature/b"; import c from "exp/c"; console.log(a, b, c); try { await import("exp/hidden.js") } catch (e) { console.log(e.code) }`,
        "node_modules/exp/package.json": `{"name": "exp", "exports": {".": {"import": "./i.mjs", "require": "./r.js"}, "./feature/*": "./f/*.mjs", "./c": {"node": {"default": "./c.js"}}}}`,
        "node_modules/exp/i.mjs": `export const a = "esm"`,
        "node_modules/exp/r.js": `exports.a = "cjs"`,
        "node_modules/exp/f/b.mjs": `export const b = "pattern"`,
        "node_modules/exp/c.js": `module.exports = "nested"`,
        "node_modules/exp/hidden.js": ``,
      },
    },
    {
      run: `node a.js`,
      files: {
        "a.js": `console.log(require("exp").a); try { require("exp/hidden.js") } catch (e) { console.log(e.code, e.message) } console.log(require("#lib"), require("self").me)`,
        "package.json": `{"name": "self", "imports": {"#lib": "./lib.js"}, "exports": "./me.js"}`,
        "lib.js": `module.exports = "internal"`,
        "me.js": `exports.me = "self"`,
        "node_modules/exp/package.json": `{"name": "exp", "exports": {".": {"import": "./i.mjs", "require": "./r.js"}}}`,
        "node_modules/exp/r.js": `exports.a = "cjs"`,
        "node_modules/exp/hidden.js": ``,
      },
    },
    {
      run: `node a.js`,
      files: {
        "package.json": `{"type": "module"}`,
        "a.js": `import fs, { readFileSync } from "node:fs"; import { join } from "path"; console.log(fs.readFileSync === readFileSync, join("a", "b"), typeof require, import.meta.filename, import.meta.dirname, import.meta.url, import.meta.resolve("./x.js"));`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import data from "./d.json" with { type: "json" }; console.log(data.list); const m = await import("./d.json", { with: { type: "json" } }); console.log(m.default === data);`,
        "d.json": `{"list": [1, 2]}`,
      },
    },
    {
      run: `node a.cjs`,
      files: {
        "a.cjs": `(async () => { const m = await import("./b.mjs"); console.log(m.v, m); })(); console.log("first")`,
        "b.mjs": `export const v = await Promise.resolve(5);`,
      },
    },
    {
      run: "node a.cjs",
      files: {
        "b.mjs": `const f = (n) => n + 1; export default 5; export { f as "module.exports" };`,
        "a.cjs": `console.log(require("./b.mjs")(1)); import("./b.mjs").then((m) => console.log(m.default, typeof m["module.exports"]))`,
      },
    },
    {
      run: `node a.cjs`,
      files: {
        "a.cjs": `const m = require("./b.mjs"); console.log(m.v, m.default, m.__esModule)`,
        "b.mjs": `export const v = 5; export default "d";`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import { createRequire } from "module"; const require = createRequire(import.meta.url); console.log(require("./b.cjs"), require.resolve("./b.cjs"));`,
        "b.cjs": `module.exports = 7`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import { count, inc } from "./b.mjs"; console.log(count); inc(); console.log(count);`,
        "b.mjs": `export let count = 0; export const inc = () => count++;`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `console.log("a"); import "./b.mjs"; import "./c.mjs";`,
        "b.mjs": `console.log("b"); await null; console.log("b2");`,
        "c.mjs": `console.log("c");`,
      },
    },
    {
      run: `node a.mjs 2>&1 | grep -o "does not provide an export named 'nope'"`,
      files: { "a.mjs": `import { nope } from "./b.mjs";`, "b.mjs": `export const a = 1;` },
    },
    { run: `node .`, files: { "package.json": `{"main": "lib/start.js"}`, "lib/start.js": `console.log("started", process.argv.length)` } },
    { run: `node a`, files: { "a.js": `#!/usr/bin/env node\nconsole.log("hashbang")` } },
    {
      run: `node a.js`,
      files: {
        "a.js": `delete require.cache[require.resolve("./b")]; const one = require("./b"); delete require.cache[require.resolve("./b")]; console.log(one === require("./b"), Object.keys(require.cache).length)`,
        "b.js": `module.exports = {}`,
      },
    },
    {
      run: `node a.js`,
      files: {
        "a.js": `const { builtinModules, isBuiltin } = require("module"); console.log(builtinModules.includes("fs"), isBuiltin("node:test"), isBuiltin("test"), require("node:path") === require("path"))`,
      },
    },
    {
      run: `node a.mjs`,
      files: {
        "a.mjs": `import "data:text/javascript,console.log('data')"; const m = await import("./b.mjs?v=1"); const n = await import("./b.mjs?v=2"); console.log(m === n);`,
        "b.mjs": `console.log(import.meta.url.split("?")[1]);`,
      },
    },
    { run: `node -p "require('./package.json').version"`, files: { "package.json": `{"version": "1.2.3"}` } },
    `node -e 'import("os").then((os) => console.log(os.default.EOL === "\\n", os.platform()))'`,
    `module.exports = function hi() {}; console.log(module.exports.name, exports === module.exports, typeof __dirname, this === exports, arguments.length)`,
  ],
  files: [
    `const fs = require("fs"); fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/a.txt", "one"); fs.appendFileSync("d/a.txt", " two"); console.log(fs.readFileSync("d/a.txt", "utf8"), fs.readdirSync("d"), fs.statSync("d/a.txt").size, fs.statSync("d").isDirectory())`,
    `const fs = require("fs"); fs.mkdirSync("d/e", { recursive: true }); fs.writeFileSync("d/e/f", ""); console.log(fs.readdirSync("d", { recursive: true }).sort(), fs.readdirSync("d", { withFileTypes: true }).map((e) => [e.name, e.isDirectory(), e.isFile(), e.parentPath])); fs.rmSync("d", { recursive: true }); console.log(fs.existsSync("d"))`,
    `const fs = require("fs"); for (const f of [() => fs.readFileSync("no"), () => fs.readdirSync("no"), () => fs.statSync("no"), () => fs.mkdirSync("no/a"), () => fs.unlinkSync("no"), () => fs.rmSync("no"), () => fs.rmdirSync("no"), () => fs.renameSync("no", "x"), () => fs.copyFileSync("no", "x"), () => fs.writeFileSync("no/x", ""), () => fs.accessSync("no"), () => fs.openSync("no"), () => fs.readFileSync("."), () => fs.writeFileSync(".", ""), () => fs.mkdirSync("."), () => fs.unlinkSync("main.js/x")]) try { f(); console.log("?") } catch (e) { console.log(e.message) }`,
    `const fs = require("fs"); const fd = fs.openSync("f", "w+"); fs.writeSync(fd, "hello world"); const b = Buffer.alloc(5); console.log(fs.readSync(fd, b, 0, 5, 6), b.toString(), fs.fstatSync(fd).size); fs.writeSync(fd, "J", 0); fs.ftruncateSync(fd, 5); fs.closeSync(fd); console.log(fs.readFileSync("f", "utf8")); fs.truncateSync("f", 2); console.log(fs.readFileSync("f", "latin1"))`,
    `const fs = require("fs/promises"); (async () => { await fs.mkdir("x"); await fs.writeFile("x/a", "1"); await fs.cp("x", "y", { recursive: true }); await fs.rename("y/a", "y/b"); console.log(await fs.readdir("y"), await fs.readFile("y/b", "utf8")); await fs.rm("x", { recursive: true, force: true }); console.log(await fs.access("x").catch((e) => e.code)); const h = await fs.open("y/b", "a+"); await h.write("23"); console.log((await h.stat()).size); await h.close(); })()`,
    `const fs = require("fs"); fs.writeFile("a", "x", (e) => { console.log(e); fs.readFile("a", "utf8", (e, d) => { console.log(e, d); fs.stat("no", (e) => { console.log(e.code); fs.mkdtemp("t-", (e, d) => console.log(/^t-\\w{6}$/.test(d))); }); }); }); console.log("sync")`,
    `const fs = require("fs"); const w = fs.createWriteStream("o"); w.write("a\\n"); w.end("b\\n"); w.on("finish", () => { fs.createReadStream("o", { encoding: "utf8" }).on("data", (d) => console.log(JSON.stringify(d))).on("close", () => console.log("closed")); })`,
    `const { pipeline } = require("stream/promises"); const fs = require("fs"); const { Transform } = require("stream"); fs.writeFileSync("i", "text".repeat(30000)); (async () => { await pipeline(fs.createReadStream("i"), new Transform({ transform(c, e, cb) { cb(null, c.toString().toUpperCase()) } }), fs.createWriteStream("o")); console.log(fs.readFileSync("o", "utf8") === "TEXT".repeat(30000)); await pipeline(fs.createReadStream("nope"), fs.createWriteStream("o2")).catch((e) => console.log(e.code)); })()`,
    `const fs = require("fs"); fs.writeFileSync("b", Buffer.from([1, 255])); console.log(fs.readFileSync("b"), fs.readFileSync("b", "base64"), fs.readFileSync("b", { encoding: "hex" })); fs.chmodSync("b", 0o755); console.log((fs.statSync("b").mode & 0o777).toString(8)); fs.utimesSync("b", 1, 2); console.log(fs.statSync("b").mtime.toISOString())`,
    `const fs = require("fs"); fs.writeFileSync("x", "1"); try { fs.writeFileSync("x", "2", { flag: "wx" }) } catch (e) { console.log(e.code) } try { fs.rmSync("."); } catch (e) { console.log(e.code) } console.log(fs.statSync("nope", { throwIfNoEntry: false }), fs.realpathSync("./x").endsWith("/x"), fs.lstatSync("x").isSymbolicLink()); fs.rmSync("nope", { force: true }); fs.mkdirSync("d"); fs.writeFileSync("d/a", ""); console.log(fs.opendirSync("d").readSync().name)`,
  ],
  builtins: [
    `const v8 = require("v8"); for (const x of [{ a: 1, b: "é☃", 5: null }, [1, , 3], [1, 2], Buffer.from("ab"), new Map([[1, { s: new Set(["x"]) }]]), 1n << 70n, -5n, /a/gi, new Date(1), "☃", -0, 2 ** 31, -1, Object(1), true, undefined, new Uint16Array([1, 2]), new Uint8Array([7]).buffer]) console.log(v8.serialize(x).toString("hex"), v8.deserialize(v8.serialize(x)))`,
    `const v8 = require("v8"); const a = { n: [] }; a.self = a; a.n.push(a.n); console.log(v8.deserialize(v8.serialize(a)), v8.deserialize(v8.serialize(new RangeError("r"))).message, v8.deserialize(Buffer.from("ff0f6f22016149022201624906 7b02".replace(" ", ""), "hex"))); try { v8.serialize({ f() {} }) } catch (e) { console.log(e.name) } try { v8.serialize(Symbol("s")) } catch (e) { console.log(e.name, e.message) } try { v8.deserialize(Buffer.from("00")) } catch (e) { console.log(e.message) }`,
    `const M = require("module"); console.log(require.resolve.paths("./x").map((p) => p === __dirname), require.resolve.paths("x").length > 0, require.resolve.paths("fs")); require("fs").writeFileSync("pre.js", "globalThis.pre = 1"); M._preloadModules(["./pre.js"]); console.log(globalThis.pre, M.createRequire(__dirname + "/none")("./pre.js")); console.log(require.resolve("./pre.js", { paths: [__dirname] }) === __dirname + "/pre.js")`,
    `process.env.MADE = "here"; require("child_process").exec("echo $MADE", (e, out) => { console.log(e, out); require("child_process").exec("echo $MADE$OTHER", { env: { ...process.env, OTHER: "there" } }, (e, out) => console.log(out)) })`,
    {
      run: "node main.js",
      files: {
        "part.ts": "const n: number = 1; export default n;",
        "main.js": `const M = require("module"); M._extensions[".ts"] = (module, filename) => { const compile = module._compile; module._compile = function (code, name) { console.log(code); return compile.call(this, "exports.n = 2", name) }; M._extensions[".js"](module, filename) }; console.log(require("./part.ts"))`,
      },
    },
    `const M = require("module"); class Mine extends M.Module {} for (const key of Object.keys(M)) Mine[key] = M[key]; Mine.builtinModules = ["a"]; console.log(Mine.builtinModules, M.builtinModules.includes("fs"))`,
    `const path = require("path"); console.log(path.resolve("/a", "..", "b"), path.relative("/a/b", "/a/c/d"), path.parse("/x/y.tar.gz"), path.format({ dir: "/d", base: "b" }), path.extname(".bashrc"), path.normalize("/a/./b/../c/"), path.isAbsolute("a"), path.sep, path.posix === path, path.basename("/a/b.js", ".js"))`,
    `const u = new URL("https://user:p%20w@example.com:8080/a/../b?x=1&y=2&x=3#h"); console.log(u.href, u.searchParams.getAll("x"), u); u.searchParams.append("z", "a b&c"); u.port = "443"; u.pathname = "/new path"; console.log(u.href, JSON.stringify({ u })); try { new URL("nope") } catch (e) { console.log(e.code, e.input, e.message) }`,
    `const { fileURLToPath, pathToFileURL, parse, format } = require("url"); console.log(fileURLToPath("file:///a%20b/c"), pathToFileURL("/a b/#c").href, parse("http://a.com:80/p?q=1#h").pathname, parse("/x?a=1&b=2", true).query.b, format({ protocol: "https", host: "h.io", pathname: "/p", query: { a: 1 } }))`,
    `const p = new URLSearchParams({ a: "1", b: "é +&" }); p.append("a", "2"); p.sort(); console.log(p.toString(), [...p], p.has("b"), p.size, p); console.log(require("querystring").parse("a=1&b=2&a=3&c=%20x+y"), require("querystring").stringify({ a: [1, 2], b: "x y" }))`,
    `const E = require("events"); const e = new E(); e.on("x", (a) => console.log("on", a)); e.once("x", (a) => console.log("once", a)); e.prependListener("x", () => console.log("first")); console.log(e.emit("x", 1), e.emit("x", 2), e.emit("y"), e.listenerCount("x"), e.eventNames()); E.once(e, "z").then((v) => console.log(v)); e.emit("z", 5, 6); try { e.emit("error", new Error("boom")) } catch (x) { console.log(x.message) }`,
    `const { on, once } = require("events"); const E = require("events"); (async () => { const e = new E(); setTimeout(() => { e.emit("v", 1); e.emit("v", 2); }, 1); let n = 0; for await (const [v] of on(e, "v")) { console.log(v); if (++n === 2) break; } })()`,
    `const { once } = require("events"); const w = { on() {}, once(name, f) { if (name === "exit") setTimeout(f, 1, 7) }, emit() {} }; once(w, "exit").then((all) => console.log(all))`,
    `const util = require("util"); console.log(util.format("%s %o", "a", [1]), util.inspect("x"), util.isDeepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), util.types.isDate(new Date()), util.types.isRegExp(/x/), util.stripVTControlCharacters("\\u001b[31mt\\u001b[39m")); util.promisify((a, cb) => cb(null, a + 1))(1).then(console.log); util.promisify(setTimeout)(1, "w").then(console.log); util.callbackify(async (x) => x * 2)(4, (e, v) => console.log(e, v)); function A() {} function B() {} util.inherits(A, B); console.log(new A() instanceof B)`,
    `const { parseArgs } = require("util"); console.log(parseArgs({ args: ["-f", "--bar", "b", "pos", "--no"], options: { f: { type: "boolean", short: "f" }, bar: { type: "string" }, no: { type: "boolean" } }, allowPositionals: true })); try { parseArgs({ args: ["--nope"] }) } catch (e) { console.log(e.code, e.message) } try { parseArgs({ args: ["--b"], options: { b: { type: "string" } } }) } catch (e) { console.log(e.code, e.message) }`,
    `const assert = require("assert"); for (const f of [() => assert.equal(1, 2), () => assert.deepStrictEqual({ a: 1 }, { a: 1, b: 2 }), () => assert.throws(() => {}), () => assert.ok(false, "msg"), () => assert.match("abc", /x/), () => assert.notStrictEqual(1, 1), () => assert.fail("f"), () => assert.ifError(null), () => assert.rejects]) try { f(); console.log("passed") } catch (e) { console.log(e.name, e.code, e.message) }`,
    `const assert = require("assert/strict"); assert.equal(1, 1); assert.deepEqual(new Map([[1, { a: [1, 2] }]]), new Map([[1, { a: [1, 2] }]])); assert.throws(() => { throw new TypeError("bad x") }, { name: "TypeError", message: /bad/ }); try { assert.deepEqual([1, 2, [3]], [1, 2, [4]]) } catch (e) { console.log(e.message, e.operator) } assert.rejects(async () => { throw new Error("r") }, /r/).then(() => console.log("ok")); assert.doesNotReject(Promise.resolve()).then(() => console.log("ok2"))`,
    `const b = Buffer.from("héllo wörld"); console.log(b.length, b.toString("base64"), b.toString("hex"), b.slice(0, 3), Buffer.concat([b, Buffer.from([33])]).toString(), b.indexOf("w"), Buffer.byteLength("é"), b.equals(Buffer.from(b)), Buffer.from("aGk=", "base64").toString(), Buffer.from("ff0a", "hex"), Buffer.alloc(3, "ab"), b.readUInt16BE(0), JSON.stringify(Buffer.from("a")), Buffer.compare(Buffer.from("a"), Buffer.from("b")), Buffer.from("aGk_", "base64url").toString("base64url"), Buffer.isBuffer(b), b instanceof Uint8Array)`,
    `const c = require("crypto"); for (const a of ["md5", "sha1", "sha256", "sha512"]) console.log(c.createHash(a).update("a").update("b").digest("hex")); console.log(c.createHmac("sha256", "k").update("d").digest("base64"), /^[0-9a-f-]{36}$/.test(c.randomUUID()), c.randomBytes(8).length, c.randomInt(5) < 5, c.timingSafeEqual(Buffer.from("a"), Buffer.from("a")), c.pbkdf2Sync("p", "s", 10, 16, "sha256").toString("hex")); crypto.subtle.digest("SHA-256", new TextEncoder().encode("a")).then((d) => console.log(Buffer.from(d).toString("hex")))`,
    `const { Readable, Writable, Transform, PassThrough } = require("stream"); Readable.from(["a", "b"]).pipe(new Transform({ transform(c, e, cb) { cb(null, String(c).toUpperCase()) } })).on("data", (d) => console.log(String(d))).on("end", () => console.log("end")); (async () => { for await (const c of Readable.from([1, 2, 3]).map((x) => x * 2)) console.log(c); })()`,
    `console.log(structuredClone({ a: new Date(0), m: new Map([[1, new Set([2])]]), n: [1, , 3], e: new RangeError("x").message })); try { structuredClone(() => {}) } catch (e) { console.log(e.name, e.message) } const o = { }; o.o = o; console.log(structuredClone(o).o.o !== o)`,
    `const a = new AbortController(); a.signal.addEventListener("abort", (e) => console.log(e.type, a.signal.reason.name)); a.abort(); console.log(a.signal.aborted); try { a.signal.throwIfAborted() } catch (e) { console.log(e.name, e.message) } const t = new EventTarget(); t.addEventListener("x", (e) => console.log(e.type), { once: true }); t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x"))`,
    `console.log(new TextEncoder().encode("é"), new TextDecoder().decode(new Uint8Array([195, 169])), atob("aGk="), btoa("hi"), new TextDecoder("latin1").decode(new Uint8Array([233])), encodeURIComponent("é"), escape("é"))`,
    `console.log((1234567.891).toLocaleString(), new Date(0).toLocaleDateString("en-US", { timeZone: "UTC" }), new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(5), ["b", "a", "C"].sort((a, b) => a.localeCompare(b)), new Intl.PluralRules("en").select(1), new Date(0).toLocaleString("en-US", { timeZone: "UTC" }).replace(/\\s/g, " "))`,
    `const os = require("os"); console.log(os.platform(), os.EOL === "\\n", typeof os.cpus().length, typeof os.totalmem(), os.type()); console.log(process.platform, process.argv0, typeof process.pid, process.cwd() === __dirname, process.release.name, process.title, typeof process.hrtime.bigint(), process.hrtime().length, typeof process.memoryUsage().heapUsed, process.uptime() > 0)`,
    `process.chdir("/"); console.log(process.cwd()); try { process.chdir("/nope") } catch (e) { console.log(e.code) } process.env.X = 5; console.log(process.env.X, "X" in process.env, delete process.env.X, process.env.X); process.emitWarning("careful")`,
    `const { exec, execFile, spawn } = require("child_process"); exec("echo out; echo err >&2; exit 3", (e, out, err) => { console.log(e.code, JSON.stringify(out), JSON.stringify(err)); execFile("echo", ["a b", "c"], (e, out) => { console.log(e, out); const c = spawn("cat"); c.stdout.on("data", (d) => console.log(String(d))); c.on("close", (code) => console.log("close", code)); c.stdin.end("piped"); }); })`,
    `const { promisify } = require("util"); const exec = promisify(require("child_process").exec); (async () => { console.log(await exec("echo hi")); try { await exec("exit 2") } catch (e) { console.log(e.code, e.stdout, e.cmd, e.message) } const { spawn } = require("child_process"); const c = spawn("sh", ["-c", "echo inherited"], { stdio: "inherit" }); c.on("exit", (code) => console.log("exit", code)); })()`,
    `performance.mark("a"); console.log(typeof performance.now(), performance.measure("m", "a").name, require("perf_hooks").performance === performance); console.log(typeof queueMicrotask, typeof fetch, typeof Response, typeof Blob, typeof WebSocket !== "string"); new Blob(["a", "b"]).text().then(console.log); Response.json({ a: 1 }).json().then(console.log)`,
    `const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("utf8"); console.log(d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end()); console.log(new Headers({ "X-A": "1" }).get("x-a"), [...new Headers([["b", "2"], ["a", "1"]])])`,
    `console.log([3, 1, 2].toSorted(), [1, 2, 3].at(-1), "a-b".replaceAll("-", "+"), Array.from({ length: 2 }), [..."añ😀"], 2n ** 64n, new Set([1, 2]).size, "abc".match(/(?<x>b)/).groups.x, /\\p{L}/u.test("é"), Number("0x1f"), (25).toString(36), [1, [2, [3]]].flat(Infinity), Object.fromEntries([["a", 1]]), new Date(Date.UTC(2020, 1, 29)).toISOString(), typeof globalThis, 0.1 + 0.2)`,
  ],
  zlib: [
    `const z = require("zlib"); const b = Buffer.from("hello ".repeat(1000)); for (const [pack, unpack] of [["gzip", "gunzip"], ["deflate", "inflate"], ["deflateRaw", "inflateRaw"], ["gzip", "unzip"], ["deflate", "unzip"]]) for (const level of [0, 1, 9]) console.log(pack, unpack, z[unpack + "Sync"](z[pack + "Sync"](b, { level })).equals(b));`,
    `const z = require("zlib"); for (const f of [() => z.gunzipSync(Buffer.from("nope")), () => z.inflateSync(z.deflateSync("abc").subarray(0, 5)), () => z.gunzipSync(Buffer.alloc(0)), () => z.gzipSync(5), () => z.gzipSync("a", { level: 77 }), () => z.inflateRawSync(Buffer.from([255, 255, 255]))]) try { console.log(f()) } catch (e) { console.log(e.name, e.code, e.errno, e.message) }`,
    `const z = require("zlib"); const two = Buffer.concat([z.gzipSync("a"), z.gzipSync("b")]); console.log(String(z.gunzipSync(two)), String(z.gunzipSync(Buffer.concat([two, Buffer.alloc(5)]))), String(z.unzipSync(Buffer.concat([z.deflateSync("a"), Buffer.from("trash")])))); z.gunzip(Buffer.concat([two, Buffer.from("trash")]), (e) => console.log(e.message))`,
    `const z = require("zlib"); console.log(String(z.inflateSync(z.deflateSync("abc".repeat(9)).subarray(0, 9), { finishFlush: z.constants.Z_SYNC_FLUSH })), String(z.inflateSync(Buffer.from("eJzLSM3JyQcABiwCFQ==", "base64"))), String(z.inflateSync(z.deflateSync("abcabc", { dictionary: Buffer.from("abc") }), { dictionary: Buffer.from("abc") }))); try { z.inflateSync(z.deflateSync("abcabc", { dictionary: Buffer.from("abc") })) } catch (e) { console.log(e.code, e.message) }`,
    `const z = require("zlib"); const { pipeline } = require("stream/promises"); const { Readable, Writable } = require("stream"); const fs = require("fs"); (async () => { const big = "line of text\\n".repeat(20000); await pipeline(Readable.from([Buffer.from(big)]), z.createGzip(), fs.createWriteStream("a.gz")); let n = 0; await pipeline(fs.createReadStream("a.gz"), z.createGunzip(), new Writable({ write(c, e, done) { n += c.length; done() } })); console.log(n === big.length, String(z.gunzipSync(fs.readFileSync("a.gz"))) === big); const g = z.createGzip(); let out = 0; g.on("data", (c) => { out += c.length }); g.write("abc"); await new Promise((r) => g.flush(r)); await new Promise((r) => setTimeout(r, 20)); console.log(out > 10); g.on("end", () => console.log("end")); g.end(); z.createGunzip().on("error", (e) => console.log(e.code, e.message)).end("nope"); })()`,
    `import { promisify } from "node:util"; import z from "node:zlib"; console.log(String(await promisify(z.gunzip)(await promisify(z.gzip)("abc"))), z.crc32("hello"), z.constants.Z_BEST_SPEED, z.codes["-5"]);`,
  ],
  "web streams": [
    `const s = new ReadableStream({ start(c) { c.enqueue("a"); c.enqueue("b"); c.close() } }); (async () => { for await (const x of s.pipeThrough(new TransformStream({ transform(x, c) { c.enqueue(x.toUpperCase()) } }))) console.log(x); const [a, b] = new ReadableStream({ start(c) { c.enqueue(1); c.close() } }).tee(); console.log((await a.getReader().read()).value, (await b.getReader().read()).value); })()`,
    `(async () => { console.log(await new Response(new Blob(["xyz"]).stream().pipeThrough(new CompressionStream("gzip")).pipeThrough(new DecompressionStream("gzip"))).text()); const r = new Response("hello"); const reader = r.body.getReader(); console.log((await reader.read()).value, (await reader.read()).done, r.bodyUsed); try { new CompressionStream("br") } catch (e) { console.log(e.name, e.code) } })()`,
    `import { Readable, Writable } from "node:stream"; import { ReadableStream as Same } from "node:stream/web"; console.log(Same === ReadableStream); for await (const c of Readable.fromWeb(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([1, 2])); c.close() } }))) console.log(c); for await (const c of Readable.toWeb(Readable.from([Buffer.from("x")]))) console.log(c); const w = Writable.toWeb(new Writable({ write(c, e, done) { console.log("w", c); done() } })).getWriter(); await w.write("q"); await w.close(); const t = new TextEncoderStream(); const into = t.writable.getWriter(); into.write("\\ud83d"); into.write("\\ude00é"); into.close(); for await (const c of t.readable.pipeThrough(new TextDecoderStream())) console.log(c);`,
  ],
  "message channels": [
    `const { port1, port2 } = new MessageChannel(); port2.onmessage = (e) => { console.log(e.data, e.type); if (e.data.n === 2) port1.close() }; port1.postMessage({ n: 1 }); port1.postMessage({ n: 2 }); console.log("sync"); try { port1.postMessage(() => {}) } catch (e) { console.log(e.name) } try { new MessagePort() } catch (e) { console.log(e.name, e.message) }`,
    `const { MessageChannel, MessagePort } = require("worker_threads"); const [a, b] = [new MessageChannel(), new MessageChannel()]; b.port1.postMessage("waits"); a.port2.on("message", ({ p }) => { p.on("message", (x) => { console.log(x); p.close() }); p.on("close", () => console.log("closed", p instanceof MessagePort)) }); a.port1.postMessage({ p: b.port2 }, [b.port2]); b.port1.on("close", () => { console.log("other end closed"); a.port1.close() }); console.log(b.port2.postMessage("lost")); for (const f of [() => a.port1.postMessage(1, [b.port2]), () => a.port1.postMessage(1, [a.port1]), () => a.port1.postMessage({ p: a.port2 })]) try { f() } catch (e) { console.log(e.name, e.code, e.message) }`,
    `const { port1, port2 } = new MessageChannel(); port1.on("message", console.log); port2.unref(); port1.unref(); console.log("ends", port1.listenerCount("message"), port1.emit("message", 5), port1.off("message", console.log).listenerCount("message"))`,
    `const { port1, port2 } = new MessageChannel(); port1.once("message", (m) => { console.log("once", m); setTimeout(() => { const f = (n) => { console.log("then", n); port1.off("message", f) }; port1.on("message", f) }, 20) }); port2.postMessage(1); port2.postMessage(2)`,
    `const { EventEmitterAsyncResource } = require("events"); const { AsyncLocalStorage } = require("async_hooks"); const als = new AsyncLocalStorage(); const e = als.run(1, () => new EventEmitterAsyncResource({ name: "Q" })); e.on("x", (a) => console.log(a, als.getStore())); als.run(2, () => e.emit("x", "a")); class M extends EventEmitterAsyncResource {} console.log(new M().asyncResource.eventEmitter instanceof M, typeof e.asyncId, typeof e.triggerAsyncId, e.emitDestroy())`,
    `const { MessageChannel, receiveMessageOnPort } = require("worker_threads"); const c = new MessageChannel(); c.port1.postMessage([1]); console.log(receiveMessageOnPort(c.port2), receiveMessageOnPort(c.port2)); c.port2.on("message", (m) => { console.log(m); c.port2.close() }); c.port1.postMessage("x");`,
  ],
  "async context": [
    `import { AsyncLocalStorage } from "node:async_hooks"; const als = new AsyncLocalStorage(); const s = () => als.getStore(); async function g() { await null; return s() } async function* gen() { yield s(); await 2; yield s(); await new Promise((r) => setTimeout(r, 2)); yield s() } async function f() { const r = [s()]; await 1; r.push(s()); await new Promise((done) => setTimeout(done, 5)); r.push(s()); r.push(...(await Promise.all([g(), g()]))); for await (const x of gen()) r.push(x, s()); r.push(await { then(done) { done(s()) } }); try { await Promise.reject(1) } catch { r.push(s()) } return r.join() } console.log(await Promise.all([als.run("x", f), als.run("y", f), f()]), s());`,
    `const { AsyncLocalStorage } = require("async_hooks"); const als = new AsyncLocalStorage(); const s = () => als.getStore(); const said = []; als.run(1, () => { setTimeout(() => said.push("timer" + s()), 1); setImmediate(() => said.push("immediate" + s())); process.nextTick(() => said.push("tick" + s())); queueMicrotask(() => said.push("micro" + s())); Promise.resolve().then(() => said.push("then" + s())).finally(() => said.push("finally" + s())); require("fs").readFile("main.js", () => said.push("fs" + s())); require("fs").promises.stat(".").then(() => said.push("fsp" + s())); require("child_process").exec("true", () => said.push("child" + s())) }); process.on("exit", () => console.log(said.sort().join(), s()));`,
    `const { AsyncLocalStorage, AsyncResource } = require("async_hooks"); const als = new AsyncLocalStorage(); const s = () => als.getStore(); const shared = new Promise((r) => setTimeout(r, 3)); const wait = async (n) => { await shared; console.log(n, s()) }; als.run(1, wait, "a"); als.run(2, wait, "b"); wait("c"); als.run(7, () => { const r = new AsyncResource("X"); setTimeout(() => als.run(8, () => r.runInAsyncScope(() => console.log("resource", s()))), 30); const bound = AsyncLocalStorage.bind(() => console.log("bound", s())); const snap = AsyncLocalStorage.snapshot(); setTimeout(() => als.run(9, () => { bound(); snap(() => console.log("snap", s())); als.exit(() => console.log("exit", s())) }), 60) })`,
    `import { AsyncLocalStorage } from "node:async_hooks"; const a = new AsyncLocalStorage(), b = new AsyncLocalStorage(); async function f() { a.enterWith(1); await 0; console.log(a.getStore(), b.getStore()); b.run(5, async () => { await 0; console.log(a.getStore(), b.getStore()) }); await new Promise((r) => setTimeout(r, 3)); console.log(a.getStore(), b.getStore()) } await a.run(0, f); console.log(a.getStore()); try { await a.run(3, async () => { await 0; throw new Error("e" + a.getStore()) }) } catch (e) { console.log(e.message, a.getStore()) } const g = (function* () { yield a.getStore(); yield a.getStore() })(); console.log(a.run(4, () => g.next().value), g.next().value); a.enterWith("top"); setTimeout(() => console.log(a.getStore()), 1); a.disable(); console.log(a.getStore());`,
    `const dc = require("diagnostics_channel"); const t = dc.tracingChannel("x"); t.subscribe({ start: () => console.log("start"), end: () => console.log("end"), error: ({ error }) => console.log(error.message), asyncEnd: (c) => console.log("asyncEnd", c.result) }); console.log(t.traceSync((a) => a + 1, {}, null, 2)); try { t.traceSync(() => { throw new Error("no") }) } catch (e) { console.log("thrown") } t.tracePromise(async () => 5, {}).then(console.log); console.log(dc.channel("tracing:x:start").hasSubscribers);`,
  ],
  "http without a network": [
    `const http = require("http"); const res = new http.ServerResponse({ method: "GET" }); res.sendDate = false; let text = ""; res.assignSocket(new (require("stream").Writable)({ write(c, e, done) { text += c; done() } })); res.setHeader("X-A", ["1", "2"]); console.log(res.getHeader("x-a"), res.headersSent); res.writeHead(201, { "Content-Type": "text/plain", Connection: "close" }); try { res.setHeader("b", "c") } catch (e) { console.log(e.code) } res.end("body"); setTimeout(() => console.log(text.split("\\r\\n\\r\\n")[0].split("\\r\\n").sort(), text.includes("body"), res.writableEnded, res.statusMessage), 20);`,
    `const http = require("http"); const s = http.createServer((q, r) => console.log("asked", q.url)); s.emit("request", { url: "/x" }); console.log(s.listening, s.address()); try { http.validateHeaderName("a b") } catch (e) { console.log(e.code, e.message) }`,
  ],
  servers: [
    `const http = require("http"); const s = http.createServer((q, r) => { let body = ""; q.setEncoding("utf8"); q.on("data", (d) => (body += d)); q.on("end", () => { r.setHeader("X-A", "b"); r.end(q.method + " " + q.url + " " + q.headers["x-q"] + " " + body) }) }); s.listen(0, () => { const { port } = s.address(); console.log(s.listening, s.address().family, port > 1024); const q = http.request({ port, path: "/p?x=1", method: "POST", headers: { "X-Q": "1" } }, (r) => { console.log(r.statusCode, r.statusMessage, r.httpVersion, r.headers["x-a"], r.headers.connection, r.headers["content-length"]); r.setEncoding("utf8"); r.on("data", (d) => console.log("data", d)); r.on("end", () => { console.log("end", r.complete); s.close(() => console.log("closed", s.listening, s.address())) }) }); q.write("a"); q.end("b") })`,
    `import http from "node:http"; const s = http.createServer((q, r) => { if (q.url === "/json") { r.writeHead(201, { "Content-Type": "application/json" }); r.write('{"a":'); setTimeout(() => r.end("1}"), 5) } else { r.statusCode = 404; r.end() } }); await new Promise((d) => s.listen(0, "127.0.0.1", d)); const at = "http://localhost:" + s.address().port; const r = await fetch(at + "/json"); console.log(r.status, r.ok, r.headers.get("content-type"), await r.json()); const no = await fetch(at + "/no"); console.log(no.status, no.statusText, await no.text()); s.close(); s.closeAllConnections();`,
    `const http = require("http"); http.get("http://127.0.0.1:1/", () => {}).on("error", (e) => { console.log(e.code, e.syscall, e.address, e.port, e.message); fetch("http://127.0.0.1:1/").catch((e) => console.log(e.name, e.message, e.cause.code === "ECONNREFUSED" || e.cause.message === "bad port")); })`,
    `const net = require("net"); const s = net.createServer((c) => { c.setEncoding("utf8"); c.write("hello "); c.on("data", (d) => c.end(d.toUpperCase())); c.on("close", () => console.log("server's end closed")) }); s.listen(0, () => { const c = net.connect(s.address().port, () => { console.log("connected", c.remoteAddress !== undefined, c.connecting); c.write("ping") }); let all = ""; c.on("data", (d) => (all += d)); c.on("end", () => console.log("end", all)); c.on("close", (bad) => { console.log("close", bad); s.close() }) })`,
    `const net = require("net"); const a = net.createServer().listen(0, () => { const { port } = a.address(); const b = net.createServer(); b.on("error", (e) => { console.log(e.code, e.syscall, e.errno, e.message.replace(port, "PORT")); a.close(() => console.log("done")) }); b.listen(port) })`,
    `const http = require("http"); const s = http.createServer(() => {}); s.on("upgrade", (q, c) => { c.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: echo\\r\\nConnection: Upgrade\\r\\n\\r\\n"); c.on("data", (d) => { c.write("got " + d); c.end() }) }); s.listen(0, () => { const q = http.request({ port: s.address().port, headers: { Connection: "Upgrade", Upgrade: "echo" } }); q.on("upgrade", (r, c, head) => { console.log(r.statusCode, r.headers.upgrade, head.length); c.on("data", (d) => console.log(String(d))); c.on("end", () => s.close()); c.write("x") }); q.end() })`,
    `const http = require("http"); const s = http.createServer((q, r) => { r.write("x".repeat(300000)); r.end("y") }).listen(0, async () => { const r = await fetch("http://localhost:" + s.address().port); const t = await r.text(); console.log(t.length, t.endsWith("xy"), r.headers.get("transfer-encoding")); s.close(); s.closeAllConnections() })`,
    `const http = require("http"); const s = http.createServer((q, r) => r.end("hi " + q.url)).listen(0); const { port, family } = s.address(); console.log(port > 1024, family, s.address().port === port); http.get({ port, path: "/now" }, (r) => { r.setEncoding("utf8"); r.on("data", (d) => console.log(d)); r.on("end", () => s.close(() => console.log(s.address()))) }); try { s.listen(0) } catch (e) { console.log(e.code) }`,
    `const net = require("net"); const a = net.createServer((c) => c.end("a")); a.listen(0, "127.0.0.1", () => { const { port } = a.address(); a.close(() => { console.log("closed", a.address()); a.listen(port); console.log(a.address().port === port); net.connect(port).on("data", (d) => console.log(String(d))).on("close", () => a.close()) }) }); console.log(a.address()); const b = net.createServer().on("close", () => console.log("never listened", b.address())).listen(0); b.close()`,
    `const s = require("http").createServer(); s.listen(0); s.unref(); console.log("ends")`,
    `const s = require("net").createServer(); s.on("listening", () => console.log("listening")); s.on("close", () => console.log("closed")); s.listen(0); s.close()`,
    `const net = require("net"); const s = net.createServer((c) => { c.write("x".repeat(2000)); setTimeout(() => c.destroy(), 20) }); s.listen(0, () => { const c = net.connect(s.address().port); c.pause(); setTimeout(() => { let n = 0; c.on("data", (d) => (n += d.length)); c.on("close", () => { console.log(n); s.close() }); c.resume() }, 50) })`,
    `const http = require("http"); const s = http.createServer((q, r) => { q.pipe(r) }).listen(0, async () => { const at = "http://localhost:" + s.address().port; console.log(await Promise.all([1, 2, 3].map(async (n) => (await fetch(at, { method: "PUT", body: "b" + n })).text()))); s.close(); s.closeAllConnections() })`,
    `const dns = require("dns"); dns.lookup("localhost", { family: 4 }, (e, a, f) => { console.log(e, a, f); dns.promises.lookup("127.0.0.1").then(console.log) })`,
    `const http = require("http"); const s = http.createServer((q, r) => {}); s.listen(0, () => { const q = http.get({ port: s.address().port, timeout: 20 }); q.on("timeout", () => { console.log("timeout"); q.destroy() }); q.on("error", (e) => { console.log(e.code, e.message); s.close(); s.closeAllConnections() }) })`,
  ],
  "bytes that leave": streamCases,
  various: variousCases,
  fetch: fetchCases,
  "connections that end": disconnectCases,
  "children's input and output": childCases,
  "children that are ended": [
    `const { spawn } = require("child_process"); const c = spawn("sleep", ["20"]); c.on("exit", (code, signal) => { console.log("exit", code, signal); try { process.kill(c.pid, 0); } catch (e) { console.log(e.message, e.code, e.syscall); } }); setTimeout(() => console.log(process.kill(c.pid, 0), process.kill(process.ppid, 0), process.kill(c.pid)), 30); try { process.kill(999999); } catch (e) { console.log(e.message); }`,
    `const { spawn } = require("child_process"); const c = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); c.on("exit", (code, signal) => console.log("exit", code, signal)); setTimeout(() => console.log(process.kill(c.pid, 0), process.kill(c.pid, "SIGKILL")), 200);`,
    `const { spawn } = require("child_process"); const c = spawn("sleep", ["20"]); c.on("exit", (code, signal) => console.log("exit", code, signal)); c.on("close", (code, signal) => console.log("close", code, signal, c.killed)); setTimeout(() => console.log(c.kill()), 30);`,
    `const { spawn } = require("child_process"); const fs = require("fs"); const c = spawn("sh", ["-c", "sleep 2; echo late > late.txt"]); setTimeout(() => c.kill(), 30); c.on("close", () => setTimeout(() => console.log(fs.existsSync("late.txt")), 2500));`,
    `const { exec, execFile } = require("child_process"); exec("node -e 'setInterval(() => {}, 10)'", { timeout: 200 }, (e) => console.log(e.killed, e.signal, e.code));`,
    `const { execFile } = require("child_process"); const ac = new AbortController(); execFile("sleep", ["5"], { signal: ac.signal }, (e) => console.log(e.name, e.code)); setTimeout(() => ac.abort(), 30);`,
  ],
  "what differs": [
    `const assert = require("assert"); try { assert(0) } catch (e) { console.log(e.message) }`,
    `const assert = require("assert"); try { assert.strictEqual("a", "b", "mine") } catch (e) { console.log(e.message) }`,
    `try { null.x } catch (e) { console.log(e.message) }`,
    `try { JSON.parse("{") } catch (e) { console.log(e.message) }`,
    `console.log(new (require("events"))())`,
    `require("child_process").execSync("true")`,
    `console.log(typeof WebAssembly)`,
    `console.log(require("zlib").brotliCompressSync("a").length > 0)`,
    `node --test-reporter=dot -e 1`,
    { run: `node t.js`, files: { "t.js": `require("node:test")("a", () => {})` } },
    {
      run: `node --test-reporter=spec hooks.js`,
      files: {
        "hooks.js": `const { describe, it, before, after } = require("node:test"); describe("suite", () => { before(() => console.log("before")); it("one", () => {}); after(() => console.log("after")); });`,
      },
    },
  ],
  tests: [
    {
      run: `node --test-reporter=spec t.js`,
      files: {
        "t.js": `const { test, describe, it, beforeEach, before, after, afterEach } = require("node:test"); const assert = require("assert"); test("ok", () => {}); test("async", async () => { await null; }); test("skip", { skip: true }, () => {}); test("why", { skip: "because" }, () => {}); test.todo("later"); describe("suite", () => { let n = 0; before(() => n++); after(() => {}); beforeEach(() => n++); afterEach(() => n++); it("one", () => assert.equal(n, 2)); it("two", (t, done) => setTimeout(done, 1)); describe("inner", () => { it("deep", () => {}); }); });`,
      },
    },
    {
      run: `node --test-reporter=spec t.mjs; echo $?`,
      files: {
        "t.mjs": `import test from "node:test"; test("parent", async (t) => { await t.test("a", () => {}); await t.test("b", (t) => { t.diagnostic("note"); }); t.skip; }); console.log("bottom");`,
      },
    },
    {
      run: `node --test-reporter=spec t.js > out; echo $?; grep -c '✖' out; grep 'ℹ [pf]a' out`,
      files: { "t.js": `const test = require("node:test"); test("bad", () => { throw new Error("no") }); test("good", () => {});` },
    },
    {
      run: `node --test --test-reporter=spec > out; echo $?; grep -v duration out | sed 's/ (.*//'`,
      files: {
        "a.test.js": `require("node:test")("from a", () => {});`,
        "test/b.js": `require("node:test")("from b", () => {});`,
        "src.js": `throw new Error("not a test")`,
        "c.test.mjs": `import { it } from "node:test"; it("from c", () => {});`,
      },
    },
    {
      run: `node --test-reporter=spec t.js; echo $?`,
      files: {
        "t.js": `const { test, mock } = require("node:test"); test("mocks", (t) => { const f = t.mock.fn((a) => a + 1); console.log(f(1), f.mock.calls.length, f.mock.calls[0].arguments, f.mock.calls[0].result, f.mock.callCount()); const o = { m() { return 1; } }; t.mock.method(o, "m", () => 2); console.log(o.m(), o.m.mock.callCount()); o.m.mock.restore(); console.log(o.m()); });`,
      },
    },
    {
      run: `node --test-reporter=spec --test-name-pattern=two t.js | grep -v duration`,
      files: { "t.js": `const test = require("node:test"); test("one", () => {}); test("two", () => {});` },
    },
  ],
};
