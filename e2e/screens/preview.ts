import { expect, putDeed } from "../steps.ts";
import type { Here, Visit } from "./visit.ts";

const page = (body: string) => `<!doctype html><html lang=en><title>Game</title>${body}`;
const game = page(
  '<h1>A game</h1><button>Play</button><script>console.error("The board has no square 9, and nobody drew one"); console.warn("slow"); console.log("fine");</script>',
);
const pane = (here: Here) => here.page.getByRole("region", { name: "Preview", exact: true });

export const preview: readonly Visit[] = [
  {
    async "preview, errors in its console"(here) {
      await here.app.open();
      await putDeed(here.app, "index.html", game);
      await here.page.getByRole("button", { name: "Preview", exact: true }).click();
      await expect(here.page.frameLocator("iframe").frameLocator("iframe:not(.coming)").locator("h1")).toHaveText("A game");
      await expect(pane(here).getByRole("region", { name: "Preview console" }).getByRole("listitem")).toHaveCount(3);
    },
    async "preview, nothing in its console"(here) {
      await pane(here).getByRole("button", { name: "Clear" }).press("Enter");
      await expect(pane(here).getByRole("region", { name: "Preview console" })).toBeHidden();
    },
    async "preview, stopped"(here) {
      // While a frame hangs, Playwright's keys and mouse wait for it. preview.spec.ts tests the message about it.
      await putDeed(here.app, "index.html", page("<h1>stuck</h1><script>setTimeout(() => { for (;;); }, 100)</script>"));
      await expect(pane(here).getByRole("alert")).toContainText("stuck in a loop");
      await pane(here).getByRole("button", { name: "Stop page" }).dispatchEvent("click");
      await expect(pane(here).getByText("The page is stopped.")).toBeVisible();
    },
  },
];
