import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright";
import { chromiumArguments, ensureChromium } from "../../scripts/browser.mjs";
import type { DialogAnswer } from "../../src/protocol/index.ts";
import { say, startClaude } from "../../tests/stand-in/claude.ts";
import type { Found } from "../report.ts";
import { serveBuild } from "../serve-build.ts";

/** A write transaction as recorded by `spy.js`. `texts`: one entry such as `put names …` per operation. */
interface Write {
  readonly database: string;
  readonly durability: string;
  readonly texts: readonly string[];
  readonly complete: boolean;
}

declare global {
  var writesSeen: readonly Write[];
}

/**
 * Does each kind of acknowledged write once, on the production build with a spy before the engine's worker, and checks the transaction that
 * stored it. Killing the browser can't tell `strict` from `relaxed`: data that the operating system has accepted survives the kill.
 */
export async function durability(build: string): Promise<Found> {
  const root = mkdtempSync(join(tmpdir(), "vibey-durability-"));
  cpSync(build, root, { recursive: true });
  const worker = readdirSync(join(root, "engine")).filter((name) => /^worker.*\.js$/.test(name));
  if (worker.length !== 1) throw new Error(`the build has ${worker.length} scripts of the engine's worker: ${worker.join(", ")}`);
  const script = join(root, "engine", worker[0] ?? "");
  writeFileSync(script, `${readFileSync("chaos/durability/spy.js", "utf8")}\n${readFileSync(script, "utf8")}`);
  const site = await serveBuild(root);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArguments });
  try {
    const context = await browser.newContext({ serviceWorkers: "block" });
    return await watch(await context.newPage(), site.url);
  } finally {
    await browser.close();
    site.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`${what} did not come in 30 seconds`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function watch(page: Page, url: string): Promise<Found> {
  const server = await startClaude();
  try {
    await page.goto(url);
    await page.getByRole("tablist").first().waitFor();
    const ask = async (method: string, path: string, body?: unknown): Promise<string> => {
      const { status, text } = await page.evaluate(
        async ([how, where, what]) => {
          const response = await fetch(where, { method: how, ...(what === undefined ? {} : { body: what }) });
          return { status: response.status, text: await response.text() };
        },
        [method, path, body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)] as const,
      );
      if (status >= 400) throw new Error(`${method} ${path} answered ${status} ${text}`);
      return text;
    };
    const seen = async (): Promise<readonly Write[]> => {
      const [engine] = page.workers().filter((each) => each.url().includes("/engine/worker"));
      if (!engine) throw new Error("the page has no engine");
      return engine.evaluate(() => globalThis.writesSeen);
    };
    const found: { readonly what: string; readonly problem: string | null }[] = [];
    /**
     * The write just acknowledged must be in the first transaction that contains all of these words, and that transaction must be strict
     * and complete.
     */
    const stored = async (what: string, ...words: readonly string[]): Promise<void> => {
      const write = (await seen()).find(({ texts }) => words.every((word) => texts.join("\n").includes(word)));
      const problem = !write
        ? "is in no transaction"
        : !write.complete
          ? "is acknowledged before its transaction is complete"
          : write.durability === "strict"
            ? null
            : `is in a ${write.durability} transaction`;
      found.push({ what, problem });
    };

    await ask("PUT", "provider/claude", { apiKey: server.key, baseURL: server.url, model: "claude-sonnet-5-5" });
    await stored("the right to lead", "put meta", '"epoch":1');
    await stored("a provider's settings", "put providers", server.url);
    await ask("POST", "file/doc-mine.md", { content: "The first word.\n" });
    await stored("a doc", "The first word.");
    await ask("POST", "file/doc-mine.md", { content: "The second word.\n" });
    await stored("a doc, changed", "The second word.");
    await ask("DELETE", "file/doc-mine.md");
    await stored("a doc, removed", "delete names", "doc-mine.md");
    await ask("PUT", "deed/mine.txt", "The third word.\n");
    await stored("a file", "The third word.");
    await ask("DELETE", "deed/mine.txt");
    await stored("a file, removed", "delete names", "mine.txt");

    const { dialogId } = JSON.parse(await ask("POST", "dialog/new", { provider: "claude", slug: "watched" })) as { dialogId: string };
    await stored("a dialog", "put names", "watched-waiting.md");
    const call = (name: string, command: string) => ({ call: "run_command", id: `toolu_${name}`, input: { command } });
    const long = "word ".repeat(200);
    server.play(
      {
        blocks: [{ text: `The answer. ${long}` }, call("yes", "echo by-command > one.txt; echo printed")],
        faults: { pieceBytes: 500, pieceMs: 15 },
      },
      say("It is over."),
    );
    await ask("PUT", "dialog", { dialogId, prompt: "The question." });
    await stored("a prompt", "The question.");
    await stored("calls that are asked for", "put names", "watched-waiting.md", "Usage");
    const { messages } = JSON.parse(await ask("GET", `dialog/${dialogId}`)) as DialogAnswer;
    const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
    const hashes = Object.fromEntries(calls.map(({ id, hash }) => [id, hash]));
    await ask("PUT", "dialog", { dialogId, decisions: [{ id: "toolu_yes", approved: true }], hashes });
    await stored("an approval", "[toolu_yes]", "Decision: approved");
    await stored("a claim", "[toolu_yes]", "Started: ");
    await stored("a result", "[toolu_yes]", "Result:", "printed");
    await stored("what a command wrote", "by-command\n");
    await stored("the end of a turn", "It is over.", "put names");

    server.play({ blocks: [call("no", "echo never")] });
    await ask("PUT", "dialog", { dialogId, prompt: "Once more." });
    await ask("PUT", "dialog", { dialogId, decisions: [{ id: "toolu_no", approved: false }] });
    await stored("a denial", "[toolu_no]", "Decision: denied");

    await ask("PUT", "dialog", { dialogId, authorizations: ["run_command"] });
    await stored("a tool that is always allowed", "Authorized: run_command");
    await ask("PUT", "dialog", { dialogId, authorizations: "deny run_command" });
    await stored("a tool that is asked for again", "Revoked: run_command");
    await ask("PUT", "dialog", { dialogId, network: [{ host: "example.com", allow: true }] });
    await stored("a host that is allowed", "example.com");
    await ask("PUT", "dialog", { dialogId, limits: { command: 77 } });
    await stored("a longer limit", "Limit: command 77");
    await ask("PUT", "dialog", { dialogId, status: "done" });
    await stored("a status", "put names", "watched-done.md");

    server.play({ blocks: [{ text: `Stopped here. ${long.repeat(20)}` }], faults: { pieceBytes: 300, pieceMs: 30 } });
    const talking = Promise.allSettled([ask("PUT", "dialog", { dialogId, prompt: "Talk on." })]);
    await until("the text that is stopped", async () => (await ask("GET", `dialog/${dialogId}`)).includes("Stopped here."));
    await ask("PUT", "dialog", { dialogId, status: "waiting" });
    await stored("a stop", "put names", "watched-waiting.md", "Stop: ");
    const [talked] = await talking;
    if (talked.status === "rejected") throw talked.reason;

    const { commits } = JSON.parse(await ask("GET", "history?path=one.txt")) as { commits: readonly { readonly id: string }[] };
    await ask("PUT", "deed/one.txt", "by hand\n");
    await ask("POST", "history/restore", { id: commits[0]?.id, path: "one.txt" });
    const restored = (await seen()).filter(({ texts }) => texts.join("\n").includes("by-command\n"));
    const last = restored.at(-1);
    found.push({
      what: "a file that is restored",
      problem: restored.length > 1 && last?.durability === "strict" && last.complete ? null : "is in no strict transaction",
    });

    const writes = await seen();
    const streamed = writes.filter(({ texts }) => texts.some((each) => each.startsWith("put pieces") && each.includes("word word word")));
    // Otherwise the spy may report strict for everything, and proves nothing.
    if (!streamed.some((write) => write.durability === "relaxed"))
      found.push({ what: "streamed text", problem: "is in no relaxed transaction: the spy sees no difference" });
    const strict = writes.filter((write) => write.durability === "strict").length;
    return {
      cases: found.length,
      figures: `${found.length} kinds of acknowledged writes, ${found.filter(({ problem }) => problem === null).length} strict; ${writes.length} write transactions, ${strict} strict and ${writes.length - strict} relaxed`,
      broken: found.flatMap(({ what, problem }) => (problem === null ? [] : [`${what} ${problem}`])),
    };
  } finally {
    await server.close();
  }
}
