import { createMemo, Show } from "solid-js";
import type { HistoryCommit } from "../../engine/api.ts";
import type { EngineEvents } from "../api/events.ts";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute, type Router } from "../shell/route.ts";
import { type Row, Sidebar } from "../shell/Sidebar.tsx";
import { TwoPanes } from "../shell/TwoPanes.tsx";
import { clock, counted } from "../shell/words.ts";
import { CommitPane } from "./CommitPane.tsx";
import { createCommits } from "./commits.ts";
import { fileAt, fileTitle } from "./paths.ts";
import { byDay, moment, who } from "./words.ts";

export interface HistoryViewProps {
  readonly router: Router;
  readonly events: EngineEvents;
  /** The commit that is open. */
  readonly commit: string | null;
  /** Only what changed this file. */
  readonly path: string | null;
}

/** What was changed in the docs and the deed, when and by whom, newest first; and the way back. */
export default function HistoryView(props: HistoryViewProps) {
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const history = createCommits(() => props.path, props.events);
  // Of ten thousand commits each is put into words once; what is asked for anew comes as new objects.
  const rows = new WeakMap<HistoryCommit, Row>();
  function rowOf(commit: HistoryCommit): Row {
    const known = rows.get(commit);
    if (known !== undefined) return known;
    const row: Row = {
      key: commit.id,
      href: formatRoute({ tab: "history", commit: commit.id, path: props.path }),
      title: visible(commit.summary),
      hint: `${visible(commit.summary)}\n${moment(commit.time)}`,
      side: clock(commit.time) ?? "",
      note: `${visible(who(commit.by))} · ${counted(commit.filesChanged, "file")}`,
      mark: "none",
      current: false,
      remove: null,
    };
    rows.set(commit, row);
    return row;
  }
  const groups = createMemo(() =>
    byDay(history.commits(), Date.now()).map(({ title, commits }) => ({
      title,
      rows: commits.map((commit) => (commit.id === props.commit ? { ...rowOf(commit), current: true } : rowOf(commit))),
    })),
  );
  const back = () => props.router.go({ tab: "history", commit: null, path: props.path });

  return (
    <TwoPanes
      open={props.commit !== null}
      back="History"
      title=""
      onBack={back}
      side={
        <Sidebar
          label="History"
          groups={groups()}
          nearEnd={() => void history.loadOlder()}
          empty={<p>{nothing(history.loaded(), props.path)}</p>}
          head={
            <>
              <Show when={props.path}>{(path) => <OnlyOf path={path()} />}</Show>
              <Show when={history.problem()}>
                {(message) => (
                  <p class="problem" role="alert">
                    The history could not be read: {message()}
                  </p>
                )}
              </Show>
            </>
          }
        />
      }
      main={
        <Show
          when={props.commit}
          fallback={<p class="empty">Choose on the left what you want to look at. Nothing here is ever lost.</p>}
          keyed
        >
          {(id) => <CommitPane id={id} path={props.path} />}
        </Show>
      }
    />
  );
}

/** The list is of one file only; the way to the file, and to the whole. */
function OnlyOf(props: { path: string }) {
  return (
    <p class="only-of">
      <span>
        Only{" "}
        <a href={formatRoute({ tab: "docs", file: fileAt(props.path) })}>
          <Visible text={fileTitle(props.path)} />
        </a>
      </span>
      <a class="action quiet" href={formatRoute({ tab: "history", commit: null, path: null })}>
        Show everything
      </a>
    </p>
  );
}

function nothing(loaded: boolean, path: string | null): string {
  if (!loaded) return "…";
  return path === null
    ? "Nothing was changed yet. What you and the agents write is kept here, step by step."
    : "This file has no history yet.";
}
