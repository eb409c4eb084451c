import { Bash } from "just-bash/browser";
import type { Interpreter } from "./running-script.ts";

/** A method of just-bash's interpreter. */
export type Method = (this: Interpreter, ...args: readonly unknown[]) => Promise<unknown>;

/** The interpreter binds its own methods when it is created, and that is when it can be found. */
export async function findPrototype(): Promise<{ readonly prototype: object; readonly scope: object }> {
  // oxlint-disable-next-line typescript/unbound-method -- restored below, and called with its own `this`.
  const nativeBind = Function.prototype.bind;
  const found: object[] = [];
  function watchedBind(this: (...args: readonly unknown[]) => unknown, ...args: readonly unknown[]): unknown {
    const [owner] = args;
    if (typeof owner === "object" && owner !== null && "executeCommand" in owner) {
      found.push(owner);
    }
    return Reflect.apply(nativeBind, this, args);
  }
  const shell = new Bash({ defenseInDepth: false });
  Object.assign(Function.prototype, { bind: watchedBind });
  try {
    await shell.exec(":");
  } finally {
    Object.assign(Function.prototype, { bind: nativeBind });
  }
  const [owner] = found;
  const prototype = owner === undefined ? null : Reflect.getPrototypeOf(owner);
  if (owner === undefined || prototype === null) throw new Error("just-bash has no interpreter that binds its methods: was it updated?");
  const context: unknown = Reflect.get(owner, "ctx");
  const scope: unknown = typeof context === "object" && context !== null ? Reflect.get(context, "executionScope") : null;
  if (typeof scope !== "object" || scope === null) throw new Error("just-bash's interpreter has no executionScope: was it updated?");
  return { prototype, scope };
}

export function methodOf(prototype: object, name: string): Method {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== "function") throw new Error(`just-bash's interpreter has no ${name}: was it updated?`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a method of just-bash's interpreter, whose first argument is a node.
  return method as Method;
}
