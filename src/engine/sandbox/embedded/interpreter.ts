import { Bash } from "just-bash/browser";
import { mendAccounting, mendParameters } from "./mend-interpreter.ts";

/** One running script of just-bash, as far as we look into it. */
export interface Interpreter {
  /** `state`: its variables and whatever else it keeps. */
  readonly ctx: { readonly fs: object; readonly state: object };
}

/** Stands around every command and every script of the shells whose files it was registered for. Returns what `run` does. */
export interface Watcher {
  command(interpreter: Interpreter, node: object, run: () => Promise<unknown>): Promise<unknown>;
  script(interpreter: Interpreter, script: object, run: () => Promise<unknown>): Promise<unknown>;
}

const watchers = new WeakMap<object, Watcher>();

/** From now on the watcher hears of what the shell over these files runs. `learnInterpreter` comes first. */
export function watchInterpreter(files: object, watcher: Watcher): void {
  watchers.set(files, watcher);
}

let learned: Promise<void> | null = null;

/** Finds just-bash's interpreter, which it does not export, and puts the watchers around it. Once for all shells. */
export function learnInterpreter(): Promise<void> {
  learned ??= learn();
  return learned;
}

type Method = (this: Interpreter, ...args: readonly unknown[]) => Promise<unknown>;

async function learn(): Promise<void> {
  const { prototype, scope } = await findPrototype();
  mendAccounting(scope);
  mendParameters(prototype);
  const executeCommand = methodOf(prototype, "executeCommand");
  const executeScript = methodOf(prototype, "executeScript");
  const command: Method = function (...args) {
    const watcher = watchers.get(this.ctx.fs);
    const [node] = args;
    const run = (): Promise<unknown> => Reflect.apply(executeCommand, this, args);
    return watcher && typeof node === "object" && node !== null ? watcher.command(this, node, run) : run();
  };
  const script: Method = function (...args) {
    const watcher = watchers.get(this.ctx.fs);
    const [node] = args;
    const run = (): Promise<unknown> => Reflect.apply(executeScript, this, args);
    return watcher && typeof node === "object" && node !== null ? watcher.script(this, node, run) : run();
  };
  Object.assign(prototype, { executeCommand: command, executeScript: script });
}

/** The interpreter binds its own methods when it is made: that is when it can be seen. */
async function findPrototype(): Promise<{ readonly prototype: object; readonly scope: object }> {
  // oxlint-disable-next-line typescript/unbound-method -- put back below, and called with its own `this`.
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

function methodOf(prototype: object, name: string): Method {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== "function") throw new Error(`just-bash's interpreter has no ${name}: was it updated?`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a method of just-bash's interpreter, which takes a node first.
  return method as Method;
}
