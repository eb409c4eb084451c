import type { Accessor } from "solid-js";
import { slugOf } from "../docs/names.ts";
import { linkCommand } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/dialogs.ts";
import type { createDialogActions } from "./dialog-actions.ts";
import type { DialogState } from "./dialog-state.ts";
import type { Head } from "./running.ts";

export interface DialogCommandsDeps {
  readonly head: Accessor<Head>;
  readonly state: DialogState;
  readonly actions: ReturnType<typeof createDialogActions>;
  readonly details: () => void;
  readonly find: () => void;
}

const continueLabels = { interrupted: t.resume, failed: t.tryAgain, other: t.letContinue } as const;

/**
 * What can be done with a whole dialog, for its buttons, its menu and the palette. Approving the agent's requests is not included: they have to be
 * read first.
 */
export function createDialogCommands({ head, state, actions, details, find }: DialogCommandsDeps) {
  const resume: Command = {
    get label() {
      return continueLabels[state.broken()];
    },
    get hidden() {
      return !state.resumable();
    },
    run: () => void actions.resume(),
  };
  const stopTrying: Command = {
    label: t.stopTrying,
    get hidden() {
      return state.retry() === null;
    },
    run: () => void actions.stopTrying(),
  };
  const stop: Command = {
    label: t.stop,
    get hidden() {
      return !state.active() || head().outside !== null;
    },
    run: actions.stop,
  };
  const done: Command = {
    label: t.markDone,
    get hidden() {
      // A side discussion has its own buttons for this.
      return head().status === "done" || head().forkedFrom?.side === true || head().outside !== null;
    },
    run: actions.done,
  };
  const menu: readonly Command[] = [
    { label: t.find, keys: "Mod+KeyF", run: find },
    { label: t.copyMarkdown, run: () => void actions.copy() },
    linkCommand(t.openAsText, () => formatRoute({ tab: "dialogs", dialogId: head().dialogId, text: "whole" })),
    linkCommand(t.editFile, () => formatRoute({ tab: "docs", file: { kind: "doc", name: head().filename } })),
    { label: t.mayDo, run: details },
    {
      label: t.resolve,
      get hidden() {
        return head().forkedFrom?.side !== false || !state.canContinue();
      },
      run: () => void actions.resolve(),
    },
    {
      label: t.continueFresh,
      get hidden() {
        return !state.canContinue() || actions.continuing();
      },
      run: () => void actions.continueFresh(),
    },
  ];
  offer({ commands: () => [resume, stopTrying, stop, done, ...menu], about: () => slugOf(head().dialogId) });
  return { resume, stopTrying, stop, done, menu };
}

export type DialogCommands = ReturnType<typeof createDialogCommands>;
