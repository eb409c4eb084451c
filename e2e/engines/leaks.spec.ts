import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { allWays, leaving, pageOf, type Way } from "../leaks/ways.ts";
import type { Tab } from "./engine.ts";
import { ask, button, click, inPage, reads, see } from "./hands.ts";
import { test } from "./test.ts";

/** Connections that a previewed page makes, seen by a listener: a name stands in the greeting of TLS. Lookups of names are not seen here. */
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

/** The page in the preview of an app that was just opened; done when its console says so. */
async function preview(tab: Tab, source: string, tried: number): Promise<void> {
  expect((await ask(tab, "PUT", "deed/index.html", source)).status).toBe(200);
  await click(tab, button("Preview"));
  await see(tab, ["fieldset", /The preview can't keep this page off the network/]);
  await click(tab, button("Run anyway"));
  await reads(tab, ["[aria-label='Console of the preview']"], `tried ${tried}`, { timeout: 60_000 });
}

test("a previewed page connects to no host, but for what the preview says before it runs", async ({ open, startAnother }) => {
  test.setTimeout(240_000);
  const names = await listenForNames();
  const ways = allWays(false);
  const source = (of: readonly Way[]) => pageOf(of, "h", names.address);
  let settled = 0;
  /** What was begun before two later connections of an unprotected page has come by then. */
  const settle = async (tab: Tab) => {
    for (let i = 0; i < 2; i += 1) {
      settled += 1;
      await inPage(tab, (url) => void fetch(url, { mode: "no-cors" }).catch(() => 0), names.address(`after-${settled}`));
      await expect.poll(() => names.connected.has(`after-${settled}`)).toBe(true);
    }
  };
  const bare = await startAnother({ headers: false, tamper: (path, text) => (path === "licences.txt" ? "" : path.endsWith("index.html") ? "<!doctype html><title>bare</title><div role=tablist>x</div>" : text) });
  const outside = await open("", bare);
  // The listener sees what an unprotected page does.
  await settle(outside);

  const tab = await open();
  await preview(tab, source(ways), ways.length);
  await settle(outside);
  const seen = () => [...names.connected].filter((name) => name.startsWith("h-")).toSorted();
  console.log("ways", seen());
  expect.soft(seen()).toEqual([]);
  await tab.close();
  for (const way of leaving) {
    const again = await open("", await startAnother());
    await preview(again, source([way]), 1);
    await settle(outside);
    await again.close();
    console.log(way.name, seen());
  }
  names.close();
});
