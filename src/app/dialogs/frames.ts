import type { CallView, MessageView, PartView } from "../../engine/api.ts";
import type { Meta } from "../../engine/format/model.ts";
import { costStopWords, readCostStop } from "../cost/money.ts";
import { secondsWords } from "./time-limit.ts";

/** The message with `text` at the end of its text part `part`; a part one past the end is a new one. Null when that part is no text. */
export function appendText(message: MessageView, part: number, text: string): MessageView | null {
  const old = message.parts[part];
  if (old === undefined) {
    return part === message.parts.length ? { ...message, parts: [...message.parts, { kind: "text", text }] } : null;
  }
  return old.kind === "text" ? { ...message, parts: message.parts.with(part, { kind: "text", text: old.text + text }) } : null;
}

const isPending = (part: PartView): part is PartView & { kind: "call" } => part.kind === "call" && part.call.state === "pending";

/** The calls that nobody has decided yet, in their order. */
export const pendingCalls = (messages: readonly MessageView[]): CallView[] =>
  messages.flatMap((message) => message.parts.filter(isPending).map((part) => part.call));

/** What a person said in a message, as text. */
export const saidText = (message: MessageView): string =>
  message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** A line of a message's metadata, in words where they are known. */
export function metaWords({ key, value }: Meta): string {
  if (key === "Network") return `You let commands of this dialog reach ${value}.`;
  if (key === "Network refused") return `You refused commands of this dialog to reach ${value}.`;
  if (key === "Limit" && value === "cost once") return "You let the agent go on once past the limit of what this project may cost.";
  if (key === "Limit" && value === "cost unknown") return "You let this dialog go on with models whose price nobody knows.";
  const [, seconds] = key === "Limit" ? (/^command (\d{1,6})$/.exec(value) ?? []) : [];
  if (seconds !== undefined) return `You let commands of this dialog run up to ${secondsWords(Number(seconds))}.`;
  const [, used, window] = key === "Context" ? (/^used=(\d+) window=(\d+)$/.exec(value) ?? []) : [];
  if (used === undefined || window === undefined || Number(window) === 0) return `${key}: ${value}`;
  return `The agent was told that ${percent(Number(used), Number(window))} of its window is full.`;
}

/** "41 %", rounded down, so that it never says more than is used. */
export function percent(used: number, window: number): string {
  const whole = Math.floor((used / window) * 100);
  return whole === 0 && used > 0 ? "less than 1 %" : `${whole} %`;
}

/** What the stop of a message means, in a sentence. */
export function stopWords(stop: string): string {
  const cost = readCostStop(stop);
  if (cost !== null) return costStopWords(cost);
  const [kind = "", ...rest] = stop.split(" ");
  const detail = rest.join(" ");
  switch (kind) {
    case "aborted":
      return "You stopped the agent here.";
    case "interrupted":
      return "Interrupted here: the page was closed, or the connection broke or fell silent. What was written is kept; Resume goes on from it.";
    case "max_tokens":
      return "The answer reached its longest length and stops here. Continue lets the agent go on.";
    case "refusal":
      return "The model declined to go on. Say it in other words, or choose another model.";
    case "context_window":
      return "This dialog has grown too long for the model to read. Start a fresh dialog, or choose a model with a longer window.";
    case "limit":
      return `A limit was reached: ${detail}.`;
    case "error":
      // What went wrong in Vibey is not the provider's.
      return detail.startsWith("Vibey ") ? detail : `The provider failed: ${detail}`;
    default:
      return `Stopped: ${stop}`;
  }
}
