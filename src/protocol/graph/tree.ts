/** A dialog, and the one that it came from. */
export interface Offspring {
  readonly dialogId: string;
  readonly parent: string | null;
}

/** The root of a dialog: the end of its chain of parents, where there is no parent or an unknown one. A dialog in a cycle is its own root. */
export function rootOf(all: ReadonlyMap<string, Pick<Offspring, "parent">>, dialogId: string): string {
  const seen = new Set<string>();
  let at = dialogId;
  for (;;) {
    if (seen.has(at)) return dialogId;
    seen.add(at);
    const parent = all.get(at)?.parent ?? null;
    if (parent === null || !all.has(parent)) return at;
    at = parent;
  }
}

/** The dialogs below a root, including the root, each after its parent, with its depth. Dialogs with the same parent keep their order in `all`. */
export function below(all: ReadonlyMap<string, Pick<Offspring, "parent">>, root: string): ReadonlyMap<string, number> {
  const children = new Map<string, string[]>();
  for (const [dialogId, { parent }] of all)
    if (parent !== null && children.get(parent)?.push(dialogId) === undefined) children.set(parent, [dialogId]);
  const found = new Map<string, number>();
  if (!all.has(root)) return found;
  const open: (readonly [string, number])[] = [[root, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [dialogId, depth] = next;
    if (found.has(dialogId)) continue;
    found.set(dialogId, depth);
    for (const child of (children.get(dialogId) ?? []).toReversed()) open.push([child, depth + 1]);
  }
  return found;
}
