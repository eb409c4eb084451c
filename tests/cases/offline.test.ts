import { expect } from "vitest";
import { goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";

onWires("37. offline: said at once, nothing is asked again, and the message is kept", async (name) => {
  const one = await startCase(name);
  one.world.network.up = false;
  const frames = await one.say("Go");
  expect(frames).toContainEqual({ type: "error", error: expect.stringMatching(/offline/) as string });
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", expect.stringMatching(/^Stop: error .*offline/)]);
  expect([await one.status(), one.world.asked.length, one.world.timers.waiting]).toEqual(["waiting", 1, []]);
  one.world.network.up = true;
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { user: "What now, after 0?" }]);
});
