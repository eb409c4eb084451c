import { expect, type Locator, type Page } from "@playwright/test";

/** What a person does with mouse and keyboard, in the words of the screen. */

export const panel = (page: Page): Locator => page.locator(".ask");
export const approveButton = (page: Page): Locator => page.getByRole("button", { name: /^Approve( all)?\b/ });
export const messages = (page: Page): Locator => page.getByRole("region", { name: "Messages" });
export const writeBox = (page: Page): Locator => page.getByLabel("Message", { exact: true });

/** The text of the open file. A plain field is shown first; the editor replaces it, sooner if the user types. */
export const editor = (page: Page): Locator => page.locator(".editor-mount .cm-content");

/** The text of the open file, in the editor or in the plain field before it. Null if no text is open. */
export const textInEditor = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const plain = document.querySelector<HTMLTextAreaElement>("textarea.editor");
    if (plain) return plain.value;
    // The page contains only the visible part of a long text; the editor's state has all of it.
    const content: (Element & { cmTile?: { root: { view: { state: { sliceDoc(): string } } } } }) | null =
      document.querySelector(".editor-mount .cm-content");
    return content?.cmTile?.root.view.state.sliceDoc() ?? null;
  });

export async function expectInEditor(page: Page, text: string | RegExp): Promise<void> {
  if (typeof text === "string") await expect.poll(() => textInEditor(page)).toBe(text);
  else await expect.poll(() => textInEditor(page)).toMatch(text);
}

/** Replaces the text by typing a new one. */
export async function writeInEditor(page: Page, text: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press((await page.evaluate(() => navigator.platform.startsWith("Mac"))) ? "Meta+a" : "Control+a");
  if (text === "") await page.keyboard.press("Delete");
  else await page.keyboard.insertText(text);
  await expectInEditor(page, text);
}

/** Waits two frames: in the first the page notices what is visible, and by the second its buttons show it. */
export const afterFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Opens folded inputs and scrolls every exact input to its end, like a reader. */
export async function readToTheEnd(page: Page): Promise<void> {
  await expect(approveButton(page)).toBeVisible();
  // While inputs load, the boxes are out of the page for a moment.
  await expect(panel(page).locator(".loading")).toHaveCount(0);
  const closed = panel(page).getByRole("button", { name: "Show whole file" });
  while ((await closed.count()) > 0) await closed.first().click();
  for (const box of await panel(page).getByRole("region", { name: "Exact input" }).all()) {
    await box.scrollIntoViewIfNeeded();
    await box.hover({ position: { x: 8, y: 8 } });
    // A background tab gets no wheel events. Content that is still loading makes the box longer, so look for its end again.
    const scrolled = () =>
      box.evaluate((each) => {
        each.scrollTo(0, each.scrollHeight);
        return each.scrollTop + each.clientHeight >= each.scrollHeight - 1;
      });
    await expect.poll(scrolled).toBe(true);
    await box.locator(".ask-end").scrollIntoViewIfNeeded();
    await afterFrames(page);
  }
}

/** Reads the requests to their end, then approves all of them. */
export async function approve(page: Page): Promise<void> {
  await expect(async () => {
    await readToTheEnd(page);
    await expect(approveButton(page)).toBeEnabled({ timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
  await approveButton(page).click();
}

export async function denyBecause(page: Page, reason: string): Promise<void> {
  await panel(page).getByRole("button", { name: "Deny with a reason…" }).click();
  await page.getByLabel(/^Tell the agent why/).fill(reason);
  await page.getByRole("button", { name: "Deny and send" }).click();
}

/** Types a message into the open dialog and sends it with the keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  await writeBox(page).fill(text);
  await writeBox(page).press("ControlOrMeta+Enter");
}

export interface ProviderFields {
  readonly key?: string;
  readonly address?: string;
  readonly model?: string;
  /** The provider's form; Claude's by default. */
  readonly provider?: "Claude" | "OpenAI or compatible";
}

/** Enters a provider's settings in the dialog box, as a person does. */
export async function enterKey(page: Page, fields: ProviderFields): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  const form = page.getByRole("dialog", { name: "Settings" });
  if (fields.provider !== undefined) await form.getByRole("radio", { name: fields.provider }).check();
  const address = form.getByLabel("Address", { exact: true });
  // The field gets the current value when the engine has answered.
  await expect(address).not.toHaveValue("");
  if (fields.address !== undefined) await address.fill(fields.address);
  if (fields.model !== undefined) await form.getByLabel("Model", { exact: true }).fill(fields.model);
  if (fields.key !== undefined) await form.getByLabel(/^API key/).fill(fields.key);
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByText("Saved.")).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();
  await expect(form).toHaveCount(0);
}

/** Creates a dialog through the router and opens it. Returns its id. */
export async function openNewDialog(page: Page, body: { provider: string; model?: string; slug: string }): Promise<string> {
  const dialogId = await page.evaluate(async (asked) => {
    const response = await fetch("dialog/new", { method: "POST", body: JSON.stringify(asked) });
    const answer: { dialogId: string } = await response.json();
    location.hash = `#/dialogs/${answer.dialogId}`;
    return answer.dialogId;
  }, body);
  await expect(page.getByRole("heading", { level: 2, name: body.slug })).toBeVisible();
  return dialogId;
}
