/** Goal 5: the time from a settled dialog to sending the request, at 10 MB and at 10 KB, on every wire. */
import { addText, openSection } from "../src/dialog/edit.ts";
import type { Dialog } from "../src/dialog/model.ts";
import { claudeProvider } from "../src/engine/providers/claude/index.ts";
import { systemDeps } from "../src/engine/providers/deps.ts";
import { openaiProvider } from "../src/engine/providers/openai/index.ts";
import type { Provider } from "../src/engine/providers/provider.ts";
import { corpus } from "./corpus.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const tools = [{ name: "run_command", description: "Runs a command.", inputSchema: { type: "object" } }];
const settings = () => ({ apiKey: "sk-bench", baseURL: "" });
const noMemory = { read: () => null, write: () => undefined };

/** Sends a request and returns the milliseconds until it was handed to the network. */
async function ask(make: (fetch: typeof globalThis.fetch) => Provider, dialog: Dialog, model: string): Promise<number> {
  let sent = Number.NaN;
  const provider = make(() => {
    sent = performance.now();
    return Promise.resolve(new Response("{}", { status: 400, headers: { "content-type": "application/json" } }));
  });
  const request = { dialog, model, system: "You are an agent.", tools, tokensSoFar: 5_000, maxTokens: null };
  const started = performance.now();
  for await (const event of provider.stream(request, new AbortController().signal)) if (event.type === "end") break;
  return sent - started;
}

function nextTurn(dialog: Dialog, number: number): Dialog {
  const asked = addText(openSection(dialog, "user", [], { open: false }).dialog, `question ${number}`).dialog;
  return addText(openSection(asked, "assistant", [], { open: false }).dialog, `answer ${number}`).dialog;
}

const wires: readonly (readonly [string, string, (fetch: typeof globalThis.fetch) => Provider])[] = [
  ["Messages", "claude-sonnet-5-5", (fetch) => claudeProvider(settings, { ...systemDeps, fetch }, noMemory)],
  ["Chat Completions", "gpt-5.5", (fetch) => openaiProvider(settings, { ...systemDeps, fetch }, noMemory)],
  ["Responses", "gpt-6.1-sol", (fetch) => openaiProvider(settings, { ...systemDeps, fetch }, noMemory)],
];

for (const [name, model, make] of wires) {
  const turnsOf = (length: number) => {
    let dialog = corpus(length, { wide: true });
    let number = 0;
    return async () => {
      number += 1;
      dialog = nextTurn(dialog, number);
      return ask(make, dialog, model);
    };
  };
  const [small, large] = [turnsOf(10_000), turnsOf(10_000_000)];
  for (let warm = 0; warm < 30; warm += 1) {
    await small();
    await large();
  }
  const rounds: { readonly small: number; readonly large: number }[] = [];
  for (let round = 0; round < 15; round += 1) {
    const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    for (let time = 0; time < 5; time += 1) {
      best.small = Math.min(best.small, await small());
      best.large = Math.min(best.large, await large());
    }
    rounds.push(best);
  }
  note(
    `${name}: ${median(rounds.map((one) => one.small)).toFixed(2)} ms at 10 KB, ${median(rounds.map((one) => one.large)).toFixed(2)} ms at 10 MB`,
  );
  goal(`${name}: turn N to the request, 10 MB against 10 KB`, median(rounds.map((one) => one.large / one.small)), { atMost: 2 });
}
