import { only } from "./meta.ts";
import type { Meta } from "./model.ts";
import { isDialogId } from "./name.ts";

/*
 * A run: the dialogs below one root, each of an agent. The header of each names the root (`> Run: 20261126-090000-orchestrator`), the agent's file
 * (`> File: agents/orchestrator.md`) and what it was asked (`> Input: <16 hex>`). That of the root also has what is
 * wrong with the file's front matter (`> Front matter: …`). What the user says of a run stands in its root: how much it may
 * (`> Limit: tokens 500000 a run`), and that it is paused (`> Paused: run <time>`) until it is resumed (`> Resumed: run <time>`).
 */

/** How a dialog belongs to a run. Only its header counts. */
export interface RunMember {
  /** The id of the root, which may be the dialog itself. */
  readonly run: string;
  /** The path of the file that defines its agent. */
  readonly file: string;
  /** 16 hexadecimal digits of what it was asked. */
  readonly input: string;
}

const RUN = "Run";
const FILE = "File";
const INPUT = "Input";
const PROBLEM = "Front matter";

/** The lines of the header. */
export const runLines = ({ run, file, input }: RunMember): Meta[] => [
  { key: RUN, value: run },
  { key: FILE, value: file },
  { key: INPUT, value: input },
];

/** What is wrong with the front matter of the file that defines the agent, one line each. */
export const problemLines = (problems: readonly string[]): Meta[] => problems.map((value) => ({ key: PROBLEM, value }));
export const problemsOf = (head: readonly Meta[]): string[] => head.flatMap(({ key, value }) => (key === PROBLEM ? [value] : []));

/** null: it belongs to none. A line that stands there twice, or can't be read, belongs to none. */
export function runOf(head: readonly Meta[]): RunMember | null {
  const [run, file, input] = [only(head, RUN), only(head, FILE), only(head, INPUT)];
  if (run === null || file === null || input === null) return null;
  return isDialogId(run) && /^[0-9a-f]{16}$/.test(input) ? { run, file, input } : null;
}

/** The limits of a run. */
export const runLimitNames = ["agents", "depth", "fanout", "tokens"] as const;
export type RunLimitName = (typeof runLimitNames)[number];
export type RunLimits = Readonly<Record<RunLimitName, number>>;

/** Whose pause it is: the run's, or that of the dialog's agent alone. */
export type PauseScope = "run" | "agent";

/** What the user said in a dialog of the run that it is the root of, and of its own agent. */
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

/** What a `Limit` line says of a run, from its value; null: nothing. */
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

/** What a line says of a pause; null: nothing. */
export function readPause({ key, value }: Meta): { readonly scope: PauseScope; readonly paused: boolean; readonly time: string } | null {
  if (key !== PAUSED && key !== RESUMED) return null;
  const [, scope, time = ""] = /^(run|agent) (\S+)$/.exec(value) ?? [];
  return scope === "run" || scope === "agent" ? { scope, paused: key === PAUSED, time } : null;
}

/** The words with one line more; the same when it says nothing of a run. */
export function withRunWord(words: RunCommands, line: Meta): RunCommands {
  const pause = readPause(line);
  if (pause) return { ...words, [pause.scope === "run" ? "runPaused" : "agentPaused"]: pause.paused };
  const limit = line.key === "Limit" ? readRunLimit(line.value) : null;
  return limit ? { ...words, [limit.name]: limit.value } : words;
}
