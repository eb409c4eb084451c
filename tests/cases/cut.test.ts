import { expect } from "vitest";
import { commandCall, goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const authorized = "> Authorized: run_command\n";
const reply = { blocks: [{ text: "Hello, world" }, commandCall("a")] };

onWires("34. a clean end without its marker is interrupted, and no tool runs", async (name) => {
  const one = await startCase(name, { main: authorized });
  one.wire.play({ ...reply, faults: { noEnd: true } });
  const frames = await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello, world", "Stop: interrupted"]);
  expect([await one.status(), one.commands]).toEqual(["waiting", []]);
  expect(frames.at(-1)).toMatchObject({ type: "done", result: { interrupted: true, content: "Hello, world" } });
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "Hello, world" }, { user: "What now, after 1?" }]);
});

for (const cut of ["text", "call", "last"] as const) {
  onWires(`35. a socket cut at ${cut}: interrupted, the text is kept, no call runs`, async (name) => {
    const one = await startCase(name, { main: authorized });
    one.wire.play({ ...reply, faults: { cut } });
    await one.say("Go");
    const said = cut === "text" ? "Hel" : "Hello, world";
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", said, "Stop: interrupted"]);
    expect([await one.status(), one.commands, one.wire.requests.length]).toEqual(["waiting", [], 1]);
    expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: said }, { user: "What now, after 1?" }]);
  });
}

onWires("35. a socket cut before anything was said: what can be sent goes on", async (name) => {
  const one = await startCase(name);
  one.wire.play({ ...reply, faults: { cut: "start" } });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Stop: interrupted"]);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { user: "What now, after 1?" }]);
});
