import { isOwnFormat } from "../../dialog/agent.ts";
import { isRecord } from "../../dialog/outside.ts";
import { sectionCount, withoutLast } from "../../dialog/sections.ts";
import { agent } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import type { Frame } from "../../protocol/index.ts";
import type { AgentLookup } from "../agents/agent-lookup.ts";
import { toDialog } from "../outside/convert-record.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Turns } from "../turn/turns.ts";
import { type Answering, currentTarget, mentionsOfAgents } from "./answering.ts";
import { continuation } from "./continue.ts";
import type { Creation } from "./create.ts";
import { type DialogAccess, isBusy } from "./dialog-access.ts";
import { type ForkWanted, forkOf } from "./fork.ts";
import type { Live } from "./live.ts";
import type { NewDialog } from "./new-dialog.ts";
import { listDialogs } from "./open.ts";
import { notStored, type Outcome, refused } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import { originOf, sideDialog } from "./side.ts";
import type { DialogStore } from "./store.ts";

export interface StartDeps {
  readonly files: Files;
  readonly store: Pick<DialogStore, "other" | "flush">;
  readonly creation: Creation;
  readonly docLimits: Pick<DocLimits, "read">;
  readonly agents: Pick<AgentLookup, "mentioned">;
  readonly answering: Pick<Answering, "prepare" | "begin">;
  readonly registry: Pick<Registry, "adopt">;
  readonly turns: Pick<Turns, "perform">;
  readonly withLive: DialogAccess["withLive"];
  readonly providers: readonly string[];
  readonly defaultModel: (provider: string) => string;
}

/** Creates new dialogs, with or without an existing dialog as their source. */
export interface Start {
  /** `onFrame` receives all frames of the first turn, if there is one. */
  create(wanted: NewDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A new dialog that begins with a summary of this one, which doesn't change. `prompt` is what the user adds. */
  continueFresh(id: string, prompt: string | null, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A new dialog with the messages of this one up to a certain message. This one doesn't change. */
  fork(id: string, wanted: ForkWanted, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A room that discusses one message of this dialog. Its summary is delivered to this dialog, which doesn't change otherwise. */
  side(id: string, wanted: { readonly message: number; readonly topic: string }): Promise<Outcome<Live>>;
}

export function createStart(deps: StartDeps): Start {
  const create: Start["create"] = (wanted, onFrame) => deps.creation.oneByOne(() => createDialog(deps, wanted, onFrame));

  /** Creates the dialog that `make` returns. `make` reads the other dialog in that dialog's order. */
  async function createFrom(id: string, make: (live: Live) => Promise<Outcome<NewDialog>>, onFrame?: (frame: Frame) => void) {
    const taken = await deps.withLive(id, make);
    return taken.ok ? create(taken.value, onFrame) : taken;
  }

  return {
    create,
    continueFresh: (id, prompt, onFrame) =>
      createFrom(
        id,
        async (live) => {
          const { format } = live.state.dialog;
          if (!isOwnFormat(format)) return refused({ kind: "format", format });
          if (isBusy(live)) return refused({ kind: "active" });
          await deps.store.flush();
          const wanted = await continuation(live, prompt, deps.files);
          return wanted ? { ok: true, value: wanted } : refused({ kind: "unknown-dialog" });
        },
        onFrame,
      ),
    fork: (id, wanted, onFrame) =>
      createFrom(
        id,
        async (live) => {
          const { dialog } = live.state;
          const { format } = dialog;
          if (!isRecord(dialog)) return isOwnFormat(format) ? forkOf(live, wanted, deps.files) : refused({ kind: "format", format });
          // None of Vibey's providers has answered in it.
          const provider = wanted.provider ?? deps.providers[0] ?? "";
          const state = { ...live.state, dialog: toDialog(dialog, live.id) };
          const target = { provider, model: wanted.model ?? deps.defaultModel(provider) };
          return forkOf({ id: live.id, path: live.path, state }, { ...wanted, ...target }, deps.files);
        },
        onFrame,
      ),
    side: (id, { message, topic }) =>
      createFrom(id, async (live) => {
        const { dialog } = live.state;
        if (!isOwnFormat(dialog.format)) return refused({ kind: "format", format: dialog.format });
        const origin = originOf(dialog, id, message);
        return origin.ok ? { ok: true, value: sideDialog(origin.value, topic, dialog, currentTarget(dialog)) } : refused(origin.refusal);
      }),
  };
}

/** Stores the dialog and those of the agents that its prompt mentions in one transaction. The caller runs in the creation's order (`oneByOne`). */
async function createDialog(deps: StartDeps, wanted: NewDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>> {
  const { creation, answering } = deps;
  await deps.docLimits.read();
  const { prompt } = wanted;
  const agents = prompt === null || wanted.mentions === undefined ? [] : await deps.agents.mentioned(prompt, wanted.mentions);
  const slugs = agents.map(({ agent: { slug } }) => slug);
  const [made, ...taskIds] = slugs.length === 0 ? [] : await creation.ids([wanted.slug, ...slugs]);
  const id = wanted.id ?? made;
  const taken = wanted.id === undefined ? undefined : (await listDialogs(deps.files, wanted.id)).find((one) => one.dialogId === id);
  if (taken) return refused({ kind: "exists", filename: taken.filename });
  const mentions = mentionsOfAgents(agents, taskIds);
  const prepared = await creation.prepare(wanted, { id, mentions });
  const { dialog } = prepared.state;
  const room = {
    dialogId: prepared.id,
    before: withoutLast(dialog),
    allowing: dialog,
    message: sectionCount(dialog),
    prompt: prompt ?? "",
    ...currentTarget(dialog),
  };
  const tasks = await answering.prepare(agents, mentions, room);
  const all = [prepared, ...tasks];
  const stored = await deps.store.other(
    all.map(({ change }) => change),
    { durability: "strict", expect: all.map(({ path }) => ({ path, version: null })), by: agent(prepared.id) },
  );
  if (!stored.ok) return notStored(stored.failure.kind);
  const live = deps.registry.adopt(prepared, stored.version, onFrame);
  deps.turns.perform(live, prepared.effects);
  answering.begin(tasks, stored.version);
  return { ok: true, value: live };
}
