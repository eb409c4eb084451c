import type { Call, Dialog, Json, JsonObject, Part, Section } from "../../../../src/dialog/model.ts";
import { nextStep } from "../../../../src/engine/providers/demo/demo.ts";
import type { Step, StepCall } from "../../../../src/engine/providers/demo/script.ts";

/** How a call goes: the user approves it, the user denies it, or it is approved and fails, or its result is lost. */
export type Fate = "yes" | "no" | "fail" | "lost";

export interface Turn {
  readonly step: Step;
  /** `key:fate` for each call. */
  readonly fates: readonly string[];
}

export interface Played {
  readonly turns: readonly Turn[];
  readonly dialog: Dialog;
  readonly files: ReadonlyMap<string, string>;
}

export interface PlayOptions {
  readonly prompt?: string;
  readonly files?: Iterable<readonly [string, string]>;
  readonly system?: string;
  /** The fate of the nth call of the play, counted from 0. */
  readonly fate?: (n: number, call: StepCall) => Fate;
  /** What the user writes before the nth answer. If null, a denial is followed by "No." */
  readonly word?: (n: number, step: Step | null) => string | null;
  /** Changes the files behind the agent's back, before each call is run. */
  readonly meddle?: (call: StepCall, files: Map<string, string>) => void;
  readonly most?: number;
}

export const doc = "# A quiet game\n\nTwo players, one screen.\n";

/** Plays a dialog to its end: asks the script, decides, runs the calls on a small stand-in for the four tools, and continues. */
export function play(options: PlayOptions = {}): Played {
  const files = new Map<string, string>(options.files ?? [["vibey/doc-main.md", doc]]);
  let dialog: Dialog = { format: 1, head: [], parts: [], sections: [user(options.prompt ?? "Please start.")] };
  const turns: Turn[] = [];
  let calls = 0;
  for (;;) {
    if (turns.length >= (options.most ?? 60)) throw new Error(`no end after ${turns.length} answers`);
    const step = nextStep(dialog, options.system ?? "");
    const fates: string[] = [];
    const parts: Part[] = [{ kind: "text", text: step.text }];
    for (const call of step.calls) {
      const fate = options.fate?.(calls++, call) ?? "yes";
      options.meddle?.(call, files);
      parts.push({ kind: "call", call: settle(call, fate, files) });
      fates.push(`${keyOf(call)}:${fate}`);
    }
    dialog = add(dialog, { role: "assistant", head: [], parts });
    turns.push({ step, fates });
    const word = options.word?.(turns.length, step) ?? (fates.some((each) => each.endsWith(":no")) ? "No." : null);
    if (word !== null) dialog = add(dialog, user(word));
    else if (step.calls.length === 0) return { turns, dialog, files };
  }
}

export function keyOf(call: { readonly id: string }): string {
  return call.id.replace(/^demo_([a-z]+)_\d+$/, "$1");
}

export function user(text: string): Section {
  return { role: "user", head: [], parts: [{ kind: "text", text }] };
}

export function add(dialog: Dialog, ...sections: Section[]): Dialog {
  return { ...dialog, sections: [...dialog.sections, ...sections] };
}

/** The play in one line: `read game index+page …`. A call that wasn't approved, or that failed, has its fate after a slash. */
export function story(played: Played): string {
  return played.turns
    .map(({ fates }) => fates.map((each) => each.replace(":yes", "").replace(":", "/")).join("+"))
    .join(" ")
    .trim();
}

export function lastText(played: Played): string {
  return played.turns.at(-1)?.step.text ?? "";
}

function settle(call: StepCall, fate: Fate, files: Map<string, string>): Call {
  const base = { ...call, started: null, result: undefined };
  if (fate === "no") return { ...base, decision: "denied" };
  if (fate === "lost") return { ...base, decision: "approved", started: "2026-11-21T20:11:20.511Z" };
  return { ...base, decision: "approved", result: fate === "fail" ? { success: false, error: "the disk is full" } : run(call, files) };
}

function run(call: StepCall, files: Map<string, string>): Json {
  const { input } = call;
  if (call.name === "write_file") {
    files.set(field(input, "path"), field(input, "content"));
    return { success: true, message: `File written: ${field(input, "path")}` };
  }
  if (call.name === "edit_file") return edit(input, files);
  if (call.name === "launch_agent") return { success: true, launched: { dialogId: "20261121-201120-style-the-page", status: "active" } };
  return command(field(input, "command"), files);
}

/** A text field of a call's input. Throws if the call doesn't have it, because then the script is wrong. */
export function field(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new Error(`the input has no text ${name}`);
  return value;
}

function edit(input: JsonObject, files: Map<string, string>): Json {
  const path = field(input, "path");
  const pieces = (files.get(path) ?? "").split(field(input, "old_string"));
  if (pieces.length !== 2) return { success: false, error: "old_string not found in file" };
  files.set(path, pieces.join(field(input, "new_string")));
  return { success: true, message: `Edit applied to ${path}`, line: (pieces[0] ?? "").split("\n").length };
}

/** `cat` and `ls`, joined by `&&` or `;`, and `rm -rf` of files that don't exist. */
function command(line: string, files: Map<string, string>): Json {
  const stdout = line
    .split(/ && |; /)
    .map((each) => {
      if (each === "echo") return "\n";
      if (each === "ls") return `${[...files.keys()].filter((path) => !path.includes("/")).join("\n")}\n`;
      if (each.startsWith("cat ")) return files.get(each.slice(4)) ?? "";
      if (each.startsWith("rm -rf ")) return "";
      throw new Error(`the stand-in knows no ${each}`);
    })
    .join("");
  return { success: true, stdout, stderr: "", ms: 3 };
}
