import type { Drafts } from "../docs/drafts.ts";
import type { FileActions } from "../docs/file-actions.ts";
import { FilePane } from "../docs/FilePane.tsx";
import type { FileLists } from "../docs/files.ts";
import { shownName } from "../docs/names.ts";
import { createOpenFile } from "../docs/open-file.ts";
import { removeFile } from "../docs/removal.ts";
import { saveByKey } from "../docs/save-file.ts";
import { surroundingsOf } from "../docs/surroundings.ts";
import { visible } from "../calls/visible.ts";
import type { EngineEvents } from "../model/api/events.ts";
import type { FileRef, Router } from "../model/route.ts";
import type { Notices } from "../ui/notices.ts";

export interface RunEditorProps {
  readonly target: FileRef;
  readonly router: Router;
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly events: EngineEvents;
  readonly notices: Notices;
  /** Called when the file no longer exists. */
  readonly close: () => void;
}

/** A file in the editor of Docs, beside what a run did with it. */
export default function RunEditor(props: RunEditorProps) {
  // These live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const { drafts, events, files, notices, router } = props;
  const file = createOpenFile(() => props.target, {
    drafts,
    events,
    announce: (text) => notices.announce(text),
    glances: { get: () => null, drop: () => undefined },
    vanished: () => props.close(),
  });
  const actions: FileActions = {
    drafts,
    router,
    files,
    notices,
    remove: (ref) =>
      removeFile(ref, visible(ref.kind === "doc" ? shownName(ref.name) : ref.path), {
        drafts,
        files,
        notices,
        router,
        isOpen: () => false,
      }),
    surroundings: surroundingsOf(files),
  };
  saveByKey(file, notices);
  return <FilePane file={file} target={props.target} actions={actions} events={events} mounted={() => undefined} />;
}
