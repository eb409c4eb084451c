import { createSignal, For, Match, Show, Suspense, Switch } from "solid-js";
import { historyPath } from "../history/paths.ts";
import { type Command, onMac, shownKeys } from "../ui/commands.ts";
import { offer } from "../ui/offered.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { fileKey, type FileRef, formatRoute } from "../model/route.ts";
import * as t from "../texts/docs.ts";
import { Editor } from "./Editor.tsx";
import { editorProblem, type Mounted } from "./editor-mount.ts";
import type { FileActions } from "./file-actions.ts";
import { agentSlug, dialogFile, mainDoc, shownName } from "./names.ts";
import type { OpenFile } from "./open-file.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const ActiveAgent = lazyPart(() => import("../agents/ActiveAgent.tsx"));
const AgentForm = lazyPart(() => import("../agents/AgentForm.tsx"));
const Conflict = lazyPart(() => import("./Conflict.tsx"));
const OtherFile = lazyPart(() => import("./OtherFile.tsx"));
const Outline = lazyPart(() => import("./Outline.tsx"));
const FileTools = lazyPart(() => import("./FileTools.tsx"));

export interface FilePaneProps {
  readonly file: OpenFile;
  readonly target: FileRef | null;
  readonly actions: FileActions;
  readonly events: EngineEvents;
  /** Called with the editor when it exists, and with null when it is removed. */
  readonly mounted: (editor: Mounted | null) => void;
}

export function FilePane(props: FilePaneProps) {
  const name = () => (props.target === null ? "" : props.target.kind === "doc" ? shownName(props.target.name) : props.target.path);
  const isMain = () => props.target?.kind === "doc" && props.target.name === mainDoc;
  // The front matter of an agent isn't Markdown.
  const agent = () => (props.target?.kind === "doc" ? agentSlug(props.target.name) : null);
  /** The path, if the file can define an agent of a run. */
  const agentFile = () =>
    agent() === null
      ? props.target?.kind === "deed" && /\.md$/i.test(name())
        ? name()
        : undefined
      : `vibey/${props.target?.kind === "doc" ? props.target.name : ""}`;
  const look = () => (agent() === null && (props.target?.kind === "doc" || name().endsWith(".md")) ? "prose" : "code");
  const [editor, setEditor] = createSignal<Mounted | null>(null);
  /** Increases with each change of the text in the editor. */
  const [changes, setChanges] = createSignal(0);
  const [outline, setOutline] = createSignal(false);
  function mounted(now: Mounted | null) {
    setEditor(now);
    props.mounted(now);
  }
  const unable = () => !props.file.dirty() || props.file.saving();
  const save: Command = { label: t.save, keys: "Mod+KeyS", run: () => void props.file.save() };
  const discard: Command = { label: t.discard, run: () => props.file.discard() };
  offer({ commands: () => (unable() ? [] : [save, discard]), about: name });
  const history = () =>
    props.target && isKept(props.target) ? formatRoute({ tab: "history", commit: null, path: historyPath(props.target) }) : null;
  return (
    <div class="file-pane">
      <Switch>
        <Match when={props.file.opened().kind === "nothing"}>
          <p class="empty">{t.chooseFile}</p>
        </Match>
        <Match when={props.file.opened().kind === "loading"}>
          <p class="empty waits">{t.opening(name())}</p>
        </Match>
        <Match when={failure(props.file)}>{(message) => <p class="problem column">{t.notRead(message())}</p>}</Match>
        <Match when={other(props.file)}>
          {(shown) => (
            <Suspense>
              <OtherFile shown={shown()} name={name()} />
            </Suspense>
          )}
        </Match>
        <Match when={props.file.opened().kind === "text" && props.target}>
          {(target) => (
            <>
              <Show when={agentFile()}>
                {(path) => (
                  <Suspense>
                    <ActiveAgent path={path()} file={props.file} events={props.events} />
                  </Suspense>
                )}
              </Show>
              <Show when={agent()}>
                {(slug) => (
                  <div class="agent-form">
                    <Suspense>
                      <AgentForm slug={slug()} name={name()} file={props.file} notices={props.actions.notices} />
                    </Suspense>
                  </div>
                )}
              </Show>
              <div class="file-body">
                <Editor
                  file={fileKey(target())}
                  label={name()}
                  value={props.file.text()}
                  look={look()}
                  laws={isMain()}
                  surroundings={props.actions.surroundings}
                  onInput={props.file.edit}
                  changed={() => setChanges(changes() + 1)}
                  save={() => void props.file.save()}
                  mounted={mounted}
                />
                <Suspense>
                  <Show when={outline() && look() === "prose" && editor()}>
                    {(now) => <Outline editor={now()} changes={changes()} close={() => setOutline(false)} />}
                  </Show>
                </Suspense>
              </div>
              <Suspense>
                <Show when={props.file.disputed()}>
                  <Conflict file={props.file} target={target()} />
                </Show>
              </Suspense>
              <Show when={props.file.problem()}>
                {(problem) => (
                  <p class="problem" role="alert">
                    {problem()}
                  </p>
                )}
              </Show>
              <Show when={editorProblem()}>{(why) => <p class="problem">{t.editorMissing(why())}</p>}</Show>
              <footer class="status">
                <span class="state" classList={{ unsaved: props.file.dirty() }}>
                  {props.file.saving() ? t.saving : props.file.dirty() ? t.unsaved : props.file.unknown() ? "" : t.isSaved}
                </span>
                <For each={[save, discard]}>
                  {(command) => (
                    <button type="button" class="quiet" disabled={unable()} onClick={command.run}>
                      {command.label} <Show when={command.keys}>{(keys) => <kbd>{shownKeys(keys(), onMac())}</kbd>}</Show>
                    </button>
                  )}
                </For>
                <Show when={history()}>
                  {(href) => (
                    <a class="action quiet wide-only" href={href()}>
                      {t.history}
                    </a>
                  )}
                </Show>
                <Suspense>
                  <Show when={editor()}>
                    {(now) => (
                      <FileTools
                        editor={now()}
                        changes={changes()}
                        target={target()}
                        actions={props.actions}
                        history={history()}
                        outline={look() === "prose" ? { open: outline(), toggle: () => setOutline(!outline()) } : null}
                      />
                    )}
                  </Show>
                </Suspense>
              </footer>
            </>
          )}
        </Match>
      </Switch>
    </div>
  );
}

/** Dialogs are their own history. */
const isKept = (target: FileRef) => target.kind === "deed" || dialogFile(target.name) === null;

function failure(file: OpenFile) {
  const opened = file.opened();
  return opened.kind === "failed" && opened.message;
}
function other(file: OpenFile) {
  const opened = file.opened();
  return (opened.kind === "image" || opened.kind === "binary") && opened;
}
