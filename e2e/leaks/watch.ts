import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { chromiumArguments, ensureChromium } from "../../scripts/browser.mjs";

/**
 * A browser that is watched for every host name below `leak.localhost` that it resolves or connects to. Its own network log shows lookups, and a
 * listener reads TCP (a TLS greeting contains the name, as HTTP does) and UDP. These names resolve to this machine without a name server. The
 * browser has a profile, because without one it never connects ahead of time.
 */
export interface Watch {
  readonly context: BrowserContext;
  /** A URL with a host name that the watch will recognize. */
  readonly address: (name: string) => string;
  /** Names whose connections have arrived so far. */
  readonly connected: ReadonlySet<string>;
  /** Closes the browser and returns every name that it looked up or connected to. */
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
    // The browser gives up on a server that sends nothing.
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

  // Don't pass this flag: it disables connecting ahead of time. The headless shell never does that.
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
