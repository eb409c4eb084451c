import { agentRuns } from "./agent-runs.ts";
import type { App } from "./app.ts";
import { expect, newDialog, openWithKey, putDeed, test } from "./steps.ts";

/** What an agent can do in the sandbox of the production build. Each command is a call of the agent that runs without asking. */

/** A busy machine may take more than a command's 30 seconds to start an interpreter. */
async function takeTime(app: App, dialogId: string): Promise<void> {
  expect((await app.ask("PUT", "dialog", { dialogId, limits: { command: 100 } })).status).toBe(200);
}

test("python3 and sqlite3 come with their first call", async ({ app, claude }) => {
  await openWithKey(app, claude);
  const id = await newDialog(app, "languages");
  await takeTime(app, id);
  const results = await agentRuns(app, claude, id, [
    "python3 -c 'import json; print(json.dumps({\"sum\": sum(range(10))}))'",
    'printf \'import sys\\nopen("made.txt", "w").write("by python\\\\n")\\nprint(sys.argv)\\n\' > a.py && python3 a.py x && cat made.txt',
    "python3 -c 'import js' 2>&1 | tail -1; python3 -c 'from pyodide.code import run_js; run_js(\"1\")' 2>&1 | tail -1",
    "sqlite3 t.db 'create table t(a, b); insert into t values (1, 2.0), (3, null)' && sqlite3 -json t.db 'select * from t'",
  ]);
  expect(results.map(({ stdout }) => stdout)).toEqual([
    '{"sum": 45}\n',
    "['a.py', 'x']\nby python\n",
    expect.stringMatching(/^ModuleNotFoundError: .*js.*\nModuleNotFoundError: .*pyodide.*\n$/),
    '[{"a":1,"b":2.0},\n{"a":3,"b":null}]\n',
  ]);
  expect(await app.file("made.txt")).toBe("by python\n");
});

const demo: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "demo", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/sum.js":
    "/** The sum of a list of numbers. */\nexport function sum(numbers) {\n  let total = 0;\n  for (const n of numbers) total += n;\n  return total;\n}\n",
  "test/sum.test.js": [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { sum } from "../src/sum.js";',
    "",
    'test("adds numbers", () => assert.equal(sum([1, 2, 3]), 6));',
    'test("of nothing is 0", () => assert.equal(sum([]), 0));',
    "",
  ].join("\n"),
};

test("an agent clones a project, breaks a test, finds it, fixes it, runs the tests and commits", async ({ app, claude }) => {
  await openWithKey(app, claude);
  for (const [path, text] of Object.entries(demo)) await putDeed(app, `demo/${path}`, text);
  const id = await newDialog(app, "fix");
  await takeTime(app, id);
  const results = await agentRuns(app, claude, id, [
    "cd demo && git init -q -b main && git config user.name Ada && git config user.email ada@example.org && git add -A && git commit -qm 'The demo' && cd .. && git clone demo work",
    "cd work && git config user.name Ada && git config user.email ada@example.org && npm test",
    "sed -i 's/total += n/total -= n/' src/sum.js && git diff --stat && npm test",
    "grep -rn 'total' src && git diff",
    "sed -i 's/total -= n/total += n/' src/sum.js && git status --short && npm test",
    "echo '- sum: tested' >> CHANGES.md && git add -A && git commit -m 'Note that sum is tested' && git log --oneline | wc -l && git status -sb",
  ]);
  const [cloned, first, broken, found, fixed, committed] = results;
  expect(cloned).toMatchObject({ success: true, stderr: "Cloning into 'work'...\ndone.\n" });
  expect(first?.success).toBe(true);
  expect(first?.stdout).toMatch(/# pass 2|ℹ pass 2/);
  expect(broken?.success).toBe(false);
  expect(broken?.stdout).toContain("src/sum.js | 2 +-");
  expect(broken?.stdout).toMatch(/(# |ℹ )fail 1/);
  expect(broken?.stdout).toContain("-6 !== 6");
  expect(found?.stdout).toContain("src/sum.js:4:  for (const n of numbers) total -= n;");
  expect(found?.stdout).toContain("+  for (const n of numbers) total -= n;");
  expect(fixed?.success).toBe(true);
  expect(fixed?.stdout).toMatch(/(# |ℹ )fail 0/);
  expect(committed?.stdout).toMatch(/^\[main [0-9a-f]{7}\] Note that sum is tested\n 1 file changed, 1 insertion\(\+\)\n/);
  expect(committed?.stdout).toContain("\n2\n## main...origin/main [ahead 1]\n");
  expect(await app.ask("GET", "deed/work/CHANGES.md")).toEqual({ status: 200, text: "- sum: tested\n" });

  // One click undoes everything that the turn did.
  const { page } = app;
  await page.screenshot({ path: "test-results/agent-fixes-a-test.png" });
  // Use the keyboard: the list may still move.
  await page.getByRole("button", { name: /^Undo/ }).press("Enter");
  await expect.poll(async () => (await app.ask("GET", "deed/work/CHANGES.md")).status).toBe(404);
  expect((await app.ask("GET", "deed/demo/src/sum.js")).text).toBe(demo["src/sum.js"]);
});
