/** Goal 11: the list of 10,000 files, compared with the least work the store can do; and typing into a filter. */
import { begin } from "../e2e/first-project.ts";
import { mainThread, openBrowser, tasksOfMainThread } from "./browser.ts";
import { openProject } from "./project.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const count = 10_000;
const rounds = 9;
const typed = "file77";
/** A text that appears in no file name. */
const inTexts = "number 4711 of many";

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.goto(bench.url);
// An empty project shows no editor.
await begin(page);
await page.locator(".editor-mount .cm-content").waitFor();
await openProject(
  page,
  Array.from({ length: count }, (_, nth) => [
    `src/part${nth % 100}/folder${nth % 10}/file${nth}.txt`,
    `number ${nth} of many\n${"and a line more\n".repeat(30)}`,
  ]),
);
// The app's own work after its start isn't measured.
await page.waitForTimeout(15_000);

/** Milliseconds for the list and for the keys, each the fastest of three runs. */
const listed = () =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
    const keysOf = async (name: string): Promise<() => Promise<number>> => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error(name)));
      });
      if (!db.objectStoreNames.contains("names")) {
        db.close();
        return async () => 0;
      }
      return () =>
        new Promise((resolve) => {
          const request = db.transaction("names").objectStore("names").getAllKeys();
          request.addEventListener("success", () => resolve(request.result.length));
        });
    };
    let keys = async () => 0;
    for (const name of names) {
      const next = await keysOf(name);
      if ((await next()) > 1_000) keys = next;
    }
    if ((await keys()) < 1_000) throw new Error("the store of the files was not found");
    const fastest = async (work: () => Promise<unknown>) => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 3; run += 1) {
        const started = performance.now();
        await work();
        best = Math.min(best, performance.now() - started);
      }
      return best;
    };
    const all = async () => {
      const list: unknown[] = await (await fetch("deed")).json();
      if (list.length < 1_000) throw new Error("the list is too short");
    };
    await fastest(all);
    return { list: await fastest(all), keys: await fastest(keys) };
  });
const both: { list: number; keys: number }[] = [];
for (let round = 0; round < rounds; round += 1) both.push(await listed());

await page.reload();
const search = page.getByRole("searchbox", { name: "Search files" });
await page
  .getByRole("link", { name: /^src\/part0\// })
  .first()
  .waitFor();
await page.waitForTimeout(3_000);
await search.focus();
const used = await mainThread(page);
const tasks = await tasksOfMainThread(bench);
const before = await used();
for (let round = 0; round < 3; round += 1) {
  await page.keyboard.type(typed, { delay: 120 });
  for (let key = 0; key < typed.length; key += 1) await page.keyboard.press("Backspace", { delay: 120 });
}
const each = ((await used()) - before) * 1_000;
const started = performance.now();
await search.fill(inTexts);
await page.getByText("In contents").waitFor();
const found = performance.now() - started;
await page.getByText("Searching…").waitFor({ state: "detached" });
const main = await tasks();
await bench.close();

const middle = (what: "list" | "keys") => median(both.map((one) => one[what]));
note(`${count} files: the list takes ${middle("list").toFixed(0)} ms, all keys of the store ${middle("keys").toFixed(0)}`);
goal("the list against all keys of the store", median(both.map(({ list, keys }) => list / keys)), { atMost: 3 });
note(
  `a key in the filter takes ${(each / (6 * typed.length)).toFixed(0)} ms of the main thread; words that stand in one text are found in ${found.toFixed(0)} ms`,
);
goal(
  "tasks of the page's main thread with more than 50 ms of processor time while the filter is typed",
  main.filter((ms) => ms > 50).length,
  { atMost: 0 },
);
note(`the longest of them took ${Math.max(...main).toFixed(0)} ms`);
