import type { CallView, MessageView, PartView } from "../../protocol/index.ts";
import type { Meta } from "../../dialog/model.ts";
import { hostLineWords } from "../calls/network.ts";
import { costStopWords, readCostStop } from "../cost/money.ts";
import { words } from "../calls/describe.ts";
import { isMeantAsPattern, isPattern } from "../../dialog/pattern.ts";
import { visible } from "../calls/visible.ts";
import { type GrowingText, growing, longer, whole } from "../markdown/growing.ts";
import { moment } from "../ui/format.ts";
import * as t from "../texts/messages.ts";
import * as limits from "../texts/time-limits.ts";

type TextPart = PartView & { readonly kind: "text" };

/** The growing texts, by their parts. */
const growths = new WeakMap<PartView, GrowingText>();

/** The message with `text` appended to its text part `part`. One past the last part adds a new part. Null if the part isn't text. */
export function appendText(message: MessageView, part: number, text: string): MessageView | null {
  const old = message.parts[part];
  if (old === undefined) {
    return part === message.parts.length ? { ...message, parts: [...message.parts, { kind: "text", text }] } : null;
  }
  if (old.kind !== "text") return null;
  const grown = longer(growths.get(old) ?? growing(old.text), text);
  const next: TextPart = {
    kind: "text",
    get text() {
      return whole(grown);
    },
  };
  growths.set(next, grown);
  return { ...message, parts: message.parts.with(part, next) };
}

/** A part's text for the screen. A growing text isn't joined into a string for this. */
export const shownText = (part: TextPart): string | GrowingText => growths.get(part) ?? part.text;

const isPending = (part: PartView): part is PartView & { kind: "call" } => part.kind === "call" && part.call.state === "pending";

/** The undecided calls, in order. */
export const pendingCalls = (messages: readonly MessageView[]): CallView[] =>
  messages.flatMap((message) => message.parts.filter(isPending).map((part) => part.call));

/** By the id of each undecided call: what the agent said between the previous call and this one. */
export function reasonsOf(messages: readonly MessageView[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { parts } of messages) {
    if (!parts.some(isPending)) continue;
    let said: string[] = [];
    for (const part of parts) {
      if (part.kind === "text") said.push(part.text);
      if (part.kind !== "call") continue;
      const reason = said.join("\n\n").trim();
      if (isPending(part) && reason !== "") reasons.set(part.call.id, reason);
      said = [];
    }
  }
  return reasons;
}

/** The text of a message. */
export const saidText = (message: MessageView): string =>
  message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** A line of a message's metadata, in words if they are known; nothing in it is hidden. `writing`: the message is still being written. */
export function metaWords({ key, value }: Meta, writing = false): string {
  const [, tool] = key === "Incomplete call" ? (/^([\w-]{1,64}) \[[\w-]{1,128}\]$/.exec(value) ?? []) : [];
  if (tool !== undefined) return (writing ? t.writingCall : t.incompleteCall)(words(tool).wish);
  if (key === "Network") return hostWordsOf(value);
  if (key === "Network refused") return t.youRefusedHost(visible(value));
  if ((key === "Authorized" || key === "Revoked") && isMeantAsPattern(value) && !isPattern(value))
    return t.notUnderstood(visible(`${key}: ${value}`));
  if (key === "Authorized") return t.youAllowed(words(value).always);
  if (key === "Revoked") return t.youTookBack(words(value).always);
  const edited = key === "Edited" ? moment(value) : null;
  if (edited !== null) return t.youEdited(edited);
  if (key === "Waiting") return t.waitsForYou(visible(value));
  if (key === "Limit" && value === "cost once") return t.youPassedCost;
  if (key === "Limit" && value === "cost unknown") return t.youPassedUnknown;
  const [, seconds] = key === "Limit" ? (/^command (\d{1,6})$/.exec(value) ?? []) : [];
  if (seconds !== undefined) return t.youAllowedTime(limits.seconds(Number(seconds)));
  const [, used, window] = key === "Context" ? (/^used=(\d+) window=(\d+)$/.exec(value) ?? []) : [];
  if (used === undefined || window === undefined || Number(window) === 0) return visible(`${key}: ${value}`);
  return t.toldWindow(percent(Number(used), Number(window)));
}

function hostWordsOf(value: string): string {
  const said = hostLineWords(value);
  return said === null ? t.youAllowedHost(visible(value)) : t.youSaidOfHost(visible(said.host), said.word);
}

/** "41%", rounded down, so that it never says more than is used. */
export function percent(used: number, window: number): string {
  const full = Math.floor((used / window) * 100);
  return full === 0 && used > 0 ? t.lessThanOnePercent : t.percent(full);
}

/** Why a message stopped, as a sentence; nothing in it is hidden. */
export function stopWords(stop: string): string {
  const cost = readCostStop(stop);
  if (cost !== null) return costStopWords(cost);
  const [kind = "", ...rest] = stop.split(" ");
  const detail = visible(rest.join(" "));
  switch (kind) {
    case "aborted":
      return t.stoppedByYou;
    case "interrupted":
      return t.interrupted;
    case "max_tokens":
      return t.longestAnswer;
    case "refusal":
      return t.declined;
    case "context_window":
      return t.tooLong;
    case "limit":
      return t.limitReached(detail);
    case "error":
      // An error in Vibey isn't the provider's fault.
      return detail.startsWith("Vibey ") ? detail : t.providerFailed(detail);
    default:
      return t.stopped(visible(stop));
  }
}
