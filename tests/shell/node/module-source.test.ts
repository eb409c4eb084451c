import { expect, test } from "vitest";
import { createModuleGraph } from "../../../src/shell/embedded/node/frame/process/module-graph.ts";
import { moduleSource } from "../../../src/shell/embedded/node/frame/process/module-source.ts";

/** Runs the module `a`. Returns what the modules passed to `say`, and the namespace of `a`. */
async function run(modules: Readonly<Record<string, string>>): Promise<{ readonly said: unknown[]; readonly a: Record<string, unknown> }> {
  const said: unknown[] = [];
  const graph = createModuleGraph({
    make(name) {
      const source = moduleSource(modules[name] ?? "", `load(`);
      // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- the tested function produces code as text.
      const start = new Function("say", `return ${source.code}`)((value: unknown) => said.push(value)) as (
        ...args: unknown[]
      ) => Iterator<unknown>;
      return { kind: "source", source, start: (requested, give) => start(requested, give, { url: name }) };
    },
    importName: (specifier) => specifier,
    missingExport: ({ specifier, name }) => new SyntaxError(`${specifier} has no ${name}`),
    customInspect: Symbol.for("nodejs.util.inspect.custom"),
    inspect: () => "",
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a namespace.
  return { said, a: (await graph.load("a")) as Record<string, unknown> };
}

test.each<readonly [what: string, modules: Readonly<Record<string, string>>, said: readonly unknown[]]>([
  ["a binding lives", { a: `import { n, up } from "b"; up(); say(n)`, b: `export let n = 1; export const up = () => void n++` }, [2]],
  [
    "a name of an inner scope hides an import",
    {
      a: `import { x } from "b"; const f = (x) => x; { let x = 2; say(x) } say(f(3)); for (const x of [4]) say(x); try { throw 5 } catch (x) { say(x) } say(x); function g() { if (true) { var x = 6 } say(x) } g(); say((class x { static y = typeof x }).y)`,
      b: `export const x = 1`,
    },
    [2, 3, 4, 5, 1, 6, "function"],
  ],
  [
    "keys, labels and properties are no imports",
    {
      a: `import { x } from "b"; x: for (;;) break x; say({ x: 2, o: { x } }.o.x); say({ x() { return 3 } }.x()); const { x: y = x } = {}; say(y); say([{ x: 4 }].map(({ x }) => x)[0]); class C { x = 5; static #p = x; static q = C.#p } say(new C().x + C.q)`,
      b: `export const x = 1`,
    },
    [1, 3, 1, 4, 6],
  ],
  [
    "a function that is imported has no this, and a line before it may end without a semicolon",
    {
      a: "import { f } from 'b'\nlet a = 1\nf()\nif (a) f()\nsay(f`t`)\nnew f",
      b: `export function f() { say(this === undefined || this instanceof f) }`,
    },
    [true, true, true, undefined, true],
  ],
  [
    "functions are there in a circle",
    { a: `import { b } from "b"; export function a() { return "a" } say(b)`, b: `import { a } from "a"; export const b = a()` },
    ["a"],
  ],
  [
    "what is read too early throws",
    {
      a: `import { b } from "b"; export const a = 1; say(b)`,
      b: `import { a } from "a"; export let b; try { b = a } catch (e) { b = e.name }`,
    },
    ["ReferenceError"],
  ],
  [
    "exports of any form",
    {
      a: `import * as b from "b"; say(Object.keys(b).join()); say(b.default.name); say([b.p, b.q, b.r, b["any name"], b.C.name].join())`,
      b: `export default (function () {}); export const { p, q: [q, ...r] } = { p: 1, q: [2, 3, 4] }; const z = 5; export { z as "any name" }; export class C {}`,
    },
    ["C,any name,default,p,q,r", "default", "1,2,3,4,5,C"],
  ],
  [
    "default exports have their name",
    {
      a: `import f from "b"; import C from "c"; import g from "d"; import h from "e"; say([f.name, C.name, g.name, h.name].join()); say(f())`,
      b: `export default function () { return 1 }`,
      c: `export default class {}\n[1].length`,
      d: `export default () => 1`,
      e: `export default function named() {}`,
    },
    ["default,default,default,named", 1],
  ],
  [
    "what is given on",
    {
      a: `import d, { x, y, ns } from "b"; say([d, x, y, ns.x].join())`,
      b: `export { default } from "c"; export * from "c"; export { x as y } from "c"; export * as ns from "c"`,
      c: `export const x = 1; export default 2`,
    },
    ["2,1,1,1"],
  ],
  [
    "modules that wait do so together",
    { a: `import "b"; import "c"; say("a")`, b: `say("b"); await null; say("b later")`, c: `say("c")` },
    ["b", "c", "b later", "a"],
  ],
  [
    "what is awaited anywhere at the top level",
    {
      a: "let x = 1\nawait null\nsay(await x + await (await 2)); if (await true) say(`${await 3}`); try { await Promise.reject(4) } catch (e) { say(e) } for await (const y of []) say(y)",
    },
    [3, "3", 4],
  ],
  [
    "the same without a loop that waits",
    {
      a: "import { f } from 'b'\nlet x = 1\nawait null\nsay(await x + await (await 2)); if (await true) say(`${await 3}`); try { await Promise.reject(4) } catch (e) { say(e) } say((await f(await 5))[0]); const g = async () => await 6; say(await g())",
      b: "export const f = (x) => [x]",
    },
    [3, "3", 4, 5, 6],
  ],
  ["import.meta", { a: `say(import.meta.url)` }, ["a"]],
  [
    "lines stay where they are",
    {
      a: `import {\n  x,\n} from "b";\nexport\ndefault\n1;\nsay(new Error().stack.split("\\n")[1].split(":").at(-2) - x);`,
      b: `export const x = 0`,
    },
    [9],
  ],
])("%s", async (_what, modules, wanted) => {
  expect((await run(modules)).said).toEqual(wanted);
});

test("an export that is not there, or that two modules give, is an error before anything runs", async () => {
  await expect(run({ a: `import { y } from "b"; say(1)`, b: `say(2)` })).rejects.toThrow("b has no y");
  await expect(
    run({ a: `import { y } from "b"`, b: `export * from "c"; export * from "d"`, c: `export const y = 1`, d: `export const y = 2` }),
  ).rejects.toThrow("b has no y");
});

test("a namespace can't be changed, and has its names in order", async () => {
  const { a } = await run({ a: `export const z = 1; export const b = 2; export default 3` });
  expect(Object.keys(a)).toEqual(["b", "default", "z"]);
  expect(() => (a["b"] = 4)).toThrow(TypeError);
  expect(() => (a["c"] = 4)).toThrow(TypeError);
});
