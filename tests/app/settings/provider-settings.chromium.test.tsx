// Text typed into a provider's settings stays until it is saved.
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import SettingsDialog from "../../../src/app/settings/SettingsDialog.tsx";
import type { KeysAnswer, ProviderAnswer } from "../../../src/protocol/index.ts";

let provider: ProviderAnswer;
let keys: KeysAnswer;
/** Paths whose requests fail now. */
let failing: RegExp | null = null;
let why = "It broke.";
let sent: unknown[] = [];
/** The number of times the state of the keys was read. */
let keyReads = 0;
let dispose = () => {};

beforeEach(() => {
  provider = { configured: true, baseURL: "https://api.example", model: "small", key: "locked", remembered: ["https://api.example"] };
  keys = { state: "locked", problem: null, passphrase: true, device: false, passkey: null, remembered: [] };
  [failing, why] = [null, "It broke."];
  sent = [];
  keyReads = 0;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "keys") keyReads++;
    if (failing?.test(path)) return Response.json({ error: why }, { status: 500 });
    if (init?.method === "PUT" && typeof init.body === "string") {
      const { apiKey: _, ...changed } = JSON.parse(init.body);
      sent.push(JSON.parse(init.body));
      provider = { ...provider, ...changed };
    }
    if (path.startsWith("provider/")) return Response.json(provider);
    if (path === "keys") return Response.json(keys);
    return Response.json({ error: "Not here." }, { status: 404 });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const [changes, setChanges] = createSignal(0);
const settingsChange = () => void setChanges((count) => count + 1);
function open(): void {
  dispose = render(
    () => (
      <SettingsDialog
        theme={{ theme: () => "system", choose() {} }}
        provider="claude"
        changes={changes()}
        events={{ lost: () => false, listeners: new Set() }}
        close={() => dispose()}
        saved={settingsChange}
      />
    ),
    document.body,
  );
}
function field(label: string): HTMLInputElement {
  const found = document.querySelector<HTMLInputElement>(`form.provider [aria-label="${label}"], form.provider #settings-model`);
  if (found === null) throw new Error(`no field ${label}`);
  return found;
}
const key = () => field("API key");
const address = () => field("Address");
function type(into: HTMLInputElement, text: string): void {
  into.value = text;
  into.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
const show = (nth: number) => document.querySelectorAll<HTMLInputElement>("input[name=provider]")[nth]?.click();
const said = () => document.querySelector("form.provider output")?.textContent;
const button = (text: string) => Array.from(document.querySelectorAll("button")).find((one) => one.textContent === text);

test("a look at the other provider loses nothing that was typed, and a closed dialog no more than the key", async () => {
  open();
  await expect.poll(() => address().value).toBe("https://api.example");
  expect(said()).toBe("");
  type(key(), "sk-typed");
  type(address(), "https://other.example");
  expect(said()).toBe("Not saved yet.");
  show(1);
  await expect.poll(() => address().value).toBe("https://api.example");
  expect(key().value).toBe("");
  show(0);
  expect(key().value).toBe("sk-typed");
  expect(address().value).toBe("https://other.example");

  document.querySelector("dialog")?.close();
  await expect.poll(() => document.querySelector("dialog")).toBeNull();
  open();
  // The page keeps a key no longer than the dialog box is open.
  expect(key().value).toBe("");
  expect(address().value).toBe("https://other.example");
  await expect.poll(said).toBe("Not saved yet.");
  type(key(), "sk-typed");

  button("Save")?.click();
  await expect.poll(said).toBe("Saved.");
  expect(sent).toEqual([{ apiKey: "sk-typed", baseURL: "https://other.example", model: "small" }]);
  expect(key().value).toBe("");
  dispose();
  open();
  expect(key().value).toBe("");
  await expect.poll(() => address().value).toBe("https://other.example");
  expect(said()).toBe("");
});

test("a connection that fails is told without sending anyone to where they are", async () => {
  open();
  expect(document.activeElement?.textContent).toBe("Provider");
  await expect.poll(() => address().value).toBe("https://api.example");
  failing = /models/;
  why = "api.example rejected the API key. Check it in Settings. (Ask in Settings)";
  button("Test connection")?.click();
  await expect.poll(said).toBe("Couldn't connect: api.example rejected the API key. Check it. (Ask in Settings)");
});

test("a passphrase that is being typed stays when the settings are read again, and when they can't be", async () => {
  open();
  await vi.waitUntil(() => button("Unlock")).then((found) => found?.click());
  const passphrase = await vi.waitUntil(() => document.querySelector<HTMLInputElement>(".keys-panel input[type=password]"));
  type(passphrase, "correct horse");
  for (const broken of [null, /^keys$/, /^provider/, null]) {
    failing = broken;
    const before = keyReads;
    settingsChange();
    await expect.poll(() => keyReads).toBeGreaterThan(before);
    await expect.poll(() => document.querySelector("dialog")?.textContent.includes("It broke.") ?? false).toBe(broken !== null);
    expect(document.querySelector(".keys-panel input[type=password]")).toBe(passphrase);
    expect(passphrase.value).toBe("correct horse");
  }
  // Unlocked in another tab: there is nothing left to type.
  provider = { ...provider, key: "unlocked" };
  keys = { ...keys, state: "unlocked" };
  settingsChange();
  await expect.poll(() => document.querySelector(".keys-panel")).toBeNull();
});
