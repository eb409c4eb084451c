import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/dialog/model.ts";
import { testMemory } from "../memory.ts";
import { fake, streaming } from "./fake.ts";
import { collect, providerOn, summary } from "./setup.ts";

const added = (item: JsonObject, more: JsonObject = {}) => ({ type: "response.output_item.added", item, ...more });
const done = (item: JsonObject, more: JsonObject = {}) => ({ type: "response.output_item.done", item, ...more });
const completed = (...output: JsonObject[]) => ({ type: "response.completed", response: { output } });
const text = (delta: string, more: JsonObject = {}) => ({ type: "response.output_text.delta", delta, ...more });
const json = (delta: string, more: JsonObject = {}) => ({ type: "response.function_call_arguments.delta", delta, ...more });
const message = (said: string, more: JsonObject = {}) => ({ type: "message", content: [{ type: "output_text", text: said }], ...more });
const call = (args: JsonObject[string], more: JsonObject = {}) => ({
  type: "function_call",
  call_id: "c",
  name: "b",
  arguments: args,
  ...more,
});

/** The names of an item that servers leave out or change, from its beginning to the list at the end. */
test.each<[string, JsonObject[], string[]]>([
  ["a text whose pieces name no item", [text("a"), text("b"), done(message("ab", { id: "m" })), completed(message("ab"))], ['"ab"', "end"]],
  [
    "a text whose id is another one each time",
    [
      text("a", { item_id: "m1" }),
      done(message("a", { id: "m2" }), { output_index: 0 }),
      completed({ type: "reasoning" }, message("a", { id: "m3" })),
    ],
    ['"a"', "end"],
  ],
  [
    "two texts that say the same",
    [
      text("a", { output_index: 0 }),
      done(message("a"), { output_index: 0 }),
      text("a", { output_index: 1 }),
      done(message("a"), { output_index: 1 }),
      completed(message("a"), message("a")),
    ],
    ['"a\\n\\na"', "end"],
  ],
  [
    "a text of which the last pieces are missing",
    [text("a", { output_index: 0 }), done(message("ab"), { output_index: 0 }), completed(message("abc"))],
    ['"abc"', "end"],
  ],
  [
    "a text that is another one at its end",
    [text("ab", { output_index: 0 }), done(message("b"), { output_index: 0 }), completed()],
    ['"ab"', "end"],
  ],
  [
    "a refusal of which the last pieces are missing",
    [
      text("a", { output_index: 0 }),
      done({ type: "message", content: [{ type: "refusal", refusal: "ab" }] }, { output_index: 0 }),
      completed(),
    ],
    ['"ab"', "refusal"],
  ],
  ["two texts that come whole", [done(message("a")), done(message("b")), completed(message("a"), message("b"))], ['"a\\n\\nb"', "end"]],
  ["two calls of one input that only the end tells", [completed(call("{}"), call("{}", { call_id: "d" }))], ["b[c]{}", "b[d]{}", "end"]],
  [
    "two texts that say the same, told by the end alone",
    [completed(message("a"), call("{}"), message("a"))],
    ['"a"', "b[c]{}", '"a"', "end"],
  ],
  [
    "a call that has another place and id at the end",
    [
      added(call("", { id: "i" }), { output_index: 0 }),
      json("{}", { item_id: "i", output_index: 0 }),
      done(call("{}", { id: "i" }), { output_index: 0 }),
      completed({ type: "reasoning" }, call("{}", { id: "j" })),
    ],
    ["b[c]{}", "end"],
  ],
  [
    "a call that has another call id at the end",
    [done(call('{"x":1}', { id: "i" }), { output_index: 1 }), completed(call('{"x":1}', { id: "j", call_id: "d" }))],
    ['b[c]{"x":1}', "end"],
  ],
  [
    "a call that is named by its place alone, then by its id alone",
    [added(call(""), { output_index: 1 }), json('{"x":1}', { output_index: 1 }), done(call('{"x":1}')), completed()],
    ['b[c]{"x":1}', "end"],
  ],
  [
    "pieces of input that name no item",
    [added(call("")), json('{"x":'), json("1}"), done(call('{"x":1}')), completed(call('{"x":1}'))],
    ['b[c]{"x":1}', "end"],
  ],
  [
    "two calls of one id at two places",
    [done(call("{}"), { output_index: 0 }), done(call("{}"), { output_index: 1 }), completed(call("{}"), call("{}"))],
    ["b[c]{}", "b[c]{}", "end"],
  ],
  [
    "two calls of one id that name no place",
    [done(call('{"x":1}')), done(call('{"x":2}')), completed(call('{"x":1}'), call('{"x":2}'))],
    ['b[c]{"x":1}', 'b[c]{"x":2}', "end"],
  ],
  [
    "two calls at one place",
    [
      added(call("", { id: "i" }), { output_index: 0 }),
      json('{"x":1}', { item_id: "i", output_index: 0 }),
      added(call("", { id: "j", call_id: "d" }), { output_index: 0 }),
      json('{"x":2}', { item_id: "j", output_index: 0 }),
      done(call('{"x":1}', { id: "i" }), { output_index: 0 }),
      done(call('{"x":2}', { id: "j", call_id: "d" }), { output_index: 0 }),
      completed(),
    ],
    ['b[c]{"x":1}', 'b[d]{"x":2}', "end"],
  ],
  ["a call that only the end tells of", [text("a", { output_index: 0 }), completed(message("a"), call("{}"))], ['"a"', "b[c]{}", "end"]],
  [
    "another call at the place of one at the end",
    [done(call("{}"), { output_index: 0 }), completed(call("{}", { name: "d", call_id: "e" }), call("{}"))],
    ["b[c]{}", "d[e]{}", "end"],
  ],
  ["input that is no text but the value", [done(call({ x: 1 })), completed(call({ x: 1 }))], ['b[c]{"x":1}', "end"]],
  ["input that is a list", [done(call([1])), completed()], ["b[c] invalid [1]", "end"]],
])("%s is taken once", async (_what, events, expected) => {
  const memory = testMemory();
  memory.write("https://llm.example gpt-5.5", { wire: "responses" });
  const body = events.map((event) => `event: ${JSON.stringify(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  expect(summary(await collect(providerOn(fake(() => streaming(body)).fetch, { memory })))).toEqual(expected);
});
