import { expect } from "vitest";
import { commandCall, goesOn, goesOnDenying, incomplete, startCase, undecided } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const authorized = "> Authorized: run_command\n";
const reply = { blocks: [{ text: "Hello, world" }, commandCall("a")] };
/** The complete call, as it is sent after the user denied it. */
const denied = [
  { call: "a", name: "run_command", input: { command: "echo a" } },
  { result: "a", text: expect.stringMatching(/denied/) as string },
];

onWires("34. a clean end without its marker is interrupted, and no tool runs", async (name) => {
  const one = await startCase(name, { main: authorized });
  one.wire.play({ ...reply, faults: { noEnd: true } });
  const frames = await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello, world", undecided("a"), "Stop: interrupted"]);
  expect([await one.status(), one.commands]).toEqual(["waiting", []]);
  expect(frames.at(-1)).toMatchObject({ type: "done", result: { interrupted: true, content: "Hello, world" } });
  expect(await goesOnDenying(one, ["a"])).toEqual([
    { user: "Go" },
    { assistant: "Hello, world" },
    ...denied,
    { user: "What now, after 1?" },
  ]);
});

const cuts = [
  ["text", "Hel", [], []],
  ["call", "Hello, world", [incomplete("a")], []],
  ["last", "Hello, world", [undecided("a")], ["a"]],
] as const;
for (const [cut, said, calls, waiting] of cuts) {
  onWires(`35. a socket cut at ${cut}: interrupted, what came is kept, no call runs`, async (name) => {
    const one = await startCase(name, { main: authorized });
    one.wire.play({ ...reply, faults: { cut } });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", said, ...calls, "Stop: interrupted"]);
    expect([await one.status(), one.commands, one.wire.requests.length]).toEqual(["waiting", [], 1]);
    const behind = waiting.length > 0 ? denied : [];
    expect(await goesOnDenying(one, waiting)).toEqual([{ user: "Go" }, { assistant: said }, ...behind, { user: "What now, after 1?" }]);
    expect(one.commands).toEqual([]);
  });
}

onWires("35. a socket cut before anything was said: what can be sent goes on", async (name) => {
  const one = await startCase(name);
  one.wire.play({ ...reply, faults: { cut: "start" } });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Stop: interrupted"]);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { user: "What now, after 1?" }]);
});
