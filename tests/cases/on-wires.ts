import { test } from "vitest";
import { type WireName, wireNames } from "../stand-in/wire.ts";

/** One case on each wire that it applies to. Its title begins with its number. */
export function onWires(title: string, body: (name: WireName) => Promise<void>, names: readonly WireName[] = wireNames): void {
  for (const name of names) test(`${title} [${name}]`, () => body(name));
}
