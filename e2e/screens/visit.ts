import type { CDPSession, Page } from "@playwright/test";
import type { ClaudeStandIn } from "../../tests/stand-in/claude.ts";
import type { OpenAiOptions, OpenAiStandIn } from "../../tests/stand-in/openai.ts";
import type { App } from "../app.ts";

/** What a visit has to work with. */
export interface Here {
  readonly app: App;
  readonly page: Page;
  readonly claude: ClaudeStandIn;
  /** Starts a server for OpenAI's APIs, which is closed after the visit. */
  readonly startOpenAi: (options?: OpenAiOptions) => Promise<OpenAiStandIn>;
}

/** The way to a screen. The first one of a visit starts in an empty browser, each other one from the screen before it. */
export type Step = (here: Here) => Promise<void>;

/** Screens in the order of a visit, by name. Each name is unique over all visits. */
export type Visit = Readonly<Record<string, Step>>;

export const wide = { width: 1280, height: 800 } as const;
export const phone = { width: 360, height: 740 } as const;

/** Overrides end with their session, so keep one session per page. */
const sessions = new WeakMap<Page, CDPSession>();

/**
 * Shows the page on a dark phone or on a light desktop. `touch`: on the phone, a finger is the pointer. On a machine without a mouse, the desktop
 * has no pointer either after that, like a large tablet.
 */
export async function holdAs(page: Page, size: typeof wide | typeof phone, touch: boolean): Promise<void> {
  const isPhone = size === phone;
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await page.emulateMedia({ colorScheme: isPhone ? "dark" : "light" });
  await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: isPhone });
  if (touch) await session.send("Emulation.setTouchEmulationEnabled", { enabled: isPhone });
}
