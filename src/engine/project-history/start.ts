import { Hono } from "hono/tiny";
import type { Files } from "../../fs/files.ts";
import { openHistory } from "../../fs/history/history.ts";
import type { HistoryStore } from "../../fs/history/store.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import type { Past } from "../past.ts";
import { answerErrors } from "../routes/errors.ts";
import { historyRoutes } from "../routes/history.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { createTurnBack } from "./turn-back.ts";

/** The project's history: a git repository outside the project's files, which no agent and no command sees. */
export interface ProjectHistory extends Pick<Recorder, "saw" | "heard" | "before"> {
  /** Answers the calls under `/history`. */
  fetch(request: Request): Promise<Response>;
}

export interface ProjectHistoryParts {
  readonly store: HistoryStore;
  readonly files: Pick<Files, "list" | "read">;
  readonly past: Pick<Past, "since">;
  readonly commit: DialogStore["other"];
  readonly bus: Pick<EventBus, "emit">;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** Becomes the history's one writer. Rejects with a `StorageError` when it can't be opened. */
export async function startHistory({ store, files, past, commit, bus, now, later, report }: ProjectHistoryParts): Promise<ProjectHistory> {
  const history = await openHistory(store);
  const emit: EventBus["emit"] = (event) => bus.emit(event);
  const recorder = await startRecorder({ files, history, store, past, emit, now, later, report });
  const turnBack = createTurnBack({ history, store, recorder, commit, emit });
  const app = new Hono();
  historyRoutes(app, { history, recorder, turnBack, later });
  answerErrors(app, report);
  return {
    saw: (events) => recorder.saw(events),
    heard: (event) => recorder.heard(event),
    before: (changes, by) => recorder.before(changes, by),
    fetch: async (request) => app.fetch(request),
  };
}
