import { createSignal, For, type JSX, Match, onCleanup, Show, Switch } from "solid-js";
import type { ZipContents, ZipTaken } from "../../engine/api.ts";
import type { EngineEvents } from "../api/events.ts";
import { Visible } from "../calls/Visible.tsx";
import { Modal } from "../shell/Modal.tsx";
import { counted, fileSize } from "../shell/words.ts";
import { createProgress, Progress } from "./Progress.tsx";
import { addProject, openProject } from "./projects.ts";
import { historyWords, insideWords, projectNameOf, takenWords } from "./words.ts";
import { type Choice, lookInto, take } from "./zip.ts";

type State =
  | { readonly kind: "choose" }
  | { readonly kind: "working"; readonly label: string }
  | { readonly kind: "refused"; readonly message: string; readonly entry: string | null }
  | { readonly kind: "inside"; readonly contents: ZipContents }
  | { readonly kind: "taken"; readonly taken: ZipTaken };

/** Opens a zip: shows what is inside and what was made inactive, then asks where it is to go. Nothing is taken before that. */
export function ImportDialog(props: { events: EngineEvents; file: File | null; close: () => void }) {
  const id = crypto.randomUUID();
  // It lives as long as the dialog.
  // oxlint-disable-next-line solid/reactivity
  const part = createProgress(props.events, id);
  const [state, setState] = createSignal<State>({ kind: "choose" });
  const [file, setFile] = createSignal<File | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  let stop = new AbortController();
  onCleanup(() => stop.abort());
  const begin = (label: string): AbortSignal => {
    stop = new AbortController();
    setProblem(null);
    setState({ kind: "working", label });
    return stop.signal;
  };

  async function look(chosen: File) {
    setFile(chosen);
    const signal = begin(`Looking into ${chosen.name}…`);
    const answer = await lookInto(chosen, id, signal);
    if (signal.aborted) return setState({ kind: "choose" });
    return setState(
      answer.ok ? { kind: "inside", contents: answer.value } : { kind: "refused", message: answer.message, entry: answer.entry },
    );
  }

  async function takeIt(contents: ZipContents, wanted: { into: "new" | "here"; choice: Choice; accept: boolean }) {
    const chosen = file();
    if (chosen === null) return;
    const signal = begin(wanted.into === "new" ? "Making the project…" : "Taking it in…");
    const name = projectNameOf(chosen.name);
    const answer = await take(chosen, { ...wanted, seen: contents.seen, name }, id, signal);
    if (!answer.ok || signal.aborted) {
      setProblem(signal.aborted ? "It was stopped. Nothing was taken." : answer.ok ? null : answer.message);
      setState({ kind: "inside", contents });
      return;
    }
    const { project } = answer.value;
    if (project !== null) addProject({ id: project, name });
    setState({ kind: "taken", taken: answer.value });
  }

  // oxlint-disable-next-line solid/reactivity -- the file that was dropped is the one that it opens with.
  if (props.file !== null) void look(props.file);

  const refused = () => match(state(), "refused");
  const inside = () => match(state(), "inside");
  const working = () => match(state(), "working");
  const taken = () => match(state(), "taken");
  return (
    <Modal title="Open a zip" close={props.close}>
      <Switch>
        <Match when={working()}>{(now) => <Progress label={now().label} part={part()} stop={() => stop.abort()} />}</Match>
        <Match when={inside()}>
          {(now) => (
            <Inside
              name={file()?.name ?? ""}
              contents={now().contents}
              problem={problem()}
              take={(wanted) => void takeIt(now().contents, wanted)}
              again={() => {
                const chosen = file();
                if (chosen !== null) void look(chosen);
              }}
              close={props.close}
            />
          )}
        </Match>
        <Match when={taken()}>{(now) => <Taken taken={now().taken} close={props.close} />}</Match>
        <Match when={state().kind === "choose" || refused()}>
          <Show when={refused()}>
            {(now) => (
              <div class="zip-refused" role="alert">
                <p class="problem">
                  <Visible text={file()?.name ?? "The zip"} /> was refused, all of it. <Visible text={now().message} />
                </p>
                <Show when={now().entry !== null}>
                  <p>
                    In the zip it is called{" "}
                    <code>
                      <Visible text={now().entry ?? ""} />
                    </code>
                    .
                  </p>
                </Show>
                <p>Nothing was taken. Your project is as it was.</p>
              </div>
            )}
          </Show>
          <Chooser choose={(chosen) => void look(chosen)} />
        </Match>
      </Switch>
    </Modal>
  );
}

function match<K extends State["kind"]>(state: State, kind: K): Extract<State, { kind: K }> | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind says which one it is.
  return state.kind === kind ? (state as Extract<State, { kind: K }>) : null;
}

function Chooser(props: { choose: (file: File) => void }) {
  return (
    <div class="zip-chooser">
      <p id="zip-about">
        One that Vibey has exported, or any other. You see what is inside before anything is taken, and nothing in it runs by itself. You
        can also drop it on the page.
      </p>
      <input
        type="file"
        accept=".zip,application/zip"
        aria-label="The zip"
        aria-describedby="zip-about"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) props.choose(chosen);
        }}
      />
    </div>
  );
}

function Taken(props: { taken: ZipTaken; close: () => void }) {
  return (
    <Show
      when={props.taken.project}
      fallback={
        <>
          <output>{takenWords(props.taken)}</output>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => props.close()}>
              Done
            </button>
          </div>
        </>
      }
    >
      {(project) => (
        <>
          <output>
            The project is made, with {counted(props.taken.added, "file")}. The one that is open stays as it is; the Project menu leads from
            one to the other.
          </output>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => openProject(project())}>
              Go to the new project
            </button>
            <button type="button" class="quiet" onClick={() => props.close()}>
              Stay here
            </button>
          </div>
        </>
      )}
    </Show>
  );
}

interface InsideProps {
  readonly name: string;
  readonly contents: ZipContents;
  readonly problem: string | null;
  readonly take: (wanted: { into: "new" | "here"; choice: Choice; accept: boolean }) => void;
  readonly again: () => void;
  readonly close: () => void;
}

/** Lines that are shown; with more than these nothing can be accepted at once. */
const mostLines = 200;

function Inside(props: InsideProps) {
  // oxlint-disable-next-line solid/reactivity -- what is inside does not change while it is shown.
  const { contents } = props;
  const [into, setInto] = createSignal<"new" | "here">(contents.canBeNew ? "new" : "here");
  const [choice, setChoice] = createSignal<Choice>("mine");
  const [accept, setAccept] = createSignal(false);
  const conflicts = contents.files.filter(({ standing }) => standing === "conflict");
  const repository = contents.files.some(({ standing }) => standing === "repository");
  return (
    <form
      class="zip-inside"
      onSubmit={(event) => {
        event.preventDefault();
        props.take({ into: into(), choice: choice(), accept: accept() });
      }}
    >
      <section aria-label="What is inside">
        <h3>
          <Visible text={props.name} />
        </h3>
        <p>
          {insideWords(contents)} {historyWords(contents.history)}
        </p>
        <Files contents={contents} />
      </section>
      <Inactive contents={contents} accept={accept()} setAccept={setAccept} />
      <fieldset>
        <legend>Where is it to go?</legend>
        <Show when={contents.canBeNew}>
          <Option name="into" checked={into() === "new"} choose={() => setInto("new")} label="Into a project of its own">
            The one that is open stays as it is.{contents.history.kind === "whole" ? " The history comes along." : ""}
          </Option>
        </Show>
        <Option name="into" checked={into() === "here"} choose={() => setInto("here")} label="Into the project that is open">
          As one change, that the history can undo. Dialogs are added, and none is overwritten.
          {contents.history.kind === "whole" ? " Its history stays out: two can't be one." : ""}
        </Option>
      </fieldset>
      <Show when={into() === "here" && conflicts.length > 0}>
        <fieldset>
          <legend>{counted(conflicts.length, "file")} of yours may be in the way. Which is to be kept?</legend>
          <Option name="choice" checked={choice() === "mine"} choose={() => setChoice("mine")} label="Mine">
            What is in the zip under these names stays out.
          </Option>
          <Option name="choice" checked={choice() === "theirs"} choose={() => setChoice("theirs")} label="Theirs">
            Yours are in the history as they were. Of dialogs both are kept.
          </Option>
          <Option name="choice" checked={choice() === "both"} choose={() => setChoice("both")} label="Both">
            Theirs get a number behind the name.
          </Option>
          <Capped label="Files in the way" items={conflicts.map(({ path }) => path)}>
            {(path) => <Visible text={path} />}
          </Capped>
        </fieldset>
      </Show>
      <Show when={into() === "here" && repository}>
        <p>Both have a repository (.git) of their own at the same place. Yours stays as it is.</p>
      </Show>
      <Show when={props.problem}>
        {(problem) => (
          <div role="alert">
            <p class="problem">{problem()}</p>
            <button type="button" class="quiet" onClick={() => props.again()}>
              Look inside again
            </button>
          </div>
        )}
      </Show>
      <div class="buttons">
        <button type="submit" class="primary" disabled={contents.files.length === 0}>
          {into() === "new" ? "Make the project" : "Take it in"}
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          Leave it
        </button>
      </div>
    </form>
  );
}

function Option(props: { name: string; checked: boolean; choose: () => void; label: string; children: JSX.Element }) {
  return (
    <label class="zip-option">
      <input type="radio" name={props.name} checked={props.checked} onChange={() => props.choose()} />
      {props.label} <span class="zip-note">{props.children}</span>
    </label>
  );
}

function Inactive(props: { contents: ZipContents; accept: boolean; setAccept: (accept: boolean) => void }) {
  const lines = () => props.contents.inactive;
  return (
    <Show when={lines().length + props.contents.interrupted.length + props.contents.undecided > 0}>
      <section aria-label="What was made inactive">
        <h3>Made inactive</h3>
        <Show when={lines().length > 0}>
          <p>
            {lines().length === 1 ? "This line lets" : "These lines let"} agents do something, and a zip does not tell who wrote{" "}
            {lines().length === 1 ? "it" : "them"}.
          </p>
          <Capped label="Lines that were made inactive" items={lines().slice(0, mostLines)} more={Math.max(0, lines().length - mostLines)}>
            {({ path, line }) => (
              <>
                <code>
                  <Visible text={line} />
                </code>
                <span class="zip-note">
                  <Visible text={path} />
                </span>
              </>
            )}
          </Capped>
          <Show
            when={lines().length <= mostLines}
            fallback={
              <p>They are too many to be accepted here. Accept those of a dialog in its details, and those of main in the editor.</p>
            }
          >
            <label class="zip-option">
              <input type="checkbox" checked={props.accept} onChange={(event) => props.setAccept(event.currentTarget.checked)} />
              They are mine: let them count.{" "}
              <span class="zip-note">Else you can accept those of a dialog in its details, and those of main in the editor.</span>
            </label>
          </Show>
        </Show>
        <Show when={props.contents.undecided > 0}>
          <p>{counted(props.contents.undecided, "call")} that had been approved and had not run will be asked about again.</p>
        </Show>
        <Show when={props.contents.interrupted.length > 0}>
          <p>In {counted(props.contents.interrupted.length, "dialog")} an agent was at work. It waits for you now.</p>
        </Show>
      </section>
    </Show>
  );
}

const kinds = [
  ["doc", "Docs"],
  ["dialog", "Dialogs"],
  ["deed", "The deed"],
] as const;

const standings = { new: "", same: "you have it", conflict: "in the way", repository: "stays out" } as const;

function Files(props: { contents: ZipContents }) {
  // Thousands of rows are not made for somebody who does not look at them.
  const [open, setOpen] = createSignal(false);
  return (
    <details class="zip-files" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The files</summary>
      <For each={open() ? kinds : []}>
        {([kind, title]) => {
          const files = () => props.contents.files.filter((file) => file.kind === kind);
          return (
            <Show when={files().length > 0}>
              <h4>{title}</h4>
              <Capped label={title} items={files()}>
                {({ path, size, standing }) => (
                  <>
                    <span>
                      <Visible text={kind === "deed" ? path : path.slice("vibey/".length)} />
                    </span>
                    <span class="zip-note">
                      {standings[standing]} {fileSize(size)}
                    </span>
                  </>
                )}
              </Capped>
            </Show>
          );
        }}
      </For>
    </details>
  );
}

/** Rows that are shown; of more it says how many. */
const mostRows = 200;

function Capped<T>(props: { label: string; items: readonly T[]; more?: number; children: (item: T) => JSX.Element }) {
  const more = () => (props.more ?? 0) + Math.max(0, props.items.length - mostRows);
  return (
    // What scrolls must be reachable with keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul class="zip-list" tabindex={0} aria-label={props.label}>
      <For each={props.items.slice(0, mostRows)}>{(item) => <li>{props.children(item)}</li>}</For>
      <Show when={more() > 0}>
        <li>and {more().toLocaleString()} more</li>
      </Show>
    </ul>
  );
}
