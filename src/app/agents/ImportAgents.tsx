import { createSignal, createUniqueId, For, onCleanup, onMount, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/agent-import.ts";
import { Problem } from "../ui/Problem.tsx";
import { changeSchedules, readSchedules } from "./load.ts";
import { type Imported, importFiles } from "./import-files.ts";

/** The maximum number of rows shown of each list. If there are more, it says how many. */
const mostRows = 200;

/** Imports agents of other programs: files, a folder or a zip, chosen here or dropped on `area`. `done`: called after files were imported. */
export function ImportAgents(props: { area: () => HTMLElement | undefined; done: () => void }) {
  const id = createUniqueId();
  const [busy, setBusy] = createSignal(false);
  const [over, setOver] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [result, setResult] = createSignal<Imported | null>(null);

  async function take(from: FileList | DataTransfer | null) {
    if (from === null || busy()) return;
    setBusy(true);
    setProblem(null);
    setResult(null);
    const answer = await importFiles(from);
    setBusy(false);
    if (answer.ok) setResult(answer.value);
    else setProblem(t.notImported(answer.message));
    props.done();
  }
  async function choose(input: HTMLInputElement) {
    await take(input.files);
    // The same files can be chosen again.
    input.value = "";
  }

  onMount(() => {
    const area = props.area();
    if (!area) return;
    const hasFiles = (event: DragEvent) => Array.from(event.dataTransfer?.items ?? []).some(({ kind }) => kind === "file");
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = () => setOver(false);
    const drop = (event: DragEvent) => {
      leave();
      if (!hasFiles(event)) return;
      event.preventDefault();
      void take(event.dataTransfer);
    };
    area.addEventListener("dragover", drag);
    area.addEventListener("dragleave", leave);
    area.addEventListener("drop", drop);
    onCleanup(() => {
      area.removeEventListener("dragover", drag);
      area.removeEventListener("dragleave", leave);
      area.removeEventListener("drop", drop);
    });
  });

  return (
    <section aria-label={t.title} class="agent-import" classList={{ over: over() }}>
      <h3>{t.title}</h3>
      <p id={`${id}-hint`} class="hint">
        {over() ? t.dropHere : t.hint}
      </p>
      <div class="agent-actions">
        <label class="action quiet">
          {t.files}
          <input
            type="file"
            class="unseen"
            multiple
            accept=".md,.mdc,.yaml,.yml,.json,.jsonc,.txt,.zip"
            disabled={busy()}
            aria-describedby={`${id}-hint`}
            onChange={(event) => void choose(event.currentTarget)}
          />
        </label>
        <label class="action quiet">
          {t.folder}
          <input
            ref={(input) => input.setAttribute("webkitdirectory", "")}
            type="file"
            class="unseen"
            disabled={busy()}
            aria-describedby={`${id}-hint`}
            onChange={(event) => void choose(event.currentTarget)}
          />
        </label>
      </div>
      <Problem text={problem()} />
      <output>{busy() ? t.importing : result() === null ? "" : t.imported(result()?.written.length ?? 0)}</output>
      <Show when={result()}>
        {(got) => (
          <>
            <Show when={got().left > 0}>
              <p class="problem">{t.leftOut(got().left)}</p>
            </Show>
            <Show when={got().written.length > 0}>
              <ul>
                <For each={got().written.slice(0, mostRows)}>
                  {({ path, from }) => (
                    <li>
                      <Visible text={path === from ? path : t.writtenFrom(path, from)} />
                    </li>
                  )}
                </For>
                <More of={got().written.length} />
              </ul>
            </Show>
            <Show when={got().schedules.length > 0}>
              <p>{t.schedules}</p>
              <ul>
                <For each={got().schedules.slice(0, mostRows)}>{(line) => <Offered line={line} done={() => props.done()} />}</For>
              </ul>
            </Show>
            <Show when={got().unused.length > 0}>
              <p>{t.unused}</p>
              <ul>
                <For each={got().unused.slice(0, mostRows)}>
                  {({ path, why }) => (
                    <li>
                      <Visible text={`${path}: ${why}`} />
                    </li>
                  )}
                </For>
                <More of={got().unused.length} />
              </ul>
            </Show>
          </>
        )}
      </Show>
    </section>
  );
}

function More(props: { of: number }) {
  return (
    <Show when={props.of > mostRows}>
      <li>{t.andMore(props.of - mostRows)}</li>
    </Show>
  );
}

/** A line suggested by another program's file. A click writes it into main. */
function Offered(props: { line: string; done: () => void }) {
  const [state, setState] = createSignal<"offered" | "busy" | "added">("offered");
  const [problem, setProblem] = createSignal<string | null>(null);
  async function add() {
    setState("busy");
    const now = await readSchedules();
    const done = now.ok ? await changeSchedules({ etag: now.value.etag, add: props.line.replace("> Schedule: ", "") }) : now;
    setState(done.ok ? "added" : "offered");
    setProblem(done.ok ? null : t.notAdded(done.message));
    props.done();
  }
  return (
    <li>
      <code>
        <Visible text={props.line} />
      </code>{" "}
      <Show when={state() !== "added"} fallback={t.added}>
        <button type="button" class="quiet" disabled={state() === "busy"} onClick={() => void add()}>
          {t.addSchedule}
        </button>
      </Show>
      <Problem text={problem()} />
    </li>
  );
}
