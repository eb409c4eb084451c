import { say } from "../tests/stand-in/claude.ts";
import { expect, newDialog, openWithKey, putDeed, results, test } from "./steps.ts";

/** `node` on the browser's own JavaScript engine: used by an agent, turned off and on by a person. */

const call = (id: string, command: string) => ({ blocks: [{ call: "run_command", id, input: { command } }] });

const engine = 'node -p \'process.versions.quickjs === undefined ? "browser" : "quickjs"\'';

const project: Readonly<Record<string, string>> = {
  "sum.mjs": "export let count = 0;\nexport const sum = (...all) => (count++, all.reduce((a, b) => a + b, 0));\n",
  "main.mjs": [
    'import fs from "node:fs";',
    'import { createRequire } from "node:module";',
    'import { count, sum } from "./sum.mjs";',
    "const total = sum(1, 2, 3);",
    'fs.writeFileSync("total.txt", `${total} ${count}`);',
    "await new Promise((done) => setTimeout(done, 1));",
    'console.log(total, count, createRequire(import.meta.url)("./data.json").name);',
    "",
  ].join("\n"),
  "server.js": 'require("http").createServer((q, r) => r.end(q.method + " " + q.url + "\\n")).listen(3000);\n',
  "ask.mjs": 'process.stdout.write(await (await fetch("http://localhost:3000/from-node")).text());\n',
  "threads.js": [
    'const { Worker } = require("worker_threads");',
    "const code = `const { parentPort, workerData } = require('worker_threads'); parentPort.postMessage(workerData * 2)`;",
    "const run = (n) => new Promise((done) => new Worker(code, { eval: true, workerData: n }).on('message', done));",
    "Promise.all([1, 2].map(run)).then(console.log);",
    "",
  ].join("\n"),
  "data.json": '{ "name": "data" }\n',
};

test("an agent's programs run in a frame of their dialog, and end with it; a person turns that off", async ({ app, claude, page }) => {
  await openWithKey(app, claude);
  for (const [path, text] of Object.entries(project)) await putDeed(app, path, text);
  const first = await newDialog(app, "before");
  const frame = page.locator("iframe[src$='program/index.html']");

  claude.play(
    call("toolu_1", engine),
    call("toolu_2", "node main.mjs && cat total.txt && echo"),
    call("toolu_3", "node -e 'throw new TypeError(\"no\")'; echo $?"),
    call(
      "toolu_4",
      `node -p '[typeof indexedDB, typeof caches, typeof WebSocket, typeof Worker, typeof importScripts, typeof postMessage, typeof WebAssembly].join()'`,
    ),
    call("toolu_4a", "node server.js & until curl -s localhost:3000/up 2>/dev/null; do sleep 0.1; done; node ask.mjs; kill %1"),
    call("toolu_4b", "node threads.js"),
    say("Done."),
  );
  await app.ask("PUT", "dialog", { dialogId: first, prompt: "Go", authorizations: ["run_command"] });
  const [own, ran, threw, globals, served, threads] = await results(app, first);
  expect(own).toMatchObject({ stdout: "browser\n", stderr: "" });
  expect(ran).toMatchObject({ success: true, stdout: "6 1 data\n6 1\n", stderr: "" });
  expect(threw?.stdout).toBe("1\n");
  expect(threw?.stderr).toBe(`[eval]:1\nthrow new TypeError("no")\n^\n\nTypeError: no\n    at [eval]:1:7\n\nNode.js v20.20.2\n`);
  expect(globals?.stdout).toBe("undefined,undefined,undefined,undefined,undefined,undefined,object\n");
  // The dialog's other programs reach its server without a question.
  expect(served?.stdout).toContain("GET /up\nGET /from-node\n");
  expect(threads).toMatchObject({ stdout: "[ 2, 4 ]\n", stderr: "" });
  expect(await app.file("total.txt")).toBe("6 1");

  // The dialog has one frame, with an opaque origin.
  await expect(frame).toHaveCount(1);
  await expect(frame).toHaveAttribute("sandbox", "allow-scripts");

  // The Stop button ends a program in an endless loop, and its output so far stays.
  claude.play(call("toolu_5", "node -e 'console.log(\"computes\"); for (;;);'"));
  const looped = app.ask("PUT", "dialog", { dialogId: first, prompt: "Loop", authorizations: ["run_command"] });
  await expect(page.getByRole("region", { name: "Output so far" })).toContainText("computes");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await looped;
  expect((await results(app, first)).at(-1)).toMatchObject({ success: false, stdout: expect.stringContaining("computes\n") });

  // A shell that doesn't stop at once is restarted, and its frame is closed. In both cases the dialog's next program has one frame.
  claude.play(call("toolu_6", engine), say("Done."));
  await app.ask("PUT", "dialog", { dialogId: first, prompt: "Again", authorizations: ["run_command"] });
  expect((await results(app, first)).at(-1)).toMatchObject({ stdout: "browser\n" });
  await expect(frame).toHaveCount(1);

  const second = await newDialog(app, "after");
  claude.play(call("toolu_7", engine), say("Done."));
  await app.ask("PUT", "dialog", { dialogId: second, prompt: "Go", authorizations: ["run_command"] });
  expect((await results(app, second))[0]).toMatchObject({ stdout: "browser\n" });
  await expect(frame).toHaveCount(2);

  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("button", { name: "Sandbox" }).press("Enter");
  const box = settings.getByRole("checkbox", { name: /^Run node with the browser's own engine/ });
  await expect(box).toBeChecked();
  await box.press("Space");
  await expect.poll(async () => (await app.json<{ node: string }>("GET", "sandbox")).node).toBe("quickjs");
  await expect(box).not.toBeChecked();
  await page.keyboard.press("Escape");
  claude.play(call("toolu_8", engine), say("Done."));
  await app.ask("PUT", "dialog", { dialogId: second, prompt: "Again", authorizations: ["run_command"] });
  expect((await results(app, second)).at(-1)).toMatchObject({ stdout: "quickjs\n" });
});
