import { expect, test } from "vitest";
import type { FromPorts } from "../../src/shell/embedded/loopback/messages.ts";
import { servePorts } from "../../src/shell/embedded/loopback/over-messages.ts";
import { createPorts, type End } from "../../src/shell/embedded/loopback/ports.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** An asker connected to a port, its received messages, and the other end. */
async function connected() {
  const ports = createPorts();
  let far: End | null = null;
  await ports.listen(3000, (end) => {
    far = end;
    return { data: () => undefined, end: () => undefined, close: () => undefined };
  });
  const told: FromPorts[] = [];
  const served = servePorts(ports, (message) => void told.push(message));
  served.hear({ kind: "connect", id: 1, port: 3000 });
  await turn();
  const send = async (size: number): Promise<void> => {
    far?.send(new Uint8Array(size));
    await turn();
  };
  return { served, told, send };
}

const kinds = (told: readonly FromPorts[]): string => told.map(({ kind }) => kind).join(" ");

test("a connection is closed that brings more than its reader takes", async () => {
  const { told, send } = await connected();
  for (let i = 0; i < 6; i++) await send(16_000_000);
  expect(kinds(told)).toBe("connected data data data data close");
});

test("what was received counts no more, and no more than all of it", async () => {
  const { served, told, send } = await connected();
  for (let i = 0; i < 6; i++) {
    await send(16_000_000);
    served.hear({ kind: "took", size: 1e12 });
  }
  expect(kinds(told)).toBe("connected data data data data data data");
});
