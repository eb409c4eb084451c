import type { MissingExport } from "./missing-export.ts";
import type { ModuleSource } from "./module-source.ts";

/** A module before it is linked. */
export type LoadedModule =
  | { readonly kind: "source"; readonly source: ModuleSource; readonly start: StartModule }
  /** A module that is not an ES module: the names of its exports, and a function that makes their values when it is its turn. */
  | { readonly kind: "value"; readonly names: readonly string[]; readonly value: () => unknown };

/** Starts a module; see `moduleSource`. The first step calls `give`. */
type StartModule = (
  modules: readonly object[],
  give: (getters: Readonly<Record<string, () => unknown>>) => void,
) => Iterator<unknown> | AsyncIterator<unknown>;

export interface GraphParts {
  /** Reads the module of that name. */
  readonly make: (name: string) => LoadedModule;
  /** Resolves `specifier` in the module called `base` to a module name. `place`: the import's position, as in a stack. */
  readonly importName: (specifier: string, base: string, place: () => string) => string;
  readonly missingExport: (missing: MissingExport) => Error;
  /** The key under which namespaces get their text for `inspect`. */
  readonly customInspect: symbol;
  readonly inspect: (value: object, options: unknown) => string;
  /** Returns and restores the current `AsyncLocalStorage` store. Missing: nothing can be stored. */
  readonly contexts?: { readonly kept: () => unknown; readonly back: (kept: unknown) => unknown };
}

interface Module {
  readonly name: string;
  readonly made: LoadedModule;
  readonly requests: Module[];
  /** The module's variables by their exported names. `*` is the namespace object that programs get. */
  readonly exports: Record<string, unknown>;
  /** What its first step passed to `give`. */
  getters: Readonly<Record<string, () => unknown>>;
  body: Iterator<unknown> | AsyncIterator<unknown> | null;
  state: "new" | "linked" | "running" | "done" | "failed";
  error: unknown;
  /** Set while it waits, for every module that imports it. */
  later: Promise<void> | null;
}

type Found = { readonly module: Module; readonly name: string };

/**
 * ES modules by name: each is read, linked and run once, as the standard requires. If a module awaits at its top level, its importers wait for it;
 * their other imports start in the meantime.
 */
export function createModuleGraph({ make, importName, missingExport, customInspect, inspect, contexts }: GraphParts) {
  const modules = new Map<string, Module>();

  function read(name: string): Module {
    const known = modules.get(name);
    if (known) return known;
    const module: Module = {
      name,
      made: make(name),
      requests: [],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without a prototype.
      exports: Object.create(null) as Record<string, unknown>,
      getters: {},
      body: null,
      state: "new",
      error: undefined,
      later: null,
    };
    modules.set(name, module);
    if (module.made.kind !== "source") return module;
    const { source } = module.made;
    for (const [at, specifier] of source.requests.entries())
      module.requests.push(read(importName(specifier, name, () => `${name}:${source.requestPlace(at)}`)));
    return module;
  }

  function namesOf(module: Module, met = new Set<Module>()): Set<string> {
    if (met.has(module)) return new Set();
    met.add(module);
    if (module.made.kind === "value") return new Set(["default", ...module.made.names]);
    const { exports, stars } = module.made.source;
    const names = new Set(exports.keys());
    for (const star of stars) for (const each of namesOf(requested(module, star), met)) if (each !== "default") names.add(each);
    return names;
  }

  /** Finds where an export comes from. Null: it does not exist, or two modules export it. */
  function find(module: Module, name: string, met: readonly Found[] = []): Found | null {
    if (met.some((each) => each.module === module && each.name === name)) return null;
    const seen = [...met, { module, name }];
    if (module.made.kind === "value") return name === "default" || module.made.names.includes(name) ? { module, name } : null;
    const { exports, stars } = module.made.source;
    const given = exports.get(name);
    if (given?.own === true) return { module, name };
    if (given?.own === false) {
      const other = requested(module, given.request);
      return given.name === "*" ? { module: other, name: "*" } : find(other, given.name, seen);
    }
    if (name === "default") return null;
    let found: Found | null = null;
    for (const star of stars) {
      const next = find(requested(module, star), name, seen);
      if (next === null) continue;
      if (found !== null && (found.module !== next.module || found.name !== next.name)) return null;
      found = next;
    }
    return found;
  }

  const requested = (module: Module, request: number): Module => {
    const other = module.requests[request];
    if (other === undefined) throw new Error(`${module.name} has no request ${request}`);
    return other;
  };

  function link(module: Module): void {
    if (module.state !== "new") return;
    module.state = "linked";
    for (const each of module.requests) link(each);
    const names = [...namesOf(module)].toSorted();
    for (const name of names) {
      const found = find(module, name);
      if (found === null) continue;
      Object.defineProperty(module.exports, name, { enumerable: true, get: readerOf(found) });
    }
    const all = Object.create(null, {
      ...Object.getOwnPropertyDescriptors(module.exports),
      [Symbol.toStringTag]: { value: "Module" },
      [customInspect]: {
        value: (_depth: number, options: unknown) =>
          inspect(
            Object.create(null, { ...Object.getOwnPropertyDescriptors(copyOf(all)), [Symbol.toStringTag]: { value: "Module" } }),
            options,
          ),
      },
    });
    Object.preventExtensions(all);
    Object.defineProperty(module.exports, "*", { value: all });
    if (module.made.kind !== "source") return;
    const { source, start } = module.made;
    for (const { request, name, at } of source.imports)
      if (name !== "*" && find(requested(module, request), name) === null) throw missing(module, source, request, name, at);
    for (const [exported, given] of source.exports)
      if (!given.own && find(module, exported) === null) throw missing(module, source, given.request, given.name, given.at);
    module.body = start(
      module.requests.map((each) => each.exports),
      (getters) => void (module.getters = getters),
    );
    // From now on the module's functions exist. An asynchronous module's first step also runs at once.
    void module.body.next();
  }

  function missing(module: Module, source: ModuleSource, request: number, name: string, at: number): Error {
    const other = requested(module, request);
    return missingExport({
      specifier: String(source.requests[request]),
      name,
      base: module.name,
      ...source.placeOf(at),
      isCommonJs: other.made.kind === "value" && /^file:.*(?<!\.json)$/.test(other.name),
    });
  }

  function readerOf({ module, name }: Found): () => unknown {
    if (name === "*") return () => module.exports["*"];
    if (module.made.kind === "source") return () => module.getters[name]?.();
    return () => {
      const getter = module.getters[name];
      if (getter === undefined) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return getter();
    };
  }

  /** Runs the module after everything it imports. Returns a promise if something must be awaited. */
  function run(module: Module, above: ReadonlySet<Module> = new Set()): Promise<void> | null {
    if (module.state === "failed") throw module.error;
    if (module.state === "done" || above.has(module)) return null;
    if (module.later !== null) return module.later;
    if (module.state === "running") return null;
    module.state = "running";
    const inside = new Set([...above, module]);
    try {
      // Start everything that can start, then wait for all together.
      const begun = module.requests.flatMap((each) => run(each, inside) ?? []);
      if (begun.length > 0) return (module.later = continueLater(module, begun));
      const waits = runBody(module);
      if (waits !== null)
        return (module.later = waits.then(
          () => finish(module),
          (error: unknown) => fail(module, error),
        ));
      finish(module);
      return null;
    } catch (error) {
      return fail(module, error);
    }
  }

  async function continueLater(module: Module, begun: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(begun);
      await runBody(module);
      finish(module);
    } catch (error) {
      fail(module, error);
    }
  }

  const finish = (module: Module): void => {
    module.state = "done";
    module.later = null;
  };

  function fail(module: Module, error: unknown): never {
    module.state = "failed";
    module.error = error;
    module.later = null;
    throw error;
  }

  function runBody(module: Module): Promise<void> | null {
    if (module.made.kind === "value") {
      const value = module.made.value();
      const getters: Record<string, () => unknown> = { default: () => value };
      for (const name of module.made.names)
        if (name !== "default")
          getters[name] = () => (value === null || value === undefined ? undefined : Reflect.get(Object(value), name));
      module.getters = getters;
      return null;
    }
    const { body } = module;
    if (body === null) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an asynchronous generator's result.
    if (module.made.source.waits === "asynchronous") return (body as AsyncIterator<unknown>).next().then(() => undefined);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a generator's result.
    const steps = body as Iterator<unknown>;
    const first = steps.next();
    return first.done === true ? null : proceed(steps, first.value);
  }

  /** Drives the module's generator, awaiting each value that it yields for a top-level await. */
  async function proceed(steps: Iterator<unknown>, first: unknown): Promise<void> {
    let step: IteratorResult<unknown> = { done: false, value: first };
    while (step.done !== true) {
      let value: unknown;
      const kept = contexts?.kept();
      try {
        value = await step.value;
        contexts?.back(kept);
      } catch (error) {
        contexts?.back(kept);
        if (steps.throw === undefined) throw error;
        step = steps.throw(error);
        continue;
      }
      step = steps.next(value);
    }
  }

  function waitsAnywhere(module: Module, met = new Set<Module>()): boolean {
    if (met.has(module)) return false;
    met.add(module);
    if (module.state !== "done" && module.made.kind === "source" && module.made.source.waits !== "never") return true;
    return module.requests.some((each) => waitsAnywhere(each, met));
  }

  function open(name: string): Module {
    try {
      const module = read(name);
      link(module);
      return module;
    } catch (error) {
      // A module that could not be linked is tried again when it is next requested.
      for (const [key, each] of modules)
        if (each.state === "new" || (each.state === "linked" && each.body === null && each.made.kind === "source")) modules.delete(key);
      throw error;
    }
  }

  return {
    /** Returns the namespace after the module has run. */
    async load(name: string): Promise<unknown> {
      const module = open(name);
      await run(module);
      return module.exports["*"];
    },
    /** The same, synchronously. Null: something in it must be awaited. */
    now(name: string): { readonly namespace: unknown } | null {
      const module = open(name);
      if (waitsAnywhere(module)) return null;
      // Nothing in it waits, so the result is not a promise.
      void run(module);
      return { namespace: module.exports["*"] };
    },
  };
}

/** Copies the current values. A value that can't be read yet is marked as such, like Node does. */
function copyOf(all: object): object {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(all)) {
    try {
      values[name] = Reflect.get(all, name);
    } catch {
      values[name] = undefined;
    }
  }
  return values;
}
