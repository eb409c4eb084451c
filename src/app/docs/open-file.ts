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

/** UTF-16 units of a text that is still merged in the page; of a longer one both versions are shown. */
const longestMerged = 600_000;

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
 * by then, what both sides changed is merged where it is not the same lines; else nothing is written, and `theirs` holds the other
 * text until a person has chosen.
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
  /** The version that `saved` is of. Where it is `base`, what both sides changed since is known. */
  let savedVersion: string | null = null;
  /** Counts what was opened, so that an answer for a file left meanwhile changes nothing. */
  let turn = 0;
  /** Counts what was looked at, so that an older text is never taken for a newer one. */
  let looks = 0;
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
          base = savedVersion = null;
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
      savedVersion = answer.etag;
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
    const look = ++looks;
    const answer = await readContent(file);
    if (mine !== turn || look !== looks || !answer.ok || answer.value.kind !== "text" || answer.etag === base) return;
    const current = answer.value.text;
    if (current === text()) batch(() => settle(file, current, answer.etag));
    else if (current === saved()) base = savedVersion = answer.etag;
    else if (await merge(file, { text: current, etag: answer.etag }))
      announce("Somebody else changed other lines of this file; they are here too.");
  }

  /** Takes over what somebody else changed, where it touches nothing that was changed here; else shows both. Whether it was merged. */
  async function merge(file: FileRef, other: Theirs): Promise<boolean> {
    const mine = turn;
    const longest = Math.max(saved().length, text().length, other.text.length);
    const known = theirs() === null && base !== null && base === savedVersion && longest <= longestMerged;
    const mergeTexts = known ? (await import("../../engine/merge-texts.ts")).mergeTexts : null;
    if (mine !== turn) return false;
    // What was typed while the code was fetched is part of it.
    const merged = mergeTexts?.(saved(), text(), other.text) ?? null;
    if (merged === null) {
      setTheirs(other);
      return false;
    }
    batch(() => {
      setText(merged);
      settle(file, other.text, other.etag);
    });
    return true;
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
    base = savedVersion = etag;
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
      if (current.ok && current.value.kind === "text") {
        const merged = await merge(file, { text: current.value.text, etag: current.etag });
        if (merged) await write(base);
      } else setProblem("Not saved: somebody else changed or deleted this file meanwhile. Your text is kept here.");
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
    /** Takes what is typed. `key`: of the file that it was typed into; of one that was just left, the last words are kept as its draft. */
    edit: (next: string, key: string) => {
      const file = ref();
      const isOpen = file !== null && fileKey(file) === key && opened().kind === "text";
      if (isOpen) setText(next);
      if (isOpen && next === saved()) drafts.drop(key);
      else drafts.keep(key, { text: next, etag: isOpen ? base : (drafts.get(key)?.etag ?? base) });
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
          base = savedVersion = other.etag;
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
