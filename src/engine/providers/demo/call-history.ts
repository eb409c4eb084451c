import type { Call, Dialog, Json, JsonObject, Section } from "../../../dialog/model.ts";

/**
 * What a scripted agent knows. It is read from the dialog each time and nothing else is remembered, so a reload, a fork or another tab
 * makes no difference.
 */
export interface CallHistory {
  /** How the last call with this key ended. Null if there was none. */
  outcome(key: string): Outcome | null;
  /** How often the call with this key was made. */
  tries(key: string): number;
  /** The user's first message. */
  readonly prompt: string;
  /** What the user wrote since the agent's last answer, without the prompt. Null if nothing. */
  readonly said: string | null;
  /** The keys of the agent's last calls, if it hasn't spoken about them yet. Otherwise empty. */
  readonly news: readonly string[];
  /** The keys of the agent's last calls, spoken about or not. */
  readonly lastKeys: readonly string[];
  /** Whether the agent has finished since its last call: it gave an answer without calls, and not because it was told to wait. */
  readonly rested: boolean;
  /** Whether the agent has made no call yet. */
  readonly fresh: boolean;
  readonly system: string;
}

export type Outcome =
  | { readonly kind: "open" }
  | { readonly kind: "denied" }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "done"; readonly result: JsonObject };

const idPattern = /^demo_([a-z]+)_(\d+)$/;

/** The id of the next call with this key. `readCallHistory` finds the call by it. */
export function callId(key: string, past: CallHistory): string {
  return `demo_${key}_${past.tries(key) + 1}`;
}

export function readCallHistory(dialog: Dialog, system: string): CallHistory {
  const outcomes = new Map<string, { outcome: Outcome; tries: number }>();
  let lastKeys: string[] = [];
  let spokeSince = false;
  let rested = false;
  let prompt: string | null = null;
  let said: string[] = [];

  for (const section of dialog.sections) {
    const text = textOf(section);
    if (section.role === "user") {
      if (text === "") continue;
      if (prompt === null) prompt = text;
      else said.push(text);
      continue;
    }
    const calls = ownCalls(section);
    if (calls.length > 0) {
      lastKeys = calls.map(({ key }) => key);
      spokeSince = false;
      rested = false;
      for (const { key, number, call } of calls) outcomes.set(key, { outcome: outcomeOf(call), tries: number });
    } else if (text !== "" && !wasCut(section)) {
      spokeSince = true;
      rested ||= !said.some(asksToWait);
    }
    if (calls.length > 0 || text !== "") said = [];
  }

  return {
    outcome: (key) => outcomes.get(key)?.outcome ?? null,
    tries: (key) => outcomes.get(key)?.tries ?? 0,
    prompt: prompt ?? "",
    said: said.length === 0 ? null : said.join("\n\n"),
    news: spokeSince ? [] : lastKeys,
    lastKeys,
    rested,
    fresh: outcomes.size === 0,
    system,
  };
}

/** Whether the user asks to wait. A script understands only two requests: this one and `asksForMore`. */
export function asksToWait(text: string): boolean {
  return /^\W*(please\s+)?(stop|wait|pause|hold on|not yet)\b/i.test(text);
}

/** Whether the user asks to try again. */
export function asksForMore(text: string): boolean {
  return /\b(again|retry)\b/i.test(text);
}

/** The text in `field` of a call's result. "" if there is none. */
export function resultText(outcome: Outcome | null, field: string): string {
  const value = outcome?.kind === "done" ? outcome.result[field] : undefined;
  return typeof value === "string" ? value : "";
}

/** The first heading of a Markdown text, as one line. Null if there is none. */
export function titleOf(markdown: string): string | null {
  const heading = /^# +(\S.*)$/m.exec(markdown.replaceAll("\r", ""))?.[1];
  const title = heading?.replaceAll(/\s+/g, " ").trim();
  if (!title) return null;
  const letters = Array.from(title);
  return letters.length > 80 ? `${letters.slice(0, 79).join("")}…` : title;
}

function ownCalls(section: Section): { key: string; number: number; call: Call }[] {
  return section.parts.flatMap((part) => {
    if (part.kind !== "call") return [];
    const [, key, number] = idPattern.exec(part.call.id) ?? [];
    return key !== undefined && number !== undefined ? [{ key, number: Number(number), call: part.call }] : [];
  });
}

function outcomeOf(call: Call): Outcome {
  if (call.decision === "denied") return { kind: "denied" };
  if (call.result !== undefined) return resultOutcome(call.result);
  if (call.decision === "approved") return { kind: "failed", error: "it's unclear whether this ran" };
  return { kind: "open" };
}

function resultOutcome(result: Json): Outcome {
  if (!isObject(result)) return { kind: "failed", error: "I couldn't understand the result" };
  if (result["success"] !== false) return { kind: "done", result };
  const error = [result["stderr"], result["error"]].find((each) => typeof each === "string" && each.trim() !== "");
  return { kind: "failed", error: typeof error === "string" ? firstLine(error) : "no reason given" };
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(section: Section): string {
  return section.parts
    .flatMap((part) => (part.kind === "text" ? [part.text] : []))
    .join("\n\n")
    .trim();
}

/** Whether the section has a `> Stop:` line, so that its text may be incomplete. */
function wasCut(section: Section): boolean {
  return section.parts.some((part) => part.kind === "meta" && part.lines.some((line) => line.key === "Stop"));
}
