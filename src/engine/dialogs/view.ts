import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { nameOf } from "../../fs/vibey-name.ts";
import type { CallView, DialogView, MessageView, PartView, UsageView } from "../api.ts";
import { authorized, authorizedAt } from "../format/authority.ts";
import { stringifyJson } from "../format/json.ts";
import type { Call, Meta, Section } from "../format/model.ts";
import { callsOf, metaOf } from "../machine/queries.ts";
import { currentModel, currentProvider } from "../machine/settle.ts";
import { parseUsage } from "../machine/usage.ts";
import type { Live } from "./live.ts";

const inFields = new Set(["Time", "Provider", "Model", "Usage", "Usage cumulative", "Stop"]);
const hashes = new WeakMap<Call["input"], string>();
const views = new WeakMap<Section, { readonly before: string; readonly view: MessageView }>();

/** SHA-256 of what a click on Approve is about: tool, id and input as the file has them. */
export function callHash(call: Call): string {
  const known = hashes.get(call.input);
  if (known !== undefined) return known;
  const hash = bytesToHex(sha256(utf8ToBytes(`${call.name} [${call.id}]\n${stringifyJson(call.input)}`)));
  hashes.set(call.input, hash);
  return hash;
}

export function headView(live: Live): Omit<DialogView, "messages"> {
  const { dialog, status } = live.state;
  const filename = nameOf(live.path) ?? live.path;
  return {
    dialogId: live.id,
    filename,
    status,
    provider: currentProvider(dialog),
    model: currentModel(dialog),
    started: lineOf(dialog.head, "Started"),
    launchedBy: lineOf(dialog.head, "Launched by"),
    authorized: [...authorized(dialog)].toSorted(),
    readOnlyReason:
      dialog.format === null || dialog.format === 1
        ? null
        : `This dialog has format ${dialog.format}; this Vibey writes format 1. It is shown, and it can't go on here.`,
    notes: [
      ...metaPart(dialog.head.filter(({ key }) => !["Provider", "Model", "Started", "Launched by"].includes(key))),
      ...dialog.parts.flatMap((part) => (part.kind === "text" ? [part] : part.kind === "meta" ? metaPart(part.lines) : [])),
    ],
    activity: live.activity,
    failure: failureOf(live),
  };
}

export function messageView(live: Live, index: number): MessageView {
  const section = live.state.dialog.sections[index];
  if (!section) throw new RangeError(`message ${index} of ${live.state.dialog.sections.length}`);
  return viewOf(live, section, index);
}

export function dialogView(live: Live): DialogView {
  return { ...headView(live), messages: live.state.dialog.sections.map((section, index) => viewOf(live, section, index)) };
}

/** A section is a value, so its view holds as long as the files that its pending calls would replace read the same. */
function viewOf(live: Live, section: Section, index: number): MessageView {
  const before = callsOf(section)
    .map((call) => live.before.get(call.id) ?? "")
    .join("\0");
  const known = views.get(section);
  if (known?.before === before) return known.view;
  const view = makeView(live, section, index);
  views.set(section, { before, view });
  return view;
}

function makeView(live: Live, section: Section, index: number): MessageView {
  const lines = metaOf(section);
  const [start, end] = (lineOf(section.head, "Time") ?? "").split(" -");
  return {
    role: section.role,
    start: start?.trim() || null,
    end: end?.trim() || null,
    provider: lineOf(section.head, "Provider"),
    model: lineOf(section.head, "Model"),
    parts: [
      ...metaPart(section.head),
      ...section.parts.flatMap((part, at): PartView[] => {
        if (part.kind === "text") return [part];
        if (part.kind === "meta") return metaPart(part.lines);
        const allowed = authorizedAt(live.state.dialog, index, at).has(part.call.name);
        return [{ kind: "call", call: callView(part.call, allowed, live.before.get(part.call.id) ?? null) }];
      }),
    ],
    usage: usageOf(lines, "Usage"),
    usageCumulative: usageOf(lines, "Usage cumulative"),
    stop: lineOf(lines, "Stop"),
  };
}

function callView(call: Call, authorizedThere: boolean, before: string | null): CallView {
  return {
    id: call.id,
    tool: call.name,
    input: call.input,
    state: stateOf(call),
    allowedBy: call.decision !== "approved" ? null : authorizedThere ? "authorization" : "human",
    result: call.result ?? null,
    hash: callHash(call),
    before,
  };
}

function stateOf(call: Call): CallView["state"] {
  if (call.decision === "denied") return "denied";
  if (call.result !== undefined) return "finished";
  if (call.started !== null) return "running";
  return call.decision === "approved" ? "approved" : "pending";
}

function metaPart(lines: readonly Meta[]): PartView[] {
  const shown = lines.filter(({ key }) => !inFields.has(key));
  return shown.length > 0 ? [{ kind: "meta", lines: shown }] : [];
}

function lineOf(lines: readonly Meta[], key: string): string | null {
  return lines.findLast((line) => line.key === key)?.value ?? null;
}

function usageOf(lines: readonly Meta[], key: string): UsageView | null {
  const value = lineOf(lines, key);
  return value === null ? null : parseUsage(value);
}

/** The last turn's failure, as its `> Stop: error …` tells it; a human who wrote since has moved on. */
function failureOf(live: Live): DialogView["failure"] {
  const last = live.state.dialog.sections.at(-1);
  const reason = last?.role === "assistant" ? lineOf(metaOf(last), "Stop") : null;
  return reason?.startsWith("error ") ? { reason: "error", message: reason.slice("error ".length) } : null;
}
