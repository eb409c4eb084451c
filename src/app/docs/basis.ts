import type { Draft } from "./drafts.ts";
import type { Glance } from "./glance.ts";

/** One version of a file. */
export interface Version {
  readonly text: string;
  readonly etag: string | null;
}

export type Basis =
  /**
   * The unsaved text was made from the stored version, or from the version `base`; `both`: both texts are shown. `base` null: the version isn't
   * known.
   */
  | { readonly kind: "draft"; readonly base: string | null; readonly both: boolean }
  /** The text was made from the glance, and the file has changed since. It is treated as if someone had changed it just now. */
  | { readonly kind: "changed" };

/**
 * Which version an unsaved text was made from, if it differs from the file. `glance`: what was on the screen before the engine answered. If the same
 * version now has another text, the storage was restored and the version was created again: the unsaved text was not made from it.
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
