import { expect } from "vitest";
import { commandCall, goesOn, goesOnDenying, incomplete, startCase, stoppedByHuman, undecided, type Case } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const authorized = { main: "> Authorized: run_command\n" };
const reply = { blocks: [{ text: "Hello, world" }, commandCall("a")] };

/** Sends `Go` and stops the dialog when `is` holds. */
async function stoppedWhen(one: Case, is: Parameters<Case["until"]>[0]): Promise<void> {
  const turn = one.say("Go");
  await one.until(is);
  await one.stop();
  await turn;
}

const begins = (id: string) => (dialog: Awaited<ReturnType<Case["until"]>>) => dialog.markdown.includes(`\n> ${incomplete(id)}\n`);
const isWhole = (id: string) => (dialog: Awaited<ReturnType<Case["until"]>>) =>
  dialog.markdown.includes(`\nTool request: run_command [${id}]\n`);

onWires("28. stopped before the first token: the section stays with its stop, and nothing of it is sent", async (name) => {
  const one = await startCase(name);
  one.wire.play({ silence: true });
  await stoppedWhen(one, () => one.wire.requests.length === 1);
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Stop: aborted"]);
  expect(await one.wire.requests[0]?.left).toBe(true);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { user: "What now, after 1?" }]);
});

onWires("29. stopped in the midst of a call's input: its line and the text are kept, and it is no call", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ ...reply, faults: { stall: "call" } });
  await stoppedWhen(one, begins("a"));
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello, world", incomplete("a"), "Stop: aborted"]);
  expect(one.commands).toEqual([]);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "Hello, world" }, { user: "What now, after 1?" }]);
});

onWires("30. stopped in a text: what was said is kept to its last space, which is not sent", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [{ text: "So " }, commandCall("a")], faults: { stall: "call" } });
  await stoppedWhen(one, begins("a"));
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "So ", incomplete("a"), "Stop: aborted"]);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "So" }, { user: "What now, after 1?" }]);
});

onWires("31. stopped while it waits to ask again: at once, and nothing more is asked", async (name) => {
  const one = await startCase(name);
  one.wire.play({ failure: "overloaded", headers: { "retry-after": "30" } });
  await stoppedWhen(one, ({ activity }) => activity?.kind === "retrying");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Stop: aborted"]);
  expect([one.wire.requests.length, one.world.timers.waiting]).toEqual([1, []]);
  await goesOn(one);
});

onWires(
  "32. stopped behind a whole call that nobody decided about: it is answered as stopped, and nothing hangs on the wire",
  async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ ...reply, faults: { stall: "last" } });
    await stoppedWhen(one, isWhole("a"));
    expect(await one.shown()).toEqual([
      "user:",
      "Go",
      "assistant:",
      "Hello, world",
      `${undecided("a")} -> ${stoppedByHuman}`,
      "Stop: aborted",
    ]);
    expect([one.commands, await one.status()]).toEqual([[], "waiting"]);
    expect(await goesOn(one)).toEqual([
      { user: "Go" },
      { assistant: "Hello, world" },
      { call: "a", name: "run_command", input: { command: "echo a" } },
      { result: "a", text: expect.stringContaining("stopped by the user before it ran") as string },
      { user: "What now, after 1?" },
    ]);
    expect(one.commands).toEqual([]);
  },
);

onWires("32. stopped while a call waits for the human: it stays, is answered, and the next request is valid", async (name) => {
  const one = await startCase(name);
  one.wire.play(reply);
  await one.say("Go");
  await one.stop();
  expect((await one.shown()).at(-1)).toBe('run_command[a] {"command":"echo a"} undecided');
  const sent = await goesOn(one, { a: "deny" });
  expect(sent).toContainEqual({ result: "a", text: expect.stringMatching(/denied/) as string });
  expect(one.commands).toEqual([]);
});

onWires("33. stopped by a human and cut by the network are two states", async (name) => {
  const one = await startCase(name);
  one.wire.play({ ...reply, faults: { stall: "call" } }, { ...reply, faults: { noEnd: true } });
  await stoppedWhen(one, begins("a"));
  await one.say("Again");
  expect((await one.shown()).slice(2)).toEqual([
    "assistant:",
    "Hello, world",
    incomplete("a"),
    "Stop: aborted",
    "user:",
    "Again",
    "assistant:",
    "Hello, world",
    undecided("a"),
    "Stop: interrupted",
  ]);
  await goesOnDenying(one, ["a"]);
});
