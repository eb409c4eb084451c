import type { BrowserContextOptions, Frame, Locator, Page } from "@playwright/test";
import { expect } from "./app.ts";
import { afterFrames, approveButton, panel } from "./hands.ts";

/** The three ways of working: with a mouse, with a finger on a phone, and with the keyboard alone. */

type Role = "button" | "checkbox" | "combobox" | "link" | "region" | "tab" | "textbox";
type Name = string | RegExp;

export interface Way {
  /** The window for this way of working. */
  readonly use: BrowserContextOptions;
  /** Presses the element with this name. */
  press(page: Page, role: Role, name: Name): Promise<void>;
  /** Shows the list of a tab. */
  list(page: Page, tab: "Docs" | "Dialogs"): Promise<void>;
  /** Goes to the text box and puts the focus in it. */
  enter(page: Page, name: Name): Promise<void>;
  /** Submits a form from its field. */
  submit(page: Page, button: Name, key: string): Promise<void>;
  /** Does what a button does, using its shortcut if there is a keyboard. */
  command(page: Page, button: Name, shortcut: string): Promise<void>;
  /** Opens the dialog of this name, which is the next one that waits for a person. */
  nextWaiting(page: Page, name: string): Promise<void>;
  /** Scrolls a box to its end. */
  readOn(page: Page, box: Locator): Promise<void>;
  /** Takes squares on the game's board, one after the other. */
  take(page: Page, frame: Frame, squares: readonly Square[]): Promise<void>;
}
export type Square = readonly [row: number, column: number];

const square = (frame: Frame, [row, column]: Square) => frame.getByRole("button", { name: `Row ${row}, column ${column}` });
const named = (page: Page, role: Role, name: Name) => page.getByRole(role, { name, exact: typeof name === "string" });
const overview = (page: Page) => page.getByRole("region", { name: "Overview" });
const dialogRow = (page: Page, name: string) =>
  page
    .getByRole("navigation", { name: "Dialogs" })
    .or(overview(page))
    .getByRole("link", { name: new RegExp(`^${name}\\b`) });

/** Whether the end of an exact input is in view, not below the visible part of its boxes. */
const isRead = (box: Locator) =>
  box.evaluate((whole) => {
    const end = whole.querySelector(".ask-end")?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    const boxes = [".ask-input", ".ask-calls", ".ask-body", ".ask"].map((part) => whole.closest(part)?.getBoundingClientRect().bottom ?? 0);
    return end <= Math.min(...boxes, innerHeight);
  });

const mouse: Way = {
  use: { viewport: { width: 1280, height: 800 } },
  press: (page, role, name) => named(page, role, name).click(),
  list: (page, tab) => page.getByRole("tab", { name: tab }).click(),
  enter: (page, name) => named(page, "textbox", name).click(),
  submit: (page, button) => named(page, "button", button).click(),
  command: (page, button) => named(page, "button", button).click(),
  nextWaiting: (page, name) => dialogRow(page, name).click(),
  async readOn(page, box) {
    await box.hover({ position: { x: 8, y: 8 } });
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      expect(await isRead(box)).toBe(true);
    }).toPass();
  },
  async take(_, frame, squares) {
    for (const one of squares) await square(frame, one).click();
  },
};

/** The width and height of a fingertip in CSS pixels. */
const finger = 44;

/** Taps an element that is fully visible, not covered, and as large as a fingertip. In a text box, taps its beginning. */
async function tap(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  const window = page.viewportSize();
  if (box === null || window === null) throw new Error("what is to be tapped is not on the screen");
  const { name, isText, hidden } = await target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const own = element.matches("textarea, [contenteditable]");
    const found = (own ? [top + 22] : [top + 6, (top + bottom) / 2, bottom - 6]).map((y) =>
      document.elementFromPoint((left + right) / 2, y),
    );
    return {
      name: element.ariaLabel ?? element.textContent,
      isText: own,
      hidden: found.flatMap((each) => (element.contains(each) ? [] : [each?.outerHTML.slice(0, 80) ?? "nothing"])),
    };
  });
  const what = `${name} ${JSON.stringify(box)}`;
  // Allow for rounding of fractions of a pixel.
  expect(Math.min(box.width, box.height) + 0.1, `as large as a finger: ${what}`).toBeGreaterThanOrEqual(finger);
  const bottom = isText ? box.y + finger : box.y + box.height;
  const isInSight = box.x >= 0 && box.x + box.width <= window.width && box.y >= 0 && bottom <= window.height;
  expect(isInSight, `in sight: ${what}`).toBe(true);
  expect(hidden, `nothing lies over it: ${what}`).toEqual([]);
  await target.tap(isText ? { position: { x: box.width / 2, y: finger / 2 } } : {});
}

const touch: Way = {
  use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  press: (page, role, name) => tap(page, named(page, role, name)),
  /** Tapping the selected tab leads from an open item to its list. */
  async list(page, tab) {
    const own = page.getByRole("tab", { name: tab });
    const list = tab === "Docs" ? page.getByRole("navigation", { name: "Files" }) : overview(page);
    await tap(page, own);
    await expect(own).toHaveAttribute("aria-selected", "true");
    if (!(await list.isVisible())) await tap(page, own);
    await expect(list).toBeVisible();
  },
  enter: (page, name) => tap(page, named(page, "textbox", name)),
  submit: (page, button) => tap(page, named(page, "button", button)),
  command: (page, button) => tap(page, named(page, "button", button)),
  async nextWaiting(page, name) {
    await touch.list(page, "Dialogs");
    await tap(page, dialogRow(page, name));
  },
  async readOn(page, box) {
    await box.scrollIntoViewIfNeeded();
    const session = await page.context().newCDPSession(page);
    const touches = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await expect(async () => {
      const [inside, around] = [await box.boundingBox(), await panel(page).locator(".ask-body").boundingBox()];
      if (inside === null || around === null) throw new Error("what is to be read is not on the screen");
      const x = inside.x + inside.width / 2;
      const bottom = Math.min(inside.y + inside.height, around.y + around.height) - 20;
      await touches("touchStart", { x, y: bottom });
      for (let step = 1; step <= 4; step += 1) await touches("touchMove", { x, y: bottom - step * 80 });
      await touches("touchEnd");
      expect(await isRead(box)).toBe(true);
    }).toPass({ intervals: [0] });
    await session.detach();
  },
  async take(page, frame, squares) {
    for (const one of squares) await tap(page, square(frame, one));
  },
};

/** The most presses of the Tab key that a person would put up with. */
const patience = 40;

/** Presses Tab until the element has the focus. Starts wherever the focus is now. */
async function tabTo(page: Page, target: Locator, where: Page | Frame = page): Promise<void> {
  const passed: string[] = [];
  // The element may already have the focus, or be about to get it.
  await expect(target).toBeVisible();
  // In an editor, Tab may insert text, so leave the editor first.
  if (await where.evaluate(() => document.activeElement?.matches("[contenteditable]") === true)) await page.keyboard.press("Escape");
  while ((await target.and(where.locator(":focus")).count()) === 0) {
    if (passed.length === patience)
      throw new Error(`${patience} times Tab do not lead to ${String(target)}, but to:\n${passed.join("\n")}`);
    await page.keyboard.press("Tab");
    passed.push(
      await page.evaluate(
        () =>
          `${document.activeElement?.tagName} ${(document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "").slice(0, 50)}`,
      ),
    );
  }
}

const keyboard: Way = {
  use: { viewport: { width: 1280, height: 800 } },
  async press(page, role, name) {
    await tabTo(page, named(page, role, name));
    await page.keyboard.press("Enter");
  },
  list: (page, tab) => page.keyboard.press(`ControlOrMeta+Alt+Digit${tab === "Docs" ? 1 : 2}`),
  enter: (page, name) => tabTo(page, named(page, "textbox", name)),
  submit: (page, _, key) => page.keyboard.press(key),
  command: (page, _, shortcut) => page.keyboard.press(shortcut),
  nextWaiting: (page) => page.keyboard.press("ControlOrMeta+Period"),
  async readOn(page, box) {
    await tabTo(page, box);
    await expect(async () => {
      await page.keyboard.press("PageDown");
      expect(await isRead(box)).toBe(true);
    }).toPass({ intervals: [50] });
  },
  async take(page, frame, squares) {
    const [first] = squares;
    if (first === undefined) return;
    await tabTo(page, square(frame, first), frame);
    let [row, column] = first;
    for (const [nextRow, nextColumn] of squares) {
      for (; row < nextRow; row += 1) await page.keyboard.press("ArrowDown");
      for (; row > nextRow; row -= 1) await page.keyboard.press("ArrowUp");
      for (; column < nextColumn; column += 1) await page.keyboard.press("ArrowRight");
      for (; column > nextColumn; column -= 1) await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
    }
  },
};

export const ways = { mouse, touch, keyboard } as const;

/** Checks that nothing sticks out sideways, that the lists and texts scroll but not the page, and that nothing is covered by the tabs. */
export async function expectFits(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    const tabs = document.querySelector(".tabs")?.getBoundingClientRect();
    const end = tabs !== undefined && tabs.top > innerHeight / 2 ? tabs.top : innerHeight;
    const last = Array.from(document.querySelectorAll(".composer, .status"), (bar) => bar.getBoundingClientRect().bottom - end);
    return { sideways: scrollWidth - innerWidth, down: scrollHeight - innerHeight, underTabs: last.some((pixels) => pixels > 0.5) };
  });
  expect(found).toEqual({ sideways: 0, down: 0, underTabs: false });
}

/** Reads the requests to their end and approves all of them. */
export async function readAndApprove(page: Page, way: Way): Promise<void> {
  const closed = panel(page).getByRole("button", { name: "Show whole file" });
  const boxes = panel(page).getByRole("region", { name: "Exact input" });
  const calls = await panel(page).locator(".ask-call").count();
  for (let call = 0; call < calls; call += 1) {
    const one = panel(page).locator(".ask-call").nth(call);
    await expect(closed.or(boxes).first()).toBeVisible();
    if ((await one.getByRole("button", { name: "Show whole file" }).count()) > 0) await way.press(page, "button", "Show whole file");
    const box = one.getByRole("region", { name: "Exact input" });
    await expect(box).toBeVisible();
  }
  // Momentum scrolling can pass the content. Then the panel's own button leads back to it.
  const more = /^Show (next|rest)/;
  await expect(async () => {
    for (const box of await boxes.all()) if (!(await isRead(box))) await way.readOn(page, box);
    // The end counts as seen only when everything has loaded.
    await expect(panel(page).locator(".loading")).toHaveCount(0);
    await afterFrames(page);
    if (await panel(page).getByRole("button", { name: more }).isVisible()) await way.press(page, "button", more);
    await expect(approveButton(page)).toBeEnabled({ timeout: 2_000 });
  }).toPass();
  await expectFits(page);
  await way.press(page, "button", /^Approve( all)?\b/);
}
