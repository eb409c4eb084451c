import { expect } from "@playwright/test";
import type { Tab } from "./engine.ts";

/** What a person sees and does in a page, in any browser engine. */

/** An element: a selector, and its label or text. The first visible match is used. */
export type Target = readonly [selector: string, reads?: string | RegExp];

const json = (value: unknown): string => JSON.stringify(value) ?? "undefined";

/** Runs a function in the page. It must be self-contained: it can use only its arguments. */
export async function inPage<A extends readonly unknown[], R>(tab: Tab, run: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
  return inFrame(tab, [], run, ...args);
}

export async function inFrame<A extends readonly unknown[], R>(
  tab: Tab,
  frames: readonly string[],
  run: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  const answer = await tab.evaluate(
    `(async () => JSON.stringify({ value: await (${run.toString()})(${args.map(json).join(", ")}) }))()`,
    frames,
  );
  const { value }: { value: Awaited<R> } = JSON.parse(answer);
  return value;
}

type Plain = readonly [selector: string, text: string | null, pattern: string | null, flags: string];

const plain = ([selector, reads]: Target): Plain =>
  reads instanceof RegExp ? [selector, null, reads.source, reads.flags] : [selector, reads ?? null, null, ""];

/** Finds the point where the mouse can click an element, and its state. `why` says why it can't be clicked. Runs in the page. */
async function find([selector, text, pattern, flags]: Plain) {
  const spaced = (words: string) => words.replace(/\s+/g, " ").trim();
  const labelOf = (element: HTMLElement) => {
    const by = element.getAttribute("aria-labelledby");
    if (by !== null)
      return spaced(
        by
          .split(/\s+/)
          .map((id) => document.getElementById(id)?.textContent ?? "")
          .join(" "),
      );
    const fields = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : [];
    return spaced(element.getAttribute("aria-label") ?? fields[0]?.textContent ?? element.textContent ?? "");
  };
  const reads = (element: HTMLElement) =>
    pattern === null ? text === null || labelOf(element) === text : new RegExp(pattern, flags).test(labelOf(element));
  const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility === "visible" && reads(each),
  );
  const [element] = shown;
  if (element === undefined) return { count: 0, why: "not there", enabled: false, x: 0, y: 0, text: "" };
  const enabled = !element.matches(":disabled, [aria-disabled=true]");
  const inSight = () => element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const first = element.getBoundingClientRect();
  const isInside = first.top >= 0 && first.bottom <= innerHeight && first.left >= 0 && first.right <= innerWidth;
  const there = document.elementFromPoint(first.left + first.width / 2, first.top + first.height / 2);
  // The element may be scrolled out of view in a box inside the window. Then its point shows the box or something around it.
  if (!isInside || there === null || !element.contains(there)) inSight();
  const before = element.getBoundingClientRect();
  // A hidden tab draws no frames, so also wait for a timer.
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, 200);
  });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  const isHit = hit !== null && (element.contains(hit) || hit.contains(element) || hit.closest("label")?.contains(element) === true);
  const moves = box.left !== before.left || box.top !== before.top;
  const why = moves ? "it moves" : isHit ? "" : `behind ${hit?.outerHTML.slice(0, 200) ?? "nothing"}`;
  return { count: shown.length, why, enabled, x, y, text: element.textContent ?? "" };
}

const look = (tab: Tab, target: Target, frames: readonly string[] = []) => inFrame(tab, frames, find, plain(target));

const named = (target: Target) => target.map(String).join(" ");

interface Patience {
  readonly timeout?: number;
  readonly frames?: readonly string[];
}

export async function see(tab: Tab, target: Target, { timeout = 60_000, frames = [] }: Patience = {}): Promise<void> {
  await expect
    .poll(() => look(tab, target, frames).then(({ count }) => count > 0, String), { timeout, message: `see ${named(target)}` })
    .toBe(true);
}

export async function miss(tab: Tab, target: Target): Promise<void> {
  await expect
    .poll(() => look(tab, target).then(({ count }) => count, String), { timeout: 60_000, message: `miss ${named(target)}` })
    .toBe(0);
}

export async function isThere(tab: Tab, target: Target): Promise<boolean> {
  return (await look(tab, target)).count > 0;
}

export async function isEnabled(tab: Tab, target: Target): Promise<boolean> {
  return (await look(tab, target)).enabled;
}

export async function textOf(tab: Tab, target: Target, frames: readonly string[] = []): Promise<string> {
  return (await look(tab, target, frames)).text.trim();
}

export async function shows(
  tab: Tab,
  target: Target,
  text: string | RegExp,
  { timeout = 60_000, frames = [] }: Patience = {},
): Promise<void> {
  const polled = expect.poll(() => textOf(tab, target, frames).catch(String), { timeout, message: `read ${named(target)}` });
  if (typeof text === "string") await polled.toContain(text);
  else await polled.toMatch(text);
}

export async function click(tab: Tab, target: Target, { timeout = 60_000, frames = [] }: Patience = {}): Promise<void> {
  let at = { x: 0, y: 0 };
  await expect
    .poll(
      async () => {
        try {
          const { enabled, why, x, y } = await look(tab, target, frames);
          at = { x, y };
          return why || (enabled ? "" : "disabled");
        } catch (error) {
          return String(error);
        }
      },
      { timeout, message: `click ${named(target)}` },
    )
    .toBe("");
  for (let i = frames.length - 1; i >= 0; i -= 1) {
    const corner = await inFrame(
      tab,
      frames.slice(0, i),
      (selector) => {
        const frame = document.querySelector<HTMLElement>(selector);
        const { left, top } = frame?.getBoundingClientRect() ?? { left: 0, top: 0 };
        return { x: left + (frame?.clientLeft ?? 0), y: top + (frame?.clientTop ?? 0) };
      },
      frames[i] ?? "",
    );
    at = { x: at.x + corner.x, y: at.y + corner.y };
  }
  await tab.clickAt(at.x, at.y);
}

/** Replaces the text of a field. */
export async function write(tab: Tab, target: Target, text: string): Promise<void> {
  await click(tab, target);
  await tab.press("a", { control: true });
  await tab.type(text);
}

export const button = (reads: string | RegExp, inside = ""): Target => [`${inside} button`.trim(), reads];
export const heading = (reads: string | RegExp, inside = ""): Target => [`${inside} :is(h1, h2, h3)`.trim(), reads];

/** Sends a request to the page's router from inside the page. */
export function ask(tab: Tab, method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  return inPage(
    tab,
    async (how, where, what) => {
      const response = await fetch(where, { method: how, ...(what === null ? {} : { body: what }) });
      return { status: response.status, text: await response.text() };
    },
    method,
    path,
    body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
  );
}

export async function askJson<T>(tab: Tab, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await ask(tab, method, path, body);
  if (status >= 400) throw new Error(`${method} ${path} answered ${status} ${text}`);
  return JSON.parse(text) as T;
}
