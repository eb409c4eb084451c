import { connect, createServer, type Socket } from "node:net";

/** A proxy whose connections can be cut. */
export interface Proxy {
  readonly port: number;
  /** Breaks all connections at once. New connections still work. */
  cut(): void;
  close(): void;
}

/** `target`: the port that new connections lead to, or null for none. */
export async function openProxy(target: () => number | null): Promise<Proxy> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const port = target();
    if (port === null) return void near.destroy();
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    port: address.port,
    cut: () => open.forEach((socket) => socket.destroy()),
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
