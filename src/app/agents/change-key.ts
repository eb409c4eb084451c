import { createEffect, createRoot } from "solid-js";
import type { AgentAnswer, AgentChange } from "../../protocol/index.ts";
import type { OpenFile } from "../docs/open-file.ts";
import * as t from "../texts/agent-form.ts";
import { changeAgent, readAgent } from "./load.ts";

/** A change that a form makes to an agent's file. */
export interface KeyChange {
  /** Its name on the screen. */
  readonly label: string;
  /** Computes the change from the current file. Null: nothing needs to change; a string: why it can't. */
  readonly compute: (agent: AgentAnswer) => AgentChange | string | null;
  /** Whether the file then has the wanted value: another of its lines may override it. */
  readonly isApplied: (agent: AgentAnswer) => boolean;
}

export interface Outcome {
  /** Whether the form may show the current file. */
  readonly isDone: boolean;
  /** What went wrong, as a sentence. */
  readonly problem: string | null;
}

export interface AgentFile {
  readonly open: OpenFile;
  /** The file's key. */
  readonly key: string;
  readonly path: string;
  readonly slug: string;
}

const until = (is: () => boolean) =>
  new Promise<void>((resolve) => {
    createRoot((dispose) =>
      createEffect(() => {
        if (!is()) return;
        resolve();
        queueMicrotask(dispose);
      }),
    );
  });

/** Saves what is typed in the editor, as Save does. False: some of it is still unsaved. */
async function store({ open, key }: AgentFile): Promise<boolean> {
  const isOpen = () => open.key() === key;
  await until(() => !isOpen() || (!open.unknown() && !open.saving()));
  if (isOpen() && open.dirty() && !open.disputed()) await open.save();
  await until(() => !isOpen() || !open.saving());
  // Typed text is a draft until it is saved. A draft from another tab has a key that begins with the file's key.
  return !Array.from(open.drafts.keys()).some((other) => other === key || other.startsWith(`${key}\n`));
}

/**
 * Changes lines of the file's front matter. What is typed in the editor is saved first, so that it belongs to the version being changed. The editor
 * then takes over the change like that of any other writer.
 */
export async function changeKey(file: AgentFile, { label, compute, isApplied }: KeyChange): Promise<Outcome> {
  const failed = (why: string): Outcome => ({ isDone: false, problem: t.notChanged(label, why) });
  if (!(await store(file))) return failed(t.notSaved);
  const now = await readAgent(file.slug);
  if (!now.ok) return failed(now.message);
  if (now.value.path !== file.path) return { isDone: false, problem: t.sameName(now.value.path) };
  const change = compute(now.value);
  if (typeof change === "string") return failed(change);
  if (change === null) return { isDone: true, problem: null };
  const answer = await changeAgent(file.slug, change, now.etag);
  if (!answer.ok) return failed(answer.kind === "changed" ? t.otherChange : answer.message);
  const after = await readAgent(file.slug);
  return { isDone: true, problem: after.ok && !isApplied(after.value) ? t.otherLine(label) : null };
}
