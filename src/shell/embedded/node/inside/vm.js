// The module `vm`. There is only one realm here: a context is a set of objects whose names take precedence over the global ones, by `with`. So its
// `Array` and `Object` are those of the program itself. The host parses scripts to find their declarations ("script.read").
import { codeError, invalidArgType, notHere } from "./errors.js";
import { host } from "./host.js";
import { shift } from "./stack.js";

/** The names in a new context, as in Node. */
const names =
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError EvalError
RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array
Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet Proxy Reflect FinalizationRegistry WeakRef
decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN console SharedArrayBuffer Atomics WebAssembly
Iterator Float16Array DisposableStack AsyncDisposableStack SuppressedError Temporal`.split(/\s+/);
/** Objects that contain only functions. Each context has its own copies, so that changes stay in the context. */
const copied = new Set(["Math", "JSON", "Reflect"]);

// oxlint-disable-next-line no-eval -- scripts in contexts have it.
const nativeEval = globalThis.eval;
const NativeFunction = globalThis.Function;
let evaluator = null;

/** Runs a text in a context. The function is sloppy, because only sloppy functions may use `with`. */
function evaluate(context, declare, code) {
  evaluator ??= NativeFunction(
    "__vibey_context",
    "__vibey_declare",
    "__vibey_code",
    "with (__vibey_context.barrier) with (__vibey_context.sandbox) with (__vibey_context.lexical) return eval(__vibey_code);",
  );
  return evaluator.call(context.global, context, declare, code);
}

/** The machinery's own names, which bypass all contexts. */
const isOwn = (name) => typeof name !== "string" || name.startsWith("__vibey_") || name === "arguments";

const contexts = new WeakMap();

function builtins(target, context) {
  for (const name of names) {
    const value = globalThis[name];
    if (value === undefined && name !== "undefined") continue;
    const own = copied.has(name) ? Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value)) : value;
    Object.defineProperty(target, name, { value: own, writable: true, configurable: true, enumerable: false });
  }
  context.functions = functionOf(context);
  Object.defineProperty(target, "Function", { value: context.functions });
  Object.defineProperty(target, "globalThis", { value: context.global, writable: true, configurable: true, enumerable: false });
}

/**
 * The `Function` of a context. Functions that it creates see the context's names, and get its global object as `this` if they are called without one.
 */
function functionOf(context) {
  const make = (args) => {
    const params = args.slice(0, -1).join(",");
    const body = String(args.at(-1) ?? "");
    // The text must be exactly one function.
    NativeFunction(...args);
    const inner = new Text(`(function anonymous(${params}\n) {\n${body}\n})`, { filename: "evalmachine.<anonymous>" }).runIn(context);
    if (!/\bthis\b/.test(body)) return inner;
    const outer = function (...given) {
      if (new.target) return Reflect.construct(inner, given, new.target === outer ? inner : new.target);
      return Reflect.apply(inner, this === undefined || this === globalThis ? context.global : this, given);
    };
    Object.defineProperty(outer, "name", { value: "anonymous", configurable: true });
    Object.defineProperty(outer, "length", { value: inner.length, configurable: true });
    outer.prototype = inner.prototype;
    return outer;
  };
  return new Proxy(globalThis.Function, {
    apply: (_native, _this, args) => make(args),
    construct: (native, args, target) => (target === context.functions ? make(args) : Reflect.construct(native, args, target)),
  });
}

/** A context's global object: first the program's object, then JavaScript's own names. */
function globalOver(sandbox, own) {
  return new Proxy(sandbox, {
    has: (_target, key) => key in sandbox || key in own,
    get: (_target, key) => (key in sandbox || !(key in own) ? Reflect.get(sandbox, key) : own[key]),
    set: (_target, key, value) => Reflect.set(sandbox, key, value),
    deleteProperty: (_target, key) => Reflect.deleteProperty(own, key) && Reflect.deleteProperty(sandbox, key),
    getOwnPropertyDescriptor: (_target, key) =>
      Reflect.getOwnPropertyDescriptor(sandbox, key) ?? Reflect.getOwnPropertyDescriptor(own, key),
    ownKeys: () =>
      Object.isExtensible(sandbox) ? [...new Set([...Reflect.ownKeys(sandbox), ...Reflect.ownKeys(own)])] : Reflect.ownKeys(sandbox),
  });
}

/**
 * The scope behind the program's object: JavaScript's own names. Other names are undefined, and assignments create properties of the program's
 * object.
 */
function barrier(context) {
  return new Proxy(Object.create(null), {
    has: (_target, name) => !isOwn(name) && !context.declaring.has(name),
    get(_target, name) {
      if (isOwn(name)) return undefined;
      if (context.own !== null && name in context.own) return context.own[name];
      if (context.asked.has(name)) return undefined;
      throw new ReferenceError(`${name} is not defined`);
    },
    set: (_target, name, value) => Reflect.set(context.sandbox, name, value),
  });
}

function makeContext(sandbox) {
  const context = {
    sandbox,
    global: sandbox,
    /** JavaScript's own names, if the program's object must not get them. */
    own: null,
    /** The variables that scripts declared with let, const and class. */
    lexical: Object.create(null, { eval: { value: nativeEval } }),
    /** The names of functions that are being declared. */
    declaring: new Set(),
    /** Names that may be read without a value: those of `var`, and those after `typeof`. */
    asked: new Set(),
    barrier: null,
    functions: null,
  };
  context.barrier = barrier(context);
  return context;
}

function createContext(sandbox) {
  if (host("script.contexts") !== true)
    throw notHere("contexts of vm need the browser's own engine, which a person turns on under Settings");
  if (sandbox === undefined || sandbox === constants.DONT_CONTEXTIFY) {
    const made = {};
    const context = makeContext(made);
    builtins(made, context);
    contexts.set(made, context);
    return made;
  }
  if (typeof sandbox !== "object" || sandbox === null) throw invalidArgType("contextObject", "of type object", sandbox);
  if (contexts.has(sandbox)) return sandbox;
  const context = makeContext(sandbox);
  context.own = Object.create(null);
  context.global = globalOver(sandbox, context.own);
  builtins(context.own, context);
  contexts.set(sandbox, context);
  return sandbox;
}

function contextOf(sandbox) {
  if (typeof sandbox !== "object" || sandbox === null) throw invalidArgType("contextifiedObject", "an instance of vm.Context", sandbox);
  const context = contexts.get(sandbox);
  if (context === undefined) throw invalidArgType("contextifiedObject", "an instance of vm.Context", sandbox);
  return context;
}

const isContext = (sandbox) => {
  if (typeof sandbox !== "object" || sandbox === null) throw invalidArgType("object", "of type object", sandbox);
  return contexts.has(sandbox);
};

/** Whether the code is a single expression, which declares nothing. Most code of programs with their own module systems is. */
function isExpression(code) {
  if (!/^\s*[({["'\w]/.test(code) || /^\s*(?:async\s+)?(?:function|class)\b/.test(code)) return false;
  try {
    NativeFunction(`return (${code.replace(/[;\s]+$/, "")}\n)`);
    return true;
  } catch {
    return false;
  }
}

class Text {
  constructor(code, { filename, lineOffset = 0, columnOffset = 0 }) {
    this.filename = filename;
    this.code = (lineOffset > 0 ? "\n".repeat(lineOffset) : "") + code;
    this.columnOffset = columnOffset;
    this.declared = { functions: [], variables: [], lexical: [] };
    this.asked = new Set();
    for (const [, name] of code.matchAll(/\btypeof\s*\(?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu)) this.asked.add(name);
    if (isExpression(code)) this.inContext = this.code;
    else {
      const { code: inContext, ...declared } = JSON.parse(host("script.read", this.code, filename));
      this.inContext = inContext;
      this.declared = declared;
    }
  }
  runIn(context) {
    const { functions, variables, lexical } = this.declared;
    for (const name of lexical)
      Object.defineProperty(context.lexical, name, { value: undefined, writable: true, configurable: true, enumerable: true });
    for (const name of [...variables, ...this.asked]) context.asked.add(name);
    // Until the script reports its functions, only the script knows them. Nothing else may have their names.
    for (const name of functions) {
      delete context.sandbox[name];
      if (context.own) delete context.own[name];
      delete context.lexical[name];
      context.declaring.add(name);
    }
    const declare = (made) => {
      for (const name of functions) {
        context.declaring.delete(name);
        context.sandbox[name] = made[name];
      }
    };
    try {
      return evaluate(context, declare, host("script.prepare", this.inContext, this.filename, -this.columnOffset));
    } finally {
      for (const name of functions) context.declaring.delete(name);
    }
  }
}

function readOptions(given, fallback = "evalmachine.<anonymous>") {
  const options = typeof given === "string" ? { filename: given } : (given ?? {});
  if (typeof options !== "object") throw invalidArgType("options", "of type object", options);
  const { filename = fallback } = options;
  if (typeof filename !== "string") throw invalidArgType("options.filename", "of type string", filename);
  return { ...options, filename };
}

class Script {
  #text;
  #code;
  #options;
  constructor(code, given) {
    this.#options = readOptions(given);
    this.#code = String(code);
    if (host("script.contexts") === true) this.#text = new Text(this.#code, this.#options);
    else host("module.check", `(async function () {\n${this.#code}\n})`, this.#options.filename, false);
    this.cachedDataRejected = this.#options.cachedData === undefined ? undefined : false;
    this.sourceMapURL = /^\/\/[#@] sourceMappingURL=(\S+)\s*$/m.exec(this.#code)?.[1];
  }
  runInThisContext() {
    const { filename, lineOffset = 0 } = this.#options;
    return host("module.run", (lineOffset > 0 ? "\n".repeat(lineOffset) : "") + this.#code, filename);
  }
  runInContext(sandbox) {
    return this.#text.runIn(contextOf(sandbox));
  }
  runInNewContext(sandbox = {}) {
    return this.runInContext(createContext(sandbox));
  }
  createCachedData() {
    return Buffer.alloc(0);
  }
}

function runInContext(code, sandbox, options) {
  const context = contextOf(sandbox);
  if (typeof code !== "string") throw invalidArgType("code", "of type string", code);
  return new Text(code, readOptions(options)).runIn(context);
}

function compileFunction(code, params = [], given = {}) {
  if (typeof code !== "string") throw invalidArgType("code", "of type string", code);
  if (!Array.isArray(params)) throw invalidArgType("params", "an instance of Array", params);
  const options = readOptions(given, "");
  const { parsingContext, contextExtensions = [] } = options;
  const start = `(function (${params.join(",")}) {`;
  // The text must be a complete function body.
  NativeFunction(...params, code);
  const wrapped = `${start}${code}\n})`;
  if (parsingContext !== undefined)
    return new Text(wrapped, { ...options, columnOffset: (options.columnOffset ?? 0) - start.length }).runIn(contextOf(parsingContext));
  if (contextExtensions.length > 0) {
    const all = Object.assign(Object.create(null), ...contextExtensions);
    return NativeFunction("__vibey_extension", `with (__vibey_extension) return ${wrapped}`)(all);
  }
  const made = host("module.run", wrapped, options.filename);
  shift(options.filename, start.length);
  return made;
}

const constants = Object.freeze({
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol("vm_dynamic_import_main_context_default"),
  DONT_CONTEXTIFY: Symbol("vm_context_no_contextify"),
});

export const vm = () => ({
  Script,
  createContext,
  createScript: (code, options) => new Script(code, options),
  runInContext,
  runInNewContext: (code, sandbox = {}, options) => runInContext(code, createContext(sandbox), options),
  runInThisContext: (code, options) => new Script(code, options).runInThisContext(),
  isContext,
  compileFunction,
  measureMemory() {
    throw codeError(Error, "ERR_CONTEXT_NOT_INITIALIZED", "memory can't be measured here");
  },
  constants,
});
