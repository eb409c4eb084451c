/** Goal 3: on every wire, an event of a stream never costs more when the network delivers 64 KB at a time than when it delivers single events. */
import { claudeProvider } from "../src/engine/providers/claude/index.ts";
import { systemDeps } from "../src/engine/providers/deps.ts";
import { openaiProvider } from "../src/engine/providers/openai/index.ts";
import type { Provider, ProviderRequest } from "../src/engine/providers/provider.ts";
import { chatStreamText } from "../tests/stand-in/openai-chat-stream.ts";
import { responsesStreamText } from "../tests/stand-in/openai-responses-stream.ts";
import { streamText } from "../tests/stand-in/claude-stream.ts";
import { corpus, random, text } from "./corpus.ts";
import { ratio } from "./ratio.ts";
import { goal } from "./report.ts";

const said = text(45_000, random(5), "abcdefghijklmnopжщъ");
const reply = { blocks: [{ text: said }] };

/** Splits a body into pieces: one event each, or `bytes` bytes each. */
function piecesOf(body: string, bytes: number | null): Uint8Array[] {
  const encoder = new TextEncoder();
  if (bytes === null) return body.split(/(?<=\n\n)/).map((event) => encoder.encode(event));
  const whole = encoder.encode(body);
  return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) => whole.slice(at * bytes, (at + 1) * bytes));
}

function answering(pieces: readonly Uint8Array[]): typeof fetch {
  return () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces[at++];
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
}

const noMemory = { read: () => null, write: () => undefined };
const wires: readonly {
  readonly name: string;
  readonly body: string;
  readonly model: string;
  readonly make: (fetch: typeof globalThis.fetch) => Provider;
}[] = [
  {
    name: "Messages",
    body: streamText(reply),
    model: "claude-sonnet-5-5",
    make: (fetch) => claudeProvider(() => ({ apiKey: "sk-bench", baseURL: "" }), { ...systemDeps, fetch }, noMemory),
  },
  {
    name: "Chat Completions",
    body: chatStreamText(reply),
    model: "gpt-5.5",
    make: (fetch) => openaiProvider(() => ({ apiKey: "sk-bench", baseURL: "" }), { ...systemDeps, fetch }, noMemory),
  },
  {
    name: "Responses",
    body: responsesStreamText(reply),
    model: "gpt-6.1-sol",
    make: (fetch) => openaiProvider(() => ({ apiKey: "sk-bench", baseURL: "" }), { ...systemDeps, fetch }, noMemory),
  },
];

for (const { name, body, model, make } of wires) {
  const request: ProviderRequest = {
    dialog: corpus(1_000),
    model,
    system: "You are an agent.",
    tools: [],
    tokensSoFar: null,
    maxTokens: null,
  };
  const read = (pieces: readonly Uint8Array[]) => async () => {
    let length = 0;
    for await (const event of make(answering(pieces)).stream(request, new AbortController().signal)) {
      if (event.type === "text") length += event.text.length;
      if (event.type === "end" && event.stop.kind !== "end") throw new Error(`${name}: ${JSON.stringify(event.stop)}`);
    }
    if (length !== said.length) throw new Error(`${name}: ${length} of ${said.length} characters came`);
  };
  goal(`${name}: an event in pieces of 64 KB against one by one`, await ratio(read(piecesOf(body, 65_536)), read(piecesOf(body, null))), {
    atMost: 1,
  });
}
