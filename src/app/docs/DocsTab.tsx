import { type Accessor, createEffect, createMemo, createSignal, getOwner, on, onCleanup, runWithOwner } from "solid-js";
import { writeFile } from "../api/calls.ts";
import type { EngineEvents } from "../api/events.ts";
import { visible } from "../calls/visible.ts";
import { matches, onMac } from "../shell/commands.ts";
import { NameForm } from "../shell/NameForm.tsx";
import type { Notices } from "../shell/notices.ts";
import { fileKey, type FileRef, formatRoute, type Router } from "../shell/route.ts";
import { type Group, type Row, Sidebar } from "../shell/Sidebar.tsx";
import { TwoPanes } from "../shell/TwoPanes.tsx";
import { fileSize } from "../shell/words.ts";
import { draftsOf } from "../dialogs/drafts.ts";
import type { Drafts } from "./drafts.ts";
import { FilePane } from "./FilePane.tsx";
import { loadEditor, type Mounted, type Place } from "./editor-mount.ts";
import type { FileActions } from "./file-actions.ts";
import type { FileLists } from "./files.ts";
import { dialogFile, docFilename, orderDocs, shownName } from "./names.ts";
import { createOpenFile } from "./open-file.ts";
import type { Search } from "./search.ts";
import { readContent, remove, restore } from "./source.ts";

export interface DocsTabProps {
  readonly router: Router;
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly events: EngineEvents;
  readonly notices: Notices;
  /** The file of the route while this tab shows. */
  readonly target: FileRef | null;
}

/** Of ten thousand paths, ten times as fast as `localeCompare`. */
const byName = new Intl.Collator();

const docRef = (name: string): FileRef => ({ kind: "doc", name });

export default function DocsTab(props: DocsTabProps) {
  const [filter, setFilter] = createSignal("");
  // These live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const { drafts, events } = props;
  const file = createOpenFile(() => props.target, {
    drafts,
    events,
    announce: (text) => props.notices.announce(text),
    vanished: (ref) => props.router.replace({ tab: "docs", file: renamed(ref) }),
  });

  /** A dialog's file has another name when its status changes; the editor goes with it. */
  function renamed(ref: FileRef): FileRef | null {
    const id = ref.kind === "doc" ? dialogFile(ref.name)?.id : undefined;
    const now =
      id === undefined
        ? undefined
        : props.files.names().find((name) => ref.kind === "doc" && name !== ref.name && dialogFile(name)?.id === id);
    return now === undefined ? null : docRef(now);
  }

  async function create(typed: string): Promise<string | null> {
    const answer = docFilename(typed);
    if (!answer.ok) return answer.why;
    if (props.files.names().includes(answer.name)) return "There is a doc of that name already.";
    const written = await writeFile(answer.name, `# ${shownName(answer.name)}\n\n`);
    if (!written.ok) return `Not created: ${written.message}`;
    await props.files.refresh();
    setFilter("");
    props.router.go({ tab: "docs", file: docRef(answer.name) });
    return null;
  }

  async function drop(ref: FileRef, title: string) {
    const isOpen = props.target !== null && fileKey(props.target) === fileKey(ref);
    // A dialog's unsent messages go with its file, and come back with it.
    const id = ref.kind === "doc" ? dialogFile(ref.name)?.id : undefined;
    const own = props.drafts.get(fileKey(ref));
    const kept = [...(own === null ? [] : [{ key: fileKey(ref), draft: own }]), ...(id === undefined ? [] : draftsOf(props.drafts, id))];
    const reading = readContent(ref);
    if (isOpen) props.router.replace({ tab: "docs", file: null });
    const content = await reading;
    const removed = await remove(ref);
    if (!removed.ok && removed.kind !== "missing") {
      if (isOpen) props.router.go({ tab: "docs", file: ref });
      return props.notices.add({ message: `${title} was not deleted: ${removed.message}` });
    }
    props.drafts.drop(fileKey(ref));
    await props.files.refresh();
    const bringBack = async () => {
      const restored = content.ok ? await restore(ref, content.value) : content;
      if (!restored.ok) return props.notices.add({ message: `${title} could not be brought back: ${restored.message}` });
      for (const { key, draft } of kept) props.drafts.keep(key, key === fileKey(ref) ? { ...draft, etag: restored.etag } : draft);
      await props.files.refresh();
      return props.router.go({ tab: "docs", file: ref });
    };
    return props.notices.add({
      message: `${title} is deleted.`,
      ...(content.ok ? { action: { label: "Undo", run: () => void bringBack() } } : {}),
    });
  }

  /** What the search in the texts found; null before anybody searched. */
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
      props.notices.add({ message: `The texts can't be searched for now: ${error instanceof Error ? error.message : String(error)}` });
    }
  }

  const [editor, setEditor] = createSignal<Mounted | null>(null);
  /** Where to go as soon as the file is in the editor. */
  const [jump, setJump] = createSignal<{ readonly key: string; readonly place: Place } | null>(null);
  function jumpTo(ref: FileRef, place: Place) {
    setJump({ key: fileKey(ref), place });
    void loadEditor();
  }
  createEffect(() => {
    const [now, to] = [editor(), jump()];
    if (now === null || to === null || props.target === null || fileKey(props.target) !== to.key) return;
    setJump(null);
    now.jump(to.place);
  });

  const known = createMemo(
    () => new Set([...props.files.names().map((name) => `vibey/${name}`), ...props.files.deed().map(({ path }) => path)]),
  );
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
    surroundings: {
      hrefOf: (target) => {
        const path = target.replace(/^\.\//, "").replace(/#.*$/, "");
        const found = known().has(`vibey/${path}`) ? docRef(path) : known().has(path) ? ({ kind: "deed", path } as const) : null;
        return found && formatRoute({ tab: "docs", file: found });
      },
      hasDoc: (name) => known().has(`vibey/${name}`),
    },
  };

  /** Every file, in its group; which of them show is another question, asked with every key. */
  const everything = createMemo((): Group[] => {
    const unsaved = props.drafts.keys();
    const open = props.target === null ? "" : fileKey(props.target);
    const row = (ref: FileRef, title: string, note: string): Row => ({
      key: fileKey(ref),
      href: formatRoute({ tab: "docs", file: ref }),
      title: visible(title),
      hint: visible(ref.kind === "doc" ? ref.name : ref.path),
      side: unsaved.has(fileKey(ref)) ? "unsaved" : "",
      note,
      mark: "none",
      current: fileKey(ref) === open,
      remove: () => void drop(ref, visible(title)),
    });
    // A file deleted elsewhere while it had unsaved text is listed on, so that the text can be found.
    const drafted = (prefix: string) => Array.from(unsaved).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    const names = Array.from(new Set([...props.files.names(), ...drafted("doc:")]));
    const sizes = new Map(props.files.deed().map(({ path, size }) => [path, fileSize(size)]));
    const paths = Array.from(new Set([...sizes.keys(), ...drafted("deed:")]));
    const others = names.filter((name) => !name.startsWith("doc-")).map((name) => ({ name, dialog: dialogFile(name) }));
    const dialogs = (status: string) =>
      others.flatMap(({ name, dialog }) => (dialog?.status === status ? [row(docRef(name), dialog.slug, "")] : []));
    return [
      { title: "Docs", rows: orderDocs(names).map((name) => row(docRef(name), shownName(name), "")) },
      {
        title: "The deed",
        rows: paths.toSorted(byName.compare).map((path) => ({
          ...row({ kind: "deed", path }, path, ""),
          side: unsaved.has(`deed:${path}`) ? "unsaved" : (sizes.get(path) ?? ""),
        })),
      },
      { title: "Dialogs at work", rows: dialogs("active") },
      { title: "Dialogs that wait", rows: dialogs("waiting") },
      { title: "Dialogs that are done", rows: dialogs("done") },
      { title: "Other files", rows: others.flatMap(({ name, dialog }) => (dialog === null ? [row(docRef(name), name, "")] : [])) },
    ];
  });
  const groups = createMemo(() => {
    const wanted = filter().trim().toLowerCase();
    const found = (text: string) => text.toLowerCase().includes(wanted);
    const named =
      wanted === ""
        ? everything()
        : everything().map((group) => ({ ...group, rows: group.rows.filter(({ title, hint }) => found(title) || found(hint)) }));
    const inText = wanted === "" ? [] : (search()?.rows() ?? []);
    return [...named, { title: "In the text", rows: inText }].filter(({ rows }) => rows.length > 0);
  });
  const noFiles = () => {
    if (filter() === "") return props.files.loaded() ? (props.files.problem() ?? "No files yet.") : "…";
    return search()?.now().running === true ? "Looking…" : "Nothing has this in its name or its text.";
  };

  // Saving works wherever the focus is, as long as the tab shows.
  const onKey = (event: KeyboardEvent) => {
    if (!matches("Mod+KeyS", event, onMac())) return;
    event.preventDefault();
    if (file.dirty()) void file.save();
  };
  addEventListener("keydown", onKey);
  onCleanup(() => removeEventListener("keydown", onKey));

  createEffect(
    on(file.problem, (problem) => {
      if (problem !== null) props.notices.announce(problem);
    }),
  );

  return (
    <TwoPanes
      open={props.target !== null}
      back="Files"
      title={visible(props.target === null ? "" : props.target.kind === "doc" ? shownName(props.target.name) : props.target.path)}
      onBack={() => props.router.go({ tab: "docs", file: null })}
      side={
        <Sidebar
          label="Files"
          groups={groups()}
          empty={noFiles()}
          head={
            <>
              <input
                type="search"
                class="filter"
                aria-label="Search files"
                placeholder="Search"
                value={filter()}
                onInput={(event) => void filterBy(event.currentTarget.value)}
                onKeyDown={(event) => event.key === "Escape" && setFilter("")}
              />
              <NameForm button="+ New" label="Name of the doc" submit={create} />
              <output class="search-note">{filter() === "" ? "" : (search()?.now().note ?? "")}</output>
            </>
          }
        />
      }
      main={<FilePane file={file} target={props.target} actions={actions} mounted={setEditor} />}
    />
  );
}
