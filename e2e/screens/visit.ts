import type { CDPSession, Page } from "@playwright/test";
import type { ClaudeStandIn } from "../../tests/stand-in/claude.ts";
import type { OpenAiOptions, OpenAiStandIn } from "../../tests/stand-in/openai.ts";
import type { App } from "../app.ts";

/** What a person who looks at screens has at hand. */
export interface Here {
  readonly app: App;
  readonly page: Page;
  readonly claude: ClaudeStandIn;
  /** A server on OpenAI's wires, closed when the visit is over. */
  readonly startOpenAi: (options?: OpenAiOptions) => Promise<OpenAiStandIn>;
}

/** How a person gets to a screen: the first one of a visit from a browser that has never been here, each other one from the screen before it. */
export type Step = (here: Here) => Promise<void>;

/** Screens that one meets one after the other, by their names; every name stands once in all visits. */
export type Visit = Readonly<Record<string, Step>>;

export const wide = { width: 1280, height: 800 } as const;
export const phone = { width: 360, height: 740 } as const;

/** What is set in a session lasts as long as the session. */
const sessions = new WeakMap<Page, CDPSession>();

/**
 * The same page on a phone in the dark, or on a desk in the light. `touch`: on the phone a finger is the pointer; where there is no mouse,
 * the desk has none either once the finger has been there, as a large tablet has none.
 */
export async function holdAs(page: Page, size: typeof wide | typeof phone, touch: boolean): Promise<void> {
  const isPhone = size === phone;
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await page.emulateMedia({ colorScheme: isPhone ? "dark" : "light" });
  await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: isPhone });
  if (touch) await session.send("Emulation.setTouchEmulationEnabled", { enabled: isPhone });
}
