import { createMemo, createSignal, For, Show, Suspense } from "solid-js";
import { VList } from "virtua/solid";
import { dialogOf } from "../../fs/actor.ts";
import type { HistoryCommitAnswer, RestoreAnswer } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { readCommit, restore, type Target, undo } from "../model/api/history.ts";
import { createLatest } from "../model/api/latest.ts";
import { Visible } from "../calls/Visible.tsx";
import { CommandButton } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/history.ts";
import { Parts } from "../texts/Parts.tsx";
import { ChangedFile } from "./ChangedFile.tsx";
import { changeCounts, type FileChange, moment, outcomeWords, who } from "./format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const RestoreDialog = lazyPart(() => import("./RestoreDialog.tsx"));

/** Commits of up to this many files show their diffs at once. */
const opensItself = 3;

/** The outcome of the last action. */
interface Outcome {
  readonly failed: boolean;
  readonly text: string;
  /** The commit that the action created. */
  readonly step: string | null;
}

/** One commit: what it changed, and what can be undone. */
export function CommitPane(props: { id: string; path: string | null; events: EngineEvents; running: readonly string[] }) {
  // A later commit may undo this one.
  const [news, setNews] = createSignal(0);
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (event) => {
    if (event.type === "history") setNews(news() + 1);
  });
  const answer = createLatest(
    () => ({ id: props.id, news: news() }),
    ({ id }) => readCommit(id),
  );
  const commit = () => {
    const got = answer();
    return got?.ok ? got.value : null;
  };
  const problem = () => {
    const got = answer();
    if (got === null || got.ok) return null;
    return got.kind === "missing" ? t.commitMissing : t.commitNotRead(got.message);
  };
  return (
    <div class="commit-pane">
      <Show when={problem()}>{(message) => <p class="empty">{message()}</p>}</Show>
      <Show when={commit()}>{(known) => <Commit commit={known()} path={props.path} running={props.running} />}</Show>
    </div>
  );
}

function Commit(props: { commit: HistoryCommitAnswer; path: string | null; running: readonly string[] }) {
  const [outcome, setOutcome] = createSignal<Outcome | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [confirming, setConfirming] = createSignal(false);
  const opened = new Map<string, boolean>();
  /** The file that the list is filtered by comes first. */
  const changes = createMemo(
    (): readonly FileChange[] => {
      const all = props.commit.changes;
      const own = all.filter(({ path }) => path === props.path);
      return own.length === 0 ? all : [...own, ...all.filter(({ path }) => path !== props.path)];
    },
    [],
    // A commit never changes. Reading it again must not close what the reader has opened.
    { equals: (a, b) => a.length === b.length && a[0]?.path === b[0]?.path },
  );
  const isOpen = (path: string) => opened.get(path) ?? (path === props.path || props.commit.changes.length <= opensItself);

  const [buttons, setButtons] = createSignal<HTMLElement>();
  /** What had the focus when the last action began. */
  let focused: Element | null = null;
  /** An action disables its button, and may replace it. The focus goes back to it, or to the first of the buttons. */
  function refocus() {
    if (focused === null || document.activeElement !== document.body) return;
    const back = focused.isConnected && focused.matches(":enabled") ? focused : buttons()?.querySelector("button:enabled");
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  }
  onChange(
    [busy, () => props.commit.undone?.by],
    // The browser notices with the next frame that the focused button is disabled or gone.
    () => requestAnimationFrame(() => busy() || refocus()),
    { defer: true },
  );
  async function take(verb: "restored" | "undone" | "redone", asked: Promise<Answer<RestoreAnswer>>) {
    focused = document.activeElement;
    setBusy(true);
    setOutcome(null);
    const got = await asked;
    setBusy(false);
    setOutcome(
      got.ok
        ? { failed: false, text: outcomeWords(got.value, verb), step: got.value.commit }
        : { failed: true, text: t.notDone(got.message), step: null },
    );
  }
  const redo = (id: string) => void take("redone", undo({ id }));
  const takeBack = (target: Omit<Target, "id">) => void take("undone", undo({ id: props.commit.id, ...target }));
  const putBack = (target: Omit<Target, "id">) => void take("restored", restore({ id: props.commit.id, ...target }));
  const commands: readonly Command[] = [
    {
      label: t.undo,
      get hidden() {
        return props.commit.undone !== null;
      },
      get disabled() {
        return busy() || changes().length === 0;
      },
      run: () => takeBack({}),
    },
    {
      label: t.redo,
      get hidden() {
        return props.commit.undone === null;
      },
      get disabled() {
        return busy();
      },
      run: () => props.commit.undone && redo(props.commit.undone.by),
    },
    {
      label: t.putEverythingBack,
      get disabled() {
        return busy();
      },
      run: () => setConfirming(true),
    },
  ];
  offer({ commands: () => commands, about: () => props.commit.summary });

  return (
    <>
      <header class="commit-head column">
        <h2>
          <Visible text={props.commit.summary} />
        </h2>
        <p class="commit-meta">
          <Who commit={props.commit} />
          <time dateTime={props.commit.time} title={t.exactTime(props.commit.time)}>
            {moment(props.commit.time)}
          </time>
          <span>{changeCounts(props.commit.changes) || t.noFiles}</span>
          <code title={props.commit.id}>{props.commit.id.slice(0, 8)}</code>
        </p>
        <Show when={props.commit.undone}>
          {(undone) => (
            <p class="undone-by">
              <Parts
                of={undone().files < props.commit.filesChanged ? t.partlyUndoneSince(undone().files) : t.undoneSince}
                slots={{ undo: (text) => <a href={formatRoute({ tab: "history", commit: undone().by, path: props.path })}>{text}</a> }}
              />
            </p>
          )}
        </Show>
        <div class="buttons" ref={setButtons}>
          <For each={commands}>{(command) => <CommandButton of={command} class="quiet framed" />}</For>
        </div>
        <output class="outcome" classList={{ problem: outcome()?.failed === true }}>
          <Visible text={busy() ? t.oneMoment : (outcome()?.text ?? "")} />
          <Show when={busy() ? null : outcome()?.step}>
            {(step) => (
              <>
                {" "}
                <a href={formatRoute({ tab: "history", commit: step(), path: null })}>{t.lookAtStep}</a>
              </>
            )}
          </Show>
        </output>
      </header>
      <section class="changed-files" aria-label={t.changedFiles}>
        <VList class="changed-list" data={changes()} tabindex={-1} bufferSize={400}>
          {(change) => (
            <div class="column">
              <ChangedFile
                commit={props.commit.id}
                change={change}
                open={isOpen(change.path)}
                onOpen={(open) => opened.set(change.path, open)}
                busy={busy()}
                putBack={() => putBack({ path: change.path })}
                takeBack={() => takeBack({ path: change.path })}
              />
            </div>
          )}
        </VList>
      </section>
      <Suspense>
        <Show when={confirming()}>
          <RestoreDialog commit={props.commit} running={props.running} close={() => setConfirming(false)} confirm={() => putBack({})} />
        </Show>
      </Suspense>
    </>
  );
}

function Who(props: { commit: HistoryCommitAnswer }) {
  const name = () => who(props.commit.by);
  return (
    <Show when={dialogOf(props.commit.by)} fallback={<b classList={{ human: props.commit.by.kind === "human" }}>{name()}</b>}>
      {(dialogId) => (
        <a href={formatRoute({ tab: "dialogs", dialogId: dialogId() })}>
          <Visible text={name()} />
        </a>
      )}
    </Show>
  );
}
