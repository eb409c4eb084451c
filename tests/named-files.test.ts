import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The files and folders that a text names in backticks. */
function namedPaths(markdown: string): string[] {
  return Array.from(markdown.matchAll(/`([\w./-]+(?:\.tsx?|\.mjs|\/))`/g), ([, name = ""]) => name);
}

/** The paths that don't exist. A page may name a file below its own folder, even by its last part only, or one in `src` or in the repository. */
function missingPaths(page: string): string[] {
  const folder = dirname(page);
  const below = folder === "." ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `/${name}`);
  return namedPaths(readFileSync(page, "utf8")).filter((name) => {
    const ending = `/${name.replace(/\/$/, "")}`;
    return !below.some((path) => path.endsWith(ending)) && !["src", "."].some((root) => existsSync(join(root, name)));
  });
}

const pages = [...readdirSync("src").map((layer) => `src/${layer}/README.md`), "CONTRIBUTING.md"];

test.each(pages)("each file that %s names is there", (page) => {
  expect(namedPaths(readFileSync(page, "utf8")).length).toBeGreaterThan(0);
  expect(missingPaths(page)).toEqual([]);
});

test.each(readdirSync("src"))("the README of %s names each of its folders", (layer) => {
  const page = readFileSync(`src/${layer}/README.md`, "utf8");
  const folders = readdirSync(`src/${layer}`, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !page.includes(`${name}/`))).toEqual([]);
});

test("a name of a file that is not there is found", () => {
  expect(namedPaths("see `turn/gone.ts`, `sent` and `machine/`")).toEqual(["turn/gone.ts", "machine/"]);
});

/** "`src/fs/` `idb-layout`, `revision`; `src/app/` `App.tsx`": the files in one line of a trace. */
function listed(line: string): string[] {
  let folder = "";
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, name = ""]) => name).flatMap((name) => {
    if (name.endsWith("/")) folder = name;
    return name.endsWith("/") || folder === "" ? [] : [`${folder}${/\.(?:tsx?|js)$/.test(name) ? name : `${name}.ts`}`];
  });
}

test("each step of docs/traces.md is in the code: the file, and the functions that it names", () => {
  const steps = readFileSync("docs/traces.md", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, file, says] = /^\d+\. `(src\/[^`]+)`: (.*)$/.exec(line) ?? [];
      return file === undefined || says === undefined ? [] : [{ file, says }];
    });
  expect(steps.length).toBeGreaterThan(80);
  const wrong = steps.flatMap(({ file, says }) => {
    if (!existsSync(file)) return [file];
    const code = readFileSync(file, "utf8");
    const names = Array.from(says.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
    return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)).map((name) => `${file}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("each file that docs/traces.md lists is there", () => {
  const files = readFileSync("docs/traces.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .flatMap(listed);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
