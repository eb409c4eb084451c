import { batch, createSignal } from "solid-js";
import { basisOf, type Version } from "./basis.ts";
import type { Draft, Drafts } from "./drafts.ts";
import type { Glance, StoredText } from "./glance.ts";

/**
 * The text in the editor, the stored text as far as it is known, and the version that the editor's text was made from. Files are named by their keys.
 */
export function createBuffer(drafts: Drafts) {
  const [saved, setSaved] = createSignal("");
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  /** The version of the file that someone else saved while it was being edited here. */
  const [theirs, setTheirs] = createSignal<Version | null>(null);
  /** A glance is shown, or is to be saved as soon as the engine has said what is stored. Null: the engine has answered. */
  const [early, setEarly] = createSignal<"shown" | "saves" | null>(null);
  /** The version that `text` was made from. */
  let base: string | null = null;
  /** The version of `saved`. If it equals `base`, the changes of both sides are known. */
  let savedVersion: string | null = null;
  /** The text shown before the engine has answered, and the text that typing on it is based on. */
  let glance: Glance | null = null;
  let from: string | undefined;

  /** Goes back to the text that counts as stored. */
  function back() {
    base = savedVersion;
    from = glance?.text;
    setText(saved());
  }

  return {
    saved,
    text,
    setText,
    problem,
    setProblem,
    theirs,
    setTheirs,
    early,
    setEarly,
    back,
    base: () => base,
    /** Opens another file. `seen`: the text to show at once. Late typing for the previous file keeps that file's base. */
    begin(key: string | null, seen: Glance | null) {
      const draft = key === null || seen === null ? null : drafts.get(key);
      glance = seen;
      if (seen !== null) {
        savedVersion = seen.etag;
        base = draft === null ? seen.etag : draft.etag;
        from = draft === null ? seen.text : draft.from;
      }
      setProblem(null);
      setTheirs(null);
      setText(draft?.text ?? seen?.text ?? "");
      setSaved(seen?.text ?? "");
      setEarly(seen && "shown");
    },
    /** The engine has answered. Returns the glance that was shown until then. */
    answered(): Glance | null {
      const before = glance;
      glance = null;
      from = undefined;
      setEarly(null);
      return before;
    },
    /**
     * Takes what is stored. True: nothing was taken, because someone has changed the file since the glance that the user typed on. The caller has to
     * merge.
     */
    take(key: string, current: Version, before: Glance | null): boolean {
      const draft = drafts.get(key);
      const basis = draft === null || draft.text === current.text ? null : basisOf(draft, current, before);
      if (basis?.kind === "changed") return true;
      setSaved(current.text);
      savedVersion = current.etag;
      if (draft === null || basis === null) {
        drafts.drop(key);
        base = current.etag;
        setText(current.text);
        setTheirs(null);
        setProblem(null);
        return false;
      }
      base = basis.base;
      setText(draft.text);
      if (basis.both) setTheirs(current);
      // Now it is known which version the draft was made from.
      else if (draft.from !== undefined) drafts.keep(key, { text: draft.text, etag: base });
      return false;
    },
    /** Takes over what another tab has typed. */
    takeDraft(draft: Draft) {
      const current = early() === null && savedVersion !== null ? { text: saved(), etag: savedVersion } : null;
      // The other tab typed on a glance. This tab already knows what is stored.
      const basis = current === null || draft.from === undefined ? null : basisOf(draft, current, null);
      base = basis?.kind === "draft" ? basis.base : draft.etag;
      from = draft.from;
      setText(draft.text);
      if (basis?.kind === "draft" && basis.both) setTheirs(current);
      // The other tab has merged the changes, or the user has chosen there.
      else if (base === savedVersion) setTheirs(null);
    },
    /** The file no longer exists. */
    gone(draft: Draft) {
      base = savedVersion = null;
      setSaved("");
      setText(draft.text);
      setTheirs(null);
    },
    /** Whether the changes made here since the base version are known. */
    mergeable: () => theirs() === null && base !== null && base === savedVersion,
    /** Takes a new version with the same text. False: the text differs, or the typed text was made from another version. */
    renew(current: Version): boolean {
      if (current.text !== saved() || base !== savedVersion) return false;
      base = savedVersion = current.etag;
      setTheirs(null);
      return true;
    },
    /** Records what is stored now, without changing what is typed. */
    settle(key: string, { text: written, etag }: Version) {
      base = savedVersion = etag;
      from = undefined;
      batch(() => {
        setSaved(written);
        setTheirs(null);
        setProblem(null);
      });
      if (text() === written) drafts.drop(key);
      else drafts.keep(key, { text: text(), etag });
    },
    /** Keeps what is typed. `isOpen`: it was typed into this file. Otherwise it is the last input of the file that was just left. */
    type(key: string, next: string, isOpen: boolean) {
      if (isOpen) setText(next);
      if (isOpen && next === saved()) {
        // What is typed from here on is based on the stored text.
        base = savedVersion;
        from = glance?.text;
        setProblem(null);
        if (theirs()?.text === next) setTheirs(null);
        return drafts.drop(key);
      }
      const { etag, from: madeFrom } = (isOpen ? null : drafts.get(key)) ?? { etag: base, from };
      return drafts.keep(key, { text: next, etag, ...(madeFrom !== undefined && { from: madeFrom }) });
    },
    discard(key: string) {
      drafts.drop(key);
      const other = theirs();
      batch(() => {
        if (other !== null) {
          setSaved(other.text);
          savedVersion = other.etag;
        }
        setTheirs(null);
        setProblem(null);
        back();
      });
    },
    /** The text as the engine has stored it; null before the engine has answered. */
    stored: (file: string): StoredText | null =>
      early() === null && savedVersion !== null ? { file, text: saved(), etag: savedVersion } : null,
  };
}
