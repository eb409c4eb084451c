import { SystemError } from "../../../sync-files.ts";
import { ResolveError } from "../../modules/resolve.ts";
import { webOperations } from "../../operations/web.ts";
import { InsideError } from "../../plain.ts";

/** What the inside calls, by name; values of the program's own pass as they are, since they are of the same engine. */
export type Table = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ErrorFactories {
  readonly makeError: (kind: string, code: string, message: string) => Error;
}

/** Packages that come after the inside find Node's own on the global object, and use it when they are loaded. */
let table = new Map<string, (...args: never[]) => unknown>(Object.entries(webOperations));
let inside: ErrorFactories | null = null;

export function setHostCalls(operations: Table, errors: ErrorFactories): void {
  table = new Map(Object.entries(operations));
  inside = errors;
}

/** The one function that leads out of the inside, which takes it from the global object when it is loaded. */
function call(name: string, ...args: unknown[]): unknown {
  const operation = table.get(name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  try {
    // Without a method of arrays: a program may have replaced it.
    for (let at = 0; at < args.length; at += 1) args[at] ??= null;
    return Reflect.apply(operation, undefined, args);
  } catch (error) {
    if (inside === null) throw error;
    if (error instanceof InsideError) throw inside.makeError(error.kind, error.code, error.message);
    if (error instanceof ResolveError || error instanceof SystemError) throw inside.makeError("Error", error.code, error.message);
    throw error;
  }
}

Object.defineProperty(globalThis, "vibeyHost", { value: call, configurable: true });
