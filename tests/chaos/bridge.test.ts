import { expect, test } from "vitest";
import { runBridgeKills } from "../../chaos/bridge/kills.ts";
import { buildBridge } from "../../scripts/bridge-build.mjs";

test("a small campaign: while bridge, page and the connections between them are killed, nothing acknowledged is lost and nothing is done twice", async () => {
  const script = await buildBridge(".cache/bridge-test");
  const { kills, messages, commands, broken } = await runBridgeKills({ times: 12, seed: 7, script, programs: 2 });
  expect(broken).toEqual([]);
  expect([Object.values(kills).reduce((one, other) => one + other), messages > 2, commands > 0]).toEqual([12, true, true]);
});
