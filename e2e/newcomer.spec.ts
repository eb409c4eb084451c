// A newcomer opens Vibey with a phone's network and processor, and ends up playing the demo's game.
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { serve } from "../scripts/serve.mjs";
import { expect, test as base } from "./app.ts";
import { gameFrame } from "./game.ts";
import { approve, panel } from "./hands.ts";
import { slowLink, slowProcessor } from "./slow.ts";

/** A host like a real, distant one: it compresses what it sends. */
const test = base.extend<{ host: string }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async host({}, use) {
    const server = await serve({ root: resolve(process.env["VIBEY_DIST"] ?? "dist"), base: "/vibey/", port: 0, compress: true });
    const link = await slowLink((server.address() as AddressInfo).port);
    await use(`http://localhost:${link.port}/vibey/`);
    link.close();
    server.closeAllConnections();
    server.close();
  },
});
test.use({ serviceWorkers: "allow", newcomer: true });

test("from a cold cache, on a slow network: welcome, the demo, the first approval, the diff, the game", { tag: "@long" }, async ({
  app,
  host,
}) => {
  const { page } = app;
  await slowProcessor(page);
  await page.goto(host);
  await expect(page.getByRole("heading", { name: /^Write what you want/ })).toBeVisible();
  await page.getByRole("button", { name: "Play the demo" }).click();
  for (const asks of [
    "The agent wants to run a command",
    "The agent wants to write a file",
    "The agent needs 2 decisions",
    "The agent wants to edit a file",
  ]) {
    const request = panel(page).getByRole("heading", { name: asks });
    await expect(request).toBeVisible();
    if (asks.endsWith("edit a file")) await expect(panel(page).locator(".diff-add").first()).toBeVisible();
    await approve(page);
    await expect(request).toBeHidden();
  }
  // The preview has opened by itself. It reloads for each edited file, so close and open it after the last edit.
  await expect(page.getByRole("region", { name: "Preview", exact: true })).toBeVisible();
  await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
  for (let times = 0; times < 2; times += 1) await page.getByRole("button", { name: "Preview", exact: true }).click();
  const frame = await gameFrame(page);
  for (const [row, column] of [
    [1, 3],
    [1, 1],
    [2, 2],
    [1, 2],
    [3, 1],
  ])
    await frame.getByRole("button", { name: `Row ${row}, column ${column}` }).click();
  await expect(frame.getByRole("status")).toHaveText("X wins.");
  // The page plays already, but its style sheet is still to come from the second agent. Each load of the page reports that.
  expect([...new Set(app.complaints)]).toEqual(["error: Not allowed to load local resource: blob:missing/style.css"]);
});
