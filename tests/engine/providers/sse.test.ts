// What the rules of server-sent events allow, and what servers actually send, in both APIs.
import { describe, expect, test } from "vitest";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { messageOf, summary } from "./events.ts";
import { collect as askClaude, providerOn as claudeOn } from "./claude/setup.ts";
import { streaming } from "./openai/fake.ts";
import { collect as askOpenai, providerOn as openaiOn } from "./openai/setup.ts";

const chat = [
  'data: {"choices":[{"delta":{"content":"a"}}]}\n\n',
  'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"b","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\n',
];
const claude = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "1", name: "b", input: {} } },
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use" } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const whole = ['"a"', "b[1]{}", "end"];

function answering(body: string | readonly string[], type = "text/event-stream"): typeof fetch {
  return () => Promise.resolve(new Response(streaming(...[body].flat()).body, { headers: { "content-type": type } }));
}

describe.each<[string, readonly string[], (...answer: Parameters<typeof answering>) => Promise<ProviderEvent[]>]>([
  ["Chat Completions", chat, (...answer) => askOpenai(openaiOn(answering(...answer)))],
  ["Messages", claude, (...answer) => askClaude(claudeOn(answering(...answer)))],
])("%s", (_wire, events, collect) => {
  const body = events.join("");
  const ask = async (...answer: Parameters<typeof answering>) => summary(await collect(...answer));

  test.each([
    ["a byte order mark", `\uFEFF${body}`],
    ["events without data in between", events.map((event) => `data:\n\n${event}data: \n\nevent: ping\n\nid: 7\n\nretry: 3\n\n`).join("")],
    ["no blank line at the end", body.trimEnd()],
    ["no blank line at the end but an end of the line", `${body.trimEnd()}\n`],
    ["the same with CRLF", `${body.trimEnd().replaceAll("\n", "\r\n")}\r\n`],
    ["data over several lines", body.replaceAll('":', '":\ndata: ')],
    ["no line that names an event", body.replaceAll(/event: .*\n/g, "")],
    ["the same with CR, and [DONE] at the end", `${body.replaceAll(/event: .*\n/g, "").replaceAll("\n", "\r")}data: [DONE]\r\r`],
  ])("%s", async (_what, sent) => expect(await ask(sent)).toEqual(whole));

  test.each(["application/json", "text/html; charset=utf-8", "text/plain", ""])("under the name %j", async (type) => {
    for (const pieces of [[body], body.split("")]) expect(await ask(pieces, type)).toEqual(whole);
  });

  test.each([
    ["<!doctype html>\n\ndata: {}\n\n", "text/html"],
    ["error: no such page", "text/html"],
    ["", "text/html"],
    ['{"data": 1}', "application/json"],
  ])("%j of %s is no stream", async (sent, type) => {
    const [reason] = await ask(sent, type);
    expect(reason).toBe("error protocol");
  });

  test.each([
    ['event: error\ndata: {"message":"Out of memory"}\n\n', "an error by its name alone"],
    ["event: error\ndata: Out of memory\n\n", "one that is no JSON"],
    ['event:error\r\ndata: {"error":"Out of memory","error_type":"generation"}\r\n\r\n', "one whose error is a text"],
    ['error: {"code":500,"message":"Out of memory","type":"server_error"}\n\n', "a field of its own"],
    ['error: {"detail":"x","error":{"message":"Out of memory"}}\r\n\r\n', "a field that holds an error"],
    ['error: {"message":"Out of memory"}', "a field at the end, without a blank line"],
  ])("%j is an error of the server: %s", async (error) => {
    const text = events.slice(
      0,
      events.findIndex((event) => event.includes('"b"')),
    );
    const read = await collect(text.join("") + error);
    expect(summary(read)).toEqual(['"a"', "error server"]);
    expect(messageOf(read)).toContain("Out of memory");
  });

  test("an end in the middle of the last event is no end", async () => {
    // In Messages, the stop reason comes before the last event and ends the response by itself.
    const unreasoned = events.filter((event) => !event.includes('"message_delta"')).join("");
    for (const missing of [1, 2, 5]) expect((await ask(unreasoned.trimEnd().slice(0, -missing))).at(-1)).toBe("interrupted");
  });
});
