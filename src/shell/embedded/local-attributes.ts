import type { Interpreter } from "./running-script.ts";

/** just-bash's sets of the variables that have an attribute: `declare -n`, `-i`, `-l` and `-u`. */
export const attributeSets = ["namerefs", "boundNamerefs", "invalidNamerefs", "integerVars", "lowercaseVars", "uppercaseVars"] as const;
const attributes = [...attributeSets, "readonlyVars"];

/** The attributes of the variables that a function's own variables hide, by the function's scope. */
const hidden = new WeakMap<object, Map<string, readonly string[]>>();
const watched = new WeakSet<object>();

/**
 * Call it before `local`, `declare` and `typeset`. A function's own variable starts without the attributes of an outer variable of the same name, and
 * the end of the function restores these. just-bash restores only values.
 */
export function hideAttributes({ ctx: { state } }: Interpreter, words: readonly unknown[]): void {
  const scopes: unknown = Reflect.get(state, "localScopes");
  if (!Array.isArray(scopes)) throw new Error("just-bash keeps its local variables elsewhere: was it updated?");
  const scope: unknown = scopes.at(-1);
  if (!(scope instanceof Map) || words.some((word) => /^[-+]\w*[fFgp]/.test(String(word)))) return;
  if (!watched.has(scopes)) restoreAtEnds(state, scopes);
  for (const word of words) {
    const [name = ""] = /^[A-Za-z_]\w*/.exec(String(word)) ?? [];
    if (name === "" || scope.has(name)) continue;
    const isOuterLocal = scopes.some((outer: unknown) => outer instanceof Map && outer.has(name));
    // A global readonly variable can't be hidden.
    const own = attributes.filter((field) => (field !== "readonlyVars" || isOuterLocal) && setOf(state, field)?.delete(name) === true);
    if (own.length > 0) hidden.set(scope, (hidden.get(scope) ?? new Map<string, readonly string[]>()).set(name, own));
  }
}

/** just-bash removes the innermost scope when a function ends. */
function restoreAtEnds(state: object, scopes: unknown[]): void {
  watched.add(scopes);
  const pop = (): unknown => {
    const scope = Array.prototype.pop.call(scopes);
    if (!(scope instanceof Map)) return scope;
    for (const field of attributes) for (const name of scope.keys()) setOf(state, field)?.delete(name);
    for (const [name, fields] of hidden.get(scope) ?? []) for (const field of fields) setOf(state, field)?.add(name);
    return scope;
  };
  Object.defineProperty(scopes, "pop", { value: pop });
}

function setOf(state: object, field: string): Set<unknown> | null {
  const names: unknown = Reflect.get(state, field);
  return names instanceof Set ? names : null;
}
