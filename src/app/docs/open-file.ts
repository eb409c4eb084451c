import { batch, onCleanup, type Accessor } from "solid-js";
import type { Actor } from "../../fs/actor.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { fileKey, type FileRef } from "../model/route.ts";
import * as t from "../texts/docs.ts";
import type { Version } from "./basis.ts";
import { createBuffer } from "./buffer.ts";
import type { Drafts } from "./drafts.ts";
import type { Glance, StoredText } from "./glance.ts";
import { createOpened } from "./opened.ts";
import { concerns, readContent } from "./source.ts";
import { createWriting } from "./writing.ts";
import { onChange } from "../ui/on-change.ts";

/** The maximum length of a text that the page merges, in UTF-16 units. For a longer text, both versions are shown. */
export const maxMergedLength = 600_000;

/** Null if the code can't be loaded, for example offline. Then both versions are shown. */
const loadMerge = () =>
  import("./merge.ts").then(
    ({ mergeFile }) => mergeFile,
    (error: unknown) => {
      console.error(error);
      return null;
    },
  );

export interface OpenFileDeps {
  readonly drafts: Drafts;
  readonly events: EngineEvents;
  readonly announce: (text: string) => void;
  /** What can be shown of a file before the engine's first answer. A glance is dropped when its file no longer exists. */
  readonly glances: { readonly get: (key: string) => Glance | null; readonly drop: (key: string) => void };
  /** Called if the file doesn't exist and has no unsaved text. */
  readonly vanished: (ref: FileRef) => void;
}

/**
 * The file in the editor. Typed text is a draft from the first letter until it is saved or discarded, so leaving the file, reloading the page or a
 * crash loses none of it. The first file can be edited on a glance before the engine has said what is stored; if the stored text then differs, it
 * counts as someone else's change. Saving names the version that the text was made from. If the file has another version by then, the changes of both
 * sides are merged, unless they are in the same lines; then nothing is written, and `theirs` holds the other text until the user has chosen.
 */
export function createOpenFile(ref: Accessor<FileRef | null>, { drafts, events, announce, glances, vanished }: OpenFileDeps) {
  const { opened, setOpened, forgetImage, showOther } = createOpened();
  const buffer = createBuffer(drafts);
  const { text, saved, theirs, setTheirs, early, setEarly, setProblem } = buffer;
  const writing = createWriting();
  const openKey = () => {
    const file = ref();
    return file === null ? null : fileKey(file);
  };
  const saving = () => early() === "saves" || writing.has(openKey() ?? "");
  /** Who changed the file last, as far as this page knows. */
  let lastBy: Actor | null = null;
  /** Increases with each opened file, so that an answer for a file that was left changes nothing. */
  let turn = 0;
  let isGone = false;
  onCleanup(() => {
    isGone = true;
    turn++;
  });
  /** Increases with each check, so that an older text is never taken for a newer one. */
  let looks = 0;

  const dirty = () => opened().kind === "text" && text() !== saved();

  async function load(file: FileRef) {
    const mine = ++turn;
    const key = fileKey(file);
    const answer = await readContent(file);
    if (mine !== turn) return;
    // The user has typed in the meantime, on the text that was stored until then.
    if (answer.ok && early() === null && dirty()) return void check();
    const wanted = early() === "saves";
    let changed: Version | null = null;
    batch(() => {
      forgetImage();
      const before = buffer.answered();
      if (!answer.ok) {
        const draft = drafts.get(key);
        if (answer.kind === "missing") glances.drop(key);
        if (answer.kind !== "missing") setOpened({ kind: "failed", message: answer.message });
        else if (draft === null && hasRival(key)) void takeRival(file, key);
        else if (draft === null) vanished(file);
        else {
          deleted(key);
          setOpened({ kind: "text" });
        }
      } else if (answer.value.kind === "text") {
        const current = { text: answer.value.text, etag: answer.etag };
        if (buffer.take(key, current, before)) changed = current;
        setOpened({ kind: "text" });
      } else showOther(answer.value);
    });
    if (changed !== null && (await merge(file, changed))) announce(t.mergedOthers);
    if (wanted && mine === turn && buffer.base() !== null && theirs() === null && dirty()) await write(buffer.base());
  }

  onChange(openKey, (key, previous) => {
    const file = ref();
    batch(() => {
      // Only the first file gets a glance: late typing for a previous file must not meet another file's glance.
      const glance = key === null || previous !== undefined ? null : glances.get(key);
      buffer.begin(key, glance);
      setOpened({ kind: file === null ? "nothing" : glance === null ? "loading" : "text" });
    });
    turn++;
    lastBy = null;
    if (file !== null) void load(file);
  });

  /** Whether another tab typed into this file at the same time as this one. */
  const hasRival = (key: string | null) => Array.from(drafts.keys()).some((other) => other.startsWith(`${key}\n`));

  /** Takes over the text that another tab typed. The file no longer exists, and nothing was typed here. */
  async function takeRival(file: FileRef, key: string) {
    const { decide, rivalsOf } = await import("./other-tab.ts");
    const [name] = rivalsOf(drafts, key);
    const rival = name === undefined ? null : drafts.get(name);
    if (name === undefined || rival === null) return;
    decide(drafts, key, name, { text: rival.text, etag: null });
    if (openKey() === key) await load(file);
  }

  /** The file no longer exists, but there is unsaved text. */
  function deleted(key: string) {
    const draft = drafts.get(key);
    if (draft === null) return;
    buffer.gone(draft);
    setProblem(t.deletedMeanwhile);
  }

  /** Checks whether the open file has changed in the store. Takes over the new text, or shows both if there are unsaved changes. */
  async function check() {
    const file = ref();
    if (isGone || file === null || saving() || early() !== null || opened().kind === "loading") return;
    if (!dirty()) {
      await load(file);
      return;
    }
    const mine = turn;
    const look = ++looks;
    const answer = await readContent(file);
    if (mine !== turn || look !== looks) return;
    // Saving it creates the file again.
    if (!answer.ok && answer.kind === "missing") deleted(fileKey(file));
    if (!answer.ok || answer.value.kind !== "text") return;
    const current = { text: answer.value.text, etag: answer.etag };
    const isBase = answer.etag === buffer.base();
    if (isBase && buffer.mergeable()) return;
    // Another tab saved this text before this tab had read it.
    if (isBase || current.text === text()) buffer.settle(fileKey(file), current);
    else if (!buffer.renew(current) && (await merge(file, current))) announce(t.mergedOthers);
  }

  /**
   * Merges someone else's changes with the changes made here, or shows both texts if they touch the same lines. Resolves to whether it merged them.
   */
  async function merge(file: FileRef, other: Version): Promise<boolean> {
    const mine = turn;
    const longest = Math.max(saved().length, text().length, other.text.length);
    const known = buffer.mergeable() && longest <= maxMergedLength;
    const mergeFile = known ? await loadMerge() : null;
    if (mine !== turn) return false;
    // Includes what was typed while the code was loading.
    const merged = mergeFile?.(file, saved(), text(), other.text) ?? null;
    if (merged === null) {
      setTheirs(other);
      setProblem(null);
      return false;
    }
    batch(() => {
      buffer.setText(merged);
      buffer.settle(fileKey(file), other);
    });
    return true;
  }
  createListener(events, (event) => {
    const file = ref();
    if (file === null || !concerns(event, file)) return;
    lastBy = event.type === "hello" ? null : event.actor;
    void check();
  });

  /** Takes the open file's unsaved text from the drafts again. */
  function reread(key: string) {
    const draft = drafts.get(key);
    if (draft === null) buffer.back();
    else buffer.takeDraft(draft);
    void check();
  }
  // Another tab has typed into this file, or has saved or discarded its text.
  onChange(
    drafts.elsewhere,
    (change) => {
      const file = ref();
      if (file === null || change?.key !== fileKey(file) || opened().kind !== "text") return;
      reread(change.key);
    },
    { defer: true },
  );

  async function write(etag: string | null) {
    const file = ref();
    if (file === null || opened().kind !== "text" || saving()) return;
    // Answers to earlier requests are older than what is written now.
    const mine = ++turn;
    const written = text();
    const key = fileKey(file);
    const answer = await writing.write(file, written, etag);
    if (!answer.ok) {
      if (mine !== turn) return announce(t.notSaved(answer.message));
      if (answer.kind !== "changed") {
        setProblem(t.notSaved(answer.message));
        return;
      }
      const current = await readContent(file);
      if (mine !== turn) return;
      if (current.ok && current.value.kind === "text") {
        const merged = await merge(file, { text: current.value.text, etag: current.etag });
        if (merged) await write(buffer.base());
      } else setProblem(t.notSavedOverOthers);
      return;
    }
    announce(t.savedNow);
    if (mine === turn) buffer.settle(key, { text: written, etag: answer.etag });
    else if (drafts.get(key)?.text === written) drafts.drop(key);
    // Someone else may have written during the save, when changes weren't checked.
    void check();
  }

  return {
    opened,
    text,
    saved,
    dirty,
    saving,
    problem: buffer.problem,
    theirs,
    changedBy: () => lastBy,
    /** Whether the user has to choose: someone else saved another text, or typed one in another tab. */
    disputed: () => theirs() !== null || hasRival(openKey()),
    drafts,
    key: openKey,
    base: buffer.base,
    mergeable: buffer.mergeable,
    reread,
    /** Whether the engine has not said yet what is stored. */
    unknown: () => early() !== null,
    /** Takes what is typed. `key`: the file that it was typed into. If that file was just left, its last words are kept as its draft. */
    edit: (next: string, key: string) => buffer.type(key, next, openKey() === key && opened().kind === "text"),
    /** Waits until the engine has said what is stored. While both versions are shown, the user has to choose, and nothing is written. */
    async save() {
      if (early() !== null) setEarly("saves");
      else await (theirs() === null ? write(buffer.base()) : check());
    },
    /** The text as the engine has stored it; null before the engine has answered, or if no text is open. */
    stored(): StoredText | null {
      const key = openKey();
      return key !== null && opened().kind === "text" ? buffer.stored(key) : null;
    },
    /** Goes back to the saved text. */
    discard() {
      const file = ref();
      if (file === null) return;
      buffer.discard(fileKey(file));
      void load(file);
      announce(t.discarded);
    },
    /** Writes this text over the other one, on purpose. */
    keepMine: () => write(theirs()?.etag ?? null),
  };
}
export type OpenFile = ReturnType<typeof createOpenFile>;
