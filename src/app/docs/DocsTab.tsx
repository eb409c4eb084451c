import { type Accessor, createEffect, createMemo, createSignal, getOwner, onCleanup, runWithOwner, untrack } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import { visible } from "../calls/visible.ts";
import { hasWorked } from "../engine-client/index.ts";
import { currentProject } from "../model/current-project.ts";
import { NameForm } from "../ui/NameForm.tsx";
import type { Notices } from "../ui/notices.ts";
import { fileKey, type FileRef, type Router } from "../model/route.ts";
import { type Row, Sidebar } from "../ui/Sidebar.tsx";
import { TwoPanes } from "../ui/TwoPanes.tsx";
import * as t from "../texts/docs.ts";
import type { Drafts } from "./drafts.ts";
import { FilePane } from "./FilePane.tsx";
import { loadEditor, type Mounted, type TextRange } from "./editor-mount.ts";
import type { FileActions } from "./file-actions.ts";
import { docRef, type FileGroup, fileGroups, filtered } from "./file-groups.ts";
import { glanceKey, readGlance, setShownFile } from "./glance.ts";
import type { FileLists } from "./files.ts";
import { dialogFile, shownName } from "./names.ts";
import { createOpenFile } from "./open-file.ts";
import { saveByKey } from "./save-file.ts";
import type { Search } from "./search.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface DocsTabProps {
  readonly router: Router;
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly events: EngineEvents;
  readonly notices: Notices;
  /** The route's file while this tab shows. */
  readonly target: FileRef | null;
}

export default function DocsTab(props: DocsTabProps) {
  const [filter, setFilter] = createSignal("");
  // These live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const { drafts, events, notices } = props;
  const project = currentProject();
  const file = createOpenFile(() => props.target, {
    drafts,
    events,
    announce: (text) => props.notices.announce(text),
    glances: {
      get: (key) => (hasWorked() ? null : readGlance(localStorage, project, key)),
      drop: (key) => localStorage.removeItem(glanceKey(project, key)),
    },
    vanished: (ref) => props.router.replace({ tab: "docs", file: renamed(ref, props.files.names()) }),
  });

  setShownFile(() => () => file.stored());
  onCleanup(() => setShownFile(null));

  async function create(typed: string): Promise<string | null> {
    try {
      const answer = await (await import("./new-doc.ts")).createDoc(typed, props.files);
      if (!answer.ok) return answer.why;
      setFilter("");
      props.router.go({ tab: "docs", file: docRef(answer.name) });
      return null;
    } catch (error) {
      return String(error);
    }
  }

  async function drop(ref: FileRef, title: string) {
    const isOpen = (other: FileRef) => props.target !== null && fileKey(props.target) === fileKey(other);
    let removal: typeof import("./removal.ts");
    try {
      removal = await import("./removal.ts");
    } catch (error) {
      props.notices.add({ message: t.notDeleted(title, error instanceof Error ? error.message : String(error)) });
      return;
    }
    await removal.removeFile(ref, title, { drafts, files: props.files, notices: props.notices, router: props.router, isOpen });
  }

  /** The results of the full-text search; null before the first search. */
  const [search, setSearch] = createSignal<{ readonly now: Accessor<Search>; readonly rows: () => Row[] } | null>(null);
  const owner = getOwner();
  let asked = false;
  async function searchTexts() {
    if (asked) return;
    asked = true;
    const { createSearch, foundRows } = await import("./search.ts");
    runWithOwner(owner, () => {
      const now = createSearch(filter);
      const rows = createMemo(() => foundRows(now(), jumpTo));
      setSearch({ now, rows });
    });
  }
  async function filterBy(text: string) {
    setFilter(text);
    try {
      await searchTexts();
    } catch (error) {
      asked = false;
      props.notices.add({ message: t.textsNotSearched(error instanceof Error ? error.message : String(error)) });
    }
  }

  /** The current editor and the file that it was created for. For a moment, that can be the previous file. */
  const [editor, setEditor] = createSignal<{ readonly mounted: Mounted; readonly key: string } | null>(null);
  function editorIs(mounted: Mounted | null) {
    const target = untrack(() => props.target);
    setEditor(mounted === null || target === null ? null : { mounted, key: fileKey(target) });
  }
  /** Where to jump as soon as the file is in the editor. */
  const [jump, setJump] = createSignal<{ readonly key: string; readonly place: TextRange } | null>(null);
  function jumpTo(ref: FileRef, place: TextRange) {
    setJump({ key: fileKey(ref), place });
    void loadEditor();
  }
  createEffect(() => {
    const [now, to] = [editor(), jump()];
    if (now === null || now.key !== to?.key) return;
    setJump(null);
    now.mounted.jump(to.place);
  });

  const actions: FileActions = {
    drafts,
    get router() {
      return props.router;
    },
    get files() {
      return props.files;
    },
    get notices() {
      return props.notices;
    },
    remove: (ref) => drop(ref, visible(ref.kind === "doc" ? shownName(ref.name) : ref.path)),
    // The lists live as long as the page.
    // oxlint-disable-next-line solid/reactivity
    surroundings: surroundingsOf(props.files),
  };

  /** All files. Filtering happens separately, at each key press. */
  const everything = createMemo(
    (before: readonly FileGroup[]) =>
      fileGroups({
        before,
        names: props.files.names(),
        deed: props.files.deed(),
        // Text typed in another tab at the same time belongs to the same file.
        unsaved: new Set(Array.from(props.drafts.keys(), (key) => key.split("\n")[0] ?? key)),
        open: props.target === null ? "" : fileKey(props.target),
        remove: (ref, title) => void drop(ref, title),
      }),
    [],
  );
  const groups = createMemo(() => {
    const named = filtered(everything(), filter());
    const inText = filter().trim() === "" ? [] : (search()?.rows() ?? []);
    return inText.length === 0 ? named : [...named, { title: t.groupInText, rows: inText }];
  });
  const noFiles = () => {
    if (filter() === "") return props.files.loaded() ? (props.files.problem() ?? t.noFiles) : "…";
    return search()?.now().running === true ? t.stillSearching : t.nothingFound;
  };

  saveByKey(file, notices);

  return (
    <TwoPanes
      open={props.target !== null}
      back={t.filesList}
      title={visible(props.target === null ? "" : props.target.kind === "doc" ? shownName(props.target.name) : props.target.path)}
      onBack={() => props.router.go({ tab: "docs", file: null })}
      side={
        <Sidebar
          label={t.filesList}
          groups={groups()}
          empty={noFiles()}
          head={
            <>
              <input
                type="search"
                class="filter"
                aria-label={t.searchFiles}
                placeholder={t.searchHint}
                value={filter()}
                onInput={(event) => void filterBy(event.currentTarget.value)}
                onKeyDown={(event) => event.key === "Escape" && setFilter("")}
              />
              <NameForm button={t.newDoc} label={t.newDocName} submit={create} />
              <output class="search-note">{filter() === "" ? "" : (search()?.now().note ?? "")}</output>
            </>
          }
        />
      }
      main={<FilePane file={file} target={props.target} actions={actions} events={events} mounted={editorIs} />}
    />
  );
}

/** A dialog's file is renamed when its status changes. The editor then follows the file to its new name. */
function renamed(ref: FileRef, names: readonly string[]): FileRef | null {
  const id = ref.kind === "doc" ? dialogFile(ref.name)?.id : undefined;
  const now = id === undefined ? undefined : names.find((name) => ref.kind === "doc" && name !== ref.name && dialogFile(name)?.id === id);
  return now === undefined ? null : docRef(now);
}
