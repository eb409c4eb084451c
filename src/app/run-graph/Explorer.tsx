import { createMemo, createSignal, For, Show, untrack } from "solid-js";
import type { AgentNode } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { copyOf } from "../docs/file-actions.ts";
import type { FileLists } from "../docs/files.ts";
import { removeFile } from "../docs/removal.ts";
import { moveFile, writeDeed } from "../model/api/calls.ts";
import { fileKey, type FileRef, formatRoute, type Router } from "../model/route.ts";
import { NameForm } from "../ui/NameForm.tsx";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/explorer.ts";
import { chosenFiles } from "../agents/import-files.ts";
import { explorerFiles, type ExplorerFile, fileKinds, kindOf } from "./explorer.ts";
import { StateIcon } from "./StateIcon.tsx";
import { takeFiles } from "./take-files.ts";
import * as states from "../texts/run-graph.ts";

/** The maximum number of files that are saved at once. */
const most = 10_000;

export interface ExplorerProps {
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly notices: Notices;
  readonly router: Router;
  readonly agents: readonly AgentNode[];
  /** The files at the shown moment, by path; `paths`: null until they are known. null: the present is shown. */
  readonly past: { readonly paths: readonly string[] | null; readonly problem: string | null } | null;
  /** Shows a file of the past. */
  readonly choose: (path: string) => void;
  /** Shows a file in the editor beside the graph, or lets the link lead to Docs. */
  readonly edit: (path: string, event: MouseEvent) => void;
}

/** The agents' files by purpose, and what can be done with each. Dropped files are saved where they belong. */
export function Explorer(props: ExplorerProps) {
  const all = createMemo(() =>
    explorerFiles(
      props.files.names(),
      props.files.deed().map(({ path }) => path),
    ),
  );
  const byPath = createMemo(() => new Map(all().map((file) => [file.path, file])));
  const agentOf = createMemo(() => byId(props.agents));
  const [problem, setProblem] = createSignal<string | null>(null);
  const isTaken = (ref: FileRef): boolean =>
    ref.kind === "doc" ? props.files.names().includes(ref.name) : props.files.deed().some(({ path }) => path === ref.path);

  async function create(typed: string): Promise<string | null> {
    const path = kindOf(typed.trim()) === null ? `artifacts/${typed.trim()}` : typed.trim();
    if (typed.trim() === "") return t.nameMissing;
    if (isTaken({ kind: "deed", path })) return t.taken(path);
    const written = await writeDeed(path, "");
    if (!written.ok) return t.notWritten(path, written.message);
    await props.files.refresh();
    props.router.go({ tab: "docs", file: { kind: "deed", path } });
    return null;
  }
  async function take(from: FileList | DataTransfer) {
    const { files, left } = await chosenFiles(from, most);
    const { saved, problem: why } = await takeFiles(files, isTaken);
    await props.files.refresh();
    const [only] = saved;
    if (saved.length === 1 && only !== undefined) props.notices.add({ message: t.dropped(visible(only)) });
    else if (saved.length > 1) props.notices.add({ message: t.droppedSome(saved.length) });
    setProblem(why ?? (left > 0 ? t.leftOut(most, left) : saved.length === 0 ? t.nothingTaken : null));
  }
  function drop(event: DragEvent) {
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void take(event.dataTransfer).catch((error: unknown) => setProblem(t.notRead(error instanceof Error ? error.message : String(error))));
  }
  async function chooseFolder(input: HTMLInputElement) {
    if (input.files !== null && input.files.length > 0) await take(input.files);
    // The same folder can be chosen again.
    input.value = "";
  }
  function over(event: DragEvent) {
    if ([...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === "file")) event.preventDefault();
  }
  return (
    <nav
      class="explorer"
      aria-label={t.explorer}
      ref={(box) => {
        box.addEventListener("dragover", over);
        box.addEventListener("drop", drop);
      }}
    >
      <Show when={props.past === null} fallback={<EarlierFiles {...props} />}>
        <div class="explorer-new">
          <NameForm button={t.newFile} label={t.newPath} submit={create} />
          <label class="action quiet">
            {t.importFolder}
            <input
              type="file"
              class="unseen"
              ref={(input) => input.setAttribute("webkitdirectory", "")}
              onChange={(event) => void chooseFolder(event.currentTarget)}
            />
          </label>
        </div>
        <Show when={problem()}>
          <p class="problem" role="alert">
            {problem()}
          </p>
        </Show>
        <For each={fileKinds}>
          {(kind) => (
            <section>
              <h2>{t.folder(kind)}</h2>
              <ul>
                <For
                  each={all()
                    .filter((file) => file.kind === kind)
                    .map(({ path }) => path)}
                  fallback={<li class="hint">{t.none}</li>}
                >
                  {(path) => (
                    <Show when={byPath().get(path)}>
                      {(file) => <Row {...props} file={file()} isTaken={isTaken} agent={agentOf().get(path)} failed={setProblem} />}
                    </Show>
                  )}
                </For>
              </ul>
            </section>
          )}
        </For>
        <p class="hint">{t.dropHint}</p>
      </Show>
    </nav>
  );
}

const byId = (agents: ExplorerProps["agents"]) => new Map(agents.map((agent) => [agent.agentId, agent]));

/** The files at a moment in the past, read only. */
function EarlierFiles(props: Pick<ExplorerProps, "past" | "choose" | "agents">) {
  const agentOf = createMemo(() => byId(props.agents));
  const rows = (kind: (typeof pastKinds)[number]) => (props.past?.paths ?? []).filter((path) => (kindOf(path) ?? "other") === kind);
  return (
    <>
      <Problem text={props.past?.problem ? states.filesThenNotRead(props.past.problem) : null} />
      <Show when={props.past?.paths} fallback={<p class="hint">{states.loading}</p>}>
        <For each={pastKinds.filter((kind) => rows(kind).length > 0)}>
          {(kind) => (
            <section>
              <h2>{kind === "other" ? t.otherFiles : t.folder(kind)}</h2>
              <ul>
                <For each={rows(kind)}>
                  {(path) => (
                    <li class="explorer-row">
                      <button type="button" class="quiet small" onClick={() => props.choose(path)}>
                        <Visible text={kind === "other" ? path : path.slice(path.lastIndexOf("/") + 1)} />
                      </button>
                      <StateOf kind={kind} agent={agentOf().get(path)} />
                    </li>
                  )}
                </For>
              </ul>
            </section>
          )}
        </For>
      </Show>
    </>
  );
}
const pastKinds = [...fileKinds, "other"] as const;

/** For a file that defines an agent: the agent's state in the run; idle if it hasn't been activated. */
const StateOf = (props: { kind: (typeof pastKinds)[number]; agent: AgentNode | undefined }) => (
  <Show when={props.agent?.state ?? (props.kind === "agents" ? "idle" : null)}>
    {(state) => (
      <span class={`agent-state is-${state()}`}>
        <StateIcon state={state()} />
        {states.states[state()]}
      </span>
    )}
  </Show>
);

interface RowProps extends ExplorerProps {
  readonly file: ExplorerFile;
  /** The last agent of the run that this file defines. */
  readonly agent: AgentNode | undefined;
  readonly isTaken: (ref: FileRef) => boolean;
  readonly failed: (why: string | null) => void;
}

function Row(props: RowProps) {
  const [open, setOpen] = createSignal(false);
  const name = () => props.file.path.slice(props.file.path.lastIndexOf("/") + 1);
  async function move(to: FileRef, copy: boolean): Promise<string | null> {
    const path = to.kind === "doc" ? `vibey/${to.name}` : to.path;
    const moved = await moveFile(props.file.path, path, copy);
    if (!moved.ok) return moved.kind === "busy" ? t.taken(path) : t.notMoved(props.file.path, moved.message);
    await props.files.refresh();
    return null;
  }
  async function rename(typed: string): Promise<string | null> {
    if (props.drafts.get(fileKey(props.file.ref)) !== null) return t.unsaved;
    const path = typed.trim();
    if (path === "") return t.nameMissing;
    const own = /^vibey\/([^/]+)$/.exec(path)?.[1];
    return move(own === undefined ? { kind: "deed", path } : { kind: "doc", name: own }, false);
  }
  async function duplicate() {
    props.failed(await move(copyOf(props.file.ref, props.isTaken), true));
  }
  async function submitName(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("path");
    props.failed(await rename(typeof typed === "string" ? typed : ""));
  }
  return (
    <li>
      <div
        class="explorer-row"
        onContextMenu={(event) => {
          event.preventDefault();
          setOpen(true);
        }}
      >
        <a
          href={formatRoute({ tab: "docs", file: props.file.ref })}
          title={visible(props.file.path)}
          onClick={(event) => props.edit(props.file.path, event)}
        >
          <Visible text={name()} />
        </a>
        <StateOf kind={props.file.kind} agent={props.agent} />
        <button
          type="button"
          class="quiet small"
          aria-expanded={open()}
          aria-label={t.actionsOf(visible(name()))}
          onClick={() => setOpen(!open())}
        >
          ⋯
        </button>
      </div>
      <Show when={open()}>
        <div class="explorer-actions">
          <button type="button" class="quiet small" onClick={() => void duplicate()}>
            {t.duplicate}
          </button>
          {/* The form stays when the list is read again, so that its text isn't lost. */}
          <form class="explorer-rename" onSubmit={(event) => void submitName(event)}>
            <input name="path" aria-label={t.newPath} value={untrack(() => props.file.path)} autocomplete="off" autocapitalize="off" />
            <button type="submit" class="quiet small">
              {t.rename}
            </button>
          </form>
          <button
            type="button"
            class="quiet small"
            onClick={() =>
              void removeFile(props.file.ref, visible(props.file.path), {
                drafts: props.drafts,
                files: props.files,
                notices: props.notices,
                router: props.router,
                isOpen: () => false,
              })
            }
          >
            {t.remove}
          </button>
        </div>
      </Show>
    </li>
  );
}
