import { agent, vibey } from "../../fs/actor.ts";
import type { Path } from "../../fs/path.ts";
import type { Files } from "../../fs/files.ts";
import type { BackgroundView } from "../../protocol/index.ts";
import type { EventBus } from "../events.ts";
import { limits } from "../../protocol/limits.ts";
import type { FileChanges } from "../projections/file-changes.ts";
import { admitChanges } from "../permissions/permissions.ts";
import type { Network } from "../../shell/network.ts";
import { slices } from "../slices.ts";
import type { BackgroundOptions, Printed, Sandbox, SandboxChange } from "../../shell/sandbox.ts";
import { answerBackground, stateOf } from "./background-messages.ts";
import { createBackgroundLog } from "./background-log.ts";
import type { FileReads } from "../projections/file-reads.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { Background } from "./background-model.ts";

export interface BackgroundDeps {
  readonly sandbox: Sandbox;
  readonly files: Files;
  readonly fileChanges: FileChanges;
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly fileReads: FileReads;
  readonly now: () => Date;
  /** The dialog's view has changed. */
  readonly changed: (dialogId: string) => void;
  readonly report: (error: unknown) => void;
}

export interface BackgroundStart {
  readonly dialogId: string;
  /** Its number among the dialog's background commands. The id is derived from it. */
  readonly number: number;
  readonly command: string;
  readonly network: Network | null;
}

/**
 * Commands that run in the background of their dialogs. They live in this engine and end with it.
 *
 * - Their changes are stored like those of other commands, every few seconds and at the end.
 * - They end with their dialog: when it is stopped, when all dialogs are stopped, or when its file is deleted.
 */
export interface Backgrounds {
  /** Returns the command's id and its time limit in milliseconds, or why it was not started. */
  start(
    wanted: BackgroundStart,
  ): { readonly ok: true; readonly id: string; readonly mostMs: number } | { readonly ok: false; readonly why: string };
  views(dialogId: string): readonly BackgroundView[];
  /** The output of the shell command `background` in this dialog. `started`: how many the dialog has ever started. */
  answer(dialogId: string, started: number, operands: readonly string[], signal: AbortSignal): Promise<Printed>;
  /** Returns false if no such command is running. */
  stop(dialogId: string, id: string): boolean;
  stopAllOf(dialogId: string): void;
  stopAll(): void;
}

/** The maximum number of attempts to store changes if a file keeps changing. */
const attempts = 5;

/** The origin of changes. */
interface Source {
  /** Null if unknown, for example if commands of several dialogs could have made the changes. */
  readonly dialogId: string | null;
  /** Null if the command that should be told no longer exists. */
  readonly log: Background["log"] | null;
}

export function createBackgrounds(deps: BackgroundDeps): Backgrounds {
  const all = new Map<string, Background[]>();

  const of = (dialogId: string): readonly Background[] => all.get(dialogId) ?? [];
  const running = (): Background[] => [...all.values()].flat().filter(({ outcome }) => outcome === null);

  async function commit(from: Source, changes: readonly SandboxChange[]): Promise<void> {
    for (const slice of slices(changes, ({ bytes }) => bytes?.length ?? 0)) await commitSlice(from, slice);
  }

  async function commitSlice({ dialogId, log }: Source, changes: readonly SandboxChange[]): Promise<void> {
    const remark = (line: string): void =>
      log === null ? deps.bus.emit({ type: "notice", data: { kind: "background", message: line } }, { dialogId }) : log.remark(line);
    for (let attempt = 1; ; attempt += 1) {
      const admitted = await admitChanges(changes, { files: deps.files, fileChanges: deps.fileChanges });
      if (admitted.changes.length > 0) {
        const stored = await deps.store.other(admitted.changes, {
          durability: "strict",
          expect: admitted.expect,
          by: dialogId === null ? vibey : agent(dialogId),
        });
        if (!stored.ok) {
          if (stored.failure.kind === "conflict" && attempt < attempts) continue;
          return remark(`changes of ${changes.length} files by a command could not be stored (${stored.failure.kind})`);
        }
        const known = admitted.changes.flatMap((change): Path[] =>
          "path" in change && !admitted.merged.includes(change.path) ? [change.path] : [],
        );
        if (dialogId !== null) deps.fileReads.saw(dialogId, known, stored.version);
      }
      for (const note of admitted.notes) remark(note);
      for (const message of admitted.notices) deps.bus.emit({ type: "notice", data: { kind: "authority", message } }, { dialogId });
      return;
    }
  }

  deps.sandbox.storeLateBy?.((changes, session) => commit({ dialogId: session, log: null }, changes).catch(deps.report));

  async function run(
    background: Background,
    network: Network | null,
    runInBackground: NonNullable<Sandbox["runInBackground"]>,
  ): Promise<void> {
    const options: BackgroundOptions = {
      id: background.id,
      session: background.dialogId,
      timeoutMs: background.mostMs,
      maxBytes: limits.backgroundOutput,
      signal: background.stop.signal,
      onOutput: (output) => background.log.add(output),
      ...(network ? { network } : {}),
      commitEveryMs: limits.backgroundCommitMs,
      commitChanges: (changes) =>
        commit(background, changes).catch((error: unknown) => {
          deps.report(error);
          background.log.remark(`its changes could not be stored: ${String(error)}`);
        }),
    };
    const outcome = await runInBackground(background.command, options);
    background.log.close(outcome);
    background.outcome = outcome;
  }

  function end(background: Background): void {
    const { dialogId, id } = background;
    const message = `${id} ${stateOf(background)}: ${background.command}`;
    deps.bus.emit({ type: "notice", data: { kind: "background", message } }, { dialogId });
    deps.changed(dialogId);
  }

  function stopEach(backgrounds: readonly Background[]): void {
    for (const { stop } of backgrounds) stop.abort();
  }

  return {
    start({ dialogId, number, command, network }) {
      const { runInBackground } = deps.sandbox;
      if (!runInBackground) return { ok: false, why: "commands can't run in the background here; run it without background" };
      const others = running();
      if (others.length >= limits.backgrounds) {
        const which = others.map((other) => `${other.id} of ${other.dialogId === dialogId ? "this dialog" : `dialog ${other.dialogId}`}`);
        return {
          ok: false,
          why: `${others.length} commands are already running in the background, which is the limit (${which.join(", ")}). Nothing was started`,
        };
      }
      const known = of(dialogId);
      let own = number;
      while (known.some(({ id }) => id === `bg-${own}`)) own += 1;
      const background: Background = {
        id: `bg-${own}`,
        dialogId,
        command,
        started: deps.now().toISOString(),
        log: createBackgroundLog(),
        stop: new AbortController(),
        ended: Promise.resolve(),
        outcome: null,
        mostMs: deps.sandbox.backgroundLimitMs?.() ?? limits.backgroundMs,
      };
      all.set(dialogId, [...known, background]);
      background.ended = run(background, network, runInBackground)
        .catch((error: unknown) => {
          deps.report(error);
          background.log.remark(`Vibey failed: ${String(error)}`);
          background.outcome = { exitCode: 126, limit: null, aborted: false, ms: 0 };
        })
        .then(() => end(background));
      deps.changed(dialogId);
      return { ok: true, id: background.id, mostMs: background.mostMs };
    },
    views: (dialogId) =>
      of(dialogId).map(({ id, command, started, outcome }) => ({
        id,
        command,
        started,
        state: outcome === null ? "running" : outcome.aborted || outcome.limit === "time" ? "stopped" : "ended",
        exitCode: outcome?.exitCode ?? null,
      })),
    answer: (dialogId, started, operands, signal) => answerBackground(of(dialogId), started, operands, signal),
    stop(dialogId, id) {
      const found = of(dialogId).filter((background) => background.id === id && background.outcome === null);
      stopEach(found);
      return found.length > 0;
    },
    stopAllOf: (dialogId) => stopEach(of(dialogId)),
    stopAll: () => stopEach(running()),
  };
}
