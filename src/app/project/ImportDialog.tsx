import { createSignal, Match, onCleanup, Show, Switch } from "solid-js";
import type { ZipContents, ZipTaken } from "../../protocol/index.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { Visible } from "../calls/Visible.tsx";
import { Modal } from "../ui/Modal.tsx";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/zip.ts";
import { Inside, type Wanted } from "./Inside.tsx";
import { createProgress } from "../model/api/progress.ts";
import { Progress } from "./Progress.tsx";
import { hasForeignFiles } from "./agents-inside.ts";
import { formatRoute } from "../model/route.ts";
import { addProject, openProject } from "./projects.ts";
import { projectNameOf, takenWords } from "./format.ts";
import { lookInto, take } from "./zip.ts";

type State =
  | { readonly kind: "choose" }
  | { readonly kind: "working"; readonly label: string }
  | { readonly kind: "refused"; readonly message: string; readonly entry: string | null }
  | { readonly kind: "inside"; readonly contents: ZipContents }
  /** `agents`: there are files of other programs to adopt on the agents' page. */
  | { readonly kind: "taken"; readonly taken: ZipTaken; readonly agents: boolean };

/** Opens a zip: shows its contents and what was made inactive, then asks where it should go. Nothing is imported before that. */
export function ImportDialog(props: { events: EngineEvents; file: File | null; close: () => void }) {
  const id = crypto.randomUUID();
  // It lives as long as the dialog.
  // oxlint-disable-next-line solid/reactivity
  const part = createProgress(props.events, id);
  const [state, setState] = createSignal<State>({ kind: "choose" });
  const [file, setFile] = createSignal<File | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [last, setLast] = createSignal<Wanted | null>(null);
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
    setLast(null);
    const signal = begin(t.looking(chosen.name));
    const answer = await lookInto(chosen, id, signal);
    if (signal.aborted) return setState({ kind: "choose" });
    return setState(
      answer.ok ? { kind: "inside", contents: answer.value } : { kind: "refused", message: answer.message, entry: answer.entry },
    );
  }

  async function takeIt(contents: ZipContents, wanted: Wanted) {
    const chosen = file();
    if (chosen === null) return;
    setLast(wanted);
    const signal = begin(wanted.into === "new" ? t.makingProject : t.takingIn);
    const name = projectNameOf(chosen.name);
    const answer = await take(chosen, { ...wanted, seen: contents.seen, name }, id, signal);
    if (!answer.ok || signal.aborted) {
      setProblem(signal.aborted ? t.stopped : answer.ok ? null : answer.message);
      setState({ kind: "inside", contents });
      return;
    }
    const { project } = answer.value;
    if (project !== null) addProject({ id: project, name });
    setState({ kind: "taken", taken: answer.value, agents: hasForeignFiles(contents) });
  }

  // oxlint-disable-next-line solid/reactivity -- the file that was dropped is the one that it opens with.
  if (props.file !== null) void look(props.file);

  const refused = () => match(state(), "refused");
  const inside = () => match(state(), "inside");
  const working = () => match(state(), "working");
  const taken = () => match(state(), "taken");
  return (
    <Modal title={t.title} close={props.close}>
      <Switch>
        <Match when={working()}>{(now) => <Progress label={now().label} part={part()} stop={() => stop.abort()} />}</Match>
        <Match when={inside()}>
          {(now) => (
            <Inside
              name={file()?.name ?? ""}
              contents={now().contents}
              wanted={last()}
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
        <Match when={taken()}>{(now) => <Taken taken={now().taken} agents={now().agents} close={props.close} />}</Match>
        <Match when={state().kind === "choose" || refused()}>
          <Show when={refused()}>
            {(now) => (
              <div class="zip-refused" role="alert">
                <p class="problem">
                  <Parts
                    of={t.refused}
                    slots={{ zip: () => <Visible text={file()?.name ?? t.theZip} />, why: () => <Visible text={now().message} /> }}
                  />
                </p>
                <Show when={now().entry !== null}>
                  <p>
                    <Parts
                      of={t.entryIsCalled}
                      slots={{
                        entry: () => (
                          <code>
                            <Visible text={now().entry ?? ""} />
                          </code>
                        ),
                      }}
                    />
                  </p>
                </Show>
                <p>{t.nothingTaken}</p>
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
      <p id="zip-about">{t.chooseWhat}</p>
      <input
        type="file"
        accept=".zip,application/zip"
        aria-label={t.theZip}
        aria-describedby="zip-about"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen !== undefined) props.choose(chosen);
        }}
      />
    </div>
  );
}

const agentsPage = formatRoute({ tab: "agents" });

function Taken(props: { taken: ZipTaken; agents: boolean; close: () => void }) {
  function showAgents() {
    props.close();
    location.hash = agentsPage;
  }
  return (
    <Show
      when={props.taken.project}
      fallback={
        <>
          <output>{takenWords(props.taken)}</output>
          <div class="buttons">
            <Show when={props.agents}>
              <button type="button" class="primary" onClick={showAgents}>
                {t.showAgents}
              </button>
            </Show>
            <button type="button" class={props.agents ? "quiet" : "primary"} onClick={() => props.close()}>
              {t.done}
            </button>
          </div>
        </>
      }
    >
      {(project) => (
        <>
          <output>{t.projectMade(props.taken.added)}</output>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => openProject(project(), props.agents ? agentsPage : "")}>
              {t.goToNew}
            </button>
            <button type="button" class="quiet" onClick={() => props.close()}>
              {t.stayHere}
            </button>
          </div>
        </>
      )}
    </Show>
  );
}
