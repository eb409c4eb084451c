import { describe, expect, it, test } from "vitest";
import type { Jsx, Part, ScriptSource } from "../../../src/app/preview/build/built.ts";
import { inspectCommonJs } from "../../../src/app/preview/build/commonjs.ts";
import { chooseJsx } from "../../../src/app/preview/build/jsx.ts";
import { guardLoops } from "../../../src/app/preview/build/loops.ts";
import { buildScript } from "../../../src/app/preview/build/script.ts";

const react: Jsx = { runtime: "automatic", source: "react" };
const classic: Jsx = { runtime: "classic", pragma: "h", fragment: "Fragment" };
const source = (path: string, text: string, more: Partial<ScriptSource> = {}): ScriptSource => ({
  path,
  text,
  as: "auto",
  jsx: classic,
  ...more,
});
/** Shows holes as `«specifier»`, with the type after a colon and `?` if it is late; the script's own address is `«»`. */
const shown = (parts: readonly Part[]) =>
  parts
    .map((part) =>
      typeof part === "string"
        ? part
        : "here" in part
          ? "«»"
          : `«${part.specifier}${part.type ? `:${part.type}` : ""}${part.late ? "?" : ""}»`,
    )
    .join("");
const built = (path: string, text: string, more?: Partial<ScriptSource>) => shown(buildScript(source(path, text, more)).parts);

describe("modules in a script", () => {
  it.each([
    ['import a from "./a.js";', "import a from «./a.js»;"],
    ["import {a, b as c} from './a'\nimport './b'", "import {a, b as c} from «./a»\nimport «./b»"],
    ['export * from "x"; export { y } from "y";', "export * from «x»; export { y } from «y»;"],
    ['import d from "./d.json" with { type: "json" }; d()', "import d from «./d.json:json»; d()"],
    ['import s from "./s.css" with {type: "css"}\ns()', "import s from «./s.css:css»\ns()"],
    ['const a = await import("./a.js");', "const a = await import(«./a.js?»);"],
    ['import("./d.json", { with: { type: "json" } }).then(f)', "import(«./d.json:json?»).then(f)"],
    ["import(`./${name}.js`)", 'previewImport("m.js", `./${name}.js`)'],
    ["import(a, {with: {type: 'json'}})", "previewImport(\"m.js\", a, {with: {type: 'json'}})"],
    ["new URL('./x.png', import.meta.url)", "new URL('./x.png', «»)"],
    ["import.meta.env.MODE", '({ MODE: "development", DEV: true, PROD: false, SSR: false, BASE_URL: "/" }).MODE'],
    ["import.meta.environment", "import.meta.environment"],
    ["const s = \"import x from './y'\"; // import z from 'z'", "const s = \"import x from './y'\"; // import z from 'z'"],
    ["`${await import('./a')} import './b'`", "`${await import(«./a?»)} import './b'`"],
    ["let a = 1 +;", "let a = 1 +;"],
  ])("%s", (text, expected) => expect(built("m.js", text)).toBe(expected));

  it("know their lines", () => {
    const { parts } = buildScript(source("m.js", "\n\nimport './a';\nimport('./b')"));
    expect(parts.filter((part) => typeof part === "object")).toMatchObject([{ line: 3 }, { line: 4 }]);
  });
});

describe("types and elements go, lines stay", () => {
  it.each<[string, string, Jsx, string]>([
    [
      "a.ts",
      "let a: number = 1 as const;\nenum E { A }",
      classic,
      'let a = 1 ;\nvar E; (function (E) { const A = 0; E[E["A"] = A] = "A"; })(E || (E = {}));',
    ],
    ["a.ts", "import type { T } from './t';\nimport { T2 } from './t2';\nlet x: T2;\nx!.y", classic, "\n\nlet x;\nx.y"],
    ["a.mts", "const f = <T,>(x: T) => x;", classic, "const f = (x) => x;"],
    ["a.tsx", "const e = <b>{x as string}</b>;", classic, "const e = h('b', null, x );"],
    ["a.jsx", "const e = <><A.B c='d' {...e} /></>;", classic, 'const e = h(Fragment, null, h(A.B, { c: "d", ...e,} ));'],
    ["a.jsx", "const e = <b>hi</b>;", react, "import {jsx as _jsx} from «react/jsx-runtime»;const e = _jsx('b', { children: \"hi\"});"],
    ["a.js", "const f = () => <b/>;", classic, "const f = () => h('b', null);"],
    ["a.js", "if (a < b && c > d) x = '<b></b>';", classic, "if (a < b && c > d) x = '<b></b>';"],
    ["node_modules/a/a.js", "const f = () => <b/>;", classic, "const f = () => <b/>;"],
  ])("%s: %s", (path, text, jsx, expected) => expect(built(path, text, { jsx })).toBe(expected));

  it("a mistake has its place, and the script throws it", () => {
    const { parts, problem } = buildScript(source("src/a.ts", "let a: = 1;"));
    expect(problem).toMatch(/\(src\/a\.ts:1:\d+\)$/);
    expect(parts).toEqual([`throw new SyntaxError(${JSON.stringify(problem)});`]);
  });
});

describe("which calls elements become", () => {
  it.each([
    ["react in node_modules", "<b/>", {}, ["react"], "react"],
    ["preact in node_modules", "<b/>", {}, ["preact"], "preact"],
    ["solid-js in node_modules", "<b/>", {}, ["solid-js"], "solid-js/h"],
    ["react before preact", "<b/>", {}, ["preact", "react"], "react"],
    ["nothing", "<b/>", {}, [], "React.createElement React.Fragment"],
    ["a file with an h of its own", "import { h } from './h.js'; <b/>", {}, [], "h Fragment"],
    ["a comment in the file", "/** @jsx m */ /** @jsxFrag '[' */", {}, ["react"], "m Fragment"],
    ["a source in the file", "/** @jsxImportSource preact */", { jsxImportSource: "x" }, ["react"], "preact"],
    ["tsconfig's source", "", { jsxImportSource: "@emotion/react" }, ["react"], "@emotion/react"],
    ["tsconfig's factory", "", { jsxFactory: "m", jsxFragmentFactory: "m.Fragment" }, ["react"], "m m.Fragment"],
    ["tsconfig's old runtime", "", { jsx: "react" }, ["react"], "React.createElement React.Fragment"],
  ])("%s", (_what, text, options, there, expected) => {
    const jsx = chooseJsx(text, { options, has: (name) => there.includes(name) });
    expect(jsx.runtime === "automatic" ? jsx.source : `${jsx.pragma} ${jsx.fragment}`).toBe(expected);
  });
});

describe("CommonJS", () => {
  it.each([
    ["exports.a = 1; exports.b = exports.c = 2; module.exports.d = 3; if (exports.e == 1) x;", "a b c d", "", ""],
    [
      'Object.defineProperty(exports, "__esModule", { value: true }); Object.defineProperty(exports, "a", { get() {} }); exports.default = 1',
      "a",
      "",
      "",
    ],
    ["module.exports = { a, b: c, 'd': 1, e() {} };", "a b d e", "", ""],
    ["if (x) { module.exports = require('./a.js'); } else { module.exports = require('./b.js'); }", "", "./a.js ./b.js", "./a.js ./b.js"],
    ["__exportStar(require('./a'), exports); const p = require(\"path\"); x.require('no')", "", "./a path", "./a"],
    ["__export(index_exports, { a: () => a, b: () => b_default });", "a b", "", ""],
  ])("%s", (text, exports, requires, reexports) => {
    const found = inspectCommonJs(text);
    expect([found.exports, found.requires, found.reexports].map((each) => each.join(" "))).toEqual([exports, requires, reexports]);
  });

  it.each([
    ["a.js", "module.exports = 1", true],
    ["a.cjs", "x", true],
    ["a.js", "const a = require('b'); return 1;", true],
    ["a.js", "import a from 'b'; module.exports = 1", false],
    ["a.js", "window.a = 1", false],
  ])("%s: %s", (path, text, is) => expect(buildScript(source(path, text)).commonJs !== undefined).toBe(is));

  it("is a script as it is in a <script>", () =>
    expect(buildScript(source("a.js", "module.exports = 1", { as: "classic" })).commonJs).toBeUndefined());
});

describe("what stands for the page's address", () => {
  it.each([
    ["location.search", "previewLocation.search"],
    ["new URL(window.location.href)", "new URL(previewLocation.href)"],
    ["document . location . hash = 'a'", "previewLocation . hash = 'a'"],
    ["window.location = 'two.html'", "previewLocation.value = 'two.html'"],
    ["if (window.location == a) b", "if (window.location == a) b"],
    ["const { location } = props; location.search", "const { location } = props; location.search"],
    ["(location) => location.search", "(location) => location.search"],
    ["a.location.search; my_location.href", "a.location.search; my_location.href"],
  ])("%s", (text, expected) => expect(built("a.js", text)).toBe(expected));

  it("is left alone in packages", () => expect(built("node_modules/a/a.js", "location.search")).toBe("location.search"));
});

describe("packages find a process", () => {
  it.each([
    ["process.env.NODE_ENV", "var process = previewModules.process;process.env.NODE_ENV"],
    ["import process from 'process'; process.env.A", "import process from «process»; process.env.A"],
    ["const a = 1", "const a = 1"],
  ])("%s", (text, expected) => expect(built("node_modules/a/a.mjs", text)).toBe(expected));
});

describe("checks in loops", () => {
  const tick = "if (--previewTicks < 0 && previewTicked()) throw Error(previewTicked.why);";
  it.each([
    ["while (true) {}", "while (true) {•}"],
    ["for (;;);", "for (;;){•;}"],
    ["for (const a of b) for (const c in d) e();", "for (const a of b) {•for (const c in d) {•e();}}"],
    ["do a(); while (b)", "do {•a();} while (b)"],
    ["'while (a) {}'; /for(;;){}/; `${() => { while (a) b }}`", "'while (a) {}'; /for(;;){}/; `${() => { while (a) {•b} }}`"],
    ["a: for (;;) { continue a }", "a: for (;;) {• continue a }"],
    ["not a script (", "not a script ("],
  ])("%s", (text, expected) => expect(guardLoops(text)).toBe(expected.replaceAll("•", tick)));

  test("keep the lines", () => {
    const text = "\nfor (;;)\n  a();\nwhile (b)\n{ c() }";
    expect(guardLoops(text).split("\n")).toHaveLength(text.split("\n").length);
  });
});
