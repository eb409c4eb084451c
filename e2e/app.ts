import type { DialogAnswer } from "../src/protocol/index.ts";
import { mustBeHashed, withShownHashes } from "../tests/shown-hashes.ts";
import { begin, makeFirstProject } from "./first-project.ts";
import { putState, type StoredState } from "./stored-state.ts";
import { expect, type Page, test as base } from "@playwright/test";

/** An answer of the page's router to a request from inside the page, as any of its scripts could make. */
export interface Asked {
  readonly status: number;
  readonly text: string;
}

export interface App {
  readonly page: Page;
  /** Opens the app as a new user finds it, or as it was left. */
  open(hash?: string): Promise<void>;
  ask(method: string, path: string, body?: unknown): Promise<Asked>;
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** The text of the file of `vibey/` or the deed with this path. */
  file(name: string): Promise<string>;
  /** Errors and warnings of the page and its workers. Tests that expect none check this list. */
  readonly complaints: string[];
}

/** The message that `serviceWorkers: "block"` in playwright.config.ts causes. */
const blocked = "Service Worker registration blocked by Playwright";

/** The app in a page. Unless `newcomer` is set, it contains the demo's docs once it is open. */
export function appOn(page: Page, newcomer = false): App {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.text() === blocked) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.type()}: ${message.text()}`);
  });
  const send = (method: string, path: string, body?: unknown): Promise<Asked> =>
    page.evaluate(
      async ([how, where, what]) => {
        const response = await fetch(where, { method: how, ...(what === undefined ? {} : { body: what }) });
        return { status: response.status, text: await response.text() };
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
    );
  const readDialog = async (dialogId: string): Promise<DialogAnswer | null> => {
    const { status, text } = await send("GET", `dialog/${dialogId}`);
    return status === 200 ? (JSON.parse(text) as DialogAnswer) : null;
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<Asked> =>
    send(method, path, mustBeHashed(method, path, body) ? await withShownHashes(body, readDialog) : body);
  const json = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, text } = await ask(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path} answered ${status} ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    page,
    complaints,
    ask,
    json,
    async open(hash = "") {
      await page.goto(`./${hash}`);
      await expect(page.getByRole("tablist").first()).toBeVisible();
      if (!newcomer) await begin(page, hash);
    },
    file: async (name) => {
      if (name.endsWith(".md")) return (await json<{ content: string }>("GET", `file/${name}`)).content;
      return (await ask("GET", `deed/${name}`)).text;
    },
  };
}

export const test = base.extend<
  {
    app: App /** `newcomer`: the browser has nothing of Vibey yet. Otherwise it contains the demo's docs, as for returning users. */;
    newcomer: boolean;
  },
  { firstProject: StoredState }
>({
  app: ({ page, newcomer }, use) => use(appOn(page, newcomer)),
  newcomer: [false, { option: true }],
  firstProject: [
    async ({ browser }, use, { project }) => {
      await use(await makeFirstProject(browser, project.use.baseURL ?? ""));
    },
    { scope: "worker" },
  ],
  context: async ({ context, newcomer, firstProject }, use) => {
    if (!newcomer) await putState(context, firstProject);
    await use(context);
  },
});

export { expect };
