import { only } from "./meta.ts";
import type { Meta } from "./model.ts";
import { isDialogId } from "./name.ts";

/*
 * A run: all dialogs below one root, each with its own agent. The header of each dialog names the root (`> Run: 20261126-090000-orchestrator`), the
 * agent's file (`> File: agents/orchestrator.md`) and the input (`> Input: <16 hex>`). The root's header also lists the problems of the file's front
 * matter (`> Front matter: …`). The user's commands for a run are lines in its root: limits (`> Limit: tokens 500000 a run`), a pause
 * (`> Paused: run <time>`) and its end (`> Resumed: run <time>`).
 */

/** How a dialog belongs to a run. Read from the header only. */
export interface RunMember {
  /** The id of the root. The dialog itself can be the root. */
  readonly run: string;
  /** The path of the file that defines its agent. */
  readonly file: string;
  /** 16 hexadecimal digits that identify the input. */
  readonly input: string;
}

const RUN = "Run";
const FILE = "File";
const INPUT = "Input";
const PROBLEM = "Front matter";

/** The header lines for a member of a run. */
export const runLines = ({ run, file, input }: RunMember): Meta[] => [
  { key: RUN, value: run },
  { key: FILE, value: file },
  { key: INPUT, value: input },
];

/** One header line for each problem in the front matter of the agent's file. */
export const problemLines = (problems: readonly string[]): Meta[] => problems.map((value) => ({ key: PROBLEM, value }));
export const problemsOf = (head: readonly Meta[]): string[] => head.flatMap(({ key, value }) => (key === PROBLEM ? [value] : []));

/** Null if the dialog belongs to no run, or if one of the lines is duplicated or invalid. */
export function runOf(head: readonly Meta[]): RunMember | null {
  const [run, file, input] = [only(head, RUN), only(head, FILE), only(head, INPUT)];
  if (run === null || file === null || input === null) return null;
  return isDialogId(run) && /^[0-9a-f]{16}$/.test(input) ? { run, file, input } : null;
}

/** The limits of a run. */
export const runLimitNames = ["agents", "depth", "fanout", "tokens"] as const;
export type RunLimitName = (typeof runLimitNames)[number];
export type RunLimits = Readonly<Record<RunLimitName, number>>;

/** Whether a pause stops the whole run or only the dialog's own agent. */
export type PauseScope = "run" | "agent";

/** The user's commands in a dialog: for the run whose root it is, and for its own agent. */
export interface RunCommands extends Readonly<Partial<RunLimits>> {
  readonly runPaused?: boolean;
  readonly agentPaused?: boolean;
}

export const noRunWords: RunCommands = {};

const PAUSED = "Paused";
const RESUMED = "Resumed";
const A_RUN: ReadonlySet<string> = new Set(["agents", "tokens"]);

export const runLimitLine = (name: RunLimitName, value: number): Meta => ({
  key: "Limit",
  value: `${name} ${value}${A_RUN.has(name) ? " a run" : ""}`,
});

/** Parses the value of a `Limit` line. Null if it doesn't set a limit of a run. */
export function readRunLimit(value: string): { readonly name: RunLimitName; readonly value: number } | null {
  const [, name, digits] = /^(agents|depth|fanout|tokens) (\d{1,15})(?: a run)?$/.exec(value) ?? [];
  const known = runLimitNames.find((one) => one === name);
  return known !== undefined && value.endsWith(" a run") === A_RUN.has(known) ? { name: known, value: Number(digits) } : null;
}

/** `time`: ISO 8601. */
export const pauseLine = (scope: PauseScope, paused: boolean, time: string): Meta => ({
  key: paused ? PAUSED : RESUMED,
  value: `${scope} ${time}`,
});

/** Parses a `Paused` or `Resumed` line. Null for any other line. */
export function readPause({ key, value }: Meta): { readonly scope: PauseScope; readonly paused: boolean; readonly time: string } | null {
  if (key !== PAUSED && key !== RESUMED) return null;
  const [, scope, time = ""] = /^(run|agent) (\S+)$/.exec(value) ?? [];
  return scope === "run" || scope === "agent" ? { scope, paused: key === PAUSED, time } : null;
}

/** The commands after one more line. Returns the same object if the line doesn't concern a run. */
export function withRunWord(words: RunCommands, line: Meta): RunCommands {
  const pause = readPause(line);
  if (pause) return { ...words, [pause.scope === "run" ? "runPaused" : "agentPaused"]: pause.paused };
  const limit = line.key === "Limit" ? readRunLimit(line.value) : null;
  return limit ? { ...words, [limit.name]: limit.value } : words;
}
