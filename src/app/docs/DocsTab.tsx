import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
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
import { draftKey } from "../dialogs/drafts.ts";
import type { Drafts } from "./drafts.ts";
import { FilePane } from "./FilePane.tsx";
import type { FileLists } from "./files.ts";
import { dialogFile, docFilename, orderDocs, shownName } from "./names.ts";
import { createOpenFile } from "./open-file.ts";
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
    // A dialog's unsent message goes with its file, and comes back with it.
    const id = ref.kind === "doc" ? dialogFile(ref.name)?.id : undefined;
    const kept = [fileKey(ref), ...(id === undefined ? [] : [draftKey(id)])].flatMap((key) => {
      const draft = props.drafts.get(key);
      return draft === null ? [] : [{ key, draft }];
    });
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

  const groups = createMemo(() => {
    const wanted = filter().trim().toLowerCase();
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
    const found = (title: string) => title.toLowerCase().includes(wanted);
    // A file deleted elsewhere while it had unsaved text is listed on, so that the text can be found.
    const drafted = (prefix: string) => Array.from(unsaved).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    const names = Array.from(new Set([...props.files.names(), ...drafted("doc:")]));
    const sizes = new Map(props.files.deed().map(({ path, size }) => [path, fileSize(size)]));
    const paths = Array.from(new Set([...sizes.keys(), ...drafted("deed:")]));
    const docs = orderDocs(names).map((name) => row(docRef(name), shownName(name), ""));
    const deed = paths
      .toSorted((a, b) => a.localeCompare(b))
      .map((path) => ({
        ...row({ kind: "deed", path }, path, ""),
        side: unsaved.has(`deed:${path}`) ? "unsaved" : (sizes.get(path) ?? ""),
      }));
    const other = names
      .filter((name) => !name.startsWith("doc-"))
      .map((name) => {
        const dialog = dialogFile(name);
        return row(docRef(name), dialog?.slug ?? name, dialog === null ? "" : dialog.status);
      });
    const all: Group[] = [
      { title: "Docs", rows: docs },
      { title: "The deed", rows: deed },
      { title: "Files of dialogs", rows: other },
    ];
    return all
      .map(({ title, rows }) => ({ title, rows: rows.filter((candidate) => found(candidate.title) || found(candidate.hint)) }))
      .filter(({ rows }) => rows.length > 0);
  });

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
          empty={
            filter() === "" ? (props.files.loaded() ? (props.files.problem() ?? "No files yet.") : "…") : "Nothing has this in its name."
          }
          head={
            <>
              <input
                type="search"
                class="filter"
                aria-label="Filter files"
                placeholder="Filter"
                value={filter()}
                onInput={(event) => setFilter(event.currentTarget.value)}
              />
              <NameForm button="+ New" label="Name of the doc" submit={create} />
            </>
          }
        />
      }
      main={<FilePane file={file} target={props.target} />}
    />
  );
}
