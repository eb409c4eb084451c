import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { chromiumArguments, ensureChromium } from "../../scripts/browser.mjs";
import { begin } from "../../e2e/first-project.ts";
import type { Found } from "../report.ts";
import { serveBuild } from "../serve-build.ts";
import { showUntilShort } from "./showings.ts";
import { slowness } from "./slowness.ts";
import { floods } from "./texts.ts";

/** Milliseconds after which a page counts as frozen and is replaced. */
const frozen = 60_000;

export interface FloodsOptions {
  /** Length of each text in UTF-16 units. */
  readonly length: number;
  /** Milliseconds of processor time allowed for one task of the page's main thread. */
  readonly longest: number;
  /** Milliseconds for which the page is watched after a text is shown. */
  readonly watched: number;
  /** The texts and where each is shown. By default every text at every place. */
  readonly showings?: readonly Showing[];
  /** Called with each measurement. */
  readonly each?: (showing: Showing, ms: number) => void;
}
export interface Showing {
  readonly place: string;
  readonly text: string;
}

export const allShowings = (): Showing[] => Object.keys(places).flatMap((place) => Object.keys(floods).map((text) => ({ place, text })));

/** Shows hostile texts in the built app and measures the longest task of the page's main thread. */
export async function runFloods({ length, longest, watched, showings = allShowings(), each }: FloodsOptions): Promise<Found> {
  if (showings.length === 0) throw new Error("no text is to be shown");
  const site = await serveBuild();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArguments });
  const broken: string[] = [];
  /** `worst` is the longest measured time, `longestHere` the longest after correcting for the machine's load. */
  let worst = { ms: 0, name: "" };
  let longestHere = { ms: 0, name: "" };
  let again = 0;
  try {
    let open: Open | null = null;
    for (const showing of showings) {
      const [show, make] = [places[showing.place], floods[showing.text]];
      if (show === undefined || make === undefined) throw new Error(`no place or text has this name: ${showing.place}, ${showing.text}`);
      const name = `${showing.text} as ${showing.place}`;
      const close = async () => {
        await open?.context.close();
        open = null;
      };
      const { ms, times } = await showUntilShort(async (isAgain) => {
        if (isAgain) await close();
        open ??= await openApp(browser, site.url, new Set(showings.map(({ place }) => place)));
        const before = slowness();
        const took = await measure(open, show, make(length), showing.text.replace(/[^a-z0-9]+/gi, "-").toLowerCase(), watched);
        if (took > worst.ms && took < Infinity) worst = { ms: took, name };
        if (took >= 5_000) await close();
        return took / Math.min(before, slowness());
      }, longest);
      if (times > 1) again += 1;
      each?.(showing, ms);
      if (ms > longestHere.ms) longestHere = { ms, name };
      if (ms > longest) broken.push(`${name}: ${ms === Infinity ? "the page froze" : `${ms.toFixed(0)} ms`}`);
    }
  } finally {
    await browser.close();
    site.close();
  }
  const figures = `${showings.length} showings of texts of ${length.toLocaleString("en")} characters, ${again} of them more than once; the longest task took ${longestHere.ms.toFixed(0)} ms (${longestHere.name}) at the speed that this processor has when nothing else uses it; ${worst.ms.toFixed(0)} ms were measured (${worst.name})`;
  return { cases: showings.length, figures, broken };
}

interface Open {
  readonly context: BrowserContext;
  readonly page: Page;
}

async function openApp(browser: Browser, url: string, used: ReadonlySet<string>): Promise<Open> {
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(frozen);
  await page.goto(url);
  // An empty project shows no editor.
  await begin(page);
  await page.locator(".editor-mount .cm-content").waitFor();
  const open = { context, page };
  // Loads the code of each place first, so that it isn't part of the measurement.
  for (const [place, show] of Object.entries(places)) {
    if (!used.has(place)) continue;
    const arrive = await show(page, "Some **words**.\n", "warm");
    await arrive();
  }
  return open;
}

/** The longest task while the text is shown. Infinity if the page no longer answers. */
async function measure({ page }: Open, show: Place, text: string, name: string, watched: number): Promise<number> {
  let stopTracing: (() => Promise<unknown>) | null = null;
  try {
    const arrive = await show(page, text, name);
    const tasks = await tasksOf(page);
    stopTracing = tasks;
    await arrive();
    await page.waitForTimeout(watched);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    stopTracing = null;
    const found = Math.max(...(await tasks()));
    await page.evaluate(() => void (location.hash = "#/dialogs"));
    return found;
  } catch (error) {
    // A page that was killed for lack of memory counts as frozen.
    if (!(error instanceof Error && /Timeout|closed|crashed/.test(`${error.name} ${error.message}`))) throw error;
    // A browser can run only one trace at a time.
    await stopTracing?.();
    return Infinity;
  }
}

interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Traces the main thread from now on. The returned function stops the trace and returns the processor time of each task in milliseconds. */
async function tasksOf(page: Page): Promise<() => Promise<readonly number[]>> {
  const events: TraceEvent[] = [];
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser");
  const tracing = await browser.newBrowserCDPSession();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Chromium's trace event format.
  tracing.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await tracing.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel"] } });
  return async () => {
    const complete = new Promise((resolve) => tracing.once("Tracing.tracingComplete", resolve));
    await tracing.send("Tracing.end");
    await complete;
    await tracing.detach();
    const key = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
    const main = new Set(events.filter((each) => each.name === "thread_name" && each.args.name === "CrRendererMain").map(key));
    const tasks = events.filter((event) => event.name === "ThreadControllerImpl::RunTask" && main.has(key(event)));
    if (tasks.length === 0) throw new Error("the browser traced no tasks of a main thread");
    return tasks.map(({ tdur = 0 }) => tdur / 1_000);
  };
}

/** Stores a text. The returned function brings it into view. */
type Place = (page: Page, text: string, name: string) => Promise<() => Promise<unknown>>;

async function post(page: Page, file: string, content: string): Promise<void> {
  const status = await page.evaluate(
    async ([name, text]) => (await fetch(`file/${name}`, { method: "POST", body: JSON.stringify({ content: text }) })).status,
    [file, content] as const,
  );
  if (status >= 400) throw new Error(`POST file/${file} answered ${status}`);
}
const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);

const head = "# Dialog\n> Format: 1\n> Provider: claude | Model: claude-sonnet-5-5\n> Started: 2026-11-21T20:11:00.000Z\n";
const user = (text: string): string => `\n## User\n> Time: 2026-11-21T20:11:00.000Z\n\n${text}\n`;
const assistant = (text: string): string => `\n## Assistant\n> Time: 2026-11-21T20:11:01.000Z - 2026-11-21T20:11:14.000Z\n\n${text}\n`;
const call = (tool: string, input: unknown, rest = ""): string =>
  `---\nTool request: ${tool} [a]\n\n    ${JSON.stringify(input)}\n${rest}\n---`;
const result = (stdout: string): string =>
  `Decision: approved\nStarted: 2026-11-21T20:11:20.511Z\nResult:\n\n    ${JSON.stringify({ success: true, stdout, stderr: "", ms: 12 })}\n`;

let nth = 0;
async function dialog(page: Page, name: string, status: "waiting" | "done", text: string): Promise<string> {
  nth += 1;
  const id = `20261121-201100-${name.slice(0, 30)}-${nth}`.replaceAll("--", "-");
  await post(page, `dialog-${id}-${status}.md`, `${head}${text}`);
  return id;
}
const article = (page: Page, id: string) => async (): Promise<void> => {
  await goTo(page, `#/dialogs/${id}`);
  await page.locator("article.turn").first().waitFor();
};

const places: Readonly<Record<string, Place>> = {
  prompt: async (page, text, name) => article(page, await dialog(page, name, "done", user(text))),
  answer: async (page, text, name) => article(page, await dialog(page, name, "done", user("Go.") + assistant(text))),
  "code in an answer": async (page, text, name) => {
    const id = await dialog(page, name, "done", user("Go.") + assistant(`~~~~~~\n${text}\n~~~~~~`));
    return async () => {
      await article(page, id)();
      // The text may become plain at any moment, and then the button is gone.
      await page.evaluate(() => document.querySelector<HTMLElement>(".code .show-all")?.click());
    };
  },
  "tool output": async (page, text, name) => {
    const id = await dialog(page, name, "done", user("Go.") + assistant(call("run_command", { command: "ls" }, result(text))));
    return async () => {
      await article(page, id)();
      await page.locator("details.call summary").click();
      await page.locator(".output").waitFor();
      const all = page.locator(".output .show-all");
      if (await all.isVisible()) await all.click();
    };
  },
  "approval panel": async (page, text, name) => {
    const id = await dialog(page, name, "waiting", user("Go.") + assistant(call("run_command", { command: text })));
    return async () => {
      await goTo(page, `#/dialogs/${id}`);
      await page.locator("section.ask").waitFor();
    };
  },
  "diff to approve": async (page, text, name) => {
    const input = { path: "a.md", old_string: `a\n${text.slice(0, text.length / 2)}`, new_string: text.slice(text.length / 2) };
    const id = await dialog(page, name, "waiting", user("Go.") + assistant(call("edit_file", input)));
    return async () => {
      await goTo(page, `#/dialogs/${id}`);
      await page.locator("section.ask .diff").waitFor();
    };
  },
  "the dialog's text": async (page, text, name) => {
    const id = await dialog(page, name, "done", user(text));
    return async () => {
      await goTo(page, `#/dialogs/${id}/text`);
      await page.locator(".text-list, .dialog-pane").first().waitFor();
    };
  },
  "doc in the editor": async (page, text, name) => {
    nth += 1;
    const file = `doc-${name.slice(0, 30)}-${nth}.md`;
    await post(page, file, text);
    return async () => {
      await goTo(page, `#/docs/${file}`);
      await page.getByRole("textbox", { name: file.replace(/doc-|\.md/g, "") }).focus();
      await page.waitForTimeout(500);
      await page.keyboard.type("ab", { delay: 50 });
    };
  },
};
