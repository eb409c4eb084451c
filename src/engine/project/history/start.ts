import type { Files } from "../../../fs/files.ts";
import { everWritten, type ExportedHistory, exportFiles, type ExportOptions } from "../../../fs/history/export-files.ts";
import { openHistory } from "../../../fs/history/history.ts";
import type { Path } from "../../../fs/path.ts";
import type { HistoryStore } from "../../../fs/history/store.ts";
import type { DialogStore } from "../../dialogs/store.ts";
import type { EventBus } from "../../events.ts";
import { limits } from "../../../protocol/limits.ts";
import type { EarlierChanges, FileChanges } from "../../projections/file-changes.ts";
import { historyRoutes } from "../../routes/history.ts";
import type { Commits } from "../../log/commits.ts";
import { commitEvents } from "./commit-events.ts";
import { createOlder } from "./older.ts";
import { type Recorder, type RecorderDeps, startRecorder } from "./recorder.ts";
import { createTurnBack } from "./turn-back.ts";
import type { Writer } from "../../../protocol/index.ts";
import { imported } from "./people.ts";
import { lastWriters } from "./writers.ts";
import { createUndone } from "./undone.ts";
import { createRoutes } from "../../routes/route.ts";

/** The project's history: a Git repository outside the project's files. No agent and no command can see it. */
export interface ProjectHistory extends Pick<Recorder, "saw" | "heard" | "before" | "settle"> {
  /** Imports from a zip with `act`, and commits the result in the background. `act` returns whether it was stored. */
  importing<Stored extends { readonly ok: boolean }>(
    paths: ReadonlySet<Path>,
    summary: string,
    act: () => Promise<Stored>,
  ): Promise<Stored>;
  /** Who last wrote each of these files, or a file in each of these folders. */
  writers(paths: readonly string[]): Promise<ReadonlyMap<string, Writer>>;
  /** The wanted files of all versions. */
  ever(isWanted: (path: string) => boolean): Promise<ReadonlySet<string>>;
  readonly older: EarlierChanges;
  /** Its commits, for the log of events. */
  readonly commits: Commits;
  /** Answers requests under `/history`. */
  fetch(request: Request): Promise<Response>;
  /** The files of its repository. */
  exported(options: ExportOptions): Promise<ExportedHistory>;
}

export interface ProjectHistoryParts {
  readonly store: HistoryStore;
  readonly files: Pick<Files, "list" | "read" | "readMany">;
  readonly fileChanges: Pick<FileChanges, "since">;
  readonly commit: DialogStore["other"];
  /** Called when the commit with this number is in the history. */
  readonly committed: (number: number) => void;
  readonly bus: Pick<EventBus, "emit">;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** Becomes the only writer of the history. Rejects with a `StorageError` if it can't be opened. */
export async function startHistory(parts: ProjectHistoryParts): Promise<ProjectHistory> {
  const { store, files, fileChanges, commit, committed, bus, now, later, report } = parts;
  const history = await openHistory(store);
  const emit: EventBus["emit"] = (data, about) => bus.emit(data, about);
  /** Commits finished changes. Doesn't wait for slow work, such as the first commit of a whole project. */
  const upToDate = async () => {
    await Promise.race([recorder.settle("quiet"), new Promise<void>((resolve) => later(resolve, limits.historyListWaitMs))]);
  };
  const older = createOlder({ history, store, upToDate });
  const replaced: RecorderDeps["replaced"] = (known) => older.replaced(known);
  const recorder: Recorder = await startRecorder({ files, history, store, fileChanges, replaced, committed, emit, now, later, report });
  const turnBack = createTurnBack({ history, store, recorder, commit, emit });
  const app = createRoutes(report);
  historyRoutes(app, { history, upToDate, turnBack, undone: createUndone(store) });
  return {
    older,
    commits: commitEvents(store, upToDate),
    saw: (events) => recorder.saw(events),
    heard: (event) => recorder.heard(event),
    before: (changes, by) => recorder.before(changes, by),
    settle: (which) => recorder.settle(which),
    async importing(paths, summary, act) {
      const { stored, made } = await recorder.named(paths, { summary, trailers: imported }, act);
      made().catch(report);
      return stored;
    },
    writers: (paths) => lastWriters(store, paths),
    ever: (isWanted) => everWritten(store, isWanted),
    exported: (options) => exportFiles(store, options),
    fetch: app.fetch,
  };
}
