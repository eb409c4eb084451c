import { expect } from "vitest";
import type { WireEvent } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { endOf, startAlone, usageOf, words } from "./provider.ts";

const hello: WireReply = { blocks: [{ text: "Hello" }] };

onWires("56. no usage is none: no line, no number that is none", async (name) => {
  const one = await startCase(name);
  one.wire.play({ ...hello, usage: null });
  await one.say("Go");
  const { messages } = await one.until(() => true);
  expect(messages.at(-1)).toMatchObject({ usage: null, usageCumulative: null });
  expect(await one.markdown()).not.toMatch(/Usage|NaN|null|undefined/);
  await goesOn(one);
});

onWires("56. a usage of nonsense counts as none", async (name) => {
  const { wire, ask } = await startAlone(name);
  const edit = (events: readonly WireEvent[]) =>
    JSON.parse(JSON.stringify(events).replace(/"((?:input|output|prompt|completion)_tokens)":\d+/g, '"$1":"many"')) as WireEvent[];
  wire.play({ ...hello, faults: { edit } });
  const events = await ask();
  expect([words(events), usageOf(events)]).toEqual([['"Hello"', "end"], null]);
});

onWires(
  "57. counts that grow overwrite those before",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    const edit = (events: readonly WireEvent[]) =>
      events.flatMap((event) =>
        event["type"] === "message_delta"
          ? [
              { ...event, usage: { input_tokens: 30, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 2 } },
              { ...event, usage: { input_tokens: 40, output_tokens: 7 } },
            ]
          : [event],
      );
    wire.play({ ...hello, faults: { edit } });
    expect(usageOf(await ask())).toEqual({ input: 40, output: 7 });
  },
  ["messages"],
);

onWires(
  "58. null in each chunk, a chunk of usage alone, and several of them: the last one counts",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    const usage = (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens, total_tokens: 0 });
    const edit = (events: readonly WireEvent[]) => [
      ...events.slice(0, -1).map((event, index) => (index % 2 === 1 ? { ...event, usage: usage(index, index) } : event)),
      { choices: [], usage: usage(70, 9) },
    ];
    wire.play(hello, { ...hello, faults: { edit } });
    expect(usageOf(await ask())).toEqual({ input: 10, output: 5 });
    expect(usageOf(await ask())).toEqual({ input: 70, output: 9 });
  },
  ["chat"],
);

onWires("59. cached tokens are part of the input on every wire", async (name) => {
  const one = await startCase(name);
  one.wire.play({ ...hello, usage: { input: 1, cacheRead: 20, cacheWrite: 300, output: 4 } });
  await one.say("Go");
  expect(await one.markdown()).toContain("> Usage: input=321 output=4 total=325");
  await goesOn(one);
});

onWires("60. a stream that is cut keeps the usage that was reported by then", async (name) => {
  const { wire, ask } = await startAlone(name);
  wire.play({ ...hello, usage: { input: 99, output: 5 }, faults: { cut: "text" } });
  const events = await ask();
  expect(endOf(events)).toBe("interrupted");
  // Only Messages reports the input at the start. The other wires have reported no number by then.
  expect(usageOf(events)).toEqual(name === "messages" ? { input: 99, output: 1 } : null);
});

onWires(
  "61. a first chunk without choices",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    const azure = {
      id: "",
      object: "",
      created: 0,
      model: "",
      choices: [],
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
    };
    wire.play({ ...hello, faults: { edit: (events) => [azure, ...events] } });
    expect(words(await ask())).toEqual(['"Hello"', "end"]);
  },
  ["chat"],
);
