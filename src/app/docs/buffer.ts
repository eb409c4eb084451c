import { batch, createSignal } from "solid-js";
import { basisOf, type Version } from "./basis.ts";
import type { Draft, Drafts } from "./drafts.ts";
import type { Glance, StoredText } from "./glance.ts";

/** The text in the editor, the stored one as far as it is known, and the version that the first was made from. Files are named by their keys. */
export function createBuffer(drafts: Drafts) {
  const [saved, setSaved] = createSignal("");
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  /** The same file as someone else left it while it was being edited here. */
  const [theirs, setTheirs] = createSignal<Version | null>(null);
  /** A glance is shown, or is to be saved as soon as the engine has said what is stored; null: it has. */
  const [early, setEarly] = createSignal<"shown" | "saves" | null>(null);
  /** The version that `text` was made from. */
  let base: string | null = null;
  /** The version that `saved` is of. Where it is `base`, what both sides changed since is known. */
  let savedVersion: string | null = null;
  /** What is shown before the engine has answered, and the text that what is typed on it is made from. */
  let glance: Glance | null = null;
  let from: string | undefined;

  /** To the text that is taken for the stored one. */
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
    /** Another file is opened; `seen` is what is shown of it at once. What comes late of the last one is still made from what that was. */
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
    /** The engine has answered; returns what stood there until then. */
    answered(): Glance | null {
      const before = glance;
      glance = null;
      from = undefined;
      setEarly(null);
      return before;
    },
    /** The file is stored so. True: someone has changed it since the glance on which something was typed; what becomes of that is still to be said. */
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
      // From now on it is known what it was made from.
      else if (draft.from !== undefined) drafts.keep(key, { text: draft.text, etag: base });
      return false;
    },
    /** Another tab has typed this. */
    takeDraft(draft: Draft) {
      const current = early() === null && savedVersion !== null ? { text: saved(), etag: savedVersion } : null;
      // Typed there on a glance: here it is known already what is stored.
      const basis = current === null || draft.from === undefined ? null : basisOf(draft, current, null);
      base = basis?.kind === "draft" ? basis.base : draft.etag;
      from = draft.from;
      setText(draft.text);
      if (basis?.kind === "draft" && basis.both) setTheirs(current);
      // The other tab has merged what was changed, or a person has chosen there.
      else if (base === savedVersion) setTheirs(null);
    },
    /** The file is there no more. */
    gone(draft: Draft) {
      base = savedVersion = null;
      setSaved("");
      setText(draft.text);
      setTheirs(null);
    },
    /** Whether it is known what was changed here since the version that it was made from. */
    mergeable: () => theirs() === null && base !== null && base === savedVersion,
    /** The stored text is the same in this version. False: what was typed was made from another one. */
    renew(current: Version): boolean {
      if (current.text !== saved() || base !== savedVersion) return false;
      base = savedVersion = current.etag;
      setTheirs(null);
      return true;
    },
    /** This is what is stored now, whatever is typed on. */
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
    /** Keeps what is typed. `isOpen`: into this file; else it is the last of one that was just left. */
    type(key: string, next: string, isOpen: boolean) {
      if (isOpen) setText(next);
      if (isOpen && next === saved()) {
        // What is typed from here on is made from that.
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
    /** As the engine has it; null before it has said so. */
    stored: (file: string): StoredText | null =>
      early() === null && savedVersion !== null ? { file, text: saved(), etag: savedVersion } : null,
  };
}
