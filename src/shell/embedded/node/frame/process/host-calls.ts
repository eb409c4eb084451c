import { SystemError } from "../../../sync-files.ts";
import { ResolveError } from "../../modules/resolve.ts";
import { webOperations } from "../../operations/web.ts";
import { InsideError } from "../../plain.ts";

/** The operations that the runtime inside calls, by name. The program's own values pass unchanged, because they belong to the same engine. */
export type Table = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface ErrorFactories {
  readonly makeError: (kind: string, code: string, message: string) => Error;
}

/** Packages that load after the runtime inside find Node's objects on the global object and use them while loading. */
let table = new Map<string, (...args: never[]) => unknown>(Object.entries(webOperations));
let inside: ErrorFactories | null = null;

export function setHostCalls(operations: Table, errors: ErrorFactories): void {
  table = new Map(Object.entries(operations));
  inside = errors;
}

/** The only function that leads out of the runtime inside, which takes it from the global object when it loads. */
function call(name: string, ...args: unknown[]): unknown {
  const operation = table.get(name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  try {
    // No array method, because a program may have replaced it.
    for (let at = 0; at < args.length; at += 1) args[at] ??= null;
    return Reflect.apply(operation, undefined, args);
  } catch (error) {
    throw inside === null ? error : asNodeSays(error, inside);
  }
}

const typeErrors = new Set(["ERR_PACKAGE_IMPORT_NOT_DEFINED", "ERR_INVALID_MODULE_SPECIFIER"]);

/** Converts an error thrown here to the error that the program gets. */
function asNodeSays(error: unknown, { makeError }: ErrorFactories): unknown {
  if (error instanceof InsideError) return makeError(error.kind, error.code, error.message);
  if (error instanceof ResolveError && typeErrors.has(error.code)) return makeError("TypeError", error.code, error.message);
  if (error instanceof ResolveError || error instanceof SystemError) return makeError("Error", error.code, error.message);
  return error;
}

/** Errors of imports go to the program directly, not through a call of the runtime inside. `place`: the import's position. */
export function thrownInside<T>(run: () => T, errors: ErrorFactories, place?: () => string): T {
  try {
    return run();
  } catch (error) {
    const own = asNodeSays(error, errors);
    if (place !== undefined && own instanceof Error && !/\n\s+at /.test(own.stack ?? ""))
      Object.defineProperty(own, "stack", { value: `${own.stack}\n    at ${place()}`, writable: true, configurable: true });
    throw own;
  }
}

Object.defineProperty(globalThis, "vibeyHost", { value: call, configurable: true });
