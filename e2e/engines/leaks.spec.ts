import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { allWays, leaving, pageOf, type Way } from "../leaks/ways.ts";
import type { Tab } from "./engine.ts";
import { ask, button, click, inPage, see, shows } from "./hands.ts";
import { test } from "./test.ts";

/** The hosts to which a previewed page connects, recorded by a listener that reads the name in the TLS greeting. DNS lookups aren't seen here. */
async function listenForNames() {
  const connected = new Set<string>();
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      for (const [, name = ""] of heard.matchAll(/([a-z0-9-]+)\.leak\.localhost/gi)) connected.add(name.toLowerCase());
      socket.destroy();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    connected,
    address: (name: string) => `https://${name}.leak.localhost:${port}/`,
    close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}

/** Opens a page in the preview of a newly opened app, and waits until its console says that it is done. */
async function preview(tab: Tab, source: string, tried: number): Promise<void> {
  expect((await ask(tab, "PUT", "deed/index.html", source)).status).toBe(200);
  await click(tab, button("Preview"));
  await see(tab, ["fieldset", /The preview can't keep this page off the network/]);
  await click(tab, button("Run anyway"));
  await shows(tab, ["[aria-label='Preview console']"], `tried ${tried}`, { timeout: 60_000 });
}

/** Ways that work on an unprotected page in every engine. They prove that the listener sees connections. */
const seenOutside = ["fetch", "image", "script", "frame", "xhr"];

test("a previewed page connects to no host", { tag: "@long" }, async ({ engine, open, startAnother }) => {
  test.setTimeout(240_000);
  const names = await listenForNames();
  const ways = allWays(false);
  const of = (prefix: string) => [...names.connected].filter((name) => name.startsWith(`${prefix}-`)).toSorted();
  const page = (each: readonly Way[], prefix: string) => pageOf(each, prefix, names.address);
  const serve = (source: string) => startAnother({ headers: false, tamper: (path, text) => (path === "index.html" ? source : text) });
  const outside = await engine.newTab();
  const unprotected = async (source: string) => outside.goto((await serve(source)).url);

  let settled = 0;
  /** Waits for two later connections of an unprotected page. Anything begun earlier has arrived by then. */
  const settle = async () => {
    await unprotected("<!doctype html><title>outside</title>");
    for (let i = 0; i < 2; i += 1) {
      settled += 1;
      await inPage(outside, (url) => void fetch(url, { mode: "no-cors" }).catch(() => 0), names.address(`after-${settled}`));
      await expect.poll(() => names.connected.has(`after-${settled}`)).toBe(true);
    }
  };

  await unprotected(page(ways, "o"));
  await expect.poll(() => seenOutside.filter((name) => !names.connected.has(`o-${name}`)), { timeout: 60_000 }).toEqual([]);
  await settle();
  console.log(`  ${ways.length} ways; ${of("o").length} are seen in an unprotected page`);

  const tab = await open();
  await preview(tab, page(ways, "h"), ways.length);
  await settle();
  expect.soft(of("h")).toEqual([]);
  await tab.close();
  for (const way of leaving) {
    const again = await open("", await startAnother());
    await preview(again, page([way], "h"), 1);
    await settle();
    await again.close();
  }
  expect(of("h")).toEqual([]);
  await outside.close();
  names.close();
});

test("a click in a previewed page opens no tab and no download, whatever is held down", { tag: "@long" }, async ({
  engine,
  open,
  startAnother,
}) => {
  test.setTimeout(240_000);
  const names = await listenForNames();
  const page = (prefix: string) =>
    `<!doctype html><a href="${names.address(`${prefix}-link`)}" style="position: fixed; inset: 0">x</a>
    <script>
      for (const type of ["click", "auxclick"])
        addEventListener(type, (event) => {
          // The console shows equal lines in a row as one.
          console.log("clicked");
          event.stopImmediatePropagation();
        }, true);
      console.log("tried 1");
    </script>`;
  // WebKit's driver presses the left button instead of the middle one.
  const middle = test.info().project.name === "firefox" ? [{ middle: true }] : [];
  const clicks = [{ held: "Control" }, { held: "Shift" }, { held: "Alt" }, ...middle] as const;
  const tab = await open();
  await preview(tab, page("h"), 1);
  const at = await inPage(tab, () => {
    const frame = [...document.querySelectorAll("iframe")].find(({ clientWidth }) => clientWidth > 100);
    if (frame === undefined) throw new Error("there is no preview");
    const { left, top } = frame.getBoundingClientRect();
    return { x: left + 80, y: top + 80 };
  });
  const told = () =>
    inPage(tab, () => document.querySelector("[aria-label='Preview console']")?.textContent?.split("opens no tabs").length);
  for (const [nth, options] of clicks.entries()) {
    await tab.clickAt(at.x, at.y, options);
    await expect.poll(told).toBe(nth + 2);
  }
  const outside = await engine.newTab();
  const { url } = await startAnother({ headers: false, tamper: (path, text) => (path === "index.html" ? page("o") : text) });
  await outside.goto(url);
  await outside.clickAt(100, 100, { held: "Control" });
  await expect.poll(() => names.connected.has("o-link")).toBe(true);
  expect([...names.connected]).toEqual(["o-link"]);
  names.close();
});
