import { expect, test } from "vitest";
import type { BridgeAnswer } from "../../../src/protocol/index.ts";
import { bench } from "../harness.ts";

const key = "a-key-that-is-long-enough";

test.each([
  ["ws://127.0.0.1:7870", "ws://127.0.0.1:7870"],
  ["ws://localhost:7870/", "ws://localhost:7870"],
  // The address as the bridge prints it.
  ["http://127.0.0.1:7870/", "ws://127.0.0.1:7870"],
  ["https://192.168.1.20:7870/", "wss://192.168.1.20:7870"],
  ["HTTPS://laptop.example", "wss://laptop.example"],
  [" wss://[::1]:7870 ", "wss://[::1]:7870"],
])("the bridge's address %s is read as %s", async (typed, address) => {
  const b = await bench();
  const answer = await b.ask("PUT", "/bridge", { key, address: typed });
  expect([answer.status, ((await answer.json()) as BridgeAnswer).address]).toEqual([200, address]);
});

test.each([
  "ws://192.168.1.20:7870",
  "http://192.168.1.20:7870",
  "http://laptop.example",
  "ftp://127.0.0.1:7870",
  "httpss://laptop.example",
  "https://you@laptop.example",
  "https://laptop.example/app",
  "https://laptop.example?psk=x",
  "wss://",
  "127.0.0.1:7870",
  "",
])("the address %j is refused: it is none, or what is said would cross a network in the clear", async (address) => {
  const b = await bench();
  const answer = await b.ask("PUT", "/bridge", { key, address });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("expected wss:// or https:// and a host")]);
});
