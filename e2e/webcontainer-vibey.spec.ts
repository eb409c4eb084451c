import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { mergeTests } from "@playwright/test";
import { zipSync } from "fflate";
import { agentRuns } from "./agent-runs.ts";
import { openWithWebContainer } from "./open-with-webcontainer.ts";
import { expect, newDialog, test as withProviders } from "./steps.ts";
import { test as withContainer } from "./webcontainer/fixture.ts";

const test = mergeTests(withProviders, withContainer);
test.use({ serviceWorkers: "allow" });

const root = process.cwd();
/** The files that Vibey is built from, and some of its tests. */
const parts = ["docs", "public", "scripts", "src", "tests/dialog"];
const beside =
  /^(?:index\.html|package(?:-lock)?\.json|.*\.config\.ts|tsconfig.*\.json|biome\.json|knip\.json|README\.md|CHANGELOG\.md|LICENSE|SECURITY\.md|CONTRIBUTING\.md)$/;

function sources(): Record<string, Uint8Array> {
  const found: Record<string, Uint8Array> = {};
  const read = (path: string): void => {
    found[path] = readFileSync(join(root, path));
  };
  for (const name of readdirSync(root)) if (beside.test(name)) read(name);
  read("tests/after-each-file.ts");
  for (const part of parts)
    for (const entry of readdirSync(join(root, part), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) read(join(entry.parentPath, entry.name).slice(root.length + 1));
  return found;
}

test("Vibey itself is imported, changed by an agent, built, and tests of it run in it", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(400_000);
  await openWithWebContainer(app, claude);
  const files = sources();
  const zip = Buffer.from(zipSync(files, { level: 6 })).toString("base64");
  const taken = await app.page.evaluate(async (packed) => {
    const body = Uint8Array.from(atob(packed), (unit) => unit.charCodeAt(0));
    const answer = await fetch("project.zip?into=here&conflicts=theirs", { method: "POST", body });
    return { status: answer.status, text: await answer.text() };
  }, zip);
  expect(taken).toMatchObject({ status: 200 });

  // The packages were installed from the lock file before the first command.
  await app.json("POST", "file/doc-main.md", { content: "# Main\n> Limit: command 300\n" });
  const id = await newDialog(app, "itself");
  const [count] = await agentRuns(app, claude, id, ["find . -type f -not -path './vibey/*' -not -path './node_modules/*' | wc -l"]);
  expect(count).toMatchObject({ success: true, stdout: `${Object.keys(files).length}\n` });
  const line = "The page holds no engine, as this test knows.";
  const [edited, built, tested] = await agentRuns(app, claude, id, [
    `sed -i 's/^The page (Solid) contains no engine\\..*/${line}/' README.md && grep -c '${line}' README.md`,
    "npx vite build --logLevel error --outDir built && ls built | sort | head -3 && rm -r built",
    "npx vitest run --project together tests/dialog/parse.test.ts tests/dialog/golden.test.ts",
  ]);
  expect(edited).toMatchObject({ success: true, stdout: "1\n" });
  expect(built, built?.stderr).toMatchObject({ success: true });
  expect(built?.stdout).toContain("assets\n");
  expect(tested, tested?.stderr).toMatchObject({ success: true });
  expect(tested?.stdout).toMatch(/Tests .*passed/);
  expect(tested?.stdout).not.toMatch(/failed/);
  expect((await app.ask("GET", "deed/README.md")).text).toContain(line);
});
