/** A tool call in words: what it does, to what, and which of its fields is a payload that would only clutter the page. */
import type { CallView } from "../../protocol/index.ts";
import type { Json } from "../../dialog/model.ts";
import { parsePattern, patternSubject } from "../../dialog/pattern.ts";
import { wasStoppedBeforeRun } from "../../dialog/stopped.ts";
import { toolSubjects } from "../../protocol/tool-subjects.ts";
import { countBreaks } from "../markdown/long-text.ts";
import { duration, fileSize } from "../ui/format.ts";
import * as t from "../texts/calls.ts";
import { commandTexts, toolTexts, writesTexts } from "../texts/tools.ts";
import { visible } from "./visible.ts";

const text = (value: Json | undefined) => (typeof value === "string" ? value : null);

/** The names of a tool, or of what a line with a pattern allows. Nothing in the name of an unknown tool is hidden. */
export function words(tool: string) {
  const pattern = parsePattern(tool);
  if (pattern === null) return toolTexts(visible(tool));
  return (pattern.kind === "command" ? commandTexts : writesTexts)(patternSubject(tool));
}

/** What the call works on, in one line; empty if it doesn't say. */
export function subject(call: Pick<CallView, "tool" | "input">): string {
  const field = toolSubjects.get(call.tool);
  const value =
    (field === undefined ? null : text(call.input[field])) ?? (call.tool === "launch_agent" ? text(call.input["prompt"]) : null) ?? "";
  const line = value.split("\n", 1)[0] ?? "";
  const cut = Array.from(line.slice(0, 240)).slice(0, 120).join("");
  return cut.length < value.length ? `${cut} …` : cut;
}

/**
 * The field that the heading of a call shows exactly, so that the fields below needn't repeat it: a path, or the name of a dialog. Null for a
 * command.
 */
export function headed(call: Pick<CallView, "tool" | "input">): Field | null {
  const name = call.tool === "run_command" ? undefined : toolSubjects.get(call.tool);
  const value = name === undefined ? null : text(call.input[name]);
  return name === undefined || value === null || value.trim() === "" ? null : { name, value };
}

/** "3.1 KB, 84 lines". */
export function measure(content: string): string {
  const lines = content === "" ? 0 : countBreaks(content) + (content.endsWith("\n") ? 0 : 1);
  return t.contentSize(fileSize(new TextEncoder().encode(content).byteLength), lines);
}

export interface Change {
  readonly before: string;
  readonly after: string;
  /** The number of the line in the file where both texts begin; null if it isn't known. */
  readonly line: number | null;
}

/** The two texts of a change, if the call is a change and both are known. */
export function change(call: Pick<CallView, "tool" | "input" | "before" | "line" | "result">): Change | null {
  if (call.tool === "edit_file") {
    const [before, after] = [text(call.input["old_string"]), text(call.input["new_string"])];
    const told = isObject(call.result) ? call.result["line"] : null;
    return before === null || after === null ? null : { before, after, line: call.line ?? (typeof told === "number" ? told : null) };
  }
  const after = text(call.input["content"]);
  return writes(call.tool) && call.before !== null && after !== null ? { before: call.before, after, line: 1 } : null;
}

/** Agents of a run use another name for it. */
const writes = (tool: string) => tool === "write_file" || tool === "vfs_write";

/** The file content that a call carries. It is named, and not shown until it is opened. */
export function payload(call: Pick<CallView, "tool" | "input">): { readonly content: string } | null {
  const content = text(call.input["content"]);
  return (writes(call.tool) || call.tool === "spawn_agent") && content !== null ? { content } : null;
}

export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Every field of the input that no diff or payload shows, as text. Every part of the input is in one or the other. */
export function fields(call: Parameters<typeof change>[0]): Field[] {
  const shown = new Set<string>();
  if (change(call) !== null && call.tool === "edit_file") shown.add("old_string").add("new_string");
  if (payload(call) !== null) shown.add("content");
  const entries = ordered(call.input).filter(([name]) => !shown.has(name));
  return asFields(entries);
}

/** The maximum number of fields that have an element each. Tens of thousands of elements would freeze the page for minutes. */
export const mostFields = 50;

/** The arguments by which tools of Vibey and of outside agents say what a call is about. Names match exactly: each has many spellings. */
const about =
  /^(?:command|cmd|background|path|filePath|(?:file|notebook)_path|filename|prefix|from_line|content|(?:old|new)_string|slug|prompt|task|message|agent|provider|model|url|query|pattern|description)$/;

/** The arguments of a call. If there are too many for an element each, those that say what the call is about come first. */
export function ordered(input: CallView["input"]): (readonly [name: string, value: Json])[] {
  const entries = Object.entries(input);
  if (entries.length <= mostFields) return entries;
  return [...entries.filter(([name]) => about.test(name)), ...entries.filter(([name]) => !about.test(name))];
}

/** Each entry as a field if there are few. If there are many, the others share one text, which may be long. */
function asFields(entries: readonly (readonly [name: string, value: Json])[]): Field[] {
  const apart = entries.length > mostFields ? entries.slice(0, mostFields - 1) : entries;
  const rest = entries.slice(apart.length);
  return [
    ...apart.map(([name, value]) => ({ name, value: typeof value === "string" ? value : JSON.stringify(value, null, 2) })),
    ...(rest.length > 0 ? [{ name: t.moreFields(rest.length), value: JSON.stringify(Object.fromEntries(rest), null, 2) }] : []),
  ];
}

/**
 * The state of a call in a few words: "approved by you · 14 ms". A done dialog no longer asks; while the response is being written, the call doesn't
 * ask yet.
 */
export function stateWords(
  call: Pick<CallView, "state" | "allowedBy" | "allowedByLines" | "changed" | "result"> & Partial<Pick<CallView, "started">>,
  asked: "now" | "later" | "never" = "now",
): string {
  if (call.state === "pending") return { now: t.waitsForYou, later: t.waitsForEnd, never: t.undecided }[asked];
  if (call.state === "denied") return t.denied;
  const isStopped = (call.started ?? null) === null && wasStoppedBeforeRun(call.result ?? undefined);
  if (isStopped && call.allowedBy === null) return t.stoppedBeforeRun;
  const by =
    call.allowedBy === null
      ? (call.started ?? null) === null
        ? t.nobodysWord
        : t.decidedElsewhere
      : call.allowedBy === "human"
        ? call.changed === undefined
          ? t.approved
          : t.approvedChanged
        : lineWords(call.allowedByLines ?? []);
  if (call.state === "approved") return `${by} · ${t.notStarted}`;
  if (call.state === "running") return `${by} · ${t.running}`;
  if (isStopped) return `${by} · ${t.stoppedBeforeRun}`;
  const ms = took(call.result);
  const background = isObject(call.result) ? call.result["background"] : null;
  if (typeof background === "string") return `${by} · ${t.inBackground(visible(background))}`;
  const failed = isObject(call.result) && call.result["success"] === false;
  return [by, failed ? t.failed : null, ms === null ? null : duration(ms)].filter((word) => word !== null).join(" · ");
}

/** The lines that allowed a call: "allowed by `npm test *` in main". */
function lineWords(lines: NonNullable<CallView["allowedByLines"]>): string {
  if (lines.length === 0) return t.alwaysAllowed;
  const named = (isMain: boolean) =>
    lines.filter(({ place }) => (place === "main") === isMain).map(({ value }) => `\`${patternSubject(value)}\``);
  const [main, here] = [named(true), named(false)];
  return t.allowedBy([
    ...(main.length > 0 ? [t.inMain(main.join(", "))] : []),
    ...(here.length > 0 ? [t.inThisDialog(here.join(", "))] : []),
  ]);
}

function took(result: Json): number | null {
  const ms = isObject(result) ? result["ms"] : null;
  return typeof ms === "number" && ms >= 0 ? ms : null;
}

/** The dialog that the call launched; null if it hasn't launched one. */
export function launched(call: Pick<CallView, "tool" | "result">): string | null {
  if ((call.tool !== "launch_agent" && call.tool !== "spawn_agent") || !isObject(call.result)) return null;
  const child = call.result["launched"];
  const id = child !== undefined && isObject(child) ? child["dialogId"] : null;
  return typeof id === "string" ? id : null;
}

/** The fields of a result as text, in their order, without those that only repeat the line above or the diff. */
export function output(result: Json): Field[] {
  if (result === null) return [];
  if (!isObject(result)) return [{ name: "result", value: typeof result === "string" ? result : JSON.stringify(result, null, 2) }];
  return asFields(
    Object.entries(result).filter(
      ([name, value]) => name !== "ms" && name !== "line" && value !== "" && !(name === "success" && value === true),
    ),
  );
}

export const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
