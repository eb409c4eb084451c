// `new Function`: an import() inside is taken from where the function was made, as in Node.
import { host } from "./host.js";
import { placeOf } from "./stack.js";

/** The file that called us; undefined: none did. */
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
    // What is wrong with the text is said by the engine itself, and it must be one function and no more.
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
