/** A real package: what runs it, and its output. `where`: its folder in the repository's node_modules, if it differs from the name. */
export interface RealPackage {
  readonly name: string;
  readonly where?: string;
  /** Additional files of the project, next to `run.mjs`. */
  readonly files?: Readonly<Record<string, string>>;
  /** A program for `node`, or a command line. */
  readonly program?: string;
  readonly line?: string;
  readonly stdout: string;
}

export const realPackages: readonly RealPackage[] = [
  {
    name: "lodash",
    program: `import _ from "lodash"; import chunk from "lodash/chunk.js"; console.log(_.groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even")), chunk([1, 2, 3], 2), _.template("hi <%= x %>")({ x: 1 }));`,
    stdout: "{ odd: [ 1, 3 ], even: [ 2 ] } [ [ 1, 2 ], [ 3 ] ] hi 1\n",
  },
  {
    name: "zod",
    program: `import { z } from "zod"; const s = z.object({ a: z.string().min(2), n: z.number().int() }); console.log(s.parse({ a: "xy", n: 1 }), s.safeParse({ a: "x", n: 1.5 }).error.issues.map((i) => i.path.join()));`,
    stdout: "{ a: 'xy', n: 1 } [ 'a', 'n' ]\n",
  },
  {
    name: "marked",
    program: `import { marked } from "marked"; console.log(marked.parse("# A *b*\\n\\n- x\\n"));`,
    stdout: "<h1>A <em>b</em></h1>\n<ul>\n<li>x</li>\n</ul>\n\n",
  },
  {
    name: "dayjs",
    program: `import dayjs from "dayjs"; import utc from "dayjs/plugin/utc.js"; dayjs.extend(utc); console.log(dayjs.utc("2026-01-31").add(1, "month").format("YYYY-MM-DD dddd"));`,
    stdout: "2026-02-28 Saturday\n",
  },
  {
    name: "acorn",
    program: `import { parse } from "acorn"; console.log(parse("let x = 1 + 2", { ecmaVersion: 2024 }).body[0].declarations[0].init.type);`,
    stdout: "BinaryExpression\n",
  },
  {
    name: "yaml",
    program: `import { parse, stringify } from "yaml"; console.log(parse("a: [1, {b: 2}]\\nc: |\\n  text\\n"), stringify({ x: [1, 2] }));`,
    stdout: "{ a: [ 1, { b: 2 } ], c: 'text\\n' } x:\n  - 1\n  - 2\n\n",
  },
  {
    name: "uuid",
    program: `import { v4, v5, validate } from "uuid"; console.log(validate(v4()), v5("hello", v5.URL));`,
    stdout: "true 074171de-bc84-5ea4-b636-1135477620e1\n",
  },
  {
    name: "nanoid",
    program: `import { nanoid, customAlphabet } from "nanoid"; console.log(nanoid().length, customAlphabet("a", 4)());`,
    stdout: "21 aaaa\n",
  },
  {
    name: "chalk",
    program: `import { Chalk } from "chalk"; const c = new Chalk({ level: 1 }); console.log(JSON.stringify(c.red.bold("x")));`,
    stdout: '"\\u001b[31m\\u001b[1mx\\u001b[22m\\u001b[39m"\n',
  },
  {
    name: "semver",
    line: "npx semver -r '^1.2' 1.1.0 1.2.5 2.0.0 && node -e \"console.log(require('semver').satisfies('1.2.3', '^1'))\"",
    stdout: "1.2.5\ntrue\n",
  },
  {
    name: "commander",
    program: `import { Command } from "commander"; const p = new Command().name("x").option("-n, --num <n>", "a number", Number).argument("<file>"); p.parse(["node", "x", "-n", "3", "f"]); console.log(p.opts(), p.args);`,
    stdout: "{ num: 3 } [ 'f' ]\n",
  },
  {
    name: "minimist",
    program: `import minimist from "minimist"; console.log(minimist(["-a", "1", "--b=x", "c"]));`,
    stdout: "{ _: [ 'c' ], a: 1, b: 'x' }\n",
  },
  {
    name: "uvu",
    files: {
      "tests/sum.js": `import { test } from "uvu"; import * as assert from "uvu/assert"; test("sum", () => assert.is(1 + 1, 2)); test("more", () => assert.equal({ a: [1] }, { a: [1] })); test.run();\n`,
    },
    line: "npx uvu --no-color tests | grep -E 'Total|Passed' && npm test | grep Passed",
    stdout: "  Total:     2\n  Passed:    2\n  Passed:    2\n",
  },
  {
    name: "prettier",
    program: `import * as prettier from "prettier"; process.stdout.write(await prettier.format("const a={b:1,c:[1,2]}\\nfunction f(x){return x}", { parser: "babel" }));`,
    stdout: "const a = { b: 1, c: [1, 2] };\nfunction f(x) {\n  return x;\n}\n",
  },
  {
    name: "typescript",
    where: "@tsd/typescript",
    files: {
      "tsconfig.json":
        '{ "compilerOptions": { "strict": true, "target": "es2020", "lib": ["es2020"], "types": [], "outDir": "out" }, "files": ["wrong.ts"] }\n',
      "wrong.ts": 'export const n: number = "x";\n',
    },
    line: "npx tsc --noEmit; echo $?",
    stdout: "wrong.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.\n2\n",
  },
  {
    name: "ajv",
    program: `import { Ajv } from "ajv"; const v = new Ajv().compile({ type: "object", properties: { a: { type: "integer" } }, required: ["a"] }); console.log(v({ a: 1 }), v({ a: "x" }), v.errors[0].message);`,
    stdout: "true false must be integer\n",
  },
  {
    name: "immer",
    program: `import { produce } from "immer"; const a = { x: [1], y: {} }; const b = produce(a, (d) => { d.x.push(2); }); console.log(b, a, a.y === b.y);`,
    stdout: "{ x: [ 1, 2 ], y: {} } { x: [ 1 ], y: {} } true\n",
  },
  {
    name: "ramda",
    program: `import * as R from "ramda"; console.log(R.pipe(R.map(R.inc), R.sum)([1, 2]), R.path(["a", 0], { a: [5] }));`,
    stdout: "5 5\n",
  },
  {
    name: "mustache",
    program: `import m from "mustache"; console.log(m.render("{{#l}}<{{.}}>{{/l}} {{{h}}} {{h}}", { l: [1, 2], h: "&" }));`,
    stdout: "<1><2> & &amp;\n",
  },
  {
    name: "fast-check",
    program: `import fc from "fast-check"; fc.assert(fc.property(fc.integer(), (n) => n + 0 === n)); try { fc.assert(fc.property(fc.nat(), (n) => n < 50), { seed: 1 }); } catch (e) { console.log(e.message.includes("Counterexample: [50]")); }`,
    stdout: "true\n",
  },
  { name: "js-yaml", program: `import * as y from "js-yaml"; console.log(y.load("- 1\\n- a: b\\n"));`, stdout: "[ 1, { a: 'b' } ]\n" },
  {
    name: "diff",
    program: `import { createPatch } from "diff"; console.log(createPatch("f", "a\\nb\\n", "a\\nc\\n").split("\\n").slice(-4, -1).join("|"));`,
    stdout: " a|-b|+c\n",
  },
  {
    name: "prettier",
    files: { "formatted/ugly.js": "const a={b:1}\n", "formatted/fine.ts": "const a: number = 1;\n" },
    line: "npx prettier --check formatted 2>&1; npx prettier --write formatted | sed 's/ [0-9]*ms//' && cat formatted/ugly.js",
    stdout:
      "Checking formatting...\n[warn] formatted/ugly.js\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\nformatted/fine.ts (unchanged)\nformatted/ugly.js\nconst a = { b: 1 };\n",
  },
  {
    name: "express",
    program: `import express from "express"; import http from "node:http"; import { PassThrough, Writable } from "node:stream";
      const app = express(); app.use(express.json()); app.get("/x/:id", (q, r) => r.json({ id: q.params.id, q: q.query.a })); app.post("/sum", (q, r) => r.send(String(q.body.a + q.body.b))); app.get("/boom", () => { throw new Error("boom"); }); app.use((q, r) => r.status(404).send("no")); app.use((e, q, r, n) => r.status(500).send(e.message));
      const ask = (method, url, body = "") => new Promise((done) => { const q = Object.assign(new http.IncomingMessage(new PassThrough()), { method, url, headers: { host: "a", "content-type": "application/json", "content-length": String(body.length) } }); q.push(body); q.push(null); const r = new http.ServerResponse(q); let text = ""; r.assignSocket(new Writable({ write(c, e, next) { text += c; next(); } })); r.on("finish", () => done(r.statusCode + " " + text.split("\\r\\n\\r\\n")[1])); app.handle(q, r); });
      for (const [method, url, body] of [["GET", "/x/7?a=1"], ["POST", "/sum", '{"a":1,"b":2}'], ["GET", "/none"], ["GET", "/boom"]]) console.log(await ask(method, url, body));
      const server = app.listen(3000, async () => { const r = await fetch("http://localhost:3000/x/8?a=2"); console.log(r.status, r.headers.get("x-powered-by"), await r.text()); server.close(); });`,
    stdout: '200 {"id":"7","q":"1"}\n200 3\n404 no\n500 boom\n200 Express {"id":"8","q":"2"}\n',
  },
  {
    name: "ws",
    program: `import { WebSocket, WebSocketServer } from "ws"; const s = new WebSocketServer({ port: 3001 }); s.on("connection", (c) => c.on("message", (m) => c.send("echo " + m)));
      s.on("listening", () => { const c = new WebSocket("ws://localhost:3001"); c.on("open", () => c.send("hi")); c.on("message", (m) => { console.log(String(m)); c.close(); s.close(() => console.log("closed")); }); });`,
    stdout: "echo hi\nclosed\n",
  },
  {
    name: "react",
    program: `import { createElement as h, useState } from "react"; import { renderToPipeableStream, renderToStaticMarkup, renderToString } from "react-dom/server"; import { renderToReadableStream } from "react-dom/server.edge"; import { text } from "node:stream/consumers"; import { PassThrough } from "node:stream";
      const App = () => { const [n] = useState(3); return h("p", { className: "x" }, "hi ", n); }; console.log(renderToString(h(App)), renderToStaticMarkup(h("b", null, "x & y")));
      const out = new PassThrough(); const s = renderToPipeableStream(h(App), { onAllReady: () => s.pipe(out) }); console.log(await text(out), await new Response(await renderToReadableStream(h(App))).text());`,
    stdout: '<p class="x">hi <!-- -->3</p> <b>x &amp; y</b>\n<p class="x">hi <!-- -->3</p> <p class="x">hi <!-- -->3</p>\n',
  },
  {
    name: "react-dom",
    program: `import { version } from "react-dom"; console.log(typeof version);`,
    stdout: "string\n",
  },
  {
    name: "eslint",
    files: {
      "linted/eslint.config.js": 'export default [{ rules: { "no-unused-vars": "error", semi: "warn" } }];\n',
      "linted/bad.js": "const x = 1\n",
    },
    line: "cd linted; npx eslint . > said; echo $?; sed -n '2,6p' said; cd ..",
    stdout:
      "1\n/project/linted/bad.js\n  1:7   error    'x' is assigned a value but never used  no-unused-vars\n  1:12  warning  Missing semicolon                       semi\n\n✖ 2 problems (1 error, 1 warning)\n",
  },
];
