import type { ClaudeStandIn } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { expect, openWithKey } from "./steps.ts";

/** The app with a key and a WebContainer, as if it was chosen in the settings and the page reloaded. */
export async function openWithWebContainer(app: App, claude: ClaudeStandIn): Promise<void> {
  await app.open();
  await app.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const scope = new URL("./", document.baseURI).href;
    await (await caches.open(`vibey-isolation-${scope}`)).put(`${scope}isolation`, new Response("credentialless"));
  });
  await app.json("PUT", "sandbox", { sandbox: "webcontainer" });
  await openWithKey(app, claude);
  expect(await app.page.evaluate(() => crossOriginIsolated)).toBe(true);
}
