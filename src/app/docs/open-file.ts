import { batch, createEffect, createSignal, on, onCleanup, type Accessor } from "solid-js";
import { createListener, type EngineEvents } from "../api/events.ts";
import { fileKey, type FileRef } from "../shell/route.ts";
import type { Drafts } from "./drafts.ts";
import { type Content, readContent, writeText } from "./source.ts";

export type Opened =
  | { readonly kind: "nothing" }
  | { readonly kind: "loading" }
  | { readonly kind: "text" }
  | { readonly kind: "image"; readonly url: string; readonly size: number }
  | { readonly kind: "binary"; readonly size: number }
  | { readonly kind: "failed"; readonly message: string };

/** The same file as somebody else left it while it was being edited here. */
export interface Theirs {
  readonly text: string;
  readonly etag: string | null;
}

export interface OpenFileDeps {
  readonly drafts: Drafts;
  readonly events: EngineEvents;
  readonly announce: (text: string) => void;
  /** The file is not there, and nothing unsaved belongs to it. */
  readonly vanished: (ref: FileRef) => void;
}

/**
 * The file in the editor. What is typed is a draft from the first letter until it is saved or discarded, so leaving the file,
 * reloading the page or a crash loses none of it. Saving names the version that the text was made from; when the file has another
 * by then nothing is written, and `theirs` holds both sides' other half until a person has chosen.
 */
export function createOpenFile(ref: Accessor<FileRef | null>, { drafts, events, announce, vanished }: OpenFileDeps) {
  const [opened, setOpened] = createSignal<Opened>({ kind: "nothing" });
  const [saved, setSaved] = createSignal("");
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [theirs, setTheirs] = createSignal<Theirs | null>(null);
  /** The keys of the files that are being written. */
  const [writing, setWriting] = createSignal<ReadonlySet<string>>(new Set());
  const saving = () => {
    const file = ref();
    return file !== null && writing().has(fileKey(file));
  };
  /** The version that `text` was made from. */
  let base: string | null = null;
  /** Counts what was opened, so that an answer for a file left meanwhile changes nothing. */
  let turn = 0;
  let imageUrl: string | null = null;

  const dirty = () => opened().kind === "text" && text() !== saved();

  function forgetImage() {
    if (imageUrl !== null) URL.revokeObjectURL(imageUrl);
    imageUrl = null;
  }
  onCleanup(forgetImage);

  function showOther(content: Exclude<Content, { kind: "text" }>) {
    const size = content.bytes.byteLength;
    if (content.kind === "binary") setOpened({ kind: "binary", size });
    else {
      imageUrl = URL.createObjectURL(new Blob([content.bytes], { type: content.type }));
      setOpened({ kind: "image", url: imageUrl, size });
    }
  }

  async function load(file: FileRef) {
    const mine = ++turn;
    const answer = await readContent(file);
    if (mine !== turn) return;
    const draft = drafts.get(fileKey(file));
    batch(() => {
      forgetImage();
      if (!answer.ok) {
        if (answer.kind !== "missing") setOpened({ kind: "failed", message: answer.message });
        else if (draft === null) vanished(file);
        else {
          base = null;
          setSaved("");
          setText(draft.text);
          setOpened({ kind: "text" });
          setProblem("This file was deleted meanwhile. Your text is kept here; saving writes it as a new file.");
        }
        return;
      }
      if (answer.value.kind !== "text") {
        showOther(answer.value);
        return;
      }
      const current = answer.value.text;
      setSaved(current);
      if (draft === null || draft.text === current) {
        drafts.drop(fileKey(file));
        base = answer.etag;
        setText(current);
      } else {
        base = draft.etag;
        setText(draft.text);
        if (draft.etag !== answer.etag) setTheirs({ text: current, etag: answer.etag });
      }
      setOpened({ kind: "text" });
    });
  }

  createEffect(
    on(
      () => {
        const file = ref();
        return file === null ? null : fileKey(file);
      },
      () => {
        const file = ref();
        batch(() => {
          setProblem(null);
          setTheirs(null);
          setText("");
          setSaved("");
          setOpened({ kind: file === null ? "nothing" : "loading" });
        });
        turn++;
        if (file !== null) void load(file);
      },
    ),
  );

  /** The open file may have changed in the store: takes the new text, or shows both where this one has unsaved changes. */
  async function check() {
    const file = ref();
    if (file === null || saving() || opened().kind === "loading") return;
    if (!dirty()) {
      await load(file);
      return;
    }
    const mine = turn;
    const answer = await readContent(file);
    if (mine !== turn || !answer.ok || answer.value.kind !== "text" || answer.etag === base) return;
    const current = answer.value.text;
    batch(() => {
      if (current === text()) settle(file, current, answer.etag);
      else if (current === saved()) base = answer.etag;
      else setTheirs({ text: current, etag: answer.etag });
    });
  }
  createListener(events, (event) => {
    const file = ref();
    if (file === null) return;
    const isThis =
      event.type === "hello" ||
      (event.type === "file" && file.kind === "doc" && event.name === file.name) ||
      (event.type === "deed" && file.kind === "deed" && event.path === file.path);
    if (isThis) void check();
  });

  // Another tab has typed into this file, or has saved or discarded what was typed.
  createEffect(
    on(
      drafts.elsewhere,
      (change) => {
        const file = ref();
        if (file === null || change?.key !== fileKey(file) || opened().kind !== "text") return;
        const draft = drafts.get(change.key);
        if (draft === null) setText(saved());
        else {
          base = draft.etag;
          setText(draft.text);
        }
        void check();
      },
      { defer: true },
    ),
  );

  function settle(file: FileRef, written: string, etag: string | null) {
    base = etag;
    setSaved(written);
    setTheirs(null);
    setProblem(null);
    if (text() === written) drafts.drop(fileKey(file));
    else drafts.keep(fileKey(file), { text: text(), etag });
  }

  async function write(etag: string | null) {
    const file = ref();
    if (file === null || opened().kind !== "text" || saving()) return;
    // What was asked before is older than what is written now.
    const mine = ++turn;
    const written = text();
    const key = fileKey(file);
    setWriting(new Set([...writing(), key]));
    const answer = await writeText(file, written, etag);
    const after = answer.ok && answer.etag === null ? await readContent(file) : answer;
    setWriting(new Set(Array.from(writing()).filter((other) => other !== key)));
    if (!answer.ok) {
      if (mine !== turn) return;
      if (answer.kind !== "changed") {
        setProblem(`Not saved: ${answer.message} Your text is kept here.`);
        return;
      }
      const current = await readContent(file);
      if (mine !== turn) return;
      if (current.ok && current.value.kind === "text") setTheirs({ text: current.value.text, etag: current.etag });
      else setProblem("Not saved: somebody else changed or deleted this file meanwhile. Your text is kept here.");
      return;
    }
    const version = after.ok ? after.etag : null;
    announce("Saved.");
    if (mine === turn) batch(() => settle(file, written, version));
    else if (drafts.get(key)?.text === written) drafts.drop(key);
    // Somebody else may have written meanwhile, which was not looked at during the save.
    void check();
  }

  return {
    opened,
    text,
    saved,
    dirty,
    saving,
    problem,
    theirs,
    edit: (next: string) => {
      const file = ref();
      if (file === null || opened().kind !== "text") return;
      setText(next);
      if (next === saved()) drafts.drop(fileKey(file));
      else drafts.keep(fileKey(file), { text: next, etag: base });
    },
    save: () => write(base),
    /** Back to the text as it is saved. */
    discard() {
      const file = ref();
      if (file === null) return;
      drafts.drop(fileKey(file));
      const other = theirs();
      batch(() => {
        if (other !== null) {
          setSaved(other.text);
          base = other.etag;
        }
        setTheirs(null);
        setProblem(null);
        setText(saved());
      });
      void load(file);
      announce("Unsaved changes discarded.");
    },
    /** Writes this text over the other one, knowingly. */
    keepMine: () => write(theirs()?.etag ?? null),
  };
}
export type OpenFile = ReturnType<typeof createOpenFile>;
