import { expect } from "vitest";
import { limits } from "../../src/protocol/limits.ts";
import type { Place, WireName } from "../stand-in/wire.ts";
import { commandCall, goesOn, goesOnDenying, incomplete, patiently, startCase, undecided } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const reply = { blocks: [{ text: "Hello, world" }, commandCall("a")] };
const kept: readonly (readonly [Place, readonly string[]])[] = [
  ["start", []],
  ["text", ["Hel"]],
  ["call", ["Hello, world", incomplete("a")]],
  ["last", ["Hello, world", undecided("a")]],
];

/** OpenAI's models send nothing while they think. */
const firstWordMs = (name: WireName) => (name === "messages" ? limits.streamIdleMs : limits.thinkingMs);

for (const [stall, words] of kept) {
  onWires(`36. a stream that stalls at ${stall} is given up`, async (name) => {
    const one = await startCase(name, { main: "> Authorized: run_command\n" });
    one.wire.play({ ...reply, faults: { stall } });
    const turn = one.say("Go");
    const [text] = words;
    if (text === undefined) await one.until(() => one.wire.requests.length === 1);
    else await one.until(({ messages }) => messages.at(-1)?.parts.some((part) => part.kind === "text" && part.text === text) ?? false);
    await patiently(one, turn, words.length === 0 ? firstWordMs(name) : limits.streamIdleMs);
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ...words, "Stop: interrupted"]);
    expect([await one.status(), one.commands, one.wire.requests.length]).toEqual(["waiting", [], 1]);
    expect(await one.wire.requests[0]?.left).toBe(true);
    await goesOnDenying(one, stall === "last" ? ["a"] : []);
    expect(one.commands).toEqual([]);
  });
}

onWires("36. a server that never answers is given up", async (name) => {
  const one = await startCase(name);
  one.wire.play({ silence: true });
  const turn = one.say("Go");
  await one.until(() => one.wire.requests.length === 1 && one.world.timers.waiting.length > 0);
  expect(one.world.timers.waiting).toEqual([firstWordMs(name)]);
  one.world.timers.advance(firstWordMs(name));
  await turn;
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Stop: interrupted"]);
  await goesOn(one);
});
