import type { DialogAnswer } from "../src/protocol/index.ts";
import type { Locator, Page } from "@playwright/test";
import { type ClaudeStandIn, type Recorded, startClaude, type Turn } from "../tests/stand-in/claude.ts";
import { type OpenAiStandIn, startOpenAi } from "../tests/stand-in/openai.ts";
import { type App, expect, test as base } from "./app.ts";

/** A request of the page, recorded in the page before the engine sees it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

declare global {
  interface Window {
    sent?: Sent[];
  }
}

/** `claude` and `openai` are stand-ins for the providers; `play` queues their next answers. */
export const test = base.extend<{ claude: ClaudeStandIn; openai: OpenAiStandIn }>({
  // Playwright requires an empty pattern for a fixture without dependencies.
  // oxlint-disable-next-line no-empty-pattern
  async claude({}, use) {
    const claude = await startClaude();
    await use(claude);
    await claude.close();
  },
  // oxlint-disable-next-line no-empty-pattern
  async openai({}, use) {
    const openai = await startOpenAi();
    await use(openai);
    await openai.close();
  },
});

export { expect };

export const files = (page: Page): Locator => page.getByRole("navigation", { name: "Files" });
/** The list next to an open dialog. */
export const dialogs = (page: Page): Locator => page.getByRole("navigation", { name: "Dialogs" });
/** The dialogs page while no dialog is open. */
export const overview = (page: Page): Locator => page.getByRole("region", { name: "Overview" });
export const messageBox = (page: Page): Locator => page.getByRole("textbox", { name: "Message" });
export const sendButton = (page: Page): Locator =>
  page.getByRole("button", { name: "Send", exact: false }).and(page.locator("[type=submit]"));
export const panel = (page: Page): Locator => page.locator("section.ask");

/** Opens the app with a key for the stand-in. */
export async function openWithKey(app: App, claude: ClaudeStandIn, hash = ""): Promise<void> {
  await app.open(hash);
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
}

/** Opens a new dialog through the screen. Returns its id. */
export async function newDialog(app: App, name: string): Promise<string> {
  const { page } = app;
  await page.getByRole("tab", { name: "Dialogs" }).click();
  await page.getByRole("button", { name: "+ New dialog" }).click();
  await page.getByRole("textbox", { name: "Dialog name" }).fill(name);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(messageBox(page)).toBeEnabled();
  const id = decodeURIComponent(new URL(page.url()).hash.replace("#/dialogs/", ""));
  expect(id).toMatch(/^\d{8}-\d{6}-/);
  return id;
}

/** The result of a command. */
export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly success: boolean;
}

/** The results of a dialog's commands, in order. */
export async function results(app: App, id: string): Promise<readonly CommandResult[]> {
  const { messages } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "call" ? [part.call.result as unknown as CommandResult] : [])),
  );
}

export async function say(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press("ControlOrMeta+Enter");
}

/** A dialog in which the agent has just answered the first message with `turn`. Returns its id. */
export async function dialogWith(app: App, claude: ClaudeStandIn, turn: Turn, name = "work"): Promise<string> {
  await openWithKey(app, claude);
  const id = await newDialog(app, name);
  claude.play(turn);
  await say(app.page, "Please do it.");
  return id;
}

/** Records the page's own requests from now on, in order. */
export async function recordRequests(page: Page): Promise<void> {
  await page.evaluate(() => {
    const inner = window.fetch;
    window.sent = [];
    window.fetch = (input, init) => {
      const body = typeof init?.body === "string" ? init.body : null;
      window.sent?.push({
        method: init?.method ?? "GET",
        path: input instanceof Request ? input.url : input.toString(),
        body: body === null ? null : JSON.parse(body),
      });
      return inner(input, init);
    };
  });
}
export const requests = (page: Page, method: string, path: string): Promise<Sent[]> =>
  page.evaluate(([how, where]) => (window.sent ?? []).filter((sent) => sent.method === how && sent.path === where), [
    method,
    path,
  ] as const);

/** Writes a text file of the deed. */
export async function putDeed(app: App, path: string, text: string): Promise<void> {
  const status = await app.page.evaluate(async ([to, body]) => (await fetch(to, { method: "PUT", body })).status, [
    `deed/${path}`,
    text,
  ] as const);
  expect(status).toBe(200);
}

/** The requests for an answer that the provider got. */
export const asked = (claude: ClaudeStandIn): Recorded[] => claude.requests.filter(({ path }) => path === "/v1/messages");

/** The current text of the dialog's file. */
export async function markdownOf(app: App, id: string): Promise<string> {
  return (await app.json<{ markdown: string }>("GET", `dialog/${id}`)).markdown;
}
export async function filenameOf(app: App, id: string): Promise<string> {
  return (await app.json<{ filename: string }>("GET", `dialog/${id}`)).filename;
}

/** A computed color as hue in degrees, chroma and lightness (OKLCH), in whatever notation the browser reports it. */
export async function colour(
  locator: Locator,
  property: "color" | "backgroundColor" = "color",
): Promise<{ l: number; c: number; h: number }> {
  return locator.evaluate((element, name) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    if (canvas === null) throw new Error("no canvas");
    canvas.fillStyle = getComputedStyle(element)[name];
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    const [A, B] = [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
    return {
      l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      c: Math.hypot(A, B),
      h: ((Math.atan2(B, A) * 180) / Math.PI + 360) % 360,
    };
  }, property);
}

/** The clipboard's content, found by pasting: the page may not read the clipboard. */
export async function pasted(page: Page): Promise<string> {
  await page.evaluate(() => {
    const box = document.createElement("textarea");
    box.id = "pasted";
    document.body.append(box);
    box.focus();
  });
  await page.keyboard.press("ControlOrMeta+v");
  const text = await page.locator("#pasted").inputValue();
  await page.evaluate(() => document.querySelector("#pasted")?.remove());
  return text;
}
