import { expect } from "vitest";
import { liveEventsIn } from "../../live-event.ts";
import type { Activity, DialogAnswer, LiveEvent, NetworkAsk } from "../../../src/protocol/index.ts";
import type { HostGrant } from "../../../src/dialog/ids.ts";
import type { Send, Sending, Sent } from "../../../src/engine/network/send.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { type Bench, bench, type BenchOptions, call, ended, outcome, type Reply, say } from "../harness.ts";

/** A request in a test's notation: `GET https://a.example/`, plus anything that differs from curl's defaults. */
export function request(line: string, more: Partial<NetRequest> = {}): NetRequest {
  const [method = "", url = ""] = line.split(" ");
  return { url, method, headers: [], body: null, program: "curl", follow: true, ...more };
}

export function answer(url: string, status = 200, body = "ok", headers: Record<string, string> = {}): Extract<Sent, { kind: "answer" }> {
  return { kind: "answer", url, status, statusText: "", headers: Object.entries(headers), body: new TextEncoder().encode(body) };
}

export interface Wired extends Bench {
  /** The requests that were sent, in order. */
  readonly sent: Sending[];
  /** The sandbox's notifications: `waiting` or `going`. */
  readonly clock: string[];
  readonly answers: Map<string, string>;
}

export interface WiredOptions extends BenchOptions {
  readonly reply?: (sending: Sending, signal: AbortSignal) => Promise<Sent> | Sent;
  readonly more?: Partial<NetRequest>;
}

/** A harness whose commands are requests, one per line, all sent at once. Each command records the results. */
export async function wired(replies: readonly Reply[], options: WiredOptions = {}): Promise<Wired> {
  const sent: Sending[] = [];
  const clock: string[] = [];
  const answers = new Map<string, string>();
  const send: Send = async (sending, signal) => {
    sent.push(sending);
    return (await options.reply?.(sending, signal)) ?? answer(sending.url);
  };
  const made = await bench(replies, {
    send,
    async run(script, signal, { network }) {
      const lines = script.split("\n");
      const waitsForHuman = (waiting: boolean) => void clock.push(waiting ? "waiting" : "going");
      const got = await Promise.all(
        lines.map(async (line) => network?.(request(line, options.more), { signal: AbortSignal.any([signal]), waitsForHuman })),
      );
      const texts = got.map((one) => (one?.kind === "answer" ? `${one.status} ${one.url}` : `${one?.kind}: ${one?.why}`));
      lines.forEach((line, index) => answers.set(line, texts[index] ?? ""));
      return { ...outcome(texts.join("\n")), aborted: signal.aborted };
    },
    ...options,
  });
  return Object.assign(made, { sent, clock, answers });
}

/** A response that runs one command without asking. */
export function command(id: string, ...lines: string[]): Reply {
  return [call(id, "run_command", { command: lines.join("\n") }), ended];
}

export const done = say("Done.");

/** Starts a dialog whose commands run without asking. */
export async function begin(b: Bench, slug = "net"): Promise<string> {
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude", slug })).json()) as { dialogId: string };
  await (await b.ask("PUT", "/dialog", { dialogId, authorizations: ["run_command"] })).text();
  return dialogId;
}

/** Sends the user's prompt without waiting for the end of the turn. */
export async function go(b: Bench, dialogId: string): Promise<Response> {
  return b.ask("PUT", "/dialog", { dialogId, prompt: "Go" });
}

export async function view(b: Bench, dialogId: string): Promise<DialogAnswer> {
  return (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
}

/** Waits until the user is asked about this host. */
export async function askedFor(b: Bench, dialogId: string, host: string): Promise<NetworkAsk> {
  await expect.poll(async () => askOf((await view(b, dialogId)).activity)?.host).toBe(host);
  const ask = askOf((await view(b, dialogId)).activity);
  if (!ask) throw new Error("nobody is asked any more");
  return ask;
}

export function askOf(activity: Activity | null): NetworkAsk | null {
  return activity?.kind === "running" ? activity.ask : null;
}

/** Sends the user's decision about a host. */
export async function word(b: Bench, dialogId: string, host: string, allow: boolean | HostGrant): Promise<Response> {
  const open = askOf((await view(b, dialogId)).activity);
  return b.ask("PUT", "/dialog", { dialogId, network: [{ host, allow, ...(open?.host === host ? { question: open.question } : {}) }] });
}

/** Collects the engine's events from now on. */
export async function listen(b: Bench): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  const response = await b.ask("GET", "/events");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done: isEnd, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (isEnd) return;
      events.push(...liveEventsIn(value));
    }
  };
  void read();
  return events;
}
