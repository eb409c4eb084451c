import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const servers = new Map<string, { readonly server: Server; readonly seen: string[] }>();

/** Starts a server that lets all pages read its answers, and returns its address. Called by tests in a browser: see vitest.config.ts. */
export async function watch(): Promise<string> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" }).end("1");
  });
  server.on("upgrade", (request, socket) => {
    seen.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  servers.set(address, { server, seen });
  return address;
}

/** Stops the server at this address, and returns the requests that it received. */
export function seenBy(address: string): readonly string[] {
  const found = servers.get(address);
  found?.server.close();
  servers.delete(address);
  return found?.seen ?? [];
}
