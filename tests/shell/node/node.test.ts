import { describe, expect, test } from "vitest";
import type { NetRequest } from "../../../src/shell/network.ts";
import { ourMachine } from "./machine.ts";

const machine = await ourMachine();

describe("what is not here says so", () => {
  test.each([
    ["node --watch x.js", 9, "node: --watch: a program is not started again here; run the command again, or watch files with fs.watch\n"],
    ["node --inspect-brk x.js", 9, "node: --inspect-brk: there is no debugger here\n"],
    ["node", 9, "node: there is no terminal here for an interactive session; give a file, -e, or a script on stdin\n"],
    ["node --env-file=nope -e 1", 9, "node: nope: not found\n"],
    ["NODE_OPTIONS='--no-warnings -e 1' node x.js", 9, "node: -e is not allowed in NODE_OPTIONS\n"],
  ])("%s", async (line, exitCode, stderr) => {
    expect(await machine.run(line)).toEqual({ stdout: "", stderr, exitCode });
  });

  test.each([
    [`require("net").createServer().listen("/tmp/x.sock")`, "there are no local sockets here, only ports (listen)"],
    [`require("https").createServer()`, "a server can't have https here: use http (createServer)"],
    [`require("http").get("http://example.org")`, "there is no network"],
    [`require("vm").runInNewContext("1")`, "contexts of vm need the browser's own engine, which a person turns on under Settings"],
    [
      `new (require("inspector").Session)()`,
      "there is no debugger here and no coverage of V8's own; use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul (Session)",
    ],
    [
      `new (require("worker_threads").Worker)("./x.js")`,
      "worker threads need the browser's own engine, which a person turns on under Settings",
    ],
    [`require("child_process").fork("x.js")`, "forks need the browser's own engine, which a person turns on under Settings"],
    [`require("net").connect(1, "example.org")`, "there are no sockets to other machines here (example.org); use fetch"],
    [`require("fs").watch(".")`, "files are watched in the browser's own engine only"],
    [`require("fs").symlinkSync("a", "b")`, "links are not supported here; copy the file instead"],
    [`require("crypto").createCipheriv()`, "crypto.createCipheriv is not here"],
    [`require("child_process").spawnSync("ls")`, "child_process.spawnSync is not here"],
    [`new WebAssembly.Module()`, "WebAssembly is not defined"],
  ])("%s", async (code, message) => {
    const { exitCode, stderr } = await machine.run(`node -e '${code}'`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe("what nobody takes", () => {
  test.each([
    [
      "script.js",
      "const a = 1;\n  throw new TypeError('no');\n",
      "/project/script.js:2\n  throw new TypeError('no');\n  ^\n\nTypeError: no\n    at ",
    ],
    [
      "script.mjs",
      "const a = 1;\nthrow new TypeError('no');\n",
      "file:///project/script.mjs:2\nthrow new TypeError('no');\n^\n\nTypeError: no\n    at ",
    ],
    ["script.js", "let a = ;\n", "/project/script.js:1\nlet a = ;\n"],
    [
      "script.js",
      "async function f() { throw new Error('late'); }\nf();\n",
      "/project/script.js:1\nasync function f() { throw new Error('late'); }\n",
    ],
    ["script.js", "Promise.reject(7)", 'with the reason "7".'],
    ["script.js", "require('./nope')", "Error: Cannot find module './nope'\nRequire stack:\n- /project/script.js\n"],
    ["script.mjs", "import './nope.mjs'", "Cannot find module '/project/nope.mjs' imported from /project/script.mjs"],
    ["script.js", "const e = new Error('m'); e.code = 'E_X'; throw e", "code: 'E_X'"],
    ["script.ts", "const a: number = 1;\nthrow new Error(String(a));\n", "/project/script.ts:2\n"],
  ])("%s %j", async (name, code, printed) => {
    const { run } = await ourMachine({ files: { [name]: code } });
    const { stdout, stderr, exitCode } = await run(`node ${name}`);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toContain(printed);
    expect(stderr).toMatch(/\n\nNode\.js v20\.\d+\.\d+\n$/);
  });

  test("a top-level await that never settles ends with 13 and says where", async () => {
    const { run } = await ourMachine({ files: { "a.mjs": "await new Promise(() => {});" } });
    const { stderr, exitCode } = await run("node a.mjs");
    expect(exitCode).toBe(13);
    expect(stderr).toContain("Warning: Detected unsettled top-level await at\nfile:///project/a.mjs");
  });
});

describe("TypeScript", () => {
  test.each([
    [
      "a.ts",
      "interface A { x: number }\nconst a: A = { x: 1 };\nenum E { One = 1, Two }\nconsole.log(a.x satisfies number, E.Two);",
      "1 2\n",
    ],
    ["a.mts", "import { b, type T } from './b.ts';\nconst t: T = b;\nconsole.log(t);", "b\n"],
    ["a.ts", "import { b } from './b.js';\nconsole.log(b);", "b\n"],
    ["a.ts", "import { b } from './b';\nconsole.log(b);", "b\n"],
    ["a.cts", "import fs = require('fs');\nconsole.log(typeof fs.readFileSync as string);", "function\n"],
    [
      "a.ts",
      "class P { constructor(private x: number, readonly y = 2) {} sum(): number { return this.x + this.y; } }\nconsole.log(new P(1).sum());",
      "3\n",
    ],
    ["a.tsx", "const React = { createElement: (...a: unknown[]) => a };\nconsole.log(<b id='x'>t</b>);", "[ 'b', { id: 'x' }, 't' ]\n"],
  ])("%s %j", async (name, code, stdout) => {
    const { run } = await ourMachine({ files: { [name]: code, "b.ts": "export type T = string;\nexport const b: T = 'b';" } });
    expect(await run(`node ${name}`)).toEqual({ stdout, stderr: "", exitCode: 0 });
  });
});

describe("limits", () => {
  test.each([
    "while (true) {}",
    "const f = () => Promise.resolve().then(f); f()",
    "const f = () => process.nextTick(f); f()",
    "setInterval(() => {}, 1)",
    "const f = () => setImmediate(f); f()",
  ])("%s ends when it has to, with what was printed", async (code) => {
    const { run } = await ourMachine({ steps: 400 });
    expect((await run(`node -e 'console.log("before"); ${code}'`)).stdout).toBe("before\n");
  });

  test("too much memory ends the program and says how much there is", async () => {
    const { stderr, exitCode, stdout } = await machine.run(
      `node -e 'console.log("a"); const a = []; for (;;) a.push(new Uint8Array(1e7))'`,
    );
    expect({ stdout, exitCode }).toEqual({ stdout: "a\n", exitCode: 134 });
    expect(stderr).toContain("JavaScript heap out of memory (the limit here is 512 MB)");
  });

  test("too much output ends the program", async () => {
    const { stderr, exitCode } = await machine.run(`node -e 'const s = "x".repeat(1e6); for (;;) console.log(s)' > /dev/null`);
    expect(exitCode).toBe(134);
    expect(stderr).toContain("stopped after printing more than 32 MB");
  });

  test("endless recursion is a RangeError", async () => {
    expect((await machine.run(`node -e 'try { (function f() { f() })() } catch (e) { console.log(e.name, e.message) }'`)).stdout).toBe(
      "RangeError Maximum call stack size exceeded\n",
    );
  });
});

describe("dialogs", () => {
  const dialog = "vibey/dialog-20260101-000000-start-done.md";

  test("can be read and not written", async () => {
    const { run } = await ourMachine({ dialogs: { [dialog]: "# Dialog\n" } });
    const attack = (code: string): string =>
      `node -e 'const fs = require("fs"); try { ${code}; console.log("done") } catch (e) { console.log(e.code) }'`;
    expect((await run(`node -p 'require("fs").readFileSync("${dialog}", "utf8")'`)).stdout).toBe("# Dialog\n\n");
    for (const code of [
      `fs.writeFileSync("${dialog}", "x")`,
      `fs.appendFileSync("${dialog}", "x")`,
      `fs.unlinkSync("${dialog}")`,
      `fs.renameSync("${dialog}", "x")`,
      `fs.writeSync(fs.openSync("${dialog}", "r+"), "x")`,
      `fs.rmSync("vibey", { recursive: true })`,
      `fs.writeFileSync("vibey/DIALOG-20260101-000000-start-done.md", "x")`,
    ])
      expect((await run(attack(code))).stdout, code).toMatch(/^E[A-Z]+\n$/);
    expect((await run(`cat ${dialog}`)).stdout).toBe("# Dialog\n");
  });
});

describe("fetch", () => {
  test("asks for the program node, and says why it was refused", async () => {
    const asked: NetRequest[] = [];
    const { run } = await ourMachine({
      fetch: (request) => {
        asked.push(request);
        if (request.url.endsWith("/no")) return { kind: "refused", why: "not allowed here" };
        return {
          kind: "answer",
          url: request.url,
          status: 201,
          statusText: "Created",
          headers: [["x-a", "b"]],
          body: new TextEncoder().encode('{"ok":true}'),
        };
      },
    });
    const code = `
      const r = await fetch("https://example.org/x", { method: "POST", headers: { A: "1" }, body: JSON.stringify({ q: 1 }) });
      console.log(r.status, r.ok, r.headers.get("x-a"), await r.json());
      for (const at of ["https://example.org/no", "http://localhost:8080/no"])
        try { await fetch(at) } catch (e) { console.log(e.name, e.message, e.cause.message, e.cause.code) }`;
    const { stdout } = await run(`node --input-type=module -e '${code}'`);
    expect(stdout).toBe(
      "201 true b { ok: true }\nTypeError fetch failed not allowed here EACCES\nTypeError fetch failed not allowed here ECONNREFUSED\n",
    );
    expect(asked[0]).toMatchObject({ url: "https://example.org/x", method: "POST", program: "node" });
    expect(new TextDecoder().decode(asked[0]?.body ?? new Uint8Array())).toBe('{"q":1}');
  });
});

describe("TypeScript", () => {
  test("that is more than JavaScript with types says what to use instead", async () => {
    const { run } = await ourMachine({
      files: {
        "space.ts": "export namespace A.B {\n  export const x: number = 1;\n}\nconsole.log(A.B.x)",
        "decorated.ts": "const d = (...all: unknown[]) => {};\n@d\nclass B { @d x: number = 1 }",
        "types.ts": `namespace T { export interface X { a: 1 } }\ndeclare namespace D { const a: 1 }\nconst s: string = "\\n@text";\n/*\nnamespace C {\nconst x = 1\n}\n@d\n*/\nconsole.log(s.length)`,
      },
    });
    const instead = (name: string): string =>
      `and only types are removed here; compile it first: npx esbuild ${name}.ts --target=es2022 --outfile=${name}.js`;
    expect((await run("node space.ts")).stderr).toContain(`SyntaxError: /project/space.ts has the namespace A.B, ${instead("space")}`);
    expect((await run("node decorated.ts")).stderr).toContain(`SyntaxError: /project/decorated.ts has decorators, ${instead("decorated")}`);
    expect(await run("node types.ts")).toEqual({ stdout: "6\n", stderr: "", exitCode: 0 });
  });
});

describe("versions", () => {
  test("say what this is", async () => {
    expect((await machine.run(`node -p 'process.versions.quickjs + " " + process.version'`)).stdout).toMatch(
      /^0\.\d+\.\d+ v20\.\d+\.\d+\n$/,
    );
  });

  test("random numbers are others each time", async () => {
    expect((await machine.run("node -p 'Math.random()'")).stdout).not.toBe((await machine.run("node -p 'Math.random()'")).stdout);
  });
});
