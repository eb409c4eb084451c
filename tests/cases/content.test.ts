import { expect } from "vitest";
import { assistant, dialog, ran, user } from "../engine/prompt/notation.ts";
import type { WireEvent } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { commandCall, goesOn, goesOnDenying, incomplete, startCase, undecided } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { startAlone, words } from "./provider.ts";

const authorized = { main: "> Authorized: run_command\n" };
const done: WireReply = { blocks: [{ text: "Done." }] };

onWires("46. an answer of nothing is said to the human, nothing empty is sent, and it is not asked again", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [] });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", expect.stringMatching(/^Stop: error .*empty response/)]);
  expect([await one.status(), one.wire.requests.length]).toEqual(["waiting", 1]);
  expect(await goesOn(one)).toEqual([{ user: "Go" }, { user: "What now, after 1?" }]);
});

onWires("46. nothing more to say behind a result is no failure of the loop", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [commandCall("a", "ls")] }, { blocks: [] });
  await one.say("Go");
  expect([await one.status(), one.wire.requests.length, one.commands]).toEqual(["waiting", 2, ["ls"]]);
  await goesOn(one);
});

for (const blank of [" ", "\n\n", " \n\t "]) {
  onWires(`47. a text of white space (${JSON.stringify(blank)}) is not sent`, async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ blocks: [{ text: blank }, commandCall("a", "ls")] }, done);
    await one.say("Go");
    expect(one.sent().slice(0, 2)).toEqual([{ user: "Go" }, { call: "a", name: "run_command", input: { command: "ls" } }]);
    await goesOn(one);
  });
}

onWires("47. a section of nothing but white space is not sent, whatever is white to whom", async (name) => {
  const { sentFor } = await startAlone(name);
  const sent = await sentFor(
    dialog(user("hi"), assistant(" \n\t"), user("\u0085\u001c "), assistant("\u2003"), assistant("A"), user("so?")),
  );
  expect(sent).toEqual([{ user: "hi" }, { assistant: "A" }, { user: "so?" }]);
});

onWires("48. a dialog that ends with the assistant gets a word of the user's, and is no prefill", async (name) => {
  const { sentFor } = await startAlone(name);
  const sent = await sentFor(dialog(user("hi"), assistant("Once upon a time ")));
  expect(sent).toEqual([{ user: "hi" }, { assistant: "Once upon a time" }, { user: expect.stringMatching(/./) as string }]);
});

onWires("49. neighbours of one role, and an assistant who speaks first", async (name) => {
  const { sentFor } = await startAlone(name);
  const said = await sentFor(
    dialog(assistant("Hello"), assistant("there"), user("one"), user("two"), assistant("A"), assistant("B"), user("three")),
  );
  const texts = said.flatMap((sent) => ("user" in sent ? [sent.user] : "assistant" in sent ? [sent.assistant] : []));
  expect(texts.filter((text) => !text.startsWith("("))).toEqual(["Hello", "there", "one", "two", "A", "B", "three"]);
});

onWires("49. a call in each of two neighbours", async (name) => {
  const { sentFor } = await startAlone(name);
  const said = await sentFor(dialog(user("hi"), assistant(ran("a", "A")), assistant(ran("b", "B")), user("so?")));
  expect(said.flatMap((sent) => ("result" in sent ? [[sent.result, sent.text]] : []))).toEqual([
    ["a", "A"],
    ["b", "B"],
  ]);
});

/** Ways in which a response is withheld. */
const refusals: readonly (readonly [string, WireReply, readonly string[], waiting?: readonly string[]])[] = [
  ["before anything was said", { blocks: [], end: "filtered" }, []],
  ["in the midst of a text", { blocks: [{ text: "I could" }], end: "filtered" }, ["I could"]],
  [
    "in the midst of a call",
    { blocks: [{ text: "So:" }, { call: "run_command", id: "a", json: '{"comm', open: true }], end: "filtered" },
    ["So:", incomplete("a")],
  ],
  ["behind a whole call", { blocks: [{ text: "So:" }, commandCall("a", "ls")], end: "filtered" }, ["So:", undecided("a", "ls")], ["a"]],
];
for (const [when, reply, kept, waiting = []] of refusals) {
  onWires(`50. a refusal ${when}: shown as one, and no call runs`, async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play(reply);
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", ...kept, "Stop: refusal"]);
    expect([await one.status(), one.commands, one.wire.requests.length]).toEqual(["waiting", [], 1]);
    await goesOnDenying(one, waiting);
    expect(one.commands).toEqual([]);
  });
}
onWires("50. a refusal in the model's own words", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [], refusal: "I can't help with that." });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "I can't help with that.", "Stop: refusal"]);
  await goesOn(one);
});

onWires(
  "51. a response that pauses ends the turn, and the human goes on",
  async (name) => {
    const one = await startCase(name);
    const edit = (events: readonly WireEvent[]) => JSON.parse(JSON.stringify(events).replace('"end_turn"', '"pause_turn"')) as WireEvent[];
    one.wire.play({ blocks: [{ text: "Searching" }], faults: { edit } });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Searching", "Stop: interrupted"]);
    expect(one.wire.requests).toHaveLength(1);
    await goesOn(one);
  },
  ["messages"],
);

onWires(
  "52. a full window is said as such",
  async (name) => {
    const one = await startCase(name, authorized);
    one.wire.play({ blocks: [{ text: "So:" }, commandCall("a", "ls")], end: "window" });
    await one.say("Go");
    const file = await one.shown();
    expect(file.slice(0, -1)).toEqual(["user:", "Go", "assistant:", "So:", undecided("a", "ls")]);
    expect(file.at(-1)).toMatch(/^Stop: (context_window|error .*longer than)/);
    expect([await one.status(), one.commands, one.wire.requests.length]).toEqual(["waiting", [], 1]);
    await goesOnDenying(one, ["a"]);
    expect(one.commands).toEqual([]);
  },
  ["messages", "responses"],
);

onWires(
  "52. stop_sequence and a reason that nobody knows yet end a response normally",
  async (name) => {
    for (const reason of ["stop_sequence", "eos", "tired"]) {
      const { wire, ask } = await startAlone(name);
      const edit = (events: readonly WireEvent[]) =>
        JSON.parse(JSON.stringify(events).replace(/"(end_turn|stop)"/, JSON.stringify(reason))) as WireEvent[];
      wire.play({ blocks: [{ text: "Hello" }], faults: { edit } });
      expect(words(await ask())).toEqual(['"Hello"', "end"]);
    }
  },
  ["messages", "chat"],
);

onWires("53. thinking that says nothing is no text, and is never sent", async (name) => {
  const one = await startCase(name, authorized);
  one.wire.play({ blocks: [{ thinking: true }, { text: "Hello" }, { thinking: true }, commandCall("a", "ls")] }, done);
  await one.say("Go");
  expect((await one.shown()).slice(2, 4)).toEqual(["assistant:", "Hello"]);
  expect(await one.markdown()).not.toMatch(/thinking|c2lnbmVk|c2VhbGVk/);
  expect(one.wire.requests.at(-1)?.raw).not.toMatch(/"type":"(redacted_)?thinking"|"type":"reasoning"|c2lnbmVk|c2VhbGVk/);
  await goesOn(one);
});

onWires(
  "53. redacted thinking is no text",
  async (name) => {
    const one = await startCase(name);
    const edit = (events: readonly WireEvent[]) =>
      JSON.parse(
        JSON.stringify(events).replaceAll(
          '{"type":"thinking","thinking":"","signature":""}',
          '{"type":"redacted_thinking","data":"c2VjcmV0"}',
        ),
      ) as WireEvent[];
    one.wire.play({ blocks: [{ thinking: true }, { text: "Hello" }], faults: { edit } });
    await one.say("Go");
    expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello"]);
    await goesOn(one);
  },
  ["messages"],
);

for (const field of ["reasoning_content", "reasoning", "reasoning_details"]) {
  onWires(
    `54. ${field} is thinking: neither in the answer nor in the history`,
    async (name) => {
      const one = await startCase(name);
      const thought = field === "reasoning_details" ? [{ type: "reasoning.text", text: "hmm, secret" }] : "hmm, secret";
      const edit = ([first, ...rest]: readonly WireEvent[]) => [
        first ?? {},
        { ...first, choices: [{ index: 0, delta: { content: "", [field]: thought }, finish_reason: null }] },
        ...rest,
      ];
      one.wire.play({ blocks: [{ text: "Hello" }], faults: { edit } });
      await one.say("Go");
      expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello"]);
      await goesOn(one);
      expect(one.wire.requests.at(-1)?.raw).not.toContain("secret");
    },
    ["chat"],
  );
}

onWires(
  "55. of several choices only the first is taken",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    const edit = (events: readonly WireEvent[]) =>
      events.flatMap((event) => {
        const [choice] = event["choices"] as readonly object[];
        return choice
          ? [
              { ...event, choices: [{ ...choice, index: 1 }, choice] },
              { ...event, choices: [{ ...choice, index: 1 }] },
            ]
          : [event];
      });
    wire.play({ blocks: [{ text: "Hello" }, commandCall("a", "ls")], faults: { edit } });
    expect(words(await ask())).toEqual(['"Hello"', 'run_command[a] {"command":"ls"}', "end"]);
  },
  ["chat"],
);
