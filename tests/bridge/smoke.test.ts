import { expect, test } from "vitest";
import { say } from "../engine/harness.ts";
import { smoke } from "./smoke.ts";
import { openBridge, openTown } from "./town.ts";

test("the smoke test finds nothing wrong with a bridge, a page and a session, and changes nothing", async () => {
  const t = await openTown([say("Done.")]);
  const address = `http://127.0.0.1:${t.bridge.port}`;
  await t.ask("POST", "/api/sessions", { provider: "claude", message: "Begin" });
  let state = "";
  while (!state.includes('"idle":1')) state = await t.said("GET", "/api/state");
  const before = await t.b.dialog();
  const { code, lines } = await smoke(address);
  expect([code, lines.length, lines.filter((line) => !line.startsWith("ok  "))]).toEqual([0, 10, []]);
  expect(await t.b.dialog()).toEqual(before);
});

test("it says what is wrong: no page, another key, no bridge, and asks only for what needs no key without one", async () => {
  const bridge = await openBridge();
  const address = `http://127.0.0.1:${bridge.port}`;
  const without = await smoke(address);
  expect([without.code, without.lines.at(-1)]).toEqual([1, expect.stringMatching(/^FAIL {2}a page is connected/)]);
  const wrong = await smoke(address, "another key, long enough");
  expect([wrong.code, wrong.lines.join("\n")]).toEqual([1, expect.stringMatching(/FAIL {2}GET \/api\/state: 401/)]);
  const keyless = await smoke(address, "");
  expect([keyless.code, keyless.lines.length]).toEqual([0, 4]);
  await bridge.close();
  const gone = await smoke(address);
  expect([gone.code, gone.failed]).toEqual([1, expect.stringMatching(/^No bridge answers at /)]);
});
