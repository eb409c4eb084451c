// `new Function`: as in Node, an import() in its code is resolved from the file that created the function.
import { host } from "./host.js";
import { placeOf } from "./stack.js";

/** The file of the calling code; undefined: no file. */
function callingFile() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 20;
  const file = placeOf(new Error())?.file;
  Error.stackTraceLimit = limit;
  return file;
}

export function installFunction() {
  const Native = Function;
  function make(args, target) {
    // Let the engine report errors in the text, which must be exactly one function.
    const plain = target === made ? Native(...args) : Reflect.construct(Native, args, target);
    const body = args.length === 0 ? "" : String(args.at(-1));
    const file = target === made && /\bimport\s*\(/.test(body) ? callingFile() : undefined;
    return file === undefined ? plain : host("module.run", `(function anonymous(${args.slice(0, -1).join(",")}\n) {\n${body}\n})`, file);
  }
  const made = new Proxy(Native, {
    apply: (_native, _this, args) => make(args, made),
    construct: (_native, args, target) => make(args, target),
  });
  Object.defineProperty(Native.prototype, "constructor", { value: made, writable: true, configurable: true, enumerable: false });
  Object.defineProperty(globalThis, "Function", { value: made, writable: true, configurable: true, enumerable: false });
}
