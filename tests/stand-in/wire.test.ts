import { expect, onTestFinished, test, describe } from "vitest";
import { type Place, startWire, type Wire, type WireName, wireNames, type WireReply } from "./wire.ts";

const reply: WireReply = { blocks: [{ text: "Hello, world" }, { call: "run_command", id: "c1", input: { command: "ls" } }] };

/** A first request in each wire's format. */
const bodies: Readonly<Record<WireName, (model: string) => object>> = {
  messages: (model) => ({ model, max_tokens: 100, stream: true, messages: [{ role: "user", content: "hi" }] }),
  chat: (model) => ({
    model,
    stream: true,
    messages: [
      { role: "developer", content: "be brief" },
      { role: "user", content: "hi" },
    ],
  }),
  responses: (model) => ({ model, stream: true, store: false, instructions: "be brief", input: [{ role: "user", content: "hi" }] }),
};
const paths = { messages: "messages", chat: "chat/completions", responses: "responses" };

async function start(name: WireName): Promise<Wire> {
  const wire = await startWire(name);
  onTestFinished(() => wire.close());
  return wire;
}

function ask(wire: Wire): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${wire.key}`, "anthropic-version": "2023-06-01" };
  return fetch(`${wire.url}/v1/${paths[wire.name]}`, { method: "POST", headers, body: JSON.stringify(bodies[wire.name](wire.model)) });
}

/** The text received before the connection was cut. */
async function received(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return `${text}<cut>`;
  }
  return text;
}

describe.each(wireNames)("%s", (name) => {
  test.each<[Place, boolean, boolean, boolean]>([
    ["start", false, false, false],
    ["text", true, false, false],
    ["call", true, true, false],
    ["last", true, true, false],
  ])("a cut at %s", async (cut, hasText, hasCall, hasEnd) => {
    const wire = await start(name);
    wire.play({ ...reply, faults: { cut } });
    const text = await received(await ask(wire));
    expect(text.endsWith("<cut>")).toBe(true);
    expect([
      text.includes('"Hel"'),
      text.includes("run_command"),
      /stop_reason":"|finish_reason":"|response\.completed/.test(text),
    ]).toEqual([hasText, hasCall, hasEnd]);
    expect(wire.body(reply).startsWith(text.replace("<cut>", ""))).toBe(name !== "chat");
  });

  test("an error in the stream stands behind what was sent, and it ends there", async () => {
    const wire = await start(name);
    wire.play({ ...reply, faults: { error: { at: "text", kind: "overloaded" } } });
    const text = await received(await ask(wire));
    expect(text).toMatch(/"Hel"[\s\S]*[Oo]verloaded/);
    expect(text).not.toContain("run_command");
  });

  test("a stream without its end", async () => {
    const wire = await start(name);
    wire.play({ ...reply, faults: { noEnd: true } });
    const text = await received(await ask(wire));
    expect(text).not.toMatch(/message_stop|finish_reason":"|DONE|response\.completed|<cut>/);
  });

  test.each(["end", "calls", "length", "filtered", "window"] as const)("an end of kind %s", async (end) => {
    const wire = await start(name);
    wire.play({ ...reply, end });
    const text = await received(await ask(wire));
    const words = {
      messages: { end: "end_turn", calls: "tool_use", length: "max_tokens", filtered: "refusal", window: "model_context_window_exceeded" },
      chat: { end: "stop", calls: "tool_calls", length: "length", filtered: "content_filter", window: "length" },
      responses: {
        end: "completed",
        calls: "completed",
        length: "max_output_tokens",
        filtered: "content_filter",
        window: "context_length_exceeded",
      },
    };
    expect(text).toContain(`"${words[name][end]}"`);
  });

  test.each(["overloaded", "rate-limit", "billing", "too-long", "server", "bad-request"] as const)(
    "a failure of kind %s",
    async (failure) => {
      const wire = await start(name);
      wire.play({ failure, headers: { "retry-after": "7" } });
      const response = await ask(wire);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get("retry-after")).toBe("7");
      expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/./) } });
    },
  );

  test("what a request holds, whatever its wire", async () => {
    const wire = await start(name);
    wire.play(reply);
    await received(await ask(wire));
    const [request] = wire.requests;
    expect(request?.refused).toBeNull();
    expect(request && wire.sent(request)).toEqual([{ user: "hi" }]);
  });
});
