import { batch, createEffect, on, onCleanup, type Accessor } from "solid-js";
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

/** UTF-16 units of a text that is still merged in the page; of a longer one both versions are shown. */
export const maxMergedLength = 600_000;

/** Null where it can't be had, offline say: then both versions are shown. */
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
  /** What can be shown of a file before the engine has answered for the first time; it goes when the file is not there anymore. */
  readonly glances: { readonly get: (key: string) => Glance | null; readonly drop: (key: string) => void };
  /** The file is not there, and nothing unsaved belongs to it. */
  readonly vanished: (ref: FileRef) => void;
}

/**
 * The file in the editor. What is typed is a draft from the first letter until it is saved or discarded, so leaving the file,
 * reloading the page or a crash loses none of it. Of the first file a glance can be typed into before the engine has said what is stored: what it says
 * then is what someone else has changed, if it reads otherwise. Saving names the version that the text was made from; when the file has another
 * by then, what both sides changed is merged where it is not the same lines; else nothing is written, and `theirs` holds the other
 * text until a person has chosen.
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
  /** Who changed the file last, as far as this page has heard. */
  let lastBy: Actor | null = null;
  /** Counts what was opened, so that an answer for a file left meanwhile changes nothing. */
  let turn = 0;
  let isGone = false;
  onCleanup(() => {
    isGone = true;
    turn++;
  });
  /** Counts what was looked at, so that an older text is never taken for a newer one. */
  let looks = 0;

  const dirty = () => opened().kind === "text" && text() !== saved();

  async function load(file: FileRef) {
    const mine = ++turn;
    const key = fileKey(file);
    const answer = await readContent(file);
    if (mine !== turn) return;
    // Something was typed meanwhile, on what was stored until then.
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

  createEffect(
    on(openKey, (key, previous) => {
      const file = ref();
      batch(() => {
        // What comes late of a file that was left must not meet another one's glance.
        const glance = key === null || previous !== undefined ? null : glances.get(key);
        buffer.begin(key, glance);
        setOpened({ kind: file === null ? "nothing" : glance === null ? "loading" : "text" });
      });
      turn++;
      lastBy = null;
      if (file !== null) void load(file);
    }),
  );

  /** Another tab typed into this file, at the same time as this one. */
  const hasRival = (key: string | null) => Array.from(drafts.keys()).some((other) => other.startsWith(`${key}\n`));

  /** The file is there no more, and nothing typed here, but what another tab typed is. */
  async function takeRival(file: FileRef, key: string) {
    const { decide, rivalsOf } = await import("./other-tab.ts");
    const [name] = rivalsOf(drafts, key);
    const rival = name === undefined ? null : drafts.get(name);
    if (name === undefined || rival === null) return;
    decide(drafts, key, name, { text: rival.text, etag: null });
    if (openKey() === key) await load(file);
  }

  /** The file is there no more, but unsaved text of it. */
  function deleted(key: string) {
    const draft = drafts.get(key);
    if (draft === null) return;
    buffer.gone(draft);
    setProblem(t.deletedMeanwhile);
  }

  /** The open file may have changed in the store: takes the new text, or shows both where this one has unsaved changes. */
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
    // Another tab's text was made from it, before this one had read it.
    if (isBase || current.text === text()) buffer.settle(fileKey(file), current);
    else if (!buffer.renew(current) && (await merge(file, current))) announce(t.mergedOthers);
  }

  /** Takes over what someone else changed, where it touches nothing that was changed here; else shows both. Whether it was merged. */
  async function merge(file: FileRef, other: Version): Promise<boolean> {
    const mine = turn;
    const longest = Math.max(saved().length, text().length, other.text.length);
    const known = buffer.mergeable() && longest <= maxMergedLength;
    const mergeFile = known ? await loadMerge() : null;
    if (mine !== turn) return false;
    // What was typed while the code was fetched is part of it.
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

  /** What is unsaved of the open file is to be taken from the drafts. */
  function reread(key: string) {
    const draft = drafts.get(key);
    if (draft === null) buffer.back();
    else buffer.takeDraft(draft);
    void check();
  }
  // Another tab has typed into this file, or has saved or discarded what was typed.
  createEffect(
    on(
      drafts.elsewhere,
      (change) => {
        const file = ref();
        if (file === null || change?.key !== fileKey(file) || opened().kind !== "text") return;
        reread(change.key);
      },
      { defer: true },
    ),
  );

  async function write(etag: string | null) {
    const file = ref();
    if (file === null || opened().kind !== "text" || saving()) return;
    // What was asked before is older than what is written now.
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
    // Someone else may have written meanwhile, which was not looked at during the save.
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
    /** Whether a person has to choose: someone else saved another text, or typed one in another tab. */
    changedBy: () => lastBy,
    disputed: () => theirs() !== null || hasRival(openKey()),
    drafts,
    key: openKey,
    base: buffer.base,
    mergeable: buffer.mergeable,
    reread,
    /** Whether the engine has not said yet what is stored. */
    unknown: () => early() !== null,
    /** Takes what is typed. `key`: of the file that it was typed into; of one that was just left, the last words are kept as its draft. */
    edit: (next: string, key: string) => buffer.type(key, next, openKey() === key && opened().kind === "text"),
    /** Waits for what the engine says is stored. While both versions are shown it is for a person to choose, and nothing is written. */
    async save() {
      if (early() !== null) setEarly("saves");
      else await (theirs() === null ? write(buffer.base()) : check());
    },
    /** As the engine has it; null before it has said so, and where no text is open. */
    stored(): StoredText | null {
      const key = openKey();
      return key !== null && opened().kind === "text" ? buffer.stored(key) : null;
    },
    /** Back to the text as it is saved. */
    discard() {
      const file = ref();
      if (file === null) return;
      buffer.discard(fileKey(file));
      void load(file);
      announce(t.discarded);
    },
    /** Writes this text over the other one, knowingly. */
    keepMine: () => write(theirs()?.etag ?? null),
  };
}
export type OpenFile = ReturnType<typeof createOpenFile>;
