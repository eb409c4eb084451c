import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { language, languagesIn } from "../../../scripts/vite/language.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "language-"));
  put({
    "index.html": `<!doctype html><html lang="en"><head><script type="module" src="/app/main.ts"></script></head></html>`,
    "app/main.ts": `import * as t from "./texts/docs.ts"; import * as more from "./texts/more.ts"; import page from "./page.md?raw";
      console.log(t.save, t.saved(2), more.close, page);`,
    "app/page.md": "A page.",
    "app/texts/docs.ts": `import { counted } from "./counted.ts"; export const save = "Save"; export const saved = (n: number) => counted(n, "file");`,
    "app/texts/more.ts": `import { counted } from "./counted.ts"; export const close = counted(1, "door");`,
    "app/texts/counted.ts": `export const counted = (n: number, noun: string): string => "counted " + n + noun;`,
  });
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Builds the app without running it. Returns the page and its script. */
async function built(wanted: string | undefined): Promise<{ page: string; script: string }> {
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [language(wanted, join(root, "app/texts"))],
    build: { minify: false, modulePreload: false, rolldownOptions: { output: { entryFileNames: "main.js" } } },
  });
  return { page: readFileSync(join(root, "dist/index.html"), "utf8"), script: readFileSync(join(root, "dist/main.js"), "utf8") };
}

const made = {
  "app/texts/tlh/docs.ts": `import { counted } from "../counted.ts"; import { plural } from "./own/plural.ts";
    export const save = "choq"; export const saved = (n: number) => counted(n, plural("teywI'"));`,
  "app/texts/tlh/own/plural.ts": `export const plural = (noun: string): string => noun + "mey";`,
  "app/tlh/page.md": "nav.",
};

describe("a language of its own", () => {
  test("its texts stand in for the English ones, and English stands where it has none", async () => {
    put(made);
    const { page, script } = await built("tlh");
    expect(page).toContain('<html lang="tlh" dir="ltr"');
    expect(script).toContain("choq");
    expect(script).toContain("teywI'");
    expect(script).toContain("nav.");
    expect(script).toContain("door");
    expect(script).not.toMatch(/"Save"|"file"|A page/);
  });

  test("an English text is made of English ones", async () => {
    put({ ...made, "app/texts/tlh/counted.ts": `export const counted = (n: number, noun: string): string => "togh " + n + noun;` });
    expect((await built("tlh")).script).not.toContain("togh");
  });

  test.each([undefined, "", "en"])("%j is English", async (wanted) => {
    put(made);
    const { page, script } = await built(wanted);
    expect(page).toContain('<html lang="en">');
    expect(script).toContain("Save");
    expect(script).not.toContain("choq");
  });

  test.each([
    ["ar", "rtl"],
    ["he", "rtl"],
    ["pa-Arab", "rtl"],
    ["pa", "ltr"],
    ["zh-Hant", "ltr"],
  ])("%s is written %s", async (tag, dir) => {
    put({ [`app/texts/${tag}/more.ts`]: `export const close = "x";` });
    expect((await built(tag)).page).toContain(`<html lang="${tag}" dir="${dir}"`);
  });
});

describe("what the build refuses", () => {
  test("a language that is not there, with those that are", () => {
    put(made);
    expect(languagesIn(join(root, "app/texts"))).toEqual(["en", "tlh"]);
    expect(() => language("tlhh", join(root, "app/texts"))).toThrow(/no language "tlhh" in .*; there are: en, tlh/);
  });

  test("what is no folder of texts", () => {
    expect(() => language("..", join(root, "app/texts"))).toThrow('no language ".."');
  });

  test.each([
    [{ "app/texts/tlh/docs.ts": `export const save = "choq";` }, "docs.ts has no saved"],
    [{ "app/texts/tlh/more.ts": `export const close = "x"; export const clsoe = "x";` }, /more\.ts has clsoe, which .*more\.ts has not/],
    [{ "app/texts/tlh/moer.ts": `export const close = "x";` }, /moer\.ts: there is no .*moer\.ts/],
    [{ "app/texts/tlh/more.ts": `export const close = ;` }, /more\.ts cannot be read/],
  ])("%j", async (files, why) => {
    put(files);
    await expect(built("tlh")).rejects.toThrow(why);
  });

  test("a page that has no language to replace", async () => {
    put({ "app/texts/tlh/more.ts": `export const close = "x";`, "index.html": "<!doctype html><html></html>" });
    await expect(built("tlh")).rejects.toThrow("no <html lang>");
  });
});
