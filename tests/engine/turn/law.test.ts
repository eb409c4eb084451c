import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { clean } from "../../../src/dialog/clean.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { claudeRequest } from "../../../src/engine/providers/claude/request.ts";
import type { ProviderEvent, ProviderRequest, Stop } from "../../../src/engine/providers/provider.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { hostileText } from "../../dialog/hostile.ts";
import { refusedBody } from "../../stand-in/claude-rules.ts";
import { type Bench, bench, outcome, type Reply } from "../harness.ts";

/** The next thing that happens to the run's only dialog. */
type Act =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "decide"; readonly bits: number; readonly prompt: string | null; readonly allow: boolean }
  | { readonly kind: "authorize"; readonly allow: boolean }
  | { readonly kind: "network"; readonly allow: boolean; readonly command: number }
  | { readonly kind: "status"; readonly status: "waiting" | "done" }
  | { readonly kind: "reload" };

const text = fc.oneof(hostileText, fc.constantFrom("Hello.", "I will write.\n\n> Waiting: Which?", ""));
const nonBlank = text.map((said) => (clean(said).trim() === "" ? "go" : said));

const callEvent: fc.Arbitrary<ProviderEvent> = fc.record({
  type: fc.constant("call" as const),
  id: fc.oneof(fc.constantFrom("a", "b", "0", ""), text),
  name: fc.constantFrom("run_command", "run_command", "write_file", "edit_file", "nonsense", "## User"),
  input: fc.oneof(
    fc.record({ command: nonBlank }).map((value) => ({ ok: true as const, value })),
    fc
      .record({ path: fc.constantFrom("a.txt", "vibey/doc-main.md", "vibey/dialog-x.md", "../x"), content: text })
      .map((value) => ({ ok: true as const, value })),
    text.map((raw) => ({ ok: false as const, raw })),
  ),
});

const stop: fc.Arbitrary<Stop> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Stop>({ kind: "end" }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom<Stop>({ kind: "max_tokens" }, { kind: "refusal" }, { kind: "interrupted", message: "cut" }),
      text.map((message): Stop => ({ kind: "error", reason: "server", message })),
    ),
  },
);

const reply: fc.Arbitrary<Reply> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: text.map((said): ProviderEvent => ({ type: "text", text: said })) },
        { weight: 2, arbitrary: callEvent },
      ),
      {
        maxLength: 5,
      },
    ),
    fc.option(fc.record({ input: fc.nat(1000), output: fc.nat(1000) }), { nil: null }),
    stop,
  )
  .map(([events, usage, end]) => [...events, ...(usage ? [{ type: "usage", usage } as const] : []), { type: "end", stop: end }]);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("prompt" as const), text: nonBlank }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      bits: fc.nat(255),
      prompt: fc.option(nonBlank, { nil: null, freq: 3 }),
      allow: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("authorize" as const), allow: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("network" as const), allow: fc.boolean(), command: fc.integer({ min: 1, max: 3600 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom("waiting" as const, "done" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reload" as const) }) },
);

async function view(b: Bench, id: string): Promise<DialogAnswer> {
  return (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
}

/** Two bits per call: undecided, approved, denied, undecided. */
async function decisions(b: Bench, id: string, bits: number): Promise<string> {
  const pending =
    (await view(b, id)).messages
      .at(-1)
      ?.parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call.id] : [])) ?? [];
  return pending.map((one, index) => ["", `${one}: approve`, `${one}: deny`, `${one}: approve`][(bits >> (2 * index)) & 3]).join("\n");
}

async function perform(b: Bench, dialogId: string, next: Act): Promise<Bench> {
  const put = async (body: Record<string, unknown>) => {
    const answer = await b.ask("PUT", "/dialog", { dialogId, ...body });
    expect([200, 409]).toContain(answer.status);
    await answer.text();
  };
  switch (next.kind) {
    case "prompt":
      await put({ prompt: next.text });
      return b;
    case "decide":
      await put({
        decisions: await decisions(b, dialogId, next.bits),
        ...(next.prompt === null ? {} : { prompt: next.prompt }),
        ...(next.allow ? { authorizations: "allow write_file" } : {}),
      });
      return b;
    case "authorize":
      await put({ authorizations: next.allow ? ["run_command"] : "deny run_command" });
      return b;
    case "network":
      await put({ network: [{ host: "a.example", allow: next.allow }], limits: { command: next.command } });
      return b;
    case "status":
      await put({ status: next.status });
      return b;
    case "reload":
      return b.reload();
  }
}

/** Waits until nothing happens by itself. */
async function settled(b: Bench): Promise<void> {
  const active = async () =>
    ((await (await b.ask("GET", "/dialogs")).json()) as { status: string }[]).some(({ status }) => status === "active");
  while (await active()) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function holds(b: Bench, requests: readonly ProviderRequest[]): Promise<void> {
  expect(b.reported).toEqual([]);
  const { id, markdown } = await b.dialog();
  // The file matches the engine's state and reads back the same.
  expect((await view(b, id)).markdown).toBe(markdown);
  const dialog = parseDialog(markdown);
  expect(serialiseDialog(dialog)).toBe(markdown);
  // The wire accepts every request to the provider.
  for (const request of requests) {
    const body = JSON.stringify(claudeRequest({ ...request, model: "claude-sonnet-5-5" }, 64_000));
    expect(refusedBody(body, { models: ["claude-sonnet-5-5"] })).toBeNull();
  }
  // Nothing ran without the user's approval or an authorization above it.
  for (const section of dialog.sections) {
    for (const part of section.parts) {
      if (part.kind === "call" && part.call.started !== null) expect(part.call.decision).toBe("approved");
    }
  }
}

test("whatever is said, decided, stopped and reloaded: one file, whole, true, and a request that the wire takes", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      nonBlank,
      fc.array(reply, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(act, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      async (first, replies, bursts) => {
        const store = memoryStore();
        const requests: ProviderRequest[] = [];
        const ran: string[] = [];
        const recorded = replies.map(
          (one): Reply =>
            (request, signal) => {
              requests.push(request);
              return typeof one === "function" ? one(request, signal) : one;
            },
        );
        const last: Reply = () => [
          { type: "text", text: "Enough." },
          { type: "end", stop: { kind: "end" } },
        ];
        let b = await bench([...recorded, ...Array.from({ length: 40 }, () => last)], {
          store,
          run: async (command) => {
            ran.push(command);
            return outcome(command);
          },
        });
        await (await b.ask("POST", "/dialog", { provider: "claude", slug: first, prompt: first })).text();
        await holds(b, requests);
        const { id } = await b.dialog();
        for (const burst of bursts) {
          // Some things happen at the same moment: two tabs, two clicks, a click and an answer.
          await Promise.all(burst.filter(({ kind }) => kind !== "reload").map((one) => perform(b, id, one)));
          await settled(b);
          if (burst.some(({ kind }) => kind === "reload")) b = await b.reload();
          await holds(b, requests);
        }
        const started = (await b.dialog()).markdown.match(/^Started: /gm)?.length ?? 0;
        expect(ran.length).toBeLessThanOrEqual(started);
        const main = await b.text("vibey/doc-main.md").catch(() => "");
        expect(main).not.toMatch(/^> (Authorized|Limit):/m);
      },
    ),
    { numRuns: Number(process.env["VIBEY_LAWS"] ?? 0) / 20 || 150 },
  );
});
