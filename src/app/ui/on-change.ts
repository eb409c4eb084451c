import { type Accessor, type AccessorArray, createEffect, createMemo, on } from "solid-js";

/**
 * Calls `run` now and whenever a value differs from before; with `defer`, not now. Solid's `on` alone also runs when an object from which a value is
 * read was replaced, even if the value is the same.
 */
export function onChange<S>(
  values: AccessorArray<S> | Accessor<S>,
  run: (now: S, before: S | undefined) => void,
  options?: { readonly defer?: boolean },
): void {
  // oxlint-disable-next-line solid/reactivity, typescript/no-unsafe-type-assertion -- `on` reads the memos; a memo returns what its accessor returns
  const memos = (Array.isArray(values) ? values.map((value) => createMemo(value)) : createMemo(values)) as AccessorArray<S> | Accessor<S>;
  createEffect(options?.defer === true ? on(memos, run, { defer: true }) : on(memos, run));
}
