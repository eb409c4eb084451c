import { lazy, Match, Show, Suspense, Switch } from "solid-js";
import { onMac, shownKeys } from "../shell/commands.ts";
import { counted, fileSize, words } from "../shell/words.ts";
import { historyPath } from "../history/paths.ts";
import { type FileRef, formatRoute } from "../shell/route.ts";
import { Editor } from "./Editor.tsx";
import { dialogFile, mainDoc, shownName } from "./names.ts";
import type { OpenFile } from "./open-file.ts";
import { Visible } from "../calls/Visible.tsx";

const AuthorityLines = lazy(() => import("./AuthorityLines.tsx"));
const Conflict = lazy(() => import("./Conflict.tsx"));

export function FilePane(props: { file: OpenFile; target: FileRef | null }) {
  const name = () => (props.target === null ? "" : props.target.kind === "doc" ? shownName(props.target.name) : props.target.path);
  const isMain = () => props.target?.kind === "doc" && props.target.name === mainDoc;
  const look = () => (props.target?.kind === "doc" || name().endsWith(".md") ? "prose" : "code");
  return (
    <div class="file-pane">
      <Switch>
        <Match when={props.file.opened().kind === "nothing"}>
          <p class="empty">Choose a file on the left, or write a new one.</p>
        </Match>
        <Match when={failure(props.file)}>{(message) => <p class="problem column">This file could not be read: {message()}</p>}</Match>
        <Match when={image(props.file)}>
          {(shown) => (
            <figure class="column picture">
              <img src={shown().url} alt={name()} />
              <figcaption>
                <Visible text={name()} />, {fileSize(shown().size)}
              </figcaption>
            </figure>
          )}
        </Match>
        <Match when={binary(props.file)}>
          {(shown) => (
            <p class="empty">
              <Visible text={name()} /> is no text: {fileSize(shown().size)}.
            </p>
          )}
        </Match>
        <Match when={props.file.opened().kind === "text"}>
          <Editor label={name()} value={props.file.text()} look={look()} onInput={props.file.edit} />
          <Suspense>
            <Show when={props.file.theirs()}>{(theirs) => <Conflict file={props.file} theirs={theirs().text} />}</Show>
            <Show when={isMain()}>
              <AuthorityLines text={props.file.text()} />
            </Show>
          </Suspense>
          <Show when={props.file.problem()}>
            {(problem) => (
              <p class="problem" role="alert">
                {problem()}
              </p>
            )}
          </Show>
          <StatusLine file={props.file} target={props.target} />
        </Match>
      </Switch>
    </div>
  );
}

function StatusLine(props: { file: OpenFile; target: FileRef | null }) {
  return (
    <footer class="status">
      <span class="state" classList={{ unsaved: props.file.dirty() }}>
        {props.file.saving() ? "Saving…" : props.file.dirty() ? "Unsaved changes" : "Saved"}
      </span>
      <button type="button" class="quiet" disabled={!props.file.dirty() || props.file.saving()} onClick={() => void props.file.save()}>
        Save <kbd>{shownKeys("Mod+KeyS", onMac())}</kbd>
      </button>
      <button type="button" class="quiet" disabled={!props.file.dirty() || props.file.saving()} onClick={() => props.file.discard()}>
        Discard
      </button>
      <Show when={isKept(props.target) && props.target}>
        {(target) => (
          <a class="action quiet" href={formatRoute({ tab: "history", commit: null, path: historyPath(target()) })}>
            History
          </a>
        )}
      </Show>
      <span class="count">{counted(words(props.file.text()), "word")}</span>
    </footer>
  );
}

/** Dialogs are their own history. */
const isKept = (target: FileRef | null) => target?.kind === "deed" || (target !== null && dialogFile(target.name) === null);

function failure(file: OpenFile) {
  const opened = file.opened();
  return opened.kind === "failed" && opened.message;
}
function image(file: OpenFile) {
  const opened = file.opened();
  return opened.kind === "image" && opened;
}
function binary(file: OpenFile) {
  const opened = file.opened();
  return opened.kind === "binary" && opened;
}
