import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findEngine } from "../../scripts/engines.mjs";
import { say } from "../../tests/stand-in/claude.ts";
import type { ClaudeStandIn } from "../../tests/stand-in/claude.ts";
import { agentRuns, useKey } from "./commands.ts";
import type { Tab } from "./engine.ts";
import {
  ask,
  askJson,
  button,
  click,
  heading,
  inFrame,
  inPage,
  isEnabled,
  isThere,
  miss,
  shows,
  see,
  type Target,
  write,
} from "./hands.ts";
import { expect, test, watchFaults } from "./test.ts";

/** What a user of Firefox or WebKit does with Vibey, from the first screen to exporting a project. */

const messages: Target = ["[aria-label=Messages]"];
/** The text of the open file. */
const editorText: Target = [".editor-mount .cm-content"];
const messageBox: Target = ["textarea", "Message"];
const approveButton: Target = [".ask button", /^Approve( all)?\b/];
const doing: Target = [".dialog-head .doing"];
const tabNamed = (name: string): Target => ["[role=tab]", new RegExp(`^${name}`)];

/** The preview's own frame, and the frame in it that contains the page. */
const previewFrames = ["iframe[title='What your agents built']", "iframe:not(.coming)"];

const putDeed = async (tab: Tab, path: string, text: string): Promise<void> => {
  expect((await ask(tab, "PUT", `deed/${path}`, text)).status).toBe(200);
};
const deed = (tab: Tab, path: string) => ask(tab, "GET", `deed/${path}`).then(({ text }) => text);

/** Makes a new dialog through the screen. Returns its id. */
async function newDialog(tab: Tab, name: string): Promise<string> {
  await click(tab, tabNamed("Dialogs"));
  await click(tab, button("+ New dialog"));
  await write(tab, ["input", "Dialog name"], name);
  await tab.press("Enter");
  await see(tab, messageBox);
  return inPage(tab, () => decodeURIComponent(location.hash.replace("#/dialogs/", "")));
}

async function send(tab: Tab, text: string): Promise<void> {
  await write(tab, messageBox, text);
  await tab.press("Enter", { control: true });
}

/** Scrolls each input to its end, one after the other, then approves all of them. */
async function approve(tab: Tab): Promise<void> {
  const whole = button("Show whole file", ".ask");
  await see(tab, approveButton);
  while (await isThere(tab, whole)) await click(tab, whole);
  await expect
    .poll(async () => {
      await inPage(tab, async () => {
        for (const box of document.querySelectorAll(".ask section.ask-input")) {
          box.scrollIntoView({ block: "nearest", behavior: "instant" });
          box.scrollTo(0, box.scrollHeight);
          box.querySelector(".ask-end")?.scrollIntoView({ block: "nearest", behavior: "instant" });
          // The page notices a visible end when it draws its next frame. A hidden tab draws none.
          await new Promise((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(resolve));
            setTimeout(resolve, 200);
          });
        }
      });
      return isEnabled(tab, approveButton);
    })
    .toBe(true);
  await click(tab, approveButton);
}

/** Waits until the service worker has all files and controls this page. WebKit sometimes finds no registration for a page that has one. */
const installed = (tab: Tab) =>
  expect
    .poll(() => inPage(tab, async () => navigator.serviceWorker.controller?.state), {
      // Fetching takes some ten seconds on a busy machine, with retries after 15 and 60 seconds.
      timeout: 120_000,
      message: "a service worker is active",
    })
    .toBe("activated");

/** Opens the preview. An engine that can't promise to keep a page off the network asks first. */
async function openPreview(tab: Tab): Promise<void> {
  // The preview opens by itself when a newcomer's project gets its first page.
  if (!(await isThere(tab, heading("Preview")))) await click(tab, button("Preview"));
  await see(tab, ["fieldset", /The preview can't keep this page off the network/]);
  await click(tab, button("Run anyway"));
}

test("the demo is played to its end, and its game is won", { tag: "@long" }, async ({ openAsNewcomer }) => {
  const tab = await openAsNewcomer();
  await click(tab, button("Play the demo"));
  const steps = async (...asks: readonly (readonly [words: string, act: () => Promise<void>])[]) => {
    for (const [words, act] of asks) {
      // The first command starts the shell, so allow it as much time as Vibey does.
      await see(tab, heading(words, ".ask"), { timeout: 120_000 });
      await act();
      await miss(tab, heading(words, ".ask"));
    }
  };
  const allow = () => approve(tab);
  await steps(
    ["The agent wants to run a command", allow],
    ["The agent wants to write a file", allow],
    ["The agent needs 2 decisions", allow],
    ["The agent wants to edit a file", allow],
    [
      "The agent wants to run a command",
      async () => {
        await click(tab, button(/^Deny with a reason…/, ".ask"));
        await write(tab, ["textarea, input", /^Tell the agent why/], "Nobody asked for that.");
        await click(tab, button(/^Deny and send/));
      },
    ],
    ["The agent wants to launch another agent", allow],
  );
  await shows(tab, messages, "You said no. Nothing was deleted, and I won't ask again.");
  await see(tab, [".dialog-head .doing-done"], { timeout: 90_000 });
  await click(tab, ["nav a", /style-the-page/]);
  await see(tab, heading("style-the-page"));
  await steps(["The agent wants to run a command", allow], ["The agent wants to write a file", allow]);
  await see(tab, [".dialog-head .doing-done"], { timeout: 90_000 });
  const listed = await askJson<{ path: string }[]>(tab, "GET", "deed");
  expect(listed.map(({ path }) => path).toSorted()).toEqual(["game.js", "index.html", "page.js", "style.css"]);

  await openPreview(tab);
  const frames = previewFrames;
  await shows(tab, ["[role=status]"], "X to move.", { frames });
  const take = async (...squares: readonly number[]) => {
    for (const square of squares) {
      const place = new RegExp(`^Row ${Math.ceil(square / 3)}, column ${((square - 1) % 3) + 1}`);
      await click(tab, ["#board button", place], { frames });
    }
  };
  await take(3, 1, 5, 2, 7);
  await shows(tab, ["[role=status]"], "X wins.", { frames });
  await click(tab, button("New game"), { frames });
  await shows(tab, ["[role=status]"], "X to move.", { frames });
  await take(1, 2, 3, 5, 4, 6, 8, 7, 9);
  await shows(tab, ["[role=status]"], /draw/i, { frames });
});

test("docs are made, typed into, kept through a reload, deleted and brought back", { tag: "@long" }, async ({ open }) => {
  const tab = await open();
  await click(tab, button(/^\+ New/));
  await write(tab, ["input", "Doc name"], "house rules");
  await tab.press("Enter");
  await see(tab, ["nav a[aria-current=page]", /house-rules/]);
  await write(tab, editorText, "# Rules and a word");
  await shows(tab, editorText, "Rules and a word");
  await tab.press("s", { control: true });
  await expect
    .poll(() => ask(tab, "GET", "file/doc-house-rules.md").then(({ text }) => text), { timeout: 90_000 })
    .toContain("# Rules and a word");
  await tab.reload();
  await shows(tab, editorText, "Rules and a word");
  await watchFaults(tab);
  await click(tab, editorText);
  await tab.type("!");
  await tab.press("s", { control: true });
  await expect.poll(() => ask(tab, "GET", "file/doc-house-rules.md").then(({ text }) => text), { timeout: 90_000 }).toContain("!");
  await click(tab, ["nav a", "main"]);
  await inPage(tab, () => document.querySelector<HTMLElement>("button[aria-label='Delete house-rules']")?.click());
  await miss(tab, ["nav a", "house-rules"]);
  await click(tab, button(/^Undo/));
  await see(tab, ["nav a", "house-rules"]);
});

test("a call waits for its approval, is read to its end and runs once", async ({ open, claude }) => {
  const tab = await open();
  await useKey(tab, claude);
  const id = await newDialog(tab, "work");
  const long = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n");
  claude.play(
    { blocks: [{ text: "I write." }, { call: "write_file", input: { path: "long.txt", content: long } }] },
    { blocks: [{ call: "run_command", input: { command: "wc -l < long.txt >> log.txt; echo ran" } }] },
    say("It ran."),
  );
  await send(tab, "Please do it.");
  await see(tab, heading("The agent wants to write a file", ".ask"));
  expect(await isEnabled(tab, approveButton)).toBe(false);
  await approve(tab);
  await see(tab, heading("The agent wants to run a command", ".ask"));
  await approve(tab);
  await shows(tab, messages, "It ran.");
  await shows(tab, doing, "done");
  expect(await deed(tab, "log.txt")).toMatch(/^\s*199\n$/);
  expect((await askJson<{ markdown: string }>(tab, "GET", `dialog/${id}`)).markdown.match(/^Decision: approved/gm)).toHaveLength(2);
});

test("an agent outside registers, and reports with its key in the address", async ({ open }) => {
  const tab = await open();
  const { key } = await askJson<{ key: string }>(tab, "POST", "outside/keys", { name: "laptop" });
  const { agent } = await askJson<{ agent: { agentId: string } }>(tab, "POST", `k/${key}/v2/agents/register`, {
    name: "My agent",
    framework: "python-agent",
  });
  const event = { type: "user_input", agentId: agent.agentId, source: "python-agent", text: "Fix the prices" };
  expect(await askJson(tab, "POST", `k/${key}/v2/event`, event)).toEqual({ ok: true });
  await click(tab, tabNamed("Dialogs"));
  await click(tab, ["a", /outside-my-agent|my-agent/]);
  await shows(tab, messages, "Fix the prices");
});

test("two tabs work on one project; one closes and the other takes over", { tag: "@long" }, async ({ open, claude }) => {
  const first = await open();
  await useKey(first, claude);
  const id = await newDialog(first, "shared");
  const second = await open(`#/dialogs/${id}`);
  claude.play(say("Heard in both."), say("And once more."));
  await send(second, "From the second");
  for (const tab of [first, second]) await shows(tab, messages, "Heard in both.");
  await send(first, "From the first");
  for (const tab of [first, second]) await shows(tab, messages, "And once more.");
  await putDeed(second, "a.txt", "mine");
  expect(await deed(first, "a.txt")).toBe("mine");
  await first.close();
  await expect.poll(() => ask(second, "GET", "deed/a.txt").then(({ text }) => text, String), { timeout: 90_000 }).toBe("mine");
  await putDeed(second, "b.txt", "taken over");
  const third = await open();
  expect(await deed(third, "b.txt")).toBe("taken over");
});

test("a reload in mid-turn keeps what arrived, and the dialog continues", { tag: "@long" }, async ({ open, claude }) => {
  const tab = await open();
  await useKey(tab, claude);
  await newDialog(tab, "cut");
  // The service worker keeps the key across the reload.
  await installed(tab);
  claude.play({ blocks: [{ text: "word ".repeat(400) }], faults: { stallAfterBytes: 3_000 } });
  await send(tab, "Talk");
  await shows(tab, messages, "word word");
  await tab.reload();
  await see(tab, button(/^(Continue|Try again)$/));
  await watchFaults(tab);
  await shows(tab, messages, "word word");
  claude.play(say("I go on."));
  await click(tab, button(/^(Continue|Try again)$/));
  await shows(tab, messages, "I go on.");
});

test("it starts without a network once it is installed", async ({ open, host }) => {
  const tab = await open();
  await installed(tab);
  await askJson(tab, "POST", "file/doc-mine.md", { content: "Mine.\n" });
  await host.stop();
  await tab.reload();
  await see(tab, ["nav a", "mine"]);
  await watchFaults(tab);
  await click(tab, ["nav a", "mine"]);
  await shows(tab, editorText, "Mine");
  await click(tab, tabNamed("Dialogs"));
  await click(tab, button("Settings"));
  await see(tab, ["dialog, [role=dialog]", /Settings/]);
});

test("a project goes out as a zip and comes in whole elsewhere", { tag: "@long" }, async ({ engine, open, startAnother }) => {
  const tab = await open();
  await askJson(tab, "POST", "file/doc-plan.md", { content: "# A plan\n" });
  await putDeed(tab, "src/a.js", "alert(1)");
  const zips = () => readdirSync(engine.downloads).filter((name) => name.endsWith(".zip"));
  const before = zips();
  await click(tab, button("Project"));
  await click(tab, button("Export everything"));
  const fresh = () => zips().filter((name) => !before.includes(name));
  await expect.poll(fresh, { timeout: 90_000, message: "a zip among the downloads" }).toHaveLength(1);

  const there = await open("", await startAnother());
  expect((await ask(there, "GET", "deed/src/a.js")).status).toBe(404);
  await click(there, button("Project"));
  await click(there, button("Import zip…"));
  await see(there, ["dialog, [role=dialog]", /Import zip/]);
  await there.setFile("dialog input[type=file], [role=dialog] input[type=file]", join(engine.downloads, fresh()[0] ?? ""));
  await click(there, button("Create project"));
  await click(there, button("Open new project"));
  await expect.poll(() => deed(there, "src/a.js").catch(String), { timeout: 90_000 }).toBe("alert(1)");
  expect(await askJson<{ content: string }>(there, "GET", "file/doc-plan.md")).toMatchObject({ content: "# A plan\n" });
});

test("the preview shows a page, its console and its changes", { tag: "@long" }, async ({ open }) => {
  const tab = await open();
  await putDeed(tab, "index.html", '<!doctype html><h1></h1><button>press</button><script type="module" src="main.ts"></script>');
  await putDeed(
    tab,
    "main.ts",
    'const word: string = "built"; document.querySelector("h1")!.textContent = word; document.querySelector("button")!.onclick = () => console.error("pressed"); console.log("fine");',
  );
  await openPreview(tab);
  const frames = previewFrames;
  await shows(tab, ["h1"], "built", { frames });
  expect(await inFrame(tab, frames, () => window.origin)).toBe("null");
  await click(tab, button("press"), { frames });
  await see(tab, button("Console 1 error"));
  await putDeed(tab, "main.ts", 'document.querySelector("h1")!.textContent = "changed" as string');
  await shows(tab, ["h1"], "changed", { frames });
});

test("the history shows each change, and the last one is undone and redone", { tag: "@long" }, async ({ open }) => {
  const tab = await open();
  const plan = () => ask(tab, "GET", "file/doc-plan.md").then(({ text: answer }) => answer);
  await askJson(tab, "POST", "file/doc-plan.md", { content: "# First plan\n" });
  await askJson(tab, "POST", "file/doc-plan.md", { content: "# Second plan\n" });
  const { commits } = await askJson<{ commits: { id: string }[] }>(tab, "GET", "history");
  await click(tab, ["a, button", "History"]);
  await expect.poll(() => inPage(tab, () => document.querySelectorAll("nav[aria-label=History] a").length)).toBe(commits.length);
  await click(tab, ["nav[aria-label=History] a"]);
  await see(tab, [".diff-add", /Second plan/]);
  await click(tab, button("Undo this change"));
  await expect.poll(plan).toContain("File not found");
  await click(tab, button("Redo this change"));
  await expect.poll(plan).toContain("# Second plan");
});

test("the settings say whether a backup of the project can be kept", { tag: "@long" }, async ({ open }) => {
  const tab = await open();
  const hasPrivateFiles = await inPage(tab, () => "storage" in navigator && "getDirectory" in navigator.storage);
  await putDeed(tab, "a.txt", "mine");
  await expect
    .poll(
      async () => {
        const { kept, trouble } = await askJson<{ kept: unknown; trouble: string | null }>(tab, "GET", "copy");
        return hasPrivateFiles ? kept !== null : trouble !== null;
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  await click(tab, button("Settings"));
  await shows(
    tab,
    ["section.storage"],
    hasPrivateFiles ? "Backup saved" : "Can't save a backup right now: this browser has no private files for a page",
  );
});

/** The output of commands that must all succeed. A failure shows the failed command's result. */
async function printed(tab: Tab, claude: ClaudeStandIn, commands: readonly string[]) {
  const results = await agentRuns(tab, claude, commands);
  expect(results.flatMap((result) => (result.success ? [] : [JSON.stringify(result)]))).toEqual([]);
  return results.map((result) => result.stdout);
}

test("the sandbox runs git, python3, sqlite3 and jq", { tag: "@long" }, async ({ open, claude }) => {
  test.setTimeout(240_000);
  const tab = await open();
  const texts = await printed(tab, claude, [
    "git init -q -b main demo && cd demo && git config user.name Ada && git config user.email ada@example.org && echo one > a.txt && git add -A && git commit -qm 'The demo' && git log --format=%s && git status -sb",
    "python3 -c \"import json; print(json.dumps({'sum': sum(range(10))}))\"",
    "sqlite3 t.db 'create table t(a, b); insert into t values (1, 2.0), (3, null)' && sqlite3 -json t.db 'select * from t'",
    "echo '{\"a\": [1, 2]}' | jq -c .a; printf 'b\\na\\n' | sort | awk '{ print NR, $1 }'",
  ]);
  expect(texts).toEqual(["The demo\n## main\n", '{"sum": 45}\n', '[{"a":1,"b":2.0},\n{"a":3,"b":null}]\n', "[1,2]\n1 a\n2 b\n"]);
});

test("the sandbox runs node on QuickJS, or says that this browser can't", { tag: "@long" }, async ({ open, claude }, { project }) => {
  const tab = await open();
  await askJson(tab, "PUT", "sandbox/node", { node: "quickjs" });
  const commands = [
    "node -e 'console.log([1, 2, 3].map((n) => n * n).join())'",
    'echo \'import { test } from "node:test"; test("holds", () => {});\' > a.test.mjs && node --test a.test.mjs | grep pass',
  ];
  if (project.name === "webkit" && findEngine("webkit")?.driver === "webdriver") {
    // See docs/browsers.md.
    const [result] = await agentRuns(tab, claude, commands.slice(0, 1));
    expect(result?.stderr).toContain("this browser can't run it: its WebAssembly stopped QuickJS");
    return;
  }
  expect(await printed(tab, claude, commands)).toEqual(["1,4,9\n", expect.stringContaining("pass 1\n")]);
});

test("node runs on the browser's own engine, in a frame that reaches nothing", { tag: "@long" }, async ({ open, claude }, info) => {
  const tab = await open();
  // A server that gets its answers from a worker, and a stored value per request.
  await putDeed(
    tab,
    "several.mjs",
    `import http from "node:http";
import { AsyncLocalStorage } from "node:async_hooks";
import { Worker } from "node:worker_threads";
const stored = new AsyncLocalStorage();
const code = "const { parentPort, workerData } = require('worker_threads'); parentPort.postMessage(workerData * 2)";
const twice = (n) => new Promise((done) => new Worker(code, { eval: true, workerData: n }).on("message", done));
const server = http.createServer((q, r) => stored.run("kept", async () => {
  const n = await twice(21);
  r.end([q.url, stored.getStore(), n].join(" ") + "\\n");
  server.close();
}));
server.listen(3000);
`,
  );
  await putDeed(tab, "sum.mjs", "export let count = 0;\nexport const sum = (...all) => (count++, all.reduce((a, b) => a + b, 0));\n");
  const [ran, deep, threw, stopped, out, several] = await agentRuns(tab, claude, [
    `node --input-type=module -e 'import { count, sum } from "./sum.mjs"; import fs from "fs"; fs.writeFileSync("total.txt", String(sum(1, 2, 3))); await 1; console.log(process.versions.quickjs === undefined, sum(1), count)'; cat total.txt; echo`,
    "node -e 'let n = 0; const f = () => { n++; f(); }; try { f(); } catch (e) { console.log(e.name, n > 2000, typeof WebAssembly) }'",
    'node -e \'process.on("exit", (c) => console.log("exit", c)); throw new TypeError("no")\' 2>&1; node -e \'process.exit(3)\'; echo $?',
    // Doubles the timeout until a program has time to start on this machine.
    `t=1; until [ "$printed" = 1 ]; do printed=$(timeout $t node -e 'console.log(1); for (;;);'); code=$?; t=$((t * 2)); done; echo $code`,
    `node -e 'const said = []; for (const name of ["indexedDB", "caches", "WebSocket", "XMLHttpRequest", "Worker", "BroadcastChannel", "importScripts"]) if (globalThis[name] !== undefined) said.push(name); import("https://example.com/x.js").catch((e) => console.log(said, e.code))'`,
    "node several.mjs & until curl -s localhost:3000/curl 2>/dev/null; do sleep 0.1; done; wait",
  ]);
  expect(ran).toMatchObject({ stdout: "true 1 2\n6\n", stderr: "" });
  expect(deep).toMatchObject({ stdout: expect.stringMatching(/^(RangeError|InternalError) true object\n$/) });
  // WebKit names no file for code that it received as text.
  const shown =
    info.project.name === "webkit"
      ? /^exit 1\n<anonymous>:1\n\nTypeError: no\n {4}at <anonymous>:1:\d+\n/
      : /^exit 1\n\[eval\]:1\n.*\n +\^\n\nTypeError: no\n {4}at \[eval\]:1:\d+\n/;
  expect(threw?.stdout).toMatch(shown);
  expect(threw?.stdout?.slice(-20)).toBe("\nNode.js v20.20.2\n3\n");
  expect(stopped?.stdout).toBe("124\n");
  expect(out?.stdout).toBe("[] ERR_UNSUPPORTED_ESM_URL_SCHEME\n");
  expect(several).toMatchObject({ stdout: "/curl kept 42\n", stderr: "" });
});
