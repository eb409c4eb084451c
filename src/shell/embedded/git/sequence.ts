import { readMessageFile, subjectOf, writeMessageFile } from "./commit.ts";
import type { Pick } from "./pick.ts";
import type { Repository } from "./repository.ts";
import { findCommit, shortOid } from "./revision.ts";
import { fatal } from "./stop.ts";
import { parseConfig } from "./store/config.ts";
import type { Oid } from "./store/model.ts";

/** The remaining steps of a `cherry-pick` or `revert` of several commits, stored in `.git/sequencer` like git does. */
export interface Sequence {
  readonly kind: "cherry-pick" | "revert";
  /** HEAD's commit before it started. */
  readonly head: Oid;
  /** The first one is the commit it stopped at. */
  readonly todo: readonly Oid[];
}

/** What the options say about every step. */
export type StepOptions = Omit<Pick, "kind" | "commit"> & {
  /** `--edit` or `--no-edit`; null if neither was given. */
  readonly edits: boolean | null;
};

export async function startSequence(repo: Repository, { kind, head, todo }: Sequence, options: StepOptions): Promise<void> {
  await writeMessageFile(repo, "sequencer/head", `${head}\n`);
  await writeTodo(repo, kind, todo);
  const lines = optionLines(options);
  if (lines !== "") await writeMessageFile(repo, optionsFile, `[options]\n${lines}`);
  await markStop(repo);
}

const optionsFile = "sequencer/opts";

function optionLines({ onlyStage, edits, keepsEmpty, saysSource, mainline, favor }: StepOptions): string {
  const values: readonly (readonly [name: string, value: string | null])[] = [
    ["no-commit", onlyStage ? "true" : null],
    ["edit", edits === null ? null : String(edits)],
    ["allow-empty", keepsEmpty ? "true" : null],
    ["record-origin", saysSource ? "true" : null],
    ["mainline", mainline === null ? null : String(mainline)],
    ["strategy-option", favor ?? null],
  ];
  return values.map(([name, value]) => (value === null ? "" : `\t${name} = ${value}\n`)).join("");
}

/** The options of the sequence under way, with which `--continue` and `--skip` do the remaining steps. */
export async function readStepOptions(repo: Repository): Promise<StepOptions> {
  const entries = parseConfig((await readMessageFile(repo, optionsFile)) ?? "");
  const given = new Map(entries.map(({ key, value }) => [key.replace(/^options\./, ""), value]));
  const take = (name: string): string | undefined => {
    const value = given.get(name);
    given.delete(name);
    return value;
  };
  const edit = take("edit");
  const mainline = take("mainline");
  const favor = take("strategy-option") ?? null;
  const options: StepOptions = {
    onlyStage: take("no-commit") === "true",
    edits: edit === undefined ? null : edit === "true",
    keepsEmpty: take("allow-empty") === "true",
    saysSource: take("record-origin") === "true",
    mainline: mainline === undefined ? null : Number(mainline),
    favor: favor === null || favor === "ours" || favor === "theirs" ? favor : refuseOption("strategy-option", favor),
  };
  if (options.edits === true) refuseOption("edit", "true");
  for (const [name, value] of given) refuseOption(name, value);
  return options;
}

function refuseOption(name: string, value: string): never {
  return fatal(`Vibey's git can't continue with '${name} = ${value}' in .git/${optionsFile}`);
}

const safetyFile = "sequencer/abort-safety";

/** Records HEAD's commit after a step of a sequence. Does nothing if no sequence is under way. */
export async function markStop(repo: Repository): Promise<void> {
  if ((await repo.files.stat(`${repo.gitdir}/sequencer`)) === null) return;
  await writeMessageFile(repo, safetyFile, `${(await repo.refs.resolve("HEAD")) ?? ""}\n`);
}

/** Whether HEAD is still at the commit where the sequence stopped. If it is not, `--abort` and `--skip` must not reset anything. */
export async function isWhereStopped(repo: Repository): Promise<boolean> {
  return (await readMessageFile(repo, safetyFile))?.trim() === ((await repo.refs.resolve("HEAD")) ?? "");
}

export async function writeTodo(repo: Repository, kind: Sequence["kind"], todo: readonly Oid[]): Promise<void> {
  const word = kind === "revert" ? "revert" : "pick";
  let text = "";
  for (const oid of todo) text += `${word} ${shortOid(oid)} ${subjectOf((await repo.objects.commit(oid)).message)}\n`;
  await writeMessageFile(repo, "sequencer/todo", text);
}

/** Null: no sequence is under way. */
export async function readSequence(repo: Repository): Promise<Sequence | null> {
  const text = await readMessageFile(repo, "sequencer/todo");
  const head = (await readMessageFile(repo, "sequencer/head"))?.trim() ?? null;
  if (text === null || head === null) return null;
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const todo: Oid[] = [];
  for (const line of lines) {
    const [, , name = ""] =
      /^(pick|revert) ([0-9a-f]+)/.exec(line) ?? fatal(`Vibey's git can't read this line of .git/sequencer/todo: ${line}`);
    todo.push((await findCommit(repo, name)) ?? fatal(`bad object ${name}`));
  }
  return { kind: lines[0]?.startsWith("revert") === true ? "revert" : "cherry-pick", head, todo };
}

/** After a commit, a reset, or a switch: ends a sequence that stopped at its last commit. */
export async function dropFinished(repo: Repository): Promise<void> {
  const sequence = await readSequence(repo);
  if (sequence !== null && sequence.todo.length < 2) await dropSequence(repo);
}

export async function dropSequence(repo: Repository): Promise<void> {
  await repo.files.removeFolder(`${repo.gitdir}/sequencer`);
}
