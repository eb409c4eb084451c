import { expect } from "vitest";
import type { WireEvent } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { commandCall, goesOn, goesOnDenying, incomplete, startCase, undecided } from "./engine.ts";
import { changeCalls, changeChunks, dropEvents, withoutCallId } from "./edits.ts";
import { onWires } from "./on-wires.ts";

const authorized = { main: "> Authorized: run_command\n" };
const done: WireReply = { blocks: [{ text: "Done." }] };
const ran = (id: string, command: string) =>
  `run_command[${id}] {"command":"${command}"} approved -> {"success":true,"stdout":"${command}\\n","stderr":"","ms":1}`;

/** A call that can't run gets an automatic result, and the loop continues. Returns that result. */
async function answered(name: Parameters<typeof startCase>[0], call: WireReply["blocks"][number]) {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [{ text: "So:" }, call] }, done);
  await one.say("Go");
  expect(one.commands).toEqual([]);
  const words = await one.shown();
  expect([words.slice(0, 4), words.slice(5)]).toEqual([
    ["user:", "Go", "assistant:", "So:"],
    ["assistant:", "Done."],
  ]);
  const [result] = one.sent().filter((sent) => "result" in sent);
  await goesOn(one);
  return { inFile: words[4] ?? "", sent: one.sent(), result: result?.text ?? "" };
}

for (const [what, json] of [
  ["a call whose input never came", ""],
  ["a call with null as its input", "null"],
] as const) {
  onWires(`1. ${what} is a call with {}`, async (name) => {
    const { inFile, sent, result } = await answered(name, { call: "run_command", id: "a", json });
    expect(inFile).toMatch(/^run_command\[a\] \{\} undecided -> /);
    expect(result).toContain("command");
    expect(sent).toContainEqual({ call: "a", name: "run_command", input: {} });
  });
}

for (const nothing of ["", null]) {
  onWires(
    `2. arguments of ${JSON.stringify(nothing)} are {}, and are sent back as such`,
    async (name) => {
      const one = await startCase(name, authorized);
      const edit = changeCalls((call) => ({ ...call, arguments: nothing }));
      one.wire.play({ blocks: [{ text: "So:" }, { call: "run_command", id: "a", json: "{}" }], faults: { edit } }, done);
      await one.say("Go");
      expect((await one.shown())[4]).toMatch(/^run_command\[a\] \{\} undecided -> /);
      expect(one.sent()).toContainEqual({ call: "a", name: "run_command", input: {} });
      expect(one.wire.requests.at(-1)?.raw).toContain('"arguments":"{}"');
    },
    ["chat", "responses"],
  );
}

for (const json of ['{"command": "ls"', '{"command": ls}', "ls", "{}{}"]) {
  onWires(`3. ${json} is no JSON: shown, not run, told to the model`, async (name) => {
    const { inFile, sent, result } = await answered(name, { call: "run_command", id: "a", json });
    expect(inFile).toContain(`run_command[a] ${JSON.stringify({ invalid: json })} undecided -> `);
    expect(result).toMatch(/JSON/);
    expect(sent).toContainEqual({ call: "a", name: "run_command", input: {} });
  });
}

for (const json of ['["ls"]', '"ls"', "3"]) {
  onWires(`4. ${json} is no object: not run, and {} in the history`, async (name) => {
    const { inFile, sent, result } = await answered(name, { call: "run_command", id: "a", json });
    expect(inFile).toContain(JSON.stringify({ invalid: json }));
    expect(result).toMatch(/object/);
    expect(sent).toContainEqual({ call: "a", name: "run_command", input: {} });
  });
}

const denied = [
  { call: "a", name: "run_command", input: { command: "ls" } },
  { result: "a", text: expect.stringMatching(/denied/) as string },
];
for (const [how, more, kept, waiting, behind] of [
  ["cut inside its JSON: never run, never sent, text kept", { json: '{"command":"ec', open: true }, incomplete("a"), [], []],
  ["whose JSON is whole: kept for the human, not run by itself", { input: { command: "ls" } }, undecided("a", "ls"), ["a"], denied],
] as const) {
  onWires(`5. the most tokens, with a call ${how}`, async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ blocks: [{ text: "So:" }, { call: "run_command", id: "a", ...more }], end: "length" });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "So:", kept, "Stop: max_tokens"]);
    expect([one.commands, await one.status()]).toEqual([[], "waiting"]);
    expect(await goesOnDenying(one, waiting)).toEqual([{ user: "Go" }, { assistant: "So:" }, ...behind, { user: "What now, after 1?" }]);
    expect(one.commands).toEqual([]);
  });
}

onWires("6. an unknown tool is told to the model, and never becomes another one", async (name) => {
  const { inFile, result } = await answered(name, { call: "run_comand", id: "a", input: { command: "ls" } });
  expect(inFile).toMatch(/^run_comand\[a\] /);
  expect(result).toMatch(/no tool.*run_comand|run_comand.*(no|unknown) tool|unknown tool.*run_comand/i);
});

for (const [what, input] of [
  ["a missing field", { directory: "/" }],
  ["a field of the wrong type", { command: 3 }],
] as const) {
  onWires(`7. ${what} is named to the model, and the human is not asked first`, async (name) => {
    const { inFile, result } = await answered(name, { call: "run_command", id: "a", input });
    expect(inFile).toContain(" undecided -> ");
    expect(result).toContain("command");
  });
}

onWires("8. a call that comes whole in one piece is one call", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("a", "ls")], faults: { edit: changeCalls((call) => call) } }, done);
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ran("a", "ls"), "assistant:", "Done."]);
  await goesOn(one);
});

const dialects: readonly (readonly [title: string, edit: (events: readonly WireEvent[]) => readonly WireEvent[]])[] = [
  ["9. a name repeated in each delta is said once", changeChunks((call) => named(call, "run_command"))],
  ["9. a name that is empty in later deltas stays", changeChunks((call) => (call["id"] === undefined ? named(call, "") : call))],
  ["10. calls without an index are told apart by their ids", changeCalls(({ index: _index, ...call }) => call)],
  ["10. deltas without an index belong to the call that began last", changeChunks(({ index: _index, ...call }) => call)],
  ["11. an index that starts at 1 leaves no hole", changeChunks((call) => ({ ...call, index: Number(call["index"]) + 1 }))],
  ["11. an index with gaps leaves no hole", changeChunks((call) => ({ ...call, index: Number(call["index"]) * 7 }))],
];
for (const [title, edit] of dialects) {
  onWires(
    title,
    async (name) => {
      const one = await startCase(name, authorized);
      one.wire.play({ blocks: [commandCall("a", "ls"), commandCall("b", "pwd")], faults: { edit } }, done);
      await one.say("Go");
      expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ran("a", "ls"), ran("b", "pwd"), "assistant:", "Done."]);
      await goesOn(one);
    },
    ["chat"],
  );
}

onWires(
  "11. a gap in the indexes of blocks or items leaves no hole",
  async (name) => {
    const one = await startCase(name, authorized);
    const edit = (events: readonly WireEvent[]) =>
      events.map((event) => ({
        ...event,
        ...("index" in event && { index: Number(event["index"]) * 3 + 1 }),
        ...("output_index" in event && { output_index: Number(event["output_index"]) * 3 + 1 }),
      }));
    one.wire.play({ blocks: [{ text: "So:" }, commandCall("a", "ls"), commandCall("b", "pwd")], faults: { edit } }, done);
    await one.say("Go");
    expect((await one.shown()).slice(2)).toEqual(["assistant:", "So:", ran("a", "ls"), ran("b", "pwd"), "assistant:", "Done."]);
    await goesOn(one);
  },
  ["messages", "responses"],
);

onWires("12. an id of 0 in every turn becomes an id of its own, in call and result alike", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("0", "ls")] }, { blocks: [commandCall("0", "pwd")] }, done);
  await one.say("Go");
  expect(one.commands).toEqual(["ls", "pwd"]);
  const sent = one.sent();
  const calls = sent.flatMap((each) => ("call" in each ? [each.call] : []));
  expect(new Set(calls).size).toBe(2);
  expect(sent.flatMap((each) => ("result" in each ? [each.result] : []))).toEqual(calls);
  await goesOn(one);
});

onWires("12. a missing id is made, and used in call and result alike", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("a", "ls")], faults: { edit: withoutCallId } }, done);
  await one.say("Go");
  expect(one.commands).toEqual(["ls"]);
  const [call, result] = one.sent().slice(1);
  expect(call && "call" in call && result && "result" in result && call.call === result.result && call.call !== "").toBe(true);
  await goesOn(one);
});

onWires("13. of two calls of one id the second gets another, and each has its own result", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("a", "ls"), commandCall("a", "pwd")] }, done);
  await one.say("Go");
  expect(one.commands).toEqual(["ls", "pwd"]);
  const results = one.sent().flatMap((each) => ("result" in each ? [each] : []));
  expect(results.map(({ text }) => (JSON.parse(text) as { stdout: string }).stdout)).toEqual(["ls\n", "pwd\n"]);
  expect(new Set(results.map(({ result }) => result)).size).toBe(2);
  await goesOn(one);
});

onWires("14. whole calls run although the response says that it ended without any", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("a", "ls")], end: "end" }, done);
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ran("a", "ls"), "assistant:", "Done."]);
});

onWires(
  "14. whole calls run although no reason to stop is given",
  async (name) => {
    const one = await startCase(name, authorized);
    const edit = (events: readonly WireEvent[]) =>
      JSON.parse(JSON.stringify(events).replace(/"(stop|finish)_reason":"\w+"/g, '"$1_reason":null')) as WireEvent[];
    one.wire.play({ blocks: [commandCall("a", "ls")], faults: { edit } }, done);
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ran("a", "ls"), "assistant:", "Done."]);
  },
  ["messages", "chat"],
);

onWires("15. text behind a call stays behind it", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [{ text: "First" }, commandCall("a", "ls"), { text: "then" }, commandCall("b", "pwd"), { text: "last" }] }, done);
  await one.say("Go");
  expect((await one.shown()).slice(2, 8)).toEqual(["assistant:", "First", ran("a", "ls"), "then", ran("b", "pwd"), "last"]);
  const said = one.sent().flatMap((each) => ("call" in each ? [each.call] : "assistant" in each ? [each.assistant] : []));
  // OpenAI's APIs want the calls of a response side by side, so the order is kept only among texts and among calls.
  if (name === "messages") expect(said).toEqual(["First", "a", "then", "b", "last"]);
  else expect(said.join("\n").split("\n").filter(Boolean)).toEqual(["First", "then", "last", "a", "b"]);
  await goesOn(one);
});

onWires("16. a call without input and the text before it are both kept", async (name) => {
  const { inFile, sent } = await answered(name, { call: "run_command", id: "a", input: {} });
  expect(inFile).toMatch(/^run_command\[a\] \{\}/);
  expect(sent.slice(1, 3)).toEqual([{ assistant: "So:" }, { call: "a", name: "run_command", input: {} }]);
});

onWires(
  "8. a call of which only the end is told is one call",
  async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ blocks: [commandCall("a", "ls")], faults: { edit: dropEvents(/arguments|item\.added/) } }, done);
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ran("a", "ls"), "assistant:", "Done."]);
  },
  ["responses"],
);

onWires(
  "5. a call that no event says is whole never runs, though the response ends by itself",
  async (name) => {
    const one = await startCase(name, authorized);
    const edit = (events: readonly WireEvent[]) =>
      dropEvents(/arguments\.done|item\.done/)(events).map((event) =>
        event["type"] === "response.completed" ? { ...event, response: { ...(event["response"] as object), output: [] } } : event,
      );
    one.wire.play({ blocks: [{ text: "So:" }, commandCall("a", "ls")], faults: { edit } });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "So:", incomplete("a"), "Stop: interrupted"]);
    expect(one.commands).toEqual([]);
    expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "So:" }, { user: "What now, after 1?" }]);
  },
  ["responses"],
);

onWires(
  "5. a block that is never closed never runs, though the response ends by itself",
  async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ blocks: [{ text: "So:" }, { call: "run_command", id: "a", json: '{"command":"ls"}', open: true }] });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "So:", incomplete("a"), "Stop: interrupted"]);
    expect(one.commands).toEqual([]);
    expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "So:" }, { user: "What now, after 1?" }]);
  },
  ["messages"],
);

onWires(
  "3. a call whose JSON is cut, in a response that says no reason but [DONE], never runs",
  async (name) => {
    const one = await startCase(name, authorized);
    const edit = (events: readonly WireEvent[]) =>
      JSON.parse(JSON.stringify(events).replace('"finish_reason":"tool_calls"', '"finish_reason":null')) as WireEvent[];
    one.wire.play({ blocks: [{ call: "run_command", id: "a", json: '{"command":"l' }], faults: { edit } }, done);
    await one.say("Go");
    expect(one.commands).toEqual([]);
    await goesOn(one);
  },
  ["chat"],
);

function named(call: WireEvent, name: string): WireEvent {
  return { ...call, function: { ...(call["function"] as object), name } };
}
