import type { JSValueHandle, QuickJS } from "quickjs-wasi";

/**
 * The basis of `AsyncLocalStorage`: know when an async function continues after an `await`. QuickJS does not report it. But for each kind of callable
 * object, a table of the runtime holds the function to call, as an index into WebAssembly's function table. Programs that need it get our functions
 * there. The offsets in QuickJS's memory are found when the machine is made, with functions made for that purpose. If they aren't found, there is no
 * AsyncLocalStorage.
 */
export interface ContextLayout {
  /** The offset of the table of classes, in bytes from the start of the runtime. */
  readonly classes: number;
  readonly asyncFunction: number;
  readonly functionData: number;
  /**
   * Paths from the function that resumes an async function to its promise, and from the function that resumes an async generator to the generator.
   * Each offset, in bytes, leads to the next object.
   */
  readonly toPromise: readonly number[];
  readonly toGenerator: readonly number[];
}

/** Callbacks. Each gets an async function's promise, or an async generator. */
export interface ContextEvents {
  /** An async function has returned its promise. */
  readonly left: JSValueHandle;
  /** It continues after an `await`. */
  readonly resumed: JSValueHandle;
  /** It waits again, or has ended. */
  readonly suspended: JSValueHandle;
  /** A promise was made. */
  readonly made: JSValueHandle;
}

interface Raw {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  readonly JS_Call: (context: number, fn: bigint, self: bigint, argc: number, argv: number) => bigint;
  readonly JS_DupValue: (context: number, value: bigint) => bigint;
  readonly JS_FreeValue: (context: number, value: bigint) => void;
  readonly JS_HasException: (context: number) => number;
  readonly JS_IsPromise: (value: bigint) => number;
  readonly JS_GetClassID: (value: bigint) => number;
  readonly JS_SetPromiseHook: (runtime: number, hook: number, opaque: number) => void;
  readonly qjs_get_runtime_ptr: () => number;
  readonly wasm_malloc: (size: number) => number;
}

type Call = (context: number, fn: bigint, self: bigint, argc: number, argv: number, flags: number) => bigint;
type Hook = (context: number, type: number, promise: bigint, parent: bigint, opaque: number) => void;

/** A module that returns the functions it is given: `c` and `h` get the WebAssembly types that the table requires. */
const typed = new Uint8Array(
  [
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    [0x01, 0x13, 0x02, 0x60, 0x06, 0x7f, 0x7e, 0x7e, 0x7f, 0x7f, 0x7f, 0x01, 0x7e, 0x60, 0x05, 0x7f, 0x7f, 0x7e, 0x7e, 0x7f, 0x00],
    [0x02, 0x0d, 0x02, 0x01, 0x65, 0x01, 0x63, 0x00, 0x00, 0x01, 0x65, 0x01, 0x68, 0x00, 0x01],
    [0x07, 0x09, 0x02, 0x01, 0x63, 0x00, 0x00, 0x01, 0x68, 0x00, 0x01],
  ].flat(),
);

/** The size of a class's description in bytes, and the offset of the function to call in it. */
const classSize = 24;
const classCall = 16;

/** Bytes at the start of each QuickJS object, for its garbage collector. */
const gcHeader = 16;

const pointer = (value: bigint): number => Number(BigInt.asUintN(32, value));

function rawOf(vm: QuickJS): Raw {
  // oxlint-disable-next-line no-underscore-dangle, typescript/no-unsafe-type-assertion -- the package exports all of QuickJS but types only part of it.
  return vm._getExports() as unknown as Raw;
}

function reader(raw: Raw) {
  const size = (): number => raw.memory.buffer.byteLength;
  return {
    word: (at: number): number => (at > 0 && at + 4 <= size() ? new DataView(raw.memory.buffer).getUint32(at, true) : 0),
    value: (at: number): bigint => (at > 0 && at + 8 <= size() ? new DataView(raw.memory.buffer).getBigUint64(at, true) : 0n),
    put: (at: number, word: number): void => new DataView(raw.memory.buffer).setUint32(at, word, true),
    putValue: (at: number, value: bigint): void => new DataView(raw.memory.buffer).setBigUint64(at, BigInt.asUintN(64, value), true),
  };
}

/** Replaces the function that calls objects of this kind by the one that `make` returns. Returns a function that restores the original. */
function replaceCall(raw: Raw, classes: number, kind: number, make: (plain: Call) => Call): () => void {
  const memory = reader(raw);
  const at = memory.word(raw.qjs_get_runtime_ptr() + classes) + kind * classSize + classCall;
  const before = memory.word(at);
  // oxlint-disable-next-line no-underscore-dangle -- its name.
  const table = raw.__indirect_function_table;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function there has this type, or the call would trap.
  const plain = table.get(before) as Call;
  memory.put(at, addFunction(raw, "c", { c: make(plain), h: () => undefined }));
  return () => memory.put(at, before);
}

function addFunction(raw: Raw, name: "c" | "h", functions: { readonly c: Call; readonly h: Hook }): number {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(typed), { e: { c: functions.c, h: functions.h } });
  // oxlint-disable-next-line no-underscore-dangle -- its name.
  return raw.__indirect_function_table.grow(1, exports[name]);
}

/** Finds the layout, on a machine that runs nothing yet. Null: this build of QuickJS has an unknown layout. */
export function learnLayout(vm: QuickJS): ContextLayout | null {
  const raw = rawOf(vm);
  const memory = reader(raw);
  const runtime = raw.qjs_get_runtime_ptr();
  const kindOf = (code: string): number => vm.withScope(() => raw.JS_GetClassID(memory.value(vm.evalCode(code, "node:internal").ptr)));
  const isList = (at: number): boolean => [1, 2, 3, 4, 5, 6, 7, 8].every((id) => memory.word(at + id * classSize) === id);
  const classes = Array.from({ length: 256 }, (_, i) => i * 4).find((offset) => isList(memory.word(runtime + offset)));
  if (classes === undefined) return null;
  const callOf = (kind: number): number => memory.word(memory.word(runtime + classes) + kind * classSize + classCall);
  const asyncFunction = kindOf("(async () => {})");
  const functionData = kindOf("Proxy.revocable({}, {}).revoke");
  // The functions that resume with a value and with an error are of the next two kinds, and share a call function.
  if (callOf(asyncFunction) === 0 || callOf(asyncFunction + 1) === 0 || callOf(asyncFunction + 1) !== callOf(asyncFunction + 2))
    return null;

  const toPromise = learnPath(
    vm,
    classes,
    asyncFunction + 1,
    4,
    (junk) => `(async (wait) => { { ${junk} await wait; } { ${junk} await 1; } })(Promise.resolve())`,
  );
  const toGenerator = learnPath(
    vm,
    classes,
    functionData,
    2,
    (junk) => `(async function* () { { ${junk} await 1; } { ${junk} await 2; } })()`,
    (made) => {
      vm.withScope(() => vm.callFunction(made.getProp("next"), made));
    },
  );
  return toPromise === null || toGenerator === null ? null : { classes, asyncFunction, functionData, toPromise, toGenerator };
}

/**
 * Finds the offsets that lead, in `steps` steps, from each function that resumes what `code` creates to what it created. Null if there isn't exactly
 * one path.
 */
function learnPath(
  vm: QuickJS,
  classes: number,
  kind: number,
  steps: number,
  code: (junk: string) => string,
  begin: (made: JSValueHandle) => void = () => undefined,
): readonly number[] | null {
  const raw = rawOf(vm);
  const memory = reader(raw);
  const found: Set<string>[] = [];
  for (let round = 0; round < 4; round++) {
    vm.withScope(() => {
      // Each round has other objects in between, so that paths that match by chance drop out.
      const made = vm.evalCode(code(`const junk = Array.from({ length: ${round * 3} }, () => ({}));`), "node:internal");
      const wanted = pointer(memory.value(made.ptr));
      const ways = (at: number, left: number): string[] =>
        Array.from({ length: 16 }, (_, i) => i * 4).flatMap((offset) => {
          const next = memory.word(at + offset);
          if (left === 0) return next === wanted ? [String(offset)] : [];
          // An object begins with a link to the list of all objects, which leads anywhere.
          return offset < gcHeader || next < 1024 || next % 4 !== 0 ? [] : ways(next, left - 1).map((way) => `${offset} ${way}`);
        });
      const back = replaceCall(raw, classes, kind, (plain) => (context, fn, ...rest) => {
        found.push(new Set(ways(pointer(fn), steps - 1)));
        return plain(context, fn, ...rest);
      });
      begin(made);
      vm.executePendingJobs();
      back();
    });
  }
  const [first = new Set<string>(), ...others] = found;
  const ways = [...first].filter((way) => others.every((other) => other.has(way)));
  const [way] = ways;
  return ways.length !== 1 || way === undefined ? null : way.split(" ").map(Number);
}

/** Makes this machine report when async functions and generators continue. */
export function followContexts(vm: QuickJS, layout: ContextLayout, events: ContextEvents): void {
  const raw = rawOf(vm);
  const memory = reader(raw);
  const scratch = raw.wasm_malloc(8);
  const nothing = memory.value(vm.undefined.ptr);
  const tell = (context: number, event: JSValueHandle, value: bigint): void => {
    memory.putValue(scratch, value);
    raw.JS_FreeValue(context, raw.JS_Call(context, memory.value(event.ptr), nothing, 1, scratch));
  };
  /** Follows the offsets; the value is at the last one. */
  const reached = (fn: bigint, path: readonly number[]): bigint => {
    let at = pointer(fn);
    for (const offset of path.slice(0, -1)) at = memory.word(at + offset);
    return memory.value(at + (path.at(-1) ?? 0));
  };
  const resuming =
    (isOne: (value: bigint) => boolean, path: readonly number[]) =>
    (plain: Call): Call =>
    (context, fn, ...rest) => {
      const value = reached(fn, path);
      if (!isOne(value)) return plain(context, fn, ...rest);
      raw.JS_DupValue(context, value);
      tell(context, events.resumed, value);
      const result = plain(context, fn, ...rest);
      if (raw.JS_HasException(context) === 0) tell(context, events.suspended, value);
      raw.JS_FreeValue(context, value);
      return result;
    };
  const { classes, asyncFunction, functionData } = layout;
  const generator = vm.withScope(() => raw.JS_GetClassID(memory.value(vm.evalCode("(async function* () {})()", "node:internal").ptr)));
  replaceCall(raw, classes, asyncFunction, (plain) => (context, ...rest) => {
    const result = plain(context, ...rest);
    if (raw.JS_HasException(context) === 0 && raw.JS_IsPromise(result) !== 0) tell(context, events.left, result);
    return result;
  });
  for (const kind of [asyncFunction + 1, asyncFunction + 2])
    replaceCall(
      raw,
      classes,
      kind,
      resuming((value) => raw.JS_IsPromise(value) !== 0, layout.toPromise),
    );
  replaceCall(
    raw,
    classes,
    functionData,
    resuming((value) => raw.JS_GetClassID(value) === generator, layout.toGenerator),
  );
  const hook = addFunction(raw, "h", {
    c: () => 0n,
    h: (context, type, promise) => {
      // 0: created; 1 and 2: before and after the call of a thenable's `then`.
      const event = [events.made, events.resumed, events.suspended][type];
      if (event) tell(context, event, promise);
    },
  });
  raw.JS_SetPromiseHook(raw.qjs_get_runtime_ptr(), hook, 0);
}
