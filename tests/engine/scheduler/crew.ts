import { expect } from "vitest";
import { liveEventsIn } from "../../live-event.ts";
import type { DialogAnswer, DialogListing, LimitsAnswer, LiveEvent } from "../../../src/protocol/index.ts";
import type { JsonObject } from "../../../src/dialog/model.ts";
import type { ProviderEvent, ProviderRequest } from "../../../src/engine/providers/provider.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, type BenchOptions, call, ended, stopped } from "../harness.ts";

/**
 * Several agents of one engine. An agent's slug and first prompt are the same word, by which it is known. A response of an agent waits
 * until the test sets it.
 */
export interface Crew {
  readonly b: Bench;
  /** The agents that sent a request, in order. */
  readonly asked: string[];
  /** Notices to the user. */
  readonly notices: string[];
  /** Positions in the queue from `/events`: `c 1` if one agent waits before c. */
  readonly places: string[];
  /** Starts a dialog as the user. Resolves when it is stored. */
  begin(name: string): Promise<void>;
  /** Sets the agent's current or next response. */
  reply(name: string, ...events: readonly ProviderEvent[]): void;
  id(name: string): Promise<string>;
  dialog(name: string): Promise<DialogAnswer>;
  put(name: string, body: JsonObject): Promise<Response>;
  /** `a b | c d`: the running agents, then the queued ones. */
  line(): Promise<string>;
  /** Waits until the line reads like this. */
  is(line: string): Promise<void>;
}

/** `doc`: the lines of doc-main.md, either limits such as `agents 2`, or complete lines that start with `>`. */
export async function crew(doc: readonly string[], options: BenchOptions = {}): Promise<Crew> {
  const asked: string[] = [];
  const waiting = new Map<string, ReturnType<typeof deferred<readonly ProviderEvent[]>>[]>();
  const given = new Map<string, (readonly ProviderEvent[])[]>();

  const b = await bench([], {
    welcome: [{ name: "doc-main.md", content: docMain(doc) }],
    async *answer(request, signal) {
      const name = firstWord(request);
      asked.push(name);
      const ready = given.get(name)?.shift();
      const gate = deferred<readonly ProviderEvent[]>();
      if (ready) gate.resolve(ready);
      else waiting.set(name, [...(waiting.get(name) ?? []), gate]);
      signal.addEventListener("abort", () => gate.resolve([stopped({ kind: "aborted" })]), { once: true });
      yield* await gate.promise;
    },
    ...options,
  });
  const notices: string[] = [];
  const places: string[] = [];
  await follow(b, (event) => {
    if (event.type === "notice") notices.push(event.data.message);
    if (event.type === "dialog" && event.data.activity?.kind === "queued")
      places.push(`${nameOf(event.dialogId ?? "")} ${event.data.activity.ahead}`);
  });

  const made: Crew = {
    b,
    asked,
    notices,
    places,
    async begin(name) {
      const answer = await b.ask("POST", "/dialog", { provider: "claude", slug: name, prompt: name });
      expect(answer.status).toBe(200);
    },
    reply(name, ...events) {
      const all = events.some(({ type }) => type === "end") ? events : [...events, ended];
      const gate = waiting.get(name)?.shift();
      if (gate) gate.resolve(all);
      else given.set(name, [...(given.get(name) ?? []), all]);
    },
    async id(name) {
      const listing = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
      const found = listing.find(({ dialogId }) => nameOf(dialogId) === name);
      if (!found) throw new Error(`no dialog ${name} among ${listing.map(({ filename }) => filename).join(" ")}`);
      return found.dialogId;
    },
    dialog: async (name) => (await (await b.ask("GET", `/dialog/${await made.id(name)}`)).json()) as DialogAnswer,
    put: async (name, body) => b.ask("PUT", "/dialog", { dialogId: await made.id(name), ...body }),
    async line() {
      const { running, queued } = (await (await b.ask("GET", "/limits")).json()) as LimitsAnswer;
      return `${running.map(nameOf).join(" ")} | ${queued.map(nameOf).join(" ")}`.trim();
    },
    is: (line) => expect.poll(() => made.line(), { interval: 1 }).toBe(line),
  };
  return made;
}

export function docMain(lines: readonly string[]): string {
  return `# A game\n${lines.map((line) => (line.startsWith(">") ? line : `> Limit: ${line}`)).join("\n")}\n`;
}

/** A call with which an agent launches another one. */
export function launch(id: string, name: string): ProviderEvent {
  return call(id, "launch_agent", { provider: "claude", model: "model-1", prompt: name, slug: name });
}

export function nameOf(dialogId: string): string {
  return dialogId.replace(/^\d+-\d+-/, "");
}

export function firstWord({ dialog }: ProviderRequest): string {
  const [first] = dialog.sections[0]?.parts ?? [];
  return first?.kind === "text" ? (first.text.split(/\s/)[0] ?? "") : "";
}

export async function follow(b: Bench, listener: (event: LiveEvent) => void): Promise<void> {
  const { body } = await b.ask("GET", "/events");
  if (!body) throw new Error("no events");
  void (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const event of blocks.flatMap(liveEventsIn)) listener(event);
    }
  })();
}
