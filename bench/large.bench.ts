/** Goal 13 for a large project: 200 MB of files must not slow the page down. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { begin } from "../e2e/first-project.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { say, startClaude } from "../tests/stand-in/claude.ts";
import { openBrowser, tasksOfMainThread } from "./browser.ts";
import { goal, note } from "./report.ts";

const small = { count: 1_800, bytes: 100_000 };
const big = { count: 2, bytes: 10_000_000 };

const bench = await openBrowser();
const claude = await startClaude();

/** Megabytes of memory of the page's processes, private and shared; each memory page counts once. */
async function memory(): Promise<number> {
  let kilobytes = 0;
  for (const pid of await bench.renderers()) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? Number.NaN);
  }
  return kilobytes / 1_000;
}

async function opened(): Promise<Page> {
  const page = await bench.context.newPage();
  await page.goto(bench.url);
  await begin(page);
  return page;
}

/** Fills the files with high-entropy lines, so that compression saves little. */
async function fill(page: Page): Promise<void> {
  await page.evaluate(
    async ([files, large]) => {
      const body = (seed: number, bytes: number): Uint8Array<ArrayBuffer> => {
        const text = new Uint8Array(bytes);
        for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(text.subarray(at, at + 65_536));
        for (let at = 0; at < bytes; at += 1) text[at] = at % 90 === 89 ? 10 : 65 + ((text[at] ?? 0) & 31);
        text.set(new TextEncoder().encode(`number ${seed} of many\n`));
        return text;
      };
      const put = async (path: string, content: Uint8Array<ArrayBuffer>): Promise<void> => {
        const answer = await fetch(`deed/${path}`, { method: "PUT", body: content });
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      };
      for (let n = 0; n < files.count; n += 1) await put(`data/part${n % 40}/file${n}.txt`, body(n, files.bytes));
      for (let n = 0; n < large.count; n += 1) await put(`large${n}.txt`, body(1_000_000 + n, large.bytes));
    },
    [small, big] as const,
  );
}

interface Result {
  readonly stdout: string;
  readonly stderr: string;
}

/** A turn in which the agent runs `command`. Returns the command's result and the turn's duration in milliseconds. */
async function run(page: Page, dialogId: string, command: string): Promise<{ readonly result: Result; readonly ms: number }> {
  claude.play({ blocks: [{ call: "run_command", id: `toolu_${crypto.randomUUID()}`, input: { command } }] }, say("That is all."));
  const { ms, markdown } = await page.evaluate(
    async ([id, prompt]) => {
      const started = performance.now();
      const turn = await fetch("dialog", {
        method: "PUT",
        body: JSON.stringify({ dialogId: id, prompt, authorizations: ["run_command"] }),
      });
      await turn.text();
      const took = performance.now() - started;
      return { ms: took, markdown: (await (await fetch(`dialog/${id}`)).json()).markdown as string };
    },
    [dialogId, "Please run it."] as const,
  );
  const call = parseDialog(markdown)
    .sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])))
    .at(-1);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
  return { result: call?.result as unknown as Result, ms };
}

async function wanted(page: Page, dialogId: string, command: string, stdout: string): Promise<number> {
  const { result, ms } = await run(page, dialogId, command);
  if (result.stdout !== stdout) throw new Error(`${command}: ${JSON.stringify(result)}`);
  return ms;
}

/** Creates and opens a dialog with the stand-in provider. */
async function dialogIn(page: Page, slug: string): Promise<string> {
  const id = await page.evaluate(
    async ([apiKey, baseURL, name]) => {
      const send = (method: string, path: string, body: unknown) => fetch(path, { method, body: JSON.stringify(body) });
      await send("PUT", "provider/claude", { apiKey, baseURL });
      return (await (await send("POST", "dialog/new", { provider: "claude", slug: name })).json()).dialogId as string;
    },
    [claude.key, claude.url, slug] as const,
  );
  await page.goto(`${bench.url}#/dialogs/${id}`);
  return id;
}

/** Waits, at most five minutes, until the pages are nearly idle. By then the history has copied the new files. */
async function quiet(): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    const before = await bench.cpu();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    if ((await bench.cpu()) - before < 0.15) return;
  }
  throw new Error("the page does not come to rest");
}

const first = await opened();
const emptyDialog = await dialogIn(first, "empty");
const emptyStart = await wanted(first, emptyDialog, "ls data 2> /dev/null | wc -l", "0\n");
const empty = await memory();
await fill(first);
await quiet();
await first.close();

const tasks = await tasksOfMainThread(bench);
const page = await opened();
const atOpening = await memory();
const dialogId = await dialogIn(page, "large");
const start = await wanted(page, dialogId, "ls data | wc -l", "40\n");
const afterFirst = await memory();
const one = await wanted(page, dialogId, "head -1 data/part3/file3.txt && tail -c 1 large1.txt | wc -c", "number 3 of many\n1\n");
const edited = await wanted(
  page,
  dialogId,
  "sed -i 1d data/part3/file3.txt && echo more >> large1.txt && wc -c < large1.txt",
  `${big.bytes + 5}\n`,
);
const search = await wanted(page, dialogId, "grep -rn '^number 17 of many$' data", "data/part17/file17.txt:1:number 17 of many\n");
// First let the garbage collector free what the search has read.
await quiet();
const afterSearch = await memory();
// The garbage collector often runs only now.
await new Promise((resolve) => setTimeout(resolve, 30_000));
const atRest = await memory();

await page.goto(`${bench.url}#/docs/doc-main.md`);
const editor = page.getByRole("textbox").last();
await editor.click();
for (let key = 0; key < 30; key += 1) await page.keyboard.press("a", { delay: 40 });
const main = await tasks();
await claude.close();
await bench.close();

const total = (small.count * small.bytes + big.count * big.bytes) / 1_000_000;
note(`${total} MB in ${small.count + big.count} files; turns of an agent with one command each, against a provider on this machine:`);
note(`the first command ${start.toFixed(0)} ms, in an empty project ${emptyStart.toFixed(0)}`);
note(`one that reads 10 MB ${one.toFixed(0)} ms, one that changes 10 MB ${edited.toFixed(0)}, grep -rn over 180 MB ${search.toFixed(0)}`);
note(
  `memory of the page: ${empty.toFixed(0)} MB after a command in an empty project; with these files ${atOpening.toFixed(0)} when it is opened,`,
);
note(
  `${afterFirst.toFixed(0)} after the first command, ${afterSearch.toFixed(0)} after the search, ${atRest.toFixed(0)} half a minute later`,
);
goal("tasks of the page's main thread with more than 50 ms of processor time", main.filter((ms) => ms > 50).length, { atMost: 0 });
note(`the longest of them took ${Math.max(...main).toFixed(0)} ms`);
goal("the first command against one in an empty project", start / emptyStart, { atMost: 2 });
goal("memory for each byte of the project, after the first command", Math.max(0, afterFirst - empty) / total, { atMost: 0.5 });
goal("and after a search through all files", Math.max(0, afterSearch - empty) / total, { atMost: 2 });
