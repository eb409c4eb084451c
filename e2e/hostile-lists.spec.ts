import type { BrowserContext, Page } from "@playwright/test";
import { marked } from "marked";
import { clean } from "../src/dialog/clean.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { type ClaudeStandIn, say as answer } from "../tests/stand-in/claude.ts";
import { type App, expect } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { test } from "./claude-server.ts";
import { enterKey, expectInEditor, openNewDialog, panel } from "./hands.ts";
import { payloads, violations, watchForHarm } from "./hostile.ts";
import { publicLists } from "./public-lists.ts";

/**
 * Public lists of hostile HTML and Markdown, and our own list, in each place where foreign text is shown. Every message, box and row is scrolled
 * into view. Nothing may run, load, violate the policy or appear as anything but text. `npm test` uses a part of each list.
 */

const lists = [...publicLists(), { name: "our own", texts: payloads("https://attacker.example") }];
const partOf = (texts: readonly string[]): readonly string[] => {
  const step = isWhole ? 1 : Math.ceil(texts.length / 8);
  return texts.filter((_, at) => at % step === 0);
};
const all = lists.flatMap(({ texts }) => partOf(texts));
/** The word by which a text is found again: its longest word, which no markup splits. */
const wordOf = (text: string): string =>
  (text.match(/[A-Za-z]{4,}/g) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), "");

const batches = (texts: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, n) => texts.slice(n * size, (n + 1) * size));

/** Requests to anything but the app and the test's provider. */
function watchRequests(context: BrowserContext, own: readonly string[]): string[] {
  const foreign: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (!own.some((start) => url.startsWith(start)) && !/^(data|blob):/.test(url)) foreign.push(url);
  });
  return foreign;
}

/** Scrolls from the start to the end and opens everything that is folded. Returns the text read, and any element that shouldn't be there. */
function readThrough(page: Page, selector: string): Promise<{ text: string; strange: string[] }> {
  return page.evaluate(async (what) => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const texts: string[] = [];
    const strange = new Set<string>();
    for (let top = 0, end = false; !end; ) {
      const list = document.querySelector(what);
      if (!list) throw new Error(`there is no ${what}`);
      list.scrollTop = top;
      await painted();
      const closed = [...list.querySelectorAll<HTMLElement>("details:not([open]) > summary")];
      for (const summary of closed) summary.click();
      if (closed.length > 0) await painted();
      texts.push(list.textContent ?? "");
      for (const each of window.strange()) strange.add(each);
      end = top + list.clientHeight >= list.scrollHeight;
      top += Math.max(100, list.clientHeight - 100);
    }
    return { text: texts.join("\n"), strange: [...strange] };
  }, selector);
}

/** Checks that the texts were really shown. Texts that are only a link's hidden address are excepted. */
function expectShown(texts: readonly string[], shown: string): void {
  const missing = texts.filter((text) => !shown.includes(wordOf(text)));
  expect(missing.length, `not shown: ${missing.slice(0, 5).join(" | ")}`).toBeLessThanOrEqual(Math.ceil(texts.length * 0.1));
}

async function expectHarmless(page: Page, foreign: readonly string[]): Promise<void> {
  const found = await page.evaluate(() => ({ strange: window.strange(), pwned: window.pwned }));
  expect(found).toEqual({ strange: [], pwned: [] });
  expect(await violations(page)).toEqual([]);
  expect(foreign).toEqual([]);
}

async function begin(app: App, server: ClaudeStandIn, slug: string): Promise<string> {
  await watchForHarm(app.page);
  await app.open();
  await enterKey(app.page, { key: server.key, address: server.url });
  return openNewDialog(app.page, { provider: "claude", slug });
}

test.describe.configure({ timeout: isWhole ? 1_800_000 : 120_000 });

test("as what the human and the agent say", async ({ app, context, start, baseURL }) => {
  const server = await start();
  const foreign = watchRequests(context, [new URL(baseURL ?? "").origin, server.url]);
  await begin(app, server, "said");
  // A text that is empty after cleaning, such as a NUL, is refused as empty.
  const sayable = all.filter((text) => clean(text) !== "");
  expect(sayable.length).toBeGreaterThan(all.length - 10);
  for (const batch of batches(sayable, 100)) {
    const id = await openNewDialog(app.page, { provider: "claude", slug: "said" });
    server.play(...batch.map(answer));
    // Sends one text after the other. Each is its own turn, so that an open code fence in one can't hide the next.
    const refused = await app.page.evaluate(
      async ([dialogId, texts]) => {
        const problems: string[] = [];
        for (const prompt of texts) {
          const response = await fetch("dialog", { method: "PUT", body: JSON.stringify({ dialogId, prompt }) });
          const text = await response.text();
          if (!response.ok) problems.push(`${JSON.stringify(prompt)}: ${text}`);
        }
        return problems;
      },
      [id, batch] as const,
    );
    expect(refused).toEqual([]);
    const { text, strange } = await readThrough(app.page, ".message-list");
    expect(strange).toEqual([]);
    expectShown(batch, text);
    await expectHarmless(app.page, foreign);
  }
  expect(server.requests.flatMap(({ refused }) => refused ?? [])).toEqual([]);
});

test("as what is asked for, a diff of it, and what a command prints", { tag: "@long" }, async ({ app, context, start, baseURL }) => {
  const server = await start();
  const foreign = watchRequests(context, [new URL(baseURL ?? "").origin, server.url]);
  await begin(app, server, "called");
  for (const [n, batch] of batches(all, 40).entries()) {
    const id = await openNewDialog(app.page, { provider: "claude", slug: "called" });
    const calls = batch.flatMap((text, at) => {
      const run = { call: "run_command", id: `toolu_${at}_run`, input: { command: `cat <<'THE_END'\n${text}\nTHE_END`, [text]: text } };
      const write = { call: "write_file", id: `toolu_${at}_write`, input: { path: `hostile-${n}.md`, content: text } };
      return isWhole ? [run, write] : at % 2 === 0 ? [run] : [write];
    });
    server.play({ blocks: calls }, answer("Over."));
    await app.ask("PUT", "dialog", { dialogId: id, prompt: "Go" });
    await expect(panel(app.page)).toBeVisible({ timeout: 30_000 });
    const closed = panel(app.page).getByRole("button", { name: "Show whole file" });
    while ((await closed.count()) > 0) await closed.first().click();
    const asked = await readThrough(app.page, ".ask-calls");
    expect(asked.strange).toEqual([]);
    expectShown(batch, asked.text);
    await expectHarmless(app.page, foreign);
    await app.ask("PUT", "dialog", { dialogId: id, decisions: calls.map((call) => ({ id: call.id, approved: true })) });
    const read = async () => (await app.json<{ markdown: string }>("GET", `dialog/${id}`)).markdown;
    await expect.poll(read, { timeout: 30_000 }).toContain("Over.");
    const { text, strange } = await readThrough(app.page, ".message-list");
    expect(strange).toEqual([]);
    expectShown(batch, text);
    await expectHarmless(app.page, foreign);
    const printed = parseDialog(await read()).sections.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === "call" && part.call.name === "run_command" ? [JSON.stringify(part.call.result)] : [])),
    );
    expect(printed.filter((result) => result.includes('"success":true'))).toHaveLength(
      calls.filter(({ call }) => call === "run_command").length,
    );
  }
});

test("as the name of a file, in a doc and in the history", async ({ app, context, baseURL }) => {
  const { page } = app;
  const foreign = watchRequests(context, [new URL(baseURL ?? "").origin]);
  await watchForHarm(page);
  await app.open();
  // A slash would create folders, and a name has only one line.
  const names = [
    ...new Set(
      all.map((text) =>
        text
          .replaceAll("/", "∕")
          .replaceAll(/[\n\r]/g, " ")
          .trim()
          .slice(0, 80),
      ),
    ),
  ];
  const stored: string[] = [];
  for (const batch of batches(names, 100)) {
    const kept = await page.evaluate(async (list) => {
      const done: string[] = [];
      for (const name of list) {
        const { status } = await fetch(`deed/${encodeURIComponent(name)}`, { method: "PUT", body: name });
        if (status >= 500) throw new Error(`${name}: ${status}`);
        if (status === 200) done.push(name);
      }
      return done;
    }, batch);
    stored.push(...kept);
  }
  expect(stored.length).toBeGreaterThan(names.length / 2);
  await app.ask("POST", "file/doc-hostile.md", { content: all.join("\n\n") });

  await page.goto("./#/docs/doc-hostile.md");
  await expectInEditor(page, /script/);
  await expectHarmless(page, foreign);
  const open = stored.find((name) => name.includes("<script>")) ?? stored[0] ?? "";
  await page.goto(`./#/deed/${encodeURIComponent(open)}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await expectHarmless(page, foreign);
  const files = await readThrough(page, ".rows");
  expect(files.strange).toEqual([]);
  expectShown(stored, files.text);

  await page.goto("./#/history");
  await page
    .getByRole("link", { name: /hostile/ })
    .first()
    .click();
  await expect(page.locator(".commit-pane .changed-list")).toBeVisible();
  const changes = await readThrough(page, ".changed-list");
  expect(changes.strange).toEqual([]);
  await expectHarmless(page, foreign);
});

test("the lists would do harm: put into a page as HTML, many of them run", { tag: "@long" }, async ({ browser }) => {
  const context = await browser.newContext();
  await context.route("**/*", (route) =>
    route.request().url() === "http://victim.test/" ? route.fulfill({ contentType: "text/html", body: "<!doctype html>" }) : route.abort(),
  );
  const page = await context.newPage();
  await page.goto("http://victim.test/");
  const ran = new Set<number>();
  for (const [n, batch] of batches(all, 100).entries()) {
    const frames = batch.map((text, at) => {
      const note = `parent.ran.add(${n * 100 + at})`;
      const hooks = `<script>alert = confirm = prompt = () => ${note}; pwned = { push: alert }</script>`;
      return `${hooks}${marked.parse(text, { async: false })}`;
    });
    const found = await page.evaluate(async (pages) => {
      const seen = new Set<number>();
      Object.assign(window, { ran: seen });
      const late = new Promise((resolve) => setTimeout(resolve, 10_000));
      const loaded = pages.map((srcdoc) => {
        const frame = document.createElement("iframe");
        frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
        frame.srcdoc = srcdoc;
        const done = new Promise((resolve) => frame.addEventListener("load", resolve));
        document.body.append(frame);
        return done;
      });
      await Promise.race([Promise.all(loaded), late]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      document.body.replaceChildren();
      return [...seen];
    }, frames);
    for (const one of found) ran.add(one);
  }
  await context.close();
  console.log(
    `  ${all.length} texts (${lists.map(({ name, texts }) => `${name} ${partOf(texts).length}`).join(", ")}); as HTML ${ran.size} of them run`,
  );
  expect(ran.size).toBeGreaterThan(0);
});
