import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Passes requests from real sockets to the engine's router, as the bridge does. `open`: agents need no key. */
export async function serve(fetch: (request: Request) => Promise<Response>, open: boolean) {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const headers = new Headers(
        Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : [])),
      );
      if (open) headers.set("x-vibey-open-agents", "1");
      const body = pieces.length === 0 ? null : Buffer.concat(pieces);
      const answer = await fetch(new Request(`http://engine${incoming.url ?? "/"}`, { method: incoming.method ?? "GET", headers, body }));
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
