import { vibey } from "../../../fs/actor.ts";
import type { Files } from "../../../fs/files.ts";
import type { EventBus } from "../../events.ts";
import type { Commits } from "../../log/commits.ts";
import type { EarlierChanges } from "../../projections/file-changes.ts";
import { failure } from "../../routes/answers.ts";
import type { ProjectHistory } from "./start.ts";

/** The history as the rest of the engine sees it. Until the history is loaded, it only queues what happens. */
export interface HistoryFacade {
  /** What the history knows about files beyond the engine's memory. */
  readonly older: EarlierChanges;
  /** The files. The history is told about each commit before it happens. */
  readonly files: Files;
  /** Enables the history: from now on, events are passed to it. */
  open(bus: EventBus, start: () => Promise<ProjectHistory>): void;
  /** Loads the history if necessary, and commits what is not committed yet. */
  load(): Promise<void>;
  fetch(request: Request): Promise<Response>;
  /** The loaded history. Null if this project has none. Rejects if it can't be opened. */
  opened(): Promise<ProjectHistory | null>;
  /** Its commits, for the log of events. Null if there is no history or it can't be opened. */
  readonly commits: () => Promise<Commits | null>;
}

/** How many events are queued until the history is loaded. It finds the rest by checking the files. */
const maxEarly = 10_000;

export function historyFacade(inner: Files): HistoryFacade {
  const early: ((history: ProjectHistory) => void)[] = [];
  let history: ProjectHistory | undefined;
  let load: (() => Promise<ProjectHistory>) | undefined;
  const tell = (word: (history: ProjectHistory) => void) => {
    if (history) word(history);
    else if (early.length < maxEarly) early.push(word);
  };

  /** Null if there is no history, or if it can't be opened. In the second case, the user has been told. */
  const opened = async (): Promise<ProjectHistory | null> => (load ? load().catch(() => null) : null);

  return {
    older: {
      textAt: async (path, version) => (await opened())?.older.textAt(path, version) ?? null,
      changesSince: async (path, time) => (await opened())?.older.changesSince(path, time) ?? [],
    },
    files: {
      ...inner,
      async commit(changes, options) {
        await history?.before(changes, options.by ?? vibey);
        return inner.commit(changes, options);
      },
    },
    open(bus, start) {
      let loading: Promise<ProjectHistory> | undefined;
      let told = false;
      inner.watch((events) => tell((here) => here.saw(events)));
      bus.listen((event) => tell((here) => here.heard(event)));
      load = () => {
        loading ??= start().then(
          (started) => {
            history = started;
            for (const word of early.splice(0)) word(started);
            return started;
          },
          (error: unknown) => {
            loading = undefined;
            const why = error instanceof Error ? error.message : String(error);
            if (!told) bus.emit({ type: "notice", data: { kind: "history", message: `History isn't available right now: ${why}` } });
            told = true;
            throw error;
          },
        );
        return loading;
      };
    },
    async load() {
      await load?.();
    },
    opened: async () => (await load?.()) ?? null,
    commits: async () => (await opened())?.commits ?? null,
    async fetch(request) {
      if (!load) return failure(404, "This project has no history");
      let here: ProjectHistory;
      try {
        here = await load();
      } catch (error) {
        return failure(503, `Couldn't open the history: ${error instanceof Error ? error.message : String(error)}`);
      }
      return here.fetch(request);
    },
  };
}
