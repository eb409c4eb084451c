import type { BrowserContext, Page } from "@playwright/test";
import JSZip from "jszip";
import type { KeysAnswer } from "../src/protocol/index.ts";
import { say as answer } from "../tests/stand-in/claude.ts";
import { type App, expect } from "./app.ts";
import { test } from "./claude-server.ts";
import { approve, enterKey, messages, openNewDialog, panel, say } from "./hands.ts";
import { everythingKept, formsOf } from "./hostile.ts";

/** Provider keys: in memory, saved with a passphrase or a passkey, locked, forgotten; and found nowhere else. */

const passphrase = "CANARY river lamp copper 11";
const head = (page: Page) => page.locator(".dialog-head .doing");
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const kept = (page: Page) => settings(page).getByRole("region", { name: "Key storage" });
const unlock = (page: Page) => page.getByRole("dialog", { name: "Unlock your keys" });
const stateOf = async (app: App) => (await app.json<KeysAnswer>("GET", "keys")).state;

async function remember(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  await kept(page).getByRole("button", { name: "Save key on this device" }).click();
  await kept(page).getByRole("button", { name: "Use a passphrase or passkey…" }).click();
  const form = settings(page).getByRole("form", { name: "Save key on this device" });
  await form.getByLabel("New passphrase").fill(words);
  await form.getByLabel("Repeat passphrase").fill(words);
  await form.getByRole("button", { name: "Save key", exact: true }).click();
  await expect(kept(page)).toContainText("Saved on this device and unlocked");
  await settings(page).getByRole("button", { name: "Close" }).click();
}

async function openTab(context: BrowserContext, hash = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`./${hash}`);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  return page;
}

test("a key goes to its provider and is found nowhere else, nor is the passphrase under which it is remembered", async ({
  app,
  start,
  context,
}) => {
  const { page } = app;
  const key = "sk-ant-CANARY-7f3Q9zXw+/=42~Kd81";
  const wrongKey = "sk-ant-CANARY-wrong-5tR+/=81~pQe";
  const wrongPassphrase = "CANARY violet stone 42 harbour";
  const canaries = { key, wrongKey, passphrase, wrongPassphrase };
  const forms = Object.entries(canaries).flatMap(([what, secret]) =>
    Object.entries(formsOf(secret)).map(([form, needle]) => [`${what} ${form}`, needle] as const),
  );
  const server = await start({ key });
  const other = await start();
  const leaks: string[] = [];
  const look = (where: string, text: string) => {
    for (const [form, needle] of forms) if (text.includes(needle)) leaks.push(`${form} in ${where}`);
  };
  const heard: string[] = [];
  page.on("console", (message) => heard.push(message.text()));
  const seen: Promise<void>[] = [];
  /** Requests made while the browser closes are not checked: their headers can't be read. */
  let isOver = false;
  context.on("request", (request) => {
    if (isOver) return;
    seen.push(
      (async () => {
        const { "x-api-key": header, ...headers } = await request.allHeaders();
        const where = `a request to ${request.url().slice(0, 80)}`;
        look(where, request.url() + JSON.stringify(headers) + (request.postData() ?? ""));
        if (!request.url().startsWith(server.url)) look(`${where}, its key`, header ?? "");
      })(),
    );
  });

  await app.open();
  await enterKey(page, { key: wrongKey, address: server.url });
  const id = await openNewDialog(page, { provider: "claude", slug: "canary" });
  await say(page, "Go");
  await expect(page.getByRole("alert").filter({ hasText: "key" })).toBeVisible();
  await enterKey(page, { key });
  await remember(page, passphrase);
  // A server that echoes the key in its errors, in full and in part.
  server.play(
    { fail: 400, type: "invalid_request_error", message: `Bad key ${key} (${key.slice(0, 20)}…)` },
    {
      blocks: [{ text: "Now I look." }, { call: "run_command", id: "toolu_1", input: { command: "env; set; ls -laR /; cat vibey/*.md" } }],
    },
    answer("Looked."),
    answer("Unlocked."),
  );
  await page.getByRole("button", { name: /^(Continue|Try again)$/ }).click();
  await expect(page.getByRole("alert").filter({ hasText: "rejected the request" })).toBeVisible();
  await page.getByRole("button", { name: /^(Continue|Try again)$/ }).click();
  await approve(page);
  await expect(head(page)).toHaveClass(/doing-done/);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Test connection", exact: true }).click();
  await expect(page.getByText(/Connected\./)).toBeVisible();
  look("what the browser keeps, with the settings open", await everythingKept(page));
  await page.keyboard.press("Escape");

  // The next session: the key is locked, and a wrong passphrase comes before the right one. With a service worker, a reload may stay in the
  // same session.
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await expect(head(page)).toHaveClass(/doing-done/);
  expect((await app.json<{ configured: boolean }>("GET", "provider/claude")).configured).toBe(false);
  await say(page, "Once more");
  await unlock(page).getByLabel("Passphrase").fill(wrongPassphrase);
  await unlock(page).getByRole("button", { name: "Unlock" }).click();
  await expect(unlock(page).getByRole("alert")).toContainText("Wrong passphrase");
  look("what the browser keeps after a wrong passphrase", await everythingKept(page));
  await unlock(page).getByLabel("Passphrase").fill(passphrase);
  await unlock(page).getByRole("button", { name: "Unlock" }).click();
  await expect(messages(page)).toContainText("Unlocked.");

  for (const path of ["provider/claude", "provider/claude/models", "keys", `dialog/${id}`, "dialogs", "files", "deed", "history"])
    look(path, (await app.ask("GET", path)).text);
  const zip = await page.evaluate(async () => Array.from(new Uint8Array(await (await fetch("project.zip?scope=all")).arrayBuffer())));
  look("the zip", Buffer.from(zip).toString("latin1"));
  for (const [name, file] of Object.entries((await JSZip.loadAsync(Uint8Array.from(zip))).files))
    look(`${name} in the zip`, name + (await file.async("string")));
  look("what the browser keeps", await everythingKept(page));

  // Another address never gets the key, not even if the first server redirects there.
  await enterKey(page, { address: other.url });
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(kept(page)).toContainText(`A saved key works only with ${server.url} and is never sent to the address above.`);
  await page.keyboard.press("Escape");
  await app.ask("GET", "provider/claude/models");
  await say(page, "Again");
  await expect(head(page)).toHaveClass(/doing-waiting/);
  for (const { headers, path, raw } of other.requests) look("a request to another server", path + raw + JSON.stringify(headers));
  for (const { headers, path, raw } of server.requests)
    look("more than the header", path + raw + JSON.stringify({ ...headers, "x-api-key": "" }));
  const sent = server.requests.map(({ headers }) => headers["x-api-key"]);
  expect(sent).toEqual(sent.map((_, nth) => (nth < sent.lastIndexOf(wrongKey) + 1 ? wrongKey : key)));

  await page.reload();
  await expect(page.getByRole("tablist")).toBeVisible();
  look("what the browser keeps after a reload", await everythingKept(page));
  await Promise.all(seen);
  isOver = true;
  look("the console", heard.join("\n"));
  expect(leaks).toEqual([]);
  // Proves that the search works: it finds the same text, stored on purpose.
  await app.ask("POST", "file/doc-control.md", { content: `control ${key} ${passphrase}` });
  look("the control", await everythingKept(page));
  expect(leaks).toEqual(expect.arrayContaining(["key plain in the control", "passphrase plain in the control"]));
});

test("remembered under a passphrase: asked for once, for all tabs, locked and forgotten in all of them", { tag: "@long" }, async ({
  app,
  start,
  context,
}) => {
  const { page: a } = app;
  const server = await start();
  server.play(answer("Before."), answer("After."), answer("In the other tab."));
  await app.open();
  await enterKey(a, { key: server.key, address: server.url });
  await openNewDialog(a, { provider: "claude", slug: "keys" });
  await say(a, "Go");
  await expect(messages(a)).toContainText("Before.");
  await remember(a, passphrase);
  await a.reload();
  await expect(a.getByText("Your Claude key is locked.")).toBeVisible();
  const b = await openTab(context, new URL(a.url()).hash);
  await expect(b.getByText("Your Claude key is locked.")).toBeVisible();

  // B asks for the passphrase, and the user unlocks in A: B continues what it was about to do.
  await say(b, "Go on");
  await expect(unlock(b)).toBeVisible();
  await a.getByRole("button", { name: "Unlock" }).click();
  await unlock(a).getByLabel("Passphrase").fill(passphrase);
  await unlock(a).getByLabel("Passphrase").press("Enter");
  await expect(messages(b)).toContainText("After.");
  await expect(unlock(b)).toBeHidden();
  await expect(a.getByText("Your Claude key is locked.")).toBeHidden();

  // B takes over, with the key and with the ability to save another one.
  await a.close();
  await say(b, "And on");
  await expect(messages(b)).toContainText("In the other tab.");
  await b.getByRole("button", { name: "Settings" }).click();
  await settings(b)
    .getByLabel(/^API key/)
    .fill("sk-ant-another-key");
  await settings(b).getByRole("button", { name: "Save", exact: true }).click();
  await expect(settings(b).getByText("Saved.")).toBeVisible();
  await expect(kept(b)).toContainText("Saved on this device and unlocked");

  // The key is locked in B, so C doesn't know it when it takes over.
  const c = await openTab(context);
  const inC = (path: string) => c.evaluate(async (where) => (await fetch(where)).json() as Promise<unknown>, path);
  expect(await inC("provider/claude")).toMatchObject({ configured: true, key: "unlocked" });
  await kept(b).getByRole("button", { name: "Lock now" }).click();
  await expect(kept(b)).toContainText("Saved on this device and locked");
  await b.close();
  // Requests sent while B closes may get no answer.
  await expect(async () => expect(await inC("provider/claude")).toMatchObject({ configured: false, key: "locked" })).toPass();
  await c.getByRole("button", { name: "Settings" }).click();
  await kept(c).getByRole("button", { name: "Forget" }).click();
  await kept(c).getByRole("button", { name: "Forget key" }).click();
  await expect(kept(c)).toBeHidden();
  expect(await inC("keys")).toEqual({ state: "none", problem: null, passphrase: false, device: false, passkey: null, remembered: [] });
  expect(server.requests.map(({ headers }) => headers["x-api-key"])).toEqual([server.key, server.key, server.key]);
  expect(app.complaints).toEqual([]);
});

test("remembered with a passkey, and a passphrase added beside it", { tag: "@long" }, async ({ app, start, context }) => {
  const { page } = app;
  const server = await start();
  server.play(answer("With the passkey."));
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await app.open();
  await enterKey(page, { key: server.key, address: server.url });
  await openNewDialog(page, { provider: "claude", slug: "passkey" });
  await page.getByRole("button", { name: "Settings" }).click();
  await kept(page).getByRole("button", { name: "Save key on this device" }).click();
  await kept(page).getByRole("button", { name: "Use a passphrase or passkey…" }).click();
  await kept(page).getByRole("button", { name: "Use a passkey instead" }).click();
  await expect(kept(page)).toContainText("Saved on this device and unlocked");
  expect((await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials).toHaveLength(1);
  await page.keyboard.press("Escape");

  await page.reload();
  await say(page, "Go");
  await expect(unlock(page).getByLabel("Passphrase")).toHaveCount(0);
  await unlock(page).getByRole("button", { name: "Use passkey" }).click();
  await expect(messages(page)).toContainText("With the passkey.");

  await page.getByRole("button", { name: "Settings" }).click();
  await kept(page).getByRole("button", { name: "Change passphrase or passkey" }).click();
  const change = settings(page).getByRole("form", { name: "Change passphrase or passkey" });
  await change.getByLabel("New passphrase").fill(passphrase);
  await change.getByLabel("Repeat passphrase").fill(passphrase);
  await change.getByRole("button", { name: "Change", exact: true }).click();
  await expect(change).toBeHidden();
  await kept(page).getByRole("button", { name: "Lock now" }).click();
  await kept(page).getByRole("button", { name: "Unlock" }).click();
  // The passkey is refused; the passphrase still works.
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await kept(page).getByRole("button", { name: "Use passkey" }).click();
  await expect(kept(page).getByRole("alert").first()).toContainText("The passkey was canceled");
  await kept(page).getByLabel("Passphrase").fill(passphrase);
  await kept(page).getByRole("form", { name: "Unlock" }).getByRole("button", { name: "Unlock" }).click();
  await expect(kept(page)).toContainText("Saved on this device and unlocked");
  expect(await stateOf(app)).toBe("unlocked");
  expect(app.complaints).toEqual([]);
});

test("a call that waits while the key is locked says so, and its approval leads over the unlocking to the agent's next word", {
  tag: "@long",
}, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  await app.open();
  await enterKey(page, { key: server.key, address: server.url });
  await remember(page, passphrase);
  await openNewDialog(page, { provider: "claude", slug: "locked" });
  server.play({ blocks: [{ call: "run_command", id: "toolu_1", input: { command: "echo ran > ran.txt" } }] }, answer("It has run."));
  await say(page, "Go");
  await expect(panel(page)).toBeVisible();
  await page.reload();
  await expect(panel(page).getByRole("status")).toContainText("Your Claude key is locked. You'll be asked to unlock it when you approve.");
  await approve(page);
  await unlock(page).getByLabel("Passphrase").fill(passphrase);
  await unlock(page).getByRole("button", { name: "Unlock" }).click();
  await expect(messages(page)).toContainText("It has run.");
  expect(await app.file("ran.txt")).toBe("ran\n");
});
