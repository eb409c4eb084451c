import { batch, createEffect, createSignal, on, type Accessor } from "solid-js";
import { createListener, type EngineEvents } from "../api/events.ts";
import { fileKey, type FileRef } from "../shell/route.ts";
import * as t from "../texts/docs.ts";
import type { Drafts } from "./drafts.ts";
import { createOpened } from "./opened.ts";
import { concerns, readContent } from "./source.ts";
import { createWriting } from "./writing.ts";

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
  const { opened, setOpened, forgetImage, showOther } = createOpened();
  const [saved, setSaved] = createSignal("");
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [theirs, setTheirs] = createSignal<Theirs | null>(null);
  const writing = createWriting();
  const openKey = () => {
    const file = ref();
    return file === null ? null : fileKey(file);
  };
  const saving = () => writing.has(openKey() ?? "");
  /** The version that `text` was made from. */
  let base: string | null = null;
  /** The version that `saved` is of. Where it is `base`, what both sides changed since is known. */
  let savedVersion: string | null = null;
  /** Counts what was opened, so that an answer for a file left meanwhile changes nothing. */
  let turn = 0;
  /** Counts what was looked at, so that an older text is never taken for a newer one. */
  let looks = 0;

  const dirty = () => opened().kind === "text" && text() !== saved();

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
          setProblem(t.deletedMeanwhile);
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
    on(openKey, () => {
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
    }),
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
    else if (await merge(file, { text: current, etag: answer.etag })) announce(t.mergedOthers);
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
    if (file !== null && concerns(event, file)) void check();
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
    const answer = await writing.write(file, written, etag);
    if (!answer.ok) {
      if (mine !== turn) return;
      if (answer.kind !== "changed") {
        setProblem(t.notSaved(answer.message));
        return;
      }
      const current = await readContent(file);
      if (mine !== turn) return;
      if (current.ok && current.value.kind === "text") {
        const merged = await merge(file, { text: current.value.text, etag: current.etag });
        if (merged) await write(base);
      } else setProblem(t.notSavedOverOthers);
      return;
    }
    announce(t.savedNow);
    if (mine === turn) batch(() => settle(file, written, answer.etag));
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
      announce(t.discarded);
    },
    /** Writes this text over the other one, knowingly. */
    keepMine: () => write(theirs()?.etag ?? null),
  };
}
export type OpenFile = ReturnType<typeof createOpenFile>;
