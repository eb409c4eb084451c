import type { EngineName, Found } from "../../scripts/engines.mjs";

/** What the journeys need from a browser. Each driver implements it; everything else is a script in the page. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  close(): Promise<void>;
  /** Evaluates an expression, awaits its value, and returns it; it must be a string. `frames`: selectors of nested frames, outermost first. */
  evaluate(expression: string, frames: readonly string[]): Promise<string>;
  /** Clicks with the mouse at a position in the window. `held`: a key that is held down meanwhile. */
  clickAt(x: number, y: number, options?: { readonly held?: HeldKey; readonly middle?: boolean }): Promise<void>;
  /** Types with the keyboard into the focused element. */
  type(text: string): Promise<void>;
  press(key: Key, options?: { readonly control?: boolean }): Promise<void>;
  setFile(selector: string, path: string): Promise<void>;
}

export type HeldKey = "Control" | "Shift" | "Alt";

export type Key = "Enter" | "Escape" | "ArrowDown" | "ArrowRight" | "ArrowUp" | "a" | "s";

export interface Engine {
  /** The folder that downloads go to. */
  readonly downloads: string;
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export const windowSize = { width: 1280, height: 800 } as const;

/** Starts the browser that was found. Each driver is loaded only when it is used. */
export async function startEngine(name: EngineName, found: Found, folder: string): Promise<Engine> {
  if (found.driver === "bidi") return (await import("./over-bidi.ts")).start(found, folder);
  if (found.driver === "webdriver") return (await import("./over-webdriver.ts")).start(found, folder);
  return (await import("./over-playwright.ts")).start(name, folder);
}
