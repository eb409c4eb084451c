import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { chromiumArguments, ensureChromium } from "../../scripts/browser.mjs";

/**
 * A browser that is watched for every host name below `leak.localhost` that it resolves or connects to: by its own network log, which tells
 * lookups, and by a listener that reads what comes over TCP (a name stands in a TLS greeting as it does in HTTP) and UDP. Such names lead to
 * this machine without a name server. The browser keeps a profile, since one without never connects ahead of time.
 */
export interface Watch {
  readonly context: BrowserContext;
  /** A URL that holds a name to be seen. */
  readonly address: (name: string) => string;
  /** Names whose connections arrived so far. */
  readonly connected: ReadonlySet<string>;
  /** Closes the browser, and gives every name that it looked up or connected to. */
  finish(): Promise<ReadonlySet<string>>;
}

const names = /([a-z0-9-]+)\.leak\.localhost/gi;

function namesIn(text: string): string[] {
  return [...text.matchAll(names)].map(([, name = ""]) => name.toLowerCase());
}

export async function startWatch(): Promise<Watch> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-leaks-"));
  const log = join(folder, "net.json");
  const connected = new Set<string>();
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      for (const name of namesIn(heard)) connected.add(name);
      if (heard.length > 4_096) socket.destroy();
    });
    // The browser gives up on a server that says nothing.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const packets = createSocket("udp4");
  packets.on("message", (data) => {
    const found = namesIn(data.toString("latin1"));
    for (const name of found.length > 0 ? found : ["a-packet"]) connected.add(name);
  });
  await new Promise<void>((resolve) => packets.bind(port, "127.0.0.1", resolve));

  // Turned off, it would take connecting ahead of time away; the headless shell never does it.
  const background = "--disable-background-networking";
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: ensureChromium(),
    args: [...chromiumArguments.filter((each) => each !== background), `--log-net-log=${log}`],
    ignoreDefaultArgs: [background],
    serviceWorkers: "allow",
  });
  return {
    context,
    address: (name) => `https://${name}.leak.localhost:${port}/`,
    connected,
    async finish() {
      try {
        await context.close();
        const seen = new Set(connected);
        for (const name of namesIn(readFileSync(log, "utf8"))) seen.add(name);
        return seen;
      } finally {
        for (const socket of sockets) socket.destroy();
        listener.close();
        packets.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
