import { createMemo, createSignal, Index, Show, Suspense } from "solid-js";
import type { AgentVersion, AgentVersions as Answered } from "../../../protocol/index.ts";
import { who } from "../../history/format.ts";
import { readAtCommit, restore } from "../../model/api/history.ts";
import { createListener, type EngineEvents } from "../../model/api/events.ts";
import { createLatest } from "../../model/api/latest.ts";
import { formatRoute } from "../../model/route.ts";
import * as t from "../../texts/agent-versions.ts";
import { Visible } from "../../calls/Visible.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { moment } from "../../ui/format.ts";
import { readVersions } from "../load.ts";
import { chosenVersion, comparedWith, inOrder, shortHash } from "./choose.ts";
import { onChange } from "../../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./versions.css";

const Diff = lazyPart(() => import("../../calls/Diff.tsx"));

/** Rows of a diff that show before the reader asks for the rest. */
const shownRows = 1_000;

const newestFirst = (one: AgentVersion, other: AgentVersion): number => Date.parse(other.time) - Date.parse(one.time);

const timeOf = ({ time }: AgentVersion): string => moment(time) ?? time;

export interface AgentVersionsProps {
  readonly slug: string;
  /** The chosen change, or the hash of the definition; null: the newest. */
  readonly version: string | null;
  readonly events: EngineEvents;
}

/** The versions of an agent's file: what each changed, and a way to restore it. */
export default function AgentVersions(props: AgentVersionsProps) {
  const [asked, setAsked] = createSignal(0);
  // Read when an event arrives.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, (event) => {
    if (event.type === "hello" || event.type === "history") setAsked(asked() + 1);
  });
  const answer = createLatest(
    () => ({ slug: props.slug, asked: asked() }),
    ({ slug }) => readVersions(slug, null),
  );
  const newest = (): Answered | null => {
    const now = answer();
    return now?.ok === true ? now.value : null;
  };
  const [further, setFurther] = createSignal<Answered | null>(null);
  const [failure, setFailure] = createSignal<string | null>(null);
  onChange(
    () => props.slug,
    () => setFurther(null),
  );
  /** Newest first. Versions that were read stay when newer ones arrive. */
  const versions = createMemo<readonly AgentVersion[]>((before) => {
    const read = [...(newest()?.versions ?? []), ...(further()?.versions ?? [])];
    const kept = further() === null ? [] : before;
    const seen = new Set<string>();
    return [...read, ...kept].filter(({ commit }) => !seen.has(commit) && seen.add(commit)).toSorted(newestFirst);
  }, []);
  const isMore = () => (further() ?? newest())?.more === true;
  async function loadOlder() {
    const last = versions().at(-1);
    if (last === undefined) return;
    const read = await readVersions(props.slug, last.commit);
    setFailure(read.ok ? null : t.notRead(read.message));
    if (read.ok) setFurther({ ...read.value, versions: [...(further()?.versions ?? []), ...read.value.versions] });
  }
  const problem = () => {
    const now = answer();
    return failure() ?? (now?.ok === false ? t.notRead(now.message) : null);
  };
  const chosen = createMemo(() => chosenVersion(versions(), props.version));
  const href = (version: string | null) => formatRoute({ tab: "agents", versions: { slug: props.slug, version } });

  return (
    <div class="agents-page">
      <div class="agents-column versions-column">
        <header>
          <a href={formatRoute({ tab: "agents" })}>‹ {t.back}</a>
          <h2>
            <Visible text={t.title(props.slug)} />
          </h2>
          <p class="hint">{t.hint}</p>
          <a class="action quiet" href={formatRoute({ tab: "docs", file: { kind: "doc", name: `agent-${props.slug}.md` } })}>
            {t.edit}
          </a>
        </header>
        <Problem text={problem()} />
        <Show when={newest()} fallback={<p class="hint">{problem() === null ? t.loading : ""}</p>}>
          {(known) => (
            <Show when={versions().length > 0} fallback={<p class="hint">{t.none}</p>}>
              <Show when={chosen() === null && props.version}>
                {(version) => <p class="problem">{t.notInHistory(shortHash(version()))}</p>}
              </Show>
              <div class="versions-panes">
                <nav aria-label={t.list}>
                  <ul>
                    {/* By index: a link stays while the list is read again. */}
                    <Index each={versions()}>
                      {(version) => (
                        <li>
                          <a href={href(version().commit)} aria-current={version().commit === chosen()?.commit ? "true" : undefined}>
                            <b>{timeOf(version())}</b>
                            <span>
                              <Visible text={who(version().by)} /> ·{" "}
                              {version().hash === null ? t.isRemoved : <code>{shortHash(version().hash ?? "")}</code>}
                              <Show when={version().hash === known().now}> · {t.isNow}</Show>
                            </span>
                          </a>
                        </li>
                      )}
                    </Index>
                  </ul>
                  <Show when={isMore()}>
                    <button type="button" class="quiet" onClick={() => void loadOlder()}>
                      {t.older}
                    </button>
                  </Show>
                </nav>
                <Show when={chosen()}>
                  {(version) => (
                    <Version
                      version={version()}
                      all={versions()}
                      path={known().path}
                      now={known().now}
                      changed={() => setAsked(asked() + 1)}
                    />
                  )}
                </Show>
              </div>
            </Show>
          )}
        </Show>
      </div>
    </div>
  );
}

/** One version compared with another, and a way to restore it. */
function Version(props: { version: AgentVersion; all: readonly AgentVersion[]; path: string; now: string | null; changed: () => void }) {
  const [picked, setPicked] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [said, setSaid] = createSignal<{ readonly text: string; readonly wrong: boolean } | null>(null);
  onChange(
    () => props.version.commit,
    () => {
      setPicked(null);
      setSaid(null);
    },
    { defer: true },
  );
  const other = () => comparedWith(props.all, props.version, picked());
  const pair = () => inOrder(props.all, props.version, other());
  const textOf = async ({ commit, hash }: AgentVersion): Promise<string | null> => {
    if (hash === null) return null;
    const read = await readAtCommit(commit, props.path);
    if (!read.ok) throw new Error(read.message);
    return read.value;
  };
  const texts = createLatest(pair, async (two) => {
    if (two === null) return null;
    try {
      return { ok: true as const, before: await textOf(two.older), after: await textOf(two.newer) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { ok: false as const, message: error.message };
    }
  });
  const failed = () => {
    const now = texts();
    return now?.ok === false ? t.notRead(now.message) : null;
  };
  const both = () => {
    const now = texts();
    return now?.ok === true ? now : null;
  };
  const isNow = () => props.version.hash === props.now;
  async function goBack() {
    const { commit } = props.version;
    const time = timeOf(props.version);
    setBusy(true);
    const done = await restore({ id: commit, path: props.path });
    setBusy(false);
    setSaid(
      !done.ok
        ? { text: t.notRestored(done.message), wrong: true }
        : { text: done.value.changed.length === 0 ? t.nothingToRestore : t.restored(time), wrong: false },
    );
    props.changed();
  }
  return (
    <section class="version" aria-label={t.versionOf(timeOf(props.version))}>
      <h3>{t.versionOf(timeOf(props.version))}</h3>
      <p class="hint">
        <Visible text={props.version.summary} />
      </p>
      <div class="buttons">
        <Show when={props.version.hash !== null}>
          <button type="button" class="tonal" disabled={busy() || isNow()} onClick={() => void goBack()}>
            {t.restore}
          </button>
        </Show>
        <output>{said()?.wrong === false ? said()?.text : isNow() ? t.nothingToRestore : ""}</output>
      </div>
      <Problem text={said()?.wrong === true ? (said()?.text ?? null) : failed()} />
      <Show when={other()} fallback={<p class="hint">{t.onlyOne}</p>}>
        {(with_) => (
          <label class="compare">
            {t.compareWith}
            <select onChange={(event) => setPicked(event.currentTarget.value)}>
              <Index each={props.all.filter(({ commit }) => commit !== props.version.commit)}>
                {(one) => (
                  <option value={one().commit} selected={one().commit === with_().commit}>
                    {t.option(timeOf(one()), one().hash === null ? null : shortHash(one().hash ?? ""), one().hash === props.now)}
                  </option>
                )}
              </Index>
            </select>
          </label>
        )}
      </Show>
      <Show when={both()}>
        {(two) => (
          <Show when={two().before !== two().after} fallback={<p class="hint">{t.same}</p>}>
            <Suspense fallback={<p class="hint">{t.loading}</p>}>
              <Diff before={two().before} after={two().after} first={1} longest={shownRows} />
            </Suspense>
          </Show>
        )}
      </Show>
    </section>
  );
}
