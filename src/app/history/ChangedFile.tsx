import { createSignal, Match, Show, Suspense, Switch } from "solid-js";
import type { HistoryDiffAnswer } from "../../protocol/index.ts";
import { readDiff } from "../model/api/history.ts";
import { createLatest } from "../model/api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import { changeName } from "../texts/history-changes.ts";
import * as t from "../texts/history.ts";
import { fileAt, fileTitle } from "./paths.ts";
import type { FileChange } from "./format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const Diff = lazyPart(() => import("../calls/Diff.tsx"));

/** Rows of a diff that show before the reader asks for the rest. */
const shownRows = 1_000;

export interface ChangedFileProps {
  readonly commit: string;
  readonly change: FileChange;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly busy: boolean;
  readonly putBack: () => void;
  readonly takeBack: () => void;
}

/** A file that a commit changed: one line that opens to the diff. */
export function ChangedFile(props: ChangedFileProps) {
  // Only the initial state; afterwards the reader decides.
  // oxlint-disable-next-line solid/reactivity
  const [open, setOpen] = createSignal(props.open);
  const removed = () => props.change.change === "removed";
  return (
    <details
      class={`call changed-file changed-${props.change.change}`}
      open={open()}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        props.onOpen(open());
      }}
    >
      <summary>
        <span class="verb">{changeName(props.change.change)}</span>
        <code>
          <Visible text={fileTitle(props.change.path)} />
        </code>
      </summary>
      <Show when={open()}>
        <div class="call-body">
          <FileDiff commit={props.commit} path={props.change.path} />
          <div class="buttons file-actions">
            <Show
              when={removed()}
              fallback={
                <>
                  <button type="button" class="quiet small" disabled={props.busy} onClick={() => props.putBack()}>
                    {t.putFileBack}
                  </button>
                  <a class="action quiet small" href={formatRoute({ tab: "docs", file: fileAt(props.change.path) })}>
                    {t.openFile}
                  </a>
                </>
              }
            >
              <button type="button" class="quiet small" disabled={props.busy} onClick={() => props.takeBack()}>
                {t.bringFileBack}
              </button>
            </Show>
            <a class="action quiet small" href={formatRoute({ tab: "history", commit: props.commit, path: props.change.path })}>
              {t.fileHistory}
            </a>
          </div>
        </div>
      </Show>
    </details>
  );
}

/** What a commit changed in a file. */
export function FileDiff(props: { commit: string; path: string }) {
  const answer = createLatest(
    () => ({ commit: props.commit, path: props.path }),
    ({ commit, path }) => readDiff(commit, path),
  );
  const diff = () => {
    const got = answer();
    return got?.ok ? got.value : null;
  };
  const failed = () => {
    const got = answer();
    return got?.ok === false ? got.message : null;
  };
  return (
    <Switch fallback={<p class="no-diff">…</p>}>
      <Match when={failed()}>{(message) => <p class="no-diff problem">{t.changeNotRead(message())}</p>}</Match>
      <Match when={diff()?.binary}>
        <p class="no-diff">{t.noTextFile}</p>
      </Match>
      <Match when={diff()}>
        {(texts) => (
          <Show when={hasLines(texts())} fallback={<p class="no-diff">{t.emptyFile}</p>}>
            <Suspense fallback={<p class="no-diff">…</p>}>
              <Diff {...withoutEnd(texts())} first={1} longest={shownRows} />
            </Suspense>
          </Show>
        )}
      </Match>
    </Switch>
  );
}

/** If both texts end with a line break, it doesn't begin another line. */
function withoutEnd({ before, after }: HistoryDiffAnswer): Pick<HistoryDiffAnswer, "before" | "after"> {
  const both = before?.endsWith("\n") === true && after?.endsWith("\n") === true;
  return both ? { before: before.slice(0, -1), after: after.slice(0, -1) } : { before, after };
}

const hasLines = ({ before, after }: HistoryDiffAnswer) => (before ?? "") !== "" || (after ?? "") !== "";
