import type { Draft } from "./drafts.ts";
import type { Glance } from "./glance.ts";

/** One version of a file. */
export interface Version {
  readonly text: string;
  readonly etag: string | null;
}

export type Basis =
  /** Unsaved text that was made from what is stored, or from the version `base`: then both are shown. `base` null: from one that is not known. */
  | { readonly kind: "draft"; readonly base: string | null; readonly both: boolean }
  /** It was made from the glance, and the file has changed since: as if someone else had changed it just now. */
  | { readonly kind: "changed" };

/**
 * What unsaved text, which reads otherwise than the file, was made from. `glance`: what was on the screen before the engine said what is stored.
 * A version that now reads otherwise than it did was made again, after the storage was restored: nothing was made from it.
 */
export function basisOf(draft: Draft, current: Version, glance: Glance | null): Basis {
  if (draft.from === current.text) return { kind: "draft", base: current.etag, both: false };
  const sameVersion = draft.etag === current.etag;
  if (draft.from === undefined) {
    const anew = glance?.etag === current.etag && glance?.text !== current.text;
    if (sameVersion && !anew) return { kind: "draft", base: current.etag, both: false };
  } else if (!sameVersion && glance?.text === draft.from && glance.etag === draft.etag) return { kind: "changed" };
  return { kind: "draft", base: sameVersion ? null : draft.etag, both: true };
}
