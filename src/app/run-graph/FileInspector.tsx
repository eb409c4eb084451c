import { createMemo, createSignal, For, Show } from "solid-js";
import type { FileNode, HistoryCommit, Step } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import { FileDiff } from "../history/ChangedFile.tsx";
import { actorName } from "../history/event-format.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { readHistory } from "../model/api/history.ts";
import { createLatest } from "../model/api/latest.ts";
import { formatRoute } from "../model/route.ts";
import { Problem } from "../ui/Problem.tsx";
import { moment } from "../ui/format.ts";
import { number } from "../ui/sizes.ts";
import * as t from "../texts/run-graph.ts";
import { PropertyRow } from "./PropertyRow.tsx";
import { FileThen } from "./FileThen.tsx";
import { fileRoute } from "./file-route.ts";
import { activationOf, versionsUntil } from "./versions.ts";

/** The maximum number of versions shown. */
const most = 100;

export interface FileInspectorProps {
  readonly file: FileNode;
  readonly choose: (id: string) => void;
  /** Shows the file in the editor beside the graph, or lets the link lead to Docs. null: it is in the editor. */
  readonly edit: ((event: MouseEvent) => void) | null;
  readonly steps: readonly Step[];
  /** The time of the shown moment, and the last event by then; null: the present. */
  readonly until: string | null;
  readonly event: string | null;
  readonly events: EngineEvents;
}

interface Versions {
  readonly path: string;
  readonly commits: readonly HistoryCommit[];
  readonly more: boolean;
}

/** One file: who created it, and each of its versions with its author and its changes. */
export function FileInspector(props: FileInspectorProps) {
  // A save by the user is no event of the run, so the graph doesn't report it.
  const [saves, setSaves] = createSignal(0);
  // The engine's events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (heard) => {
    const { type } = heard;
    const path = type === "deed" ? heard.data.path : type === "file" ? `vibey/${heard.data.name}` : null;
    if (path === props.file.path || type === "history" || type === "hello") setSaves((count) => count + 1);
  });
  const answer = createLatest(
    () => ({ path: props.file.path, versions: props.file.versions, saves: saves() }),
    async ({ path }) => ({ path, read: await readHistory({ path, limit: most }) }),
  );
  const now = () => {
    const newest = answer();
    return newest?.path === props.file.path ? newest : null;
  };
  /** A failed reading doesn't remove an open version. */
  const known = createMemo((last: Versions | null): Versions | null => {
    const newest = now();
    if (newest?.read.ok === true) return { path: newest.path, ...newest.read.value };
    return last?.path === props.file.path ? last : null;
  }, null);
  const commits = createMemo(() => versionsUntil(known()?.commits ?? [], props.until));
  const ids = createMemo(() => commits().map(({ id }) => id));
  const problem = () => {
    const read = now()?.read;
    return read?.ok === false ? t.versionsNotRead(read.message) : null;
  };
  const hasMore = () => known()?.more === true;
  return (
    <>
      <header class="inspector-head">
        <h2>
          <Visible text={props.file.path} />
        </h2>
      </header>
      <dl class="facts">
        <Show when={props.file.createdBy} fallback={<PropertyRow name={t.createdBy}>{t.readOnly}</PropertyRow>}>
          {(creator) => (
            <PropertyRow name={t.createdBy}>
              <button type="button" class="link" onClick={() => props.choose(creator())}>
                <Visible text={slugOf(creator())} />
              </button>
            </PropertyRow>
          )}
        </Show>
        <Show when={moment(props.file.createdAt)}>{(at) => <PropertyRow name={t.createdAt}>{at()}</PropertyRow>}</Show>
        <Show when={moment(props.file.updatedAt)}>{(at) => <PropertyRow name={t.updatedAt}>{at()}</PropertyRow>}</Show>
        <PropertyRow name={t.versions}>{number(props.file.versions)}</PropertyRow>
      </dl>
      <Show when={props.edit}>
        {(edit) => (
          <div class="inspector-actions">
            <a class="action tonal" href={formatRoute(fileRoute(props.file.path))} onClick={(event) => edit()(event)}>
              {t.openFile}
            </a>
          </div>
        )}
      </Show>
      <Show when={props.event}>{(event) => <FileThen path={props.file.path} event={event()} />}</Show>
      <Problem text={problem()} />
      <Show when={known() !== null && commits().length === 0}>
        <p class="hint">{t.noVersions}</p>
      </Show>
      <ol class="versions">
        {/* By their ids, so that an open version stays open while the history is read again. */}
        <For each={ids()}>
          {(id, index) => (
            <Show when={commits().find((commit) => commit.id === id)}>
              {(commit) => (
                <Version
                  commit={commit()}
                  path={props.file.path}
                  nth={hasMore() ? null : commits().length - index()}
                  activation={activationOf(props.steps, id)}
                />
              )}
            </Show>
          )}
        </For>
      </ol>
      <Show when={hasMore()}>
        <a href={formatRoute({ tab: "history", commit: null, path: props.file.path })}>{t.moreVersions}</a>
      </Show>
    </>
  );
}

function Version(props: { commit: HistoryCommit; path: string; nth: number | null; activation: string | null }) {
  const [open, setOpen] = createSignal(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Show when={props.nth}>{(nth) => <b>{t.version(nth())} </b>}</Show>
          <Visible text={t.author(actorName(props.commit.by), props.activation)} />{" "}
          <time datetime={props.commit.time}>{moment(props.commit.time) ?? ""}</time>
        </summary>
        <Show when={open()}>
          <FileDiff commit={props.commit.id} path={props.path} />
          <a class="action quiet small" href={formatRoute({ tab: "history", commit: props.commit.id, path: props.path })}>
            {t.wholeChange}
          </a>
        </Show>
      </details>
    </li>
  );
}
