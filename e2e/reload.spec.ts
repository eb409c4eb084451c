import type { DialogAnswer } from "../src/protocol/index.ts";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { parseDialog } from "../src/dialog/parse.ts";
import { type ClaudeStandIn, say, startClaude } from "../tests/stand-in/claude.ts";
import { expect, test } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { putState, type StoredState } from "./stored-state.ts";

/**
 * Interrupts a turn with streamed text, a command, a new file and an edit at its n-th commit, for n = 1, 2, 3 … until it completes without
 * an interruption. At every point the dialog can be read and continued, and nothing happens twice.
 */

declare global {
  interface Window {
    /** Called in the page at each commit of the store. */
    onCommit?: (count: number) => void;
    /** Reports to the test. */
    stopHere?: () => Promise<void>;
    engines?: Worker[];
  }
}

type Way = "reload" | "close" | "kill";

const prompt = "Please do it.";
const goOn = "Please continue.";
const notes = `${"A line of notes.\n".repeat(4)}The end.\n`;
const [before, after] = ["one\ntwo\n", "one\nthree\n"];

/** Prepares the page before any script of the app runs: records its workers, and counts commits once asked to. */
function watchCommits(): void {
  window.engines = [];
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      window.engines?.push(this);
    }
  };
  let count = 0;
  new BroadcastChannel("vibey-project").addEventListener("message", () => {
    if (!window.onCommit) return;
    count += 1;
    window.onCommit(count);
  });
}

const call = <T>(page: Page, method: string, path: string, body?: unknown): Promise<T> =>
  page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(where, { method: how, ...(what === undefined ? {} : { body: what }) });
      const text = await response.text();
      if (response.status >= 400) throw new Error(`${how} ${where}: ${response.status} ${text}`);
      return (response.headers.get("Content-Type") ?? "").startsWith("application/json") ? JSON.parse(text) : text;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

interface Listing {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: string;
}

async function useServer(page: Page, server: ClaudeStandIn): Promise<void> {
  await call(page, "PUT", "provider/claude", { apiKey: server.key, baseURL: server.url });
}

async function begin(page: Page, server: ClaudeStandIn): Promise<void> {
  await page.goto("./");
  await useServer(page, server);
  await page.evaluate((text) => fetch("deed/story.txt", { method: "PUT", body: text }).then((response) => response.text()), before);
  server.play(
    {
      blocks: [
        { text: `I append, I write and I edit. ${"Word after word. ".repeat(12)}` },
        { call: "run_command", id: "toolu_run", input: { command: "echo x >> log.txt" } },
        { call: "write_file", id: "toolu_write", input: { path: "notes.txt", content: notes } },
        { call: "edit_file", id: "toolu_edit", input: { path: "story.txt", old_string: "two", new_string: "three" } },
      ],
      faults: { pieceBytes: 300, pieceMs: 15 },
    },
    say("All three are done."),
  );
}

/**
 * The complete turn, driven as by a screen. It is one script in the page, so that it ends with the page: steps sent one by one by the test
 * would continue in the page after a reload.
 */
function turn(page: Page): Promise<void> {
  return page.evaluate(
    async ([words, ids]) => {
      const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
        const response = await fetch(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
        const text = await response.text();
        if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return text;
      };
      await ask("POST", "dialog", { provider: "claude", prompt: words, slug: "campaign" });
      const [dialog]: Listing[] = JSON.parse(await ask("GET", "dialogs"));
      const { messages }: DialogAnswer = JSON.parse(await ask("GET", `dialog/${dialog?.dialogId}`));
      const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
      await ask("PUT", "dialog", {
        dialogId: dialog?.dialogId,
        decisions: ids.map((id) => ({ id, approved: true })),
        hashes: Object.fromEntries(calls.map(({ id, hash }) => [id, hash])),
      });
    },
    [prompt, ["toolu_run", "toolu_write", "toolu_edit"]] as const,
  );
}

/** Returns whether the turn was interrupted at commit `n`; false if it has fewer commits. */
async function interruptedAt(
  n: number,
  way: Way,
  context: BrowserContext,
): Promise<{ page: Page; interrupted: boolean; server: ClaudeStandIn }> {
  const server = await startClaude();
  let page = await context.newPage();
  await begin(page, server);
  let stopped: Promise<void> | undefined;
  let wake = () => {};
  const stopping = new Promise<void>((resolve) => {
    wake = resolve;
  });
  await page.exposeBinding("stopHere", () => {
    stopped ??= (async () => {
      if (way !== "close") return void (await page.reload());
      await page.close();
      page = await context.newPage();
      await page.goto("./");
    })();
    wake();
  });
  await page.evaluate(
    ([at, how]) => {
      window.onCommit = (count) => {
        if (count !== at) return;
        if (how === "kill") for (const engine of window.engines ?? []) engine.terminate();
        void window.stopHere?.();
      };
    },
    [n, way] as const,
  );
  await Promise.race([
    turn(page).catch((error: unknown) => {
      // The page is gone. Without an interruption that is an error.
      if (stopped === undefined) throw error;
    }),
    stopping,
  ]);
  // Don't count commits after the turn.
  if (stopped === undefined) await page.evaluate(() => delete window.onCommit).catch(() => stopping);
  await stopped;
  return { page, interrupted: stopped !== undefined, server };
}

function textsOf(file: string, role: "user" | "assistant"): string[] {
  return parseDialog(file)
    .sections.filter((section) => section.role === role)
    .map((section) => section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n"));
}

/** Checks the project after the interruption, and that the next turn works. */
async function checkGoesOn(page: Page, server: ClaudeStandIn): Promise<string> {
  const dialogs = await call<Listing[]>(page, "GET", "dialogs");
  const files = await call<string[]>(page, "GET", "files");
  expect(files.filter((name) => name.startsWith("dialog-"))).toEqual(dialogs.map(({ filename }) => filename));
  const [dialog] = dialogs;
  if (dialog === undefined) return "no dialog yet";
  expect(dialogs).toHaveLength(1);
  expect(["waiting", "done"]).toContain(dialog.status);
  const read = async () => {
    const [{ filename } = dialog] = await call<Listing[]>(page, "GET", "dialogs");
    return (await call<{ content: string }>(page, "GET", `file/${filename}`)).content;
  };
  const found = await read();
  expect(parseDialog(found).format).toBe(1);
  expect(textsOf(found, "user")).toEqual([prompt]);
  // A cut answer contains the calls that were complete by then.
  const undecided = parseDialog(found)
    .sections.flatMap((section) => section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])))
    .filter((each) => each.decision === null)
    .map((each) => ({ id: each.id, approved: false }));

  // A user who opens the dialog finds its requests, or a button that continues it.
  await page.evaluate((id) => {
    location.hash = `#/dialogs/${id}`;
  }, dialog.dialogId);
  const inSight =
    undecided.length > 0
      ? page.getByRole("heading", { name: undecided.length > 1 ? `The agent needs ${undecided.length} decisions` : /^The agent wants to/ })
      : page.getByRole("button", { name: /^(Resume|Continue|Try again)$/ });
  if (dialog.status === "waiting") await expect(inSight).toBeVisible();

  const next = await startClaude();
  try {
    next.play(say("I go on."));
    await useServer(page, next);
    await call(page, "PUT", "dialog", {
      dialogId: dialog.dialogId,
      prompt: goOn,
      ...(undecided.length > 0 ? { decisions: undecided } : {}),
    });
    const asked = (of: ClaudeStandIn) => of.requests.filter(({ path }) => path === "/v1/messages");
    expect([...asked(server), ...asked(next)].flatMap(({ refused }) => refused ?? [])).toEqual([]);
    expect(asked(next)).toHaveLength(1);
  } finally {
    await next.close();
  }
  const ended = await call<Listing[]>(page, "GET", "dialogs");
  expect(ended.map(({ dialogId, status }) => ({ dialogId, status }))).toEqual([{ dialogId: dialog.dialogId, status: "done" }]);
  const file = await read();
  expect(textsOf(file, "user")).toEqual([prompt, goOn]);
  expect(textsOf(file, "assistant").at(-1)).toBe("I go on.");
  await checkOnce(page, file);
  return `${dialog.status}, ${undecided.length} undecided`;
}

/** Checks that each call took effect once if its result says so, at most once if that is unknown, and otherwise not at all. */
async function checkOnce(page: Page, file: string): Promise<void> {
  const deed = (path: string) =>
    page.evaluate(async (where) => {
      const response = await fetch(`deed/${where}`);
      return response.status === 404 ? null : response.text();
    }, path);
  const calls = parseDialog(file).sections.flatMap((section) => section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(calls.map(({ id }) => id)).toEqual(["toolu_run", "toolu_write", "toolu_edit"].slice(0, calls.length));
  const heads = file.split("\n").filter((line) => /^(Started|Result):/.test(line));
  expect(heads.filter((line) => line.startsWith("Started:")).length).toBeLessThanOrEqual(calls.length);
  const outcome = (id: string) => {
    const result = calls.find((each) => each.id === id)?.result;
    return result === undefined || result === null
      ? "none"
      : JSON.stringify(result).includes('"success":true')
        ? "done"
        : JSON.stringify(result);
  };
  const lines = ((await deed("log.txt")) ?? "").split("\n").filter((line) => line !== "").length;
  expect(lines).toBeLessThanOrEqual(1);
  if (outcome("toolu_run") === "done") expect(lines).toBe(1);
  else if (!outcome("toolu_run").includes("interrupted: this may or may not have run")) expect(lines).toBe(0);
  expect(await deed("notes.txt")).toBe(outcome("toolu_write") === "done" ? notes : null);
  expect(await deed("story.txt")).toBe(outcome("toolu_edit") === "done" ? after : before);
}

interface Given {
  readonly browser: Browser;
  readonly baseURL: string | undefined;
  readonly firstProject: StoredState;
}

/** Interrupts a turn at its first commit, or at commit `from`, and then at every `step`th one, until a turn completes without an interruption. */
async function campaign(way: Way, from: number, step: number, { browser, baseURL, firstProject }: Given): Promise<string[]> {
  const points: string[] = [];
  for (let n = from; ; n += step) {
    const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    await putState(context, firstProject);
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    await context.addInitScript(watchCommits);
    const { page, interrupted, server } = await interruptedAt(n, way, context);
    await test.step(`commit ${n}`, async () => {
      points.push(`${n}: ${await checkGoesOn(page, server)}`);
    });
    expect(errors).toEqual([]);
    await server.close();
    await context.close();
    if (!interrupted) return points;
  }
}

for (const [index, [way, title]] of (
  [
    ["reload", "the page is reloaded"],
    ["close", "the tab is closed and another opened"],
    ["kill", "the engine is killed and the page reloaded"],
  ] as const
).entries()) {
  test(`at commits of a turn, ${title}`, { tag: way === "kill" ? [] : "@long" }, async ({ browser, baseURL, firstProject }) => {
    test.setTimeout(180_000);
    const given = { browser, baseURL, firstProject };
    // Every ninth commit. `npm run chaos` covers every commit in each way.
    const points = await (isWhole ? campaign(way, 1, 1, given) : campaign(way, 1 + index, 9, given));
    console.log(`${way}: ${points.length - 1} points, then undisturbed\n  ${points.join("\n  ")}`);
    expect(points.length).toBeGreaterThan(isWhole ? 8 : 2);
    expect(points.at(-1)).toContain("done, 0 undecided");
  });
}
