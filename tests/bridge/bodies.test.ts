import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createBodies } from "../../bridge/bodies.ts";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

test("a body's pieces are given up once they are joined, also while its call is still under way", async () => {
  const request = Object.assign(new EventEmitter(), { headers: {} });
  const response = Object.assign(new EventEmitter(), { req: { socket: new EventEmitter() } });
  const bodies = createBodies({ bytes: 100, atOnce: 2, ms: 30_000 });
  const reading = bodies.read(request as IncomingMessage, response as unknown as ServerResponse, 100);
  const piece = () => {
    const bytes = Buffer.from("a piece");
    request.emit("data", bytes);
    return new WeakRef(bytes);
  };
  const pieces = [piece(), piece()];
  request.emit("end");
  expect(await reading).toEqual(Buffer.from("a piecea piece"));
  // A WeakRef holds its target until the current task is over.
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof collect === "function") collect();
  expect(pieces.map((ref) => ref.deref())).toEqual([undefined, undefined]);
  response.emit("close");
});
