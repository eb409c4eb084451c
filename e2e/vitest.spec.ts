import { say } from "../tests/stand-in/claude.ts";
import { allowHost, startRegistry } from "./registry.ts";
import { expect, newDialog, openWithKey, putDeed, results, test } from "./steps.ts";

/** Installs vitest from the registry and runs it, as an agent does. Needs the network. */

const call = (id: string, command: string) => ({ blocks: [{ call: "run_command", id, input: { command } }] });

const project: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "p", "version": "1.0.0", "type": "module" }\n',
  "vitest.config.ts":
    'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { include: ["tests/*.test.ts"] } });\n',
  "src/api.ts": "export const load = async (id: number): Promise<string> => `real ${id}`;\n",
  "src/show.ts": 'import { load } from "./api";\nexport const show = async (id: number): Promise<string> => `<${await load(id)}>`;\n',
  "tests/show.test.ts": `import { describe, expect, it, vi } from "vitest";
import { show } from "../src/show";
vi.mock("../src/api", () => ({ load: vi.fn(async (id: number) => \`mocked \${id}\`) }));
describe("show", () => {
  it("shows what a mock gives", async () => expect(await show(3)).toBe("<mocked 3>"));
  it("fakes timers", () => {
    vi.useFakeTimers();
    const called = vi.fn();
    setTimeout(called, 1000);
    vi.advanceTimersByTime(1000);
    expect(called).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});
`,
  "tests/kept.test.ts": 'import { expect, it } from "vitest";\nit("keeps", () => expect({ a: [1] }).toMatchSnapshot());\n',
  "tests/wrong.test.ts":
    'import { expect, it } from "vitest";\nit("is wrong", () => {\n  expect({ a: 1, b: [1, 2] }).toEqual({ a: 2, b: [1, 2] });\n});\n',
};

/** Removes times, which differ in each run. */
const steady = (text = ""): string => text.replaceAll(/ *\d+(?:\.\d+)?m?s\b.*$/gm, "").replaceAll(/^ *(?:Start at|Duration).*\n?/gm, "");

test("an agent's tests run with vitest 3, in forks and in threads, and a failing one fails", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(900_000);
  const registry = await startRegistry();
  test.skip(registry === null, "there is no network");
  if (registry === null) return;
  await openWithKey(app, claude);
  await app.json("POST", "file/doc-main.md", { content: "# Main\n> Limit: command 300\n" });
  for (const [path, text] of Object.entries(project)) await putDeed(app, path, text);
  const id = await newDialog(app, "vitest");
  claude.play(
    call("toolu_1", `npm install -D vitest@3 vite@7 --registry=http://${registry.host}/`),
    call("toolu_2", "npx vitest run show kept && cat tests/__snapshots__/kept.test.ts.snap"),
    call("toolu_3", "npx vitest run wrong; echo exit $?"),
    call("toolu_4", "npx vitest run --pool=threads --reporter=verbose show"),
    call("toolu_5", "npx vitest run none-such; echo exit $?"),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await allowHost(app, id, registry.host);
  await turn;
  const [installed, passed, failed, threads, none] = await results(app, id);
  expect(installed).toMatchObject({ success: true });
  expect(passed?.stderr).toBe("");
  expect(steady(passed?.stdout)).toContain("✓ tests/show.test.ts (2 tests)\n");
  expect(steady(passed?.stdout)).toContain("  Snapshots  1 written\n Test Files  2 passed (2)\n      Tests  3 passed (3)\n");
  expect(passed?.stdout).toContain('exports[`keeps 1`] = `\n{\n  "a": [\n    1,\n  ],\n}\n`;\n');
  expect(failed?.stdout).toMatch(/ Test Files {2}1 failed \(1\)\n[^]*exit 1\n$/);
  expect(failed?.stderr).toContain('-   "a": 2,\n+   "a": 1,\n');
  expect(failed?.stderr).toContain(" ❯ tests/wrong.test.ts:3:31\n");
  expect(threads?.stdout).toMatch(
    / ✓ tests\/show\.test\.ts > show > shows what a mock gives .*\n ✓ tests\/show\.test\.ts > show > fakes timers /,
  );
  expect(none?.stdout).toMatch(/exit 1\n$/);
  registry.server.close();
});
