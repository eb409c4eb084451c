import type { Files, FileStat } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { sectionTime } from "../../dialog/edit.ts";
import { type DialogAgent, isOwnFormat } from "../../dialog/agent.ts";
import { importedMessages } from "../../dialog/imported-messages.ts";
import { only } from "../../dialog/meta.ts";
import type { Dialog } from "../../dialog/model.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { parseDialog } from "../../dialog/parse.ts";
import { repliesTo } from "../../dialog/replies.ts";
import { docSchedules, type ReadSchedule, type Schedule } from "../../dialog/schedule.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import { allowedIn, takenBackIn } from "../agents/allowed.ts";
import { type AgentLookup, modelOf } from "../agents/agent-lookup.ts";
import { mentionContext } from "../agents/mention-context.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { currentTarget } from "../dialogs/answering.ts";
import { readMain } from "../dialogs/docs.ts";
import type { NewDialog } from "../dialogs/new-dialog.ts";
import { listDialogs } from "../dialogs/open.ts";
import { isStreamed } from "../dialogs/streamed.ts";
import { fileBatches } from "../file-batches.ts";
import { readUndamaged } from "../read-each.ts";
import { type Due, dueNow, type DueStart, type ScheduledRun, type CountedDialog } from "./due.ts";

/** Debounce after a change, and interval for re-checking the clock; in milliseconds. */
const pause = 300;
const maxWaitMs = 60_000;

export interface SchedulesDeps {
  readonly files: Files;
  readonly dialogs: Pick<Dialogs, "create">;
  readonly agents: Pick<AgentLookup, "find">;
  /** The providers that can be asked now, the default one first. */
  readonly providers: () => readonly string[];
  readonly defaultModel: (provider: string) => string;
  readonly isProvider: (name: string) => boolean;
  /** The size of a model's window in tokens. Null if it is unknown. */
  readonly window: (provider: string, model: string) => number | null;
  /** The system prompt of a dialog with this agent. */
  readonly systemOf: (agent: DialogAgent) => Promise<string>;
  readonly userName: () => Promise<string>;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

export interface ScheduleRow {
  readonly read: ReadSchedule;
  readonly last: ScheduledRun | null;
  /** In milliseconds since 1970. Null if it doesn't start by the clock or if the time is unknown. */
  readonly next: number | null;
}

/** Starts agents by schedule while a tab is open, as lines of doc-main.md say. Which agents have started is read from the dialogs. */
export interface Schedules {
  /** Checks the lines now, and again whenever something changes or is due. */
  start(): void;
  rows(): Promise<readonly ScheduleRow[]>;
  /** Whether any provider can be asked. */
  canStart(): boolean;
}

/** What is known about a dialog's file, valid for this version. */
interface Known {
  readonly version: number;
  readonly run: ScheduledRun | null;
  readonly counted: CountedDialog | null;
}

export function createSchedules(deps: SchedulesDeps): Schedules {
  const { files, now, later, report } = deps;
  const main = vibeyPath("doc-main.md");
  let known = new Map<string, Known>();
  /** Starts made by this engine, kept so that deleting a dialog doesn't make its schedule start again immediately. */
  let started: readonly ScheduledRun[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let turn = 0;
  /** The delay of the pending check in milliseconds. Null if none is pending. */
  let pending: number | null = null;
  let hasAny = false;

  async function look(): Promise<{ readonly all: readonly ReadSchedule[]; readonly due: Due | null }> {
    const text = await readMain(files);
    const all = text === null ? [] : docSchedules(text);
    const schedules = all.flatMap((one): Schedule[] => (one.ok ? [one.schedule] : []));
    hasAny = schedules.length > 0;
    if (!hasAny) return { all, due: null };
    const mainStat = (await files.list("vibey/doc-main.md")).find(({ path }) => path === main);
    const stats = await files.list("vibey/dialog-");
    known = await readDialogs(files, stats, known);
    const values = [...known.values()];
    const found = values.flatMap(({ run }) => (run === null ? [] : [run]));
    const time = now().getTime();
    // If the clock was set back, starts can be in the future. Count them as of now.
    started = started.map((run) => (run.time > time ? { ...run, time } : run));
    const own = new Set(started.map(({ dialogId }) => dialogId));
    const runs = [...found.filter(({ dialogId }) => !own.has(dialogId)), ...started];
    const countedDialogs = values.flatMap(({ counted }) => (counted === null ? [] : [counted]));
    return { all, due: dueNow(schedules, { runs, countedDialogs, since: mainStat?.mtime ?? 0, now: time }) };
  }

  async function check(): Promise<void> {
    const { due } = await look();
    if (due === null) return;
    for (const one of due.starts) await begin(one);
    // What can't be started now is tried again when something changes, or after a while.
    const wait = due.next === null ? maxWaitMs : Math.min(maxWaitMs, Math.max(1_000, due.next - now().getTime()));
    soon(wait);
  }

  async function begin({ schedule, about }: DueStart): Promise<void> {
    const wanted = await dialogFor(schedule, about, deps);
    if (wanted === null) return;
    const done = await deps.dialogs.create(wanted);
    if (done.ok) started = [...started, { dialogId: done.value.id, rule: schedule.rule, time: now().getTime(), about }];
    else report(new Error(`A schedule couldn't start ${schedule.slug}: ${done.refusal.kind}`));
  }

  /** Schedules the next check. Checks run one after the other. A shorter delay, such as after a change, replaces a longer one. */
  function soon(ms: number): void {
    if (pending !== null && pending <= ms) return;
    pending = ms;
    const mine = ++turn;
    later(() => {
      if (mine !== turn) return;
      pending = null;
      last = last.then(check).catch((error: unknown) => {
        report(error);
        // Try again later, because the next attempt may succeed even if no file changes.
        soon(maxWaitMs);
      });
    }, ms);
  }

  return {
    start() {
      files.watch((events) => {
        const isOurs = events.some((event) => {
          // Streamed text adds no message, and a long dialog would be read again and again.
          if (isStreamed(event)) return false;
          const paths = event.kind === "renamed" ? [event.from, event.to] : [event.path];
          return paths.some((path) => path === main || (hasAny && /^vibey\/(?:dialog|agent)-/.test(path)));
        });
        if (isOurs) soon(pause);
      });
      soon(pause);
    },
    canStart: () => deps.providers().length > 0,
    async rows() {
      const { all, due } = await look();
      return all.map((read): ScheduleRow => {
        const row = read.ok ? due?.rows.get(read.schedule.rule) : undefined;
        return { read, last: row?.last ?? null, next: row?.next ?? null };
      });
    },
  };
}

async function readDialogs(files: Files, stats: readonly FileStat[], known: ReadonlyMap<string, Known>): Promise<Map<string, Known>> {
  const now = new Map<string, Known>();
  const changed = stats.filter((stat) => {
    const same = known.get(stat.path);
    if (same?.version === stat.version) now.set(stat.path, same);
    return same?.version !== stat.version;
  });
  for (const batch of fileBatches(changed, (stat) => stat))
    for (const content of await readUndamaged(
      files,
      batch.map(({ path }) => path),
    )) {
      if (!content) continue;
      const name = parseDialogFilename(content.path.slice("vibey/".length));
      if (name === null) continue;
      const dialog = parseDialog(new TextDecoder().decode(content.bytes));
      const rule = isOwnFormat(dialog.format) ? only(dialog.head, "Schedule") : null;
      const about = repliesTo(dialog.head);
      const run = rule === null ? null : { dialogId: name.dialogId, rule, time: name.time.getTime(), about };
      // A dialog of an earlier Vibey is only shown, and no one continues it in that format.
      const isTask = dialog.format === null || rule !== null || about !== null || only(dialog.head, "Launched by") !== null;
      const counted = isTask ? null : { dialogId: name.dialogId, times: timesOf(dialog), isBusy: name.status === "active" };
      now.set(content.path, { version: content.version, run, counted });
    }
  return now;
}

function timesOf(dialog: Dialog): number[] {
  const imported = importedMessages(dialog.head);
  return Array.from({ length: sectionCount(dialog) }, (_, at) => {
    // Ignore the time of imported messages, because someone else wrote it.
    if (at < imported) return 0;
    const section = sectionAt(dialog, at);
    const time = Date.parse((section && sectionTime(section).start) ?? "");
    return Number.isNaN(time) ? 0 : time;
  });
}

/**
 * The dialog that a schedule starts. Null if its agent is missing or inactive, if no provider can be asked, or if the dialog that triggered it no
 * longer exists.
 */
async function dialogFor({ slug, rule }: Schedule, about: DueStart["about"], deps: SchedulesDeps): Promise<NewDialog | null> {
  const found = await deps.agents.find(slug);
  if (found === null) return null;
  const counted = about === null ? null : await readCountedDialog(deps.files, about.dialogId);
  if (about !== null && counted === null) return null;
  const usable = deps.providers();
  const target = counted === null ? null : currentTarget(counted);
  const usual = target !== null && usable.includes(target.provider) ? target.provider : usable[0];
  if (usual === undefined) return null;
  const wanted = modelOf(found.model, usual, deps.isProvider);
  const provider = wanted.provider ?? usual;
  if (!usable.includes(provider)) return null;
  const model = wanted.model ?? (provider === target?.provider ? target.model : deps.defaultModel(provider));
  const line = `Your schedule in doc-main.md says: ${rule}. Do what your instructions say for it.`;
  const dialog = { provider, model, slug, launchedBy: null, agent: found.agent, schedule: rule };
  if (counted === null || about === null) return { ...dialog, prompt: line };
  const user = (await deps.userName()) || undefined;
  const prompt = `The dialog has ${about.message} messages. ${line}`;
  const sent = { length: prompt.length + (await deps.systemOf(found.agent)).length, window: deps.window(provider, model) };
  return {
    ...dialog,
    prompt,
    reply: { to: about, context: mentionContext(counted, slug, found.context, sent, user) },
    // It has no more permissions than the dialog that triggered it.
    allowed: allowedIn(counted),
    takenBack: takenBackIn(counted),
  };
}

async function readCountedDialog(files: Files, dialogId: string): Promise<Dialog | null> {
  const file = (await listDialogs(files, dialogId)).find((one) => one.dialogId === dialogId);
  const content = file && (await files.read(vibeyPath(file.filename)));
  return content ? parseDialog(new TextDecoder().decode(content.bytes)) : null;
}
