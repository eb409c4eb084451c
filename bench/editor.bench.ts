/** The cost of a key on the page's main thread in a doc of 1 MB: in the editor, and in the plain field that is shown before the editor loads. */
import type { Page } from "playwright";
import { begin } from "../e2e/first-project.ts";
import { mainThread, openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const bytes = 1_000_000;
const keys = 30;
/** Fewer keys for the plain field: it lays out all of its text again for each key. */
const plainKeys = 4;
const rounds = 3;

const bench = await openBrowser();

/** Markdown of every kind, at least `length` characters long. */
function doc(length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let nth = 0; size < length; nth += 1) {
    const part = `## Part ${nth}\n\nSome **bold** and _slanted_ words about [rules](doc-rules.md), number ${nth}, and \`code\` in a line.\n\n- [ ] a task\n- another with words that go on for a while, as they do\n\n\`\`\`js\nlet part = ${nth};\n\`\`\`\n\n| a | b |\n|---|---|\n| ${nth} | 2 |\n\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

/** Milliseconds of main thread time per key, averaged over `count` keys. */
async function perKey(page: Page, count: number): Promise<number> {
  const used = await mainThread(page);
  const idle = await spent(used, () => page.waitForTimeout(count * 40));
  const typed = await spent(used, async () => {
    for (let key = 0; key < count; key += 1) await page.keyboard.press("a", { delay: 20 });
    await page.waitForTimeout(count * 20);
  });
  return (Math.max(0, typed - idle) * 1_000) / count;
}
async function spent(used: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  const before = await used();
  await work();
  return (await used()) - before;
}

const page = await bench.context.newPage();
await page.goto(bench.url);
// An empty project shows no editor.
await begin(page);
await page.locator(".editor-mount .cm-content").waitFor();
for (const [name, content] of [
  ["doc-long.md", doc(bytes)],
  ["doc-short.md", doc(5_000)],
] as const)
  await page.evaluate(
    async ([file, text]) => void (await fetch(`file/${file}`, { method: "POST", body: JSON.stringify({ content: text }) })),
    [name, content] as const,
  );

async function inEditor(file: string): Promise<number> {
  await page.evaluate((name) => void (location.hash = `#/docs/${name}`), file);
  await page.getByRole("textbox", { name: file.replace(/doc-|\.md/g, "") }).focus();
  await page.keyboard.press("Control+End");
  for (let line = 0; line < 30; line += 1) await page.keyboard.press("ArrowUp");
  await page.waitForTimeout(1_500);
  return perKey(page, keys);
}

const [long, short, plain]: number[][] = [[], [], []];
const blank = await bench.context.newPage();
await blank.setContent("<textarea style='width: 43rem; height: 40rem'></textarea>");
blank.setDefaultTimeout(120_000);
await blank.locator("textarea").evaluate((field: HTMLTextAreaElement, text) => void (field.value = text), doc(bytes));
for (let round = 0; round < rounds; round += 1) {
  await page.bringToFront();
  long?.push(await inEditor("doc-long.md"));
  short?.push(await inEditor("doc-short.md"));
  await blank.bringToFront();
  await blank.locator("textarea").focus();
  plain?.push(await perKey(blank, plainKeys));
}
await bench.close();

const [longMs, shortMs, plainMs] = [median(long ?? []), median(short ?? []), median(plain ?? [])];
note(`a key in 1 MB of markdown: ${longMs.toFixed(1)} ms of the main thread in the editor, ${plainMs.toFixed(1)} in a bare textarea`);
note(`a key in 5 KB: ${shortMs.toFixed(1)} ms in the editor`);
goal("a key at 1 MB, against a bare textarea", longMs / plainMs, { atMost: 1 });
goal("milliseconds of a key at 1 MB", longMs, { atMost: 16 });
