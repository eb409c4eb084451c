import { expect, messageBox, newDialog, say } from "../steps.ts";
import { close, openSettings } from "./menus.ts";
import type { Here, Visit } from "./visit.ts";

const form = ({ page }: Here) => page.getByRole("dialog", { name: "Settings" });
const kept = (here: Here) => form(here).getByRole("region", { name: "Key storage" });

export const settings: readonly Visit[] = [
  {
    async settings(here) {
      await here.app.open();
      await openSettings(here.page);
    },
    async "settings, a key that does not work"(here) {
      await form(here).getByLabel("Address", { exact: true }).fill(here.claude.url);
      await form(here)
        .getByLabel(/^API key/)
        .fill("sk-ant-wrong");
      await form(here).getByRole("button", { name: "Test connection", exact: true }).press("Enter");
      await expect(form(here).locator(".problem").filter({ hasText: "key" }).first()).toBeVisible();
    },
    async "settings, a key for this session"(here) {
      await form(here)
        .getByLabel(/^API key/)
        .fill(here.claude.key);
      await form(here).getByRole("button", { name: "Save", exact: true }).press("Enter");
      await expect(kept(here)).toContainText("Kept in memory until you close");
    },
    async "settings, a passphrase for the key"(here) {
      await kept(here).getByRole("button", { name: "Save key on this device" }).press("Enter");
      await kept(here).getByRole("button", { name: "Use a passphrase or passkey…" }).press("Enter");
      await expect(kept(here).getByLabel("New passphrase")).toBeVisible();
    },
    async "settings, a key remembered"(here) {
      await kept(here).getByLabel("New passphrase").fill("river lamp copper 11");
      await kept(here).getByLabel("Repeat passphrase").fill("river lamp copper 11");
      await kept(here).getByRole("button", { name: "Save key", exact: true }).press("Enter");
      await expect(kept(here)).toContainText("Saved on this device and unlocked");
    },
    async "settings, a key to be forgotten"(here) {
      await kept(here).getByRole("button", { name: "Forget" }).press("Enter");
      await expect(kept(here).getByRole("button", { name: "Forget key" })).toBeVisible();
    },
    async "settings, a key locked"(here) {
      await kept(here).getByRole("button", { name: "Cancel" }).press("Enter");
      await kept(here).getByRole("button", { name: "Lock now" }).press("Enter");
      await expect(kept(here)).toContainText("Saved on this device and locked");
    },
    async "dialog, its key is locked"(here) {
      await close(here.page);
      await newDialog(here.app, "work");
      await expect(here.page.getByText("Your Claude key is locked.")).toBeVisible();
    },
    async "keys to be unlocked"(here) {
      await say(here.page, "Go.");
      const unlock = here.page.getByRole("dialog", { name: "Unlock your keys" });
      await unlock.getByLabel("Passphrase").fill("wrong");
      await unlock.getByRole("button", { name: "Unlock" }).press("Enter");
      await expect(unlock.getByRole("alert")).toContainText("Wrong passphrase");
      await expect(messageBox(here.page)).toHaveValue("Go.");
    },
  },
  {
    async "settings, a server of one's own"(here) {
      await here.app.open();
      await openSettings(here.page);
      await form(here).getByRole("radio", { name: "OpenAI or compatible" }).check();
      await form(here).getByRole("combobox", { name: "Server" }).selectOption("Ollama");
      await expect(form(here).getByText("OLLAMA_ORIGINS")).toBeVisible();
      await expect(form(here).getByText(/^Up to \d+ agents at a time/)).toBeVisible();
    },
    async "settings, a WebContainer to be turned on"(here) {
      await form(here).getByRole("button", { name: "Sandbox" }).press("Enter");
      await form(here).getByRole("radio", { name: "WebContainer" }).check();
      await expect(form(here).getByRole("button", { name: "Use WebContainer and reload" })).toBeVisible();
    },
    async "settings, storage and limits"(here) {
      await form(here).getByRole("button", { name: "Ask the browser to keep it" }).press("Enter");
      await form(here).getByText("Private windows delete everything").scrollIntoViewIfNeeded();
    },
  },
  {
    async start({ app, page }) {
      await app.open();
      await page.getByRole("banner").getByRole("button", { name: "Start" }).press("Enter");
      await expect(page.getByRole("button", { name: "Try the demo" })).toBeVisible();
    },
  },
  {
    async "settings, a bridge that does not answer"(here) {
      await here.app.open();
      await openSettings(here.page);
      await form(here).getByRole("button", { name: "Bridge", exact: true }).click();
      await form(here).getByLabel("Bridge key").fill("a-key-that-is-long-enough");
      await form(here).getByLabel("Bridge address").fill("ws://127.0.0.1:9");
      await form(here).getByRole("button", { name: "Connect", exact: true }).press("Enter");
      await expect(form(here)).toContainText("No bridge answers there");
    },
  },
];
