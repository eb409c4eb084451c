import { createMemo, For, Show } from "solid-js";
import type { DialogListing, HistoryCommit } from "../../protocol/index.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import { CommandButton, linkCommand } from "../ui/CommandButton.tsx";
import { offer } from "../ui/offered.ts";
import { formatRoute, type Route, type Router } from "../model/route.ts";
import { type Row, Sidebar } from "../ui/Sidebar.tsx";
import { TwoPanes } from "../ui/TwoPanes.tsx";
import { Unread } from "../ui/Problem.tsx";
import { clock } from "../ui/format.ts";
import * as t from "../texts/history.ts";
import { Parts } from "../texts/Parts.tsx";
import { CommitPane } from "./CommitPane.tsx";
import { createCommits } from "./commits.ts";
import { fileAt, fileTitle } from "./paths.ts";
import { byDay, moment, who, whoNames } from "./format.ts";

export interface ChangesProps {
  readonly router: Router;
  readonly events: EngineEvents;
  /** The open commit. */
  readonly commit: string | null;
  /** Only changes of this file. */
  readonly path: string | null;
  /** Only changes by this author: `human`, `vibey`, or a dialog's id; null: any author. */
  readonly by: string | null;
  readonly dialogs: readonly DialogListing[];
}

/** The changes of the docs and the deed, when and by whom, newest first, with ways to undo and restore them. */
export function Changes(props: ChangesProps) {
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const history = createCommits(() => ({ path: props.path, by: props.by }), props.events);
  const place = (to: { readonly commit: string | null; readonly path: string | null; readonly by: string | null }): Route => ({
    tab: "history",
    commit: to.commit,
    path: to.path,
    ...(to.by === null ? {} : { by: to.by }),
  });
  // Each of ten thousand commits is formatted once. Commits that are read again are new objects.
  const rows = new WeakMap<HistoryCommit, Row>();
  function rowOf(commit: HistoryCommit): Row {
    const known = rows.get(commit);
    if (known !== undefined) return known;
    const note = commit.undone === null ? t.commitNote : t.commitNoteUndone;
    const row: Row = {
      key: commit.id,
      href: formatRoute(place({ ...props, commit: commit.id })),
      title: visible(commit.summary),
      hint: `${visible(commit.summary)}\n${moment(commit.time)}`,
      side: clock(commit.time) ?? "",
      note: note(visible(who(commit.by)), commit.filesChanged),
      mark: "none",
      current: false,
      remove: null,
    };
    rows.set(commit, row);
    return row;
  }
  const groups = createMemo(() =>
    byDay(history.commits(), Date.now()).map(({ title, items }) => ({
      title,
      rows: items.map((commit) => (commit.id === props.commit ? { ...rowOf(commit), current: true } : rowOf(commit))),
    })),
  );
  const unread = () => {
    const why = history.problem();
    return why === null ? null : t.notRead(why);
  };
  const back = () => props.router.go(place({ ...props, commit: null }));
  const running = createMemo(() => props.dialogs.flatMap(({ dialogId, status }) => (status === "active" ? [dialogId] : [])));
  /** The authors to choose from: everyone in the list, every dialog, and the current choice. */
  const dialogIds = createMemo(() => {
    const ids = new Set(props.dialogs.map(({ dialogId }) => dialogId));
    for (const { by } of history.commits()) if (by.kind === "agent" && by.dialogId !== "") ids.add(by.dialogId);
    if (props.by !== null && props.by !== "human" && props.by !== "vibey") ids.add(props.by);
    return Array.from(ids).toSorted().toReversed();
  });

  return (
    <TwoPanes
      open={props.commit !== null}
      back={t.history}
      title=""
      onBack={back}
      side={
        <Sidebar
          label={t.history}
          groups={groups()}
          nearEnd={() => void history.loadOlder()}
          empty={<p>{history.problem() === null ? nothing(history.loaded(), props) : ""}</p>}
          head={
            <>
              <OnlyBy by={props.by} dialogIds={dialogIds()} choose={(by) => props.router.go(place({ ...props, by }))} />
              <Show when={props.path}>
                {(path) => <OnlyOf path={path()} whole={formatRoute(place({ ...props, commit: null, path: null }))} />}
              </Show>
              <Unread text={unread()} again={history.again} />
            </>
          }
        />
      }
      main={
        <Show when={props.commit} fallback={<p class="empty">{t.chooseCommit}</p>} keyed>
          {(id) => <CommitPane id={id} path={props.path} events={props.events} running={running()} />}
        </Show>
      }
    />
  );
}

/** Says that the list is about one file only, with links to the file and to the whole list. */
function OnlyOf(props: { path: string; whole: string }) {
  // Read wherever it is shown.
  // oxlint-disable-next-line solid/reactivity
  const every = linkCommand(t.showEveryFile, () => props.whole);
  offer({ commands: () => [every], rank: 1 });
  return (
    <p class="only-of">
      <span>
        <Parts
          of={t.onlyFile}
          slots={{
            file: () => (
              <a href={formatRoute({ tab: "docs", file: fileAt(props.path) })}>
                <Visible text={fileTitle(props.path)} />
              </a>
            ),
          }}
        />
      </span>
      <CommandButton of={every} class="action quiet" />
    </p>
  );
}

/** Limits the list to one author's changes. */
function OnlyBy(props: { by: string | null; dialogIds: readonly string[]; choose: (by: string | null) => void }) {
  const names = createMemo(() => whoNames(props.dialogIds));
  return (
    <label class="only-by">
      <span>{t.changesBy}</span>
      <select onChange={(event) => props.choose(event.currentTarget.value || null)}>
        <option value="" selected={props.by === null}>
          {t.byEveryone}
        </option>
        <option value="human" selected={props.by === "human"}>
          {t.byYou}
        </option>
        <For each={names()}>
          {({ id, name }) => (
            <option value={id} selected={id === props.by}>
              {visible(name)}
            </option>
          )}
        </For>
        <option value="vibey" selected={props.by === "vibey"}>
          {t.byVibey}
        </option>
      </select>
    </label>
  );
}

function nothing(loaded: boolean, { path, by }: Pick<ChangesProps, "path" | "by">): string {
  if (!loaded) return "…";
  if (by !== null) return path === null ? t.nothingByThem : t.nothingOfFileByThem;
  return path === null ? t.nothingChanged : t.nothingOfFile;
}
