import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Change = "open" | "close";

interface Ports {
  /** The machine's port behind an open port of the container. */
  machinePort(port: number): number | null;
  close(): void;
}

/** Listens in its own folder for reports of a container's processes about the ports they open and close (`inside/ports.cjs`). */
export async function hearPorts(folder: string, changed: (port: number, type: Change) => void): Promise<Ports> {
  /** The machine's ports behind each of the container's ports. A server with several processes has several. */
  const open = new Map<number, number[]>();
  const change = (type: Change, port: number, at: number) => {
    const before = open.get(port) ?? [];
    const after = type === "open" ? [...before, at] : before.toSpliced(before.indexOf(at), 1);
    if (after.length > 0) open.set(port, after);
    else open.delete(port);
    if (before.length === 0 || after.length === 0) changed(port, type);
  };
  const server = createServer((socket) => {
    const own: { port: number; at: number }[] = [];
    // A killed process breaks its connection.
    socket.on("error", () => socket.destroy());
    createInterface(socket)
      .on("line", (line) => {
        const { type, port, at } = JSON.parse(line) as { type: Change; port: number; at: number };
        if (type === "open") own.push({ port, at });
        else
          own.splice(
            own.findIndex((each) => each.port === port && each.at === at),
            1,
          );
        change(type, port, at);
      })
      .on("close", () => {
        for (const { port, at } of own) change("close", port, at);
      });
  });
  await mkdir(folder);
  server.listen(join(folder, "socket"));
  await once(server, "listening");
  return { machinePort: (port) => open.get(port)?.at(-1) ?? null, close: () => void server.close() };
}
