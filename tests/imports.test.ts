import { expect, test } from "vitest";
import { cycles, entryPoints, importsOf, past, upward } from "../scripts/imports.mjs";

const imports = (edges: string) =>
  edges.split(" ").map((edge) => {
    const [from = "", to = ""] = edge.split(/>~?/);
    return { from, to, lazy: edge.includes(">~") };
  });

test.each([
  ['import { a } from "./b.ts";', ["src/fs/b.ts"]],
  ['import type { A } from "../dialog/model.ts";', ["src/dialog/model.ts"]],
  ['import {\n  a,\n  type B,\n} from "./b.ts";', ["src/fs/b.ts"]],
  ['export type * from "./b.ts";', ["src/fs/b.ts"]],
  ['import "./b.css";', ["src/fs/b.css"]],
  ['const { a } = await import("./b.ts");', ["src/fs/b.ts"]],
  ['import url from "./b.ts?worker&url";', ["src/fs/b.ts"]],
  ['import { a } from "solid-js";', []],
  ['// import { a } from "./b.ts";', []],
])("%j imports %j", (code, files) => {
  expect(importsOf("src/fs/a.ts", code).map(({ to }) => to)).toEqual(files);
});

test.each([
  ["a>b b>c", []],
  ["a>b b>a", ["a b"]],
  ["a>b b>c c>a c>d d>e e>d", ["d e", "a b c"]],
  ["a>b b>~a", []],
  ["a>b a>c b>d c>d", []],
])("the cycles of %s are %j", (edges, groups) => {
  expect(cycles(imports(edges)).map((group) => group.join(" "))).toEqual(groups);
});

test.each([
  ["src/engine/a.ts>src/fs/b.ts", 0],
  ["src/fs/a.ts>src/fs/b.ts", 0],
  ["src/fs/a.ts>src/dialog/b.ts", 1],
  ["src/shell/a.ts>src/engine/b.ts", 1],
  ["src/engine/a.ts>~src/app/b.ts", 1],
])("%s has %d imports of a higher layer", (edges, count) => {
  expect(upward(imports(edges))).toHaveLength(count);
});

test("a layer's README says what others may import", () => {
  const entries = entryPoints(
    "# fs\n\n- `no.ts`: not in the section\n\n## Entry points\n\n- `a.ts`, `b/`: two\n- `c/d.ts`: one\n\n## More\n\n- `e.ts`\n",
  );
  expect(entries).toEqual(["a.ts", "b/", "c/d.ts"]);
  const found = past(
    imports(
      "src/app/x.ts>src/fs/a.ts src/app/x.ts>src/fs/b/z.ts src/app/x.ts>src/fs/c/e.ts src/fs/x.ts>src/fs/c/e.ts src/app/x.ts>src/sw/q.ts",
    ),
    new Map([["fs", entries]]),
  );
  expect(found.map(({ to }) => to)).toEqual(["src/fs/c/e.ts", "src/sw/q.ts"]);
});
