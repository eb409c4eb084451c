import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import solid from "vite-plugin-solid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { language } from "../../../scripts/vite/language.ts";
import { textsInPlace } from "../../../scripts/vite/texts-in-place.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "texts-in-place-"));
  mkdirSync(join(root, "texts/tlh"), { recursive: true });
  writeFileSync(
    join(root, "texts/docs.ts"),
    `export const save = "Save"; export const odd = "a < b & \\"c\\" {d} it's"; export const saved = (n: number) => n + " saved"; export const made = "x".repeat(3);`,
  );
  writeFileSync(
    join(root, "texts/tlh/docs.ts"),
    `export const save = "choq"; export const odd = ""; export const saved = (n: number) => n + " choq"; export const made = "y";`,
  );
});
afterAll(() => rmSync(root, { recursive: true }));

/** The script built from a component. Its imports are left out, except for the texts. */
async function built(code: string, tag = "en"): Promise<string> {
  writeFileSync(join(root, "A.tsx"), `import * as t from "./texts/docs.ts";\n${code}`);
  const result = await build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [language(tag, join(root, "texts")), textsInPlace(), solid()],
    build: {
      write: false,
      minify: false,
      lib: { entry: join(root, "A.tsx"), formats: ["es"] },
      rolldownOptions: { external: /^solid-js/ },
    },
  });
  const [made] = Array.isArray(result) ? result : [result];
  if (made === undefined || !("output" in made)) throw new Error("nothing was built");
  return made.output[0].code;
}

test("a text that never changes is part of the template, in an element and in an attribute", async () => {
  const script = await built("export const A = () => <button title={t.save}>{t.save}</button>;");
  expect(script).toMatch(/template\(`<button title=Save>Save`|template\("<button title=Save>Save"/);
  expect(script).not.toMatch(/insert|effect/);
});

test("it is text there, whatever is in it", async () => {
  const script = await built("export const A = () => <p title={t.odd}>{t.odd}</p>;");
  expect(script).toMatch(/<p title="a < b &amp; &quot;c&quot; \\{d} it's">a &lt; b &amp; "c" \\{d} it's/);
});

test("the template has the build's language", async () => {
  expect(await built("export const A = () => <p>{t.save}</p>;", "tlh")).toContain("<p>choq");
});

test("what is made of something, and what has the same name elsewhere, stays", async () => {
  const script = await built("export const A = (p: { save: string; n: number }) => <p title={t.made}>{p.save}{t.saved(p.n)}</p>;");
  expect(script).toContain("p.save");
  expect(script).toContain("saved(p.n)");
  expect(script).toContain('"x".repeat(3)');
});
