import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { languagesIn } from "../../../scripts/vite/language.ts";

const texts = join(import.meta.dirname, "../../../src/app/texts");
const cache = join(import.meta.dirname, "../../../.cache/languages");

interface Pair {
  readonly english: string;
  readonly own: string;
}

/** The compiler's messages for pairs of modules; "" if `own` can replace `english`. Paths are relative to `cache`/name. */
function compile(name: string, pairs: readonly Pair[]): string[] {
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  const fits = pairs.map(({ english, own }, at) => `export type T${at} = Fits<typeof import("${english}"), typeof import("${own}")>;`);
  writeFileSync(join(folder, "probe.ts"), `${fits.join("\n")}\nimport type { Fits } from "../../../tests/app/texts/translation.ts";\n`);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../../src/app/tsconfig.json",
      compilerOptions: { rootDir: "../../..", composite: false, incremental: false, emitDeclarationOnly: false, noEmit: true },
      include: ["probe.ts", "../../../src/app/vite.d.ts"],
      exclude: [],
      references: [],
    }),
  );
  const { stdout, status } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", folder], { encoding: "utf8" });
  const said = pairs.map(() => "");
  const elsewhere: string[] = [];
  for (const error of stdout.split(/\n(?=\S)/).filter((text) => text.trim() !== "")) {
    const at = Number(/probe\.ts\((\d+),/.exec(error)?.[1]) - 1;
    if (said[at] === undefined) elsewhere.push(error);
    else said[at] += error;
  }
  if (elsewhere.length > 0 || (status !== 0 && stdout === ""))
    throw new Error(`the compiler did not get to the pairs: ${elsewhere.join("\n")}`);
  return said;
}

const moduleNames = (folder: string) => readdirSync(folder).filter((file) => file.endsWith(".ts") && file !== "part.ts");

test.each(languagesIn(texts))("the texts of %s fit", (language) => {
  const folder = language === "en" ? texts : join(texts, language);
  const files = moduleNames(folder);
  const pairs = files.map((file) => ({ english: join(texts, file), own: join(folder, file) }));
  expect(pairs.length).toBeGreaterThan(0);
  expect(compile(`real-${language}`, pairs).map((error, at) => `${files[at]}: ${error}`)).toEqual(files.map((file) => `${file}: `));
});

describe("what fits", () => {
  const part = `import type { Part } from "${join(texts, "part.ts")}";`;
  const english = `${part}
    export const save = "Save";
    export const saved = (files: number) => \`\${files} saved\`;
    export const link: readonly Part<"main">[] = ["A line in ", { slot: "main", text: "main" }];
    export const opens = (name: string) => ["Opens ", { code: name }, "."] as const;
    export const kinds = { doc: "Doc", deed: "Deed" } as const;`;
  const own = {
    save: `export const save = "choq";`,
    saved: `export const saved = (files: number) => files === 0 ? "pagh" : String(files);`,
    link: `export const link: readonly Part<"main">[] = [{ slot: "main", text: "wa'" }, "Daq"];`,
    opens: `export const opens = (name: string) => [{ code: name }, " poS"] as const;`,
    kinds: `export const kinds = { doc: "ghItlh", deed: "ta'" } as const;`,
  };
  const changes: readonly (readonly [name: keyof typeof own, code: string, why: string])[] = [
    ["save", "", "'save' is missing"],
    ["save", "export const save = 3;", "Types of property 'save' are incompatible"],
    ["saved", `export const saved = "choq";`, "Types of property 'saved' are incompatible"],
    ["saved", "export const saved = (files: string) => files;", "Types of property 'saved' are incompatible"],
    ["link", `export const link: readonly Part<"mian">[] = [{ slot: "mian" }];`, "Types of property 'link' are incompatible"],
    ["opens", "export const opens = (name: string) => [{ cide: name }] as const;", "'opens(...)' are incompatible"],
    ["kinds", `export const kinds = { doc: "ghItlh" } as const;`, "Types of property 'kinds' are incompatible"],
  ];
  let said: readonly string[] = [];
  beforeAll(() => {
    const folder = join(cache, "made");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "english.ts"), english);
    const variants = [own, ...changes.map(([name, code]) => ({ ...own, [name]: code }))];
    for (const [at, variant] of variants.entries()) {
      writeFileSync(join(folder, `own${at}.ts`), `${part}\nexport type P = Part;\n${Object.values(variant).join("\n")}`);
    }
    said = compile(
      "made",
      variants.map((_, at) => ({ english: "./english.ts", own: `./own${at}.ts` })),
    );
  });

  test("other words in another order", () => {
    expect(said[0]).toBe("");
  });

  test.each(changes.map((change, at) => [...change, at] as const))("%s as %j does not", (_name, _code, why, at) => {
    expect(said[at + 1]).toContain(why);
  });
});
