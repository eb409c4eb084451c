import type { Page } from "@playwright/test";
import type { DialogEvent, EventData } from "../../src/dialog/events/model.ts";
import type { LogEvent } from "../../src/protocol/index.ts";

type Said = Partial<Pick<DialogEvent, "severity" | "actor" | "dialogId" | "exact">>;

const poem = "20261121-201100-poem-about-the-sea";
const check = "20261121-201500-check";
const agent = (dialogId: string) => ({ kind: "agent", dialogId }) as const;

/** One event of every kind, as the engine reports them, oldest first. */
const told: readonly (readonly [EventData, Said?])[] = [
  [
    { type: "activation", data: { title: "poem-about-the-sea", provider: "claude", model: "claude-opus-5", by: null, answers: null } },
    { actor: { kind: "human" } },
  ],
  [
    { type: "message", data: { text: "Write a poem about the sea into poem.txt, then run the tests.\nTake your time." } },
    { actor: { kind: "human" } },
  ],
  [{ type: "request", data: { provider: "claude", model: "claude-opus-5" } }],
  [
    {
      type: "text",
      data: { text: "I’ll write the poem first, then run the tests to see that everything that was there still works as it did before." },
    },
  ],
  [{ type: "tool_call", data: { call: "a", tool: "write_file", input: { path: "poem.txt", content: "The sea." } } }],
  [{ type: "approval", data: { call: "a", tool: "write_file", decision: "approved", from: "human" } }, { actor: { kind: "human" } }],
  [{ type: "file_change", data: { call: "a", path: "poem.txt", op: "write" } }],
  [
    { type: "tool_result", data: { call: "a", tool: "write_file", ok: true, result: {}, error: null, ms: 14, code: null } },
    { exact: false },
  ],
  [{ type: "tool_call", data: { call: "b", tool: "run_command", input: { command: "npm test -- --reporter=verbose tests/poem" } } }],
  [{ type: "approval", data: { call: "b", tool: "run_command", decision: "approved", from: "authority" } }, { actor: { kind: "vibey" } }],
  [
    { type: "tool_result", data: { call: "b", tool: "run_command", ok: false, result: {}, error: null, ms: 2_100, code: 1 } },
    { severity: "warning" },
  ],
  [{ type: "usage", data: { tokens: 12_345, cost: "0.0412 USD" } }],
  [
    { type: "error", data: { message: "Overloaded: the provider has too much to do. It was asked again after 2 s." } },
    { severity: "error", actor: { kind: "vibey" } },
  ],
  [{ type: "spawn", data: { call: "c", child: check } }],
  [
    { type: "activation", data: { title: "check", provider: "claude", model: null, by: poem, answers: null } },
    { dialogId: check, actor: agent(check) },
  ],
  [
    { type: "tool_call", data: { call: "d", tool: "run_command", input: { command: "rm -rf \u202Etxt.meop" } } },
    { dialogId: check, actor: agent(check) },
  ],
  [
    { type: "approval", data: { call: "d", tool: "run_command", decision: "denied", from: "human" } },
    { dialogId: check, actor: { kind: "human" } },
  ],
  [{ type: "authority", data: { word: "Authorized", value: "command npm test *" } }, { actor: { kind: "human" } }],
  [{ type: "waiting", data: { for: "input", prompt: "Which sea do you mean, the North Sea or the Baltic?" } }],
  [{ type: "abort", data: { message: "stopped by you" } }, { actor: { kind: "human" } }],
  [
    { type: "warning", data: { message: "The answer was cut off at the limit of tokens.", code: null } },
    { severity: "warning", actor: { kind: "vibey" } },
  ],
  [
    { type: "text", data: { text: "Fertig: das Gedicht steht in poem.txt." } },
    { actor: { kind: "outside", agentId: "poet", framework: "LangGraph" } },
  ],
  [{ type: "complete", data: { tokens: 4_096 } }],
];

const minute = 60_000;
const firstAt = Date.UTC(2026, 10, 21, 20, 11);

/** `count` events, newest first, repeating the list above. */
function newestFirst(count: number): LogEvent[] {
  return Array.from({ length: count }, (_, n): DialogEvent & { cursor: string } => {
    const [data, said] = told[n % told.length] ?? [{ type: "complete", data: { tokens: null } }];
    return {
      id: `${poem}/0/${n}.${data.type}`,
      cursor: `c${n}`,
      time: new Date(firstAt + n * minute * 1.01).toISOString(),
      exact: true,
      severity: "info",
      actor: agent(poem),
      dialogId: poem,
      agentId: null,
      turn: 0,
      anchor: { section: 0 },
      ...data,
      ...said,
    };
  }).toReversed();
}

/** Gives the page `count` events instead of the engine's. The severity filter works. */
export async function tellEvents(page: Page, count: number): Promise<void> {
  await page.evaluate(
    (text) => {
      const all: { severity: string; cursor: string }[] = JSON.parse(text);
      const inner = window.fetch;
      window.fetch = async (input, init) => {
        if (typeof input !== "string") return inner(input, init);
        const [path, query = ""] = input.split("?");
        const asked = new URLSearchParams(query);
        if (path === "log") {
          const level = asked.get("severity");
          const matching = all.filter(({ severity }) => level === null || severity === level);
          const from = matching.findIndex(({ cursor }) => cursor === asked.get("before")) + 1;
          const to = from + Number(asked.get("limit"));
          return Response.json({ logId: "log", events: matching.slice(from, to), more: to < matching.length });
        }
        if (path !== "events" || !asked.has("since")) return inner(input, init);
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            const frames = [
              { type: "log", logId: "log", restarted: false },
              { type: "current", cursor: asked.get("since") ?? "" },
            ];
            for (const frame of frames) controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`));
          },
        });
        return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
      };
    },
    JSON.stringify(newestFirst(count)),
  );
}
