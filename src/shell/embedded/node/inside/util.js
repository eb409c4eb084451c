import extracted from "node-inspect-extracted";
import comparisons from "assert/build/internal/util/comparisons.js";
import { codeError, described, errnos, invalidArgType, notHere } from "./errors.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { host } from "./host.js";
import { parseArgs } from "./parse-args.js";
import { styleText } from "./style-text.js";
import { types } from "./types.js";

export const { inspect, format, formatWithOptions, stripVTControlCharacters } = extracted;

const customPromisify = Symbol.for("nodejs.util.promisify.custom");

export function promisify(original) {
  if (typeof original !== "function") throw invalidArgType("original", "of type function", original);
  if (original[customPromisify]) return original[customPromisify];
  const promised = function (...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [
        ...args,
        (error, value) => {
          if (error) reject(error);
          else resolve(value);
        },
      ]);
    });
  };
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original));
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = customPromisify;

export function callbackify(original) {
  if (typeof original !== "function") throw invalidArgType("original", "of type function", original);
  function callbackified(...args) {
    const callback = args.pop();
    if (typeof callback !== "function")
      throw codeError(TypeError, "ERR_INVALID_ARG_TYPE", `The last argument must be of type function.${described(callback)}`);
    const call = callback.bind(this);
    Reflect.apply(original, this, args).then(
      (value) => process.nextTick(call, null, value),
      (error) => process.nextTick(call, error || falsyRejection(error)),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === "number") descriptors.length.value++;
  if (typeof descriptors.name.value === "string") descriptors.name.value += "Callbackified";
  return Object.defineProperties(callbackified, descriptors);
}

function falsyRejection(reason) {
  return Object.assign(codeError(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value"), { reason });
}

export function inherits(constructor, parent) {
  if (typeof constructor !== "function") throw invalidArgType("ctor", "of type function", constructor);
  if (typeof parent !== "function") throw invalidArgType("superCtor", "of type function", parent);
  if (parent.prototype === undefined) throw invalidArgType("superCtor.prototype", "of type object", undefined);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

const warned = new Set();

export function deprecate(fn, message, code) {
  let said = false;
  function deprecated(...args) {
    if (!said && !process.noDeprecation) {
      said = true;
      if (code === undefined || !warned.has(code)) process.emitWarning(message, "DeprecationWarning", code);
      if (code !== undefined) warned.add(code);
    }
    return new.target ? Reflect.construct(fn, args, new.target) : Reflect.apply(fn, this, args);
  }
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  return deprecated;
}

export function debuglog(section) {
  const enabled = new RegExp(
    `^${(process.env.NODE_DEBUG ?? "")
      .replace(/[|\\{}()[\]^$+?.]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll(",", "$|^")}$`,
    "i",
  ).test(section);
  const log = (...args) => {
    if (enabled) process.stderr.write(`${section.toUpperCase()} ${process.pid}: ${format(...args)}\n`);
  };
  log.enabled = enabled;
  return log;
}

export const isDeepStrictEqual = (a, b) => comparisons.isDeepStrictEqual(a, b);

export { parseArgs, styleText, types, TextDecoder, TextEncoder };

export function parseEnv(content) {
  if (typeof content !== "string") throw invalidArgType("content", "of type string", content);
  return JSON.parse(host("env.parse", content));
}

export class MIMEType {
  constructor() {
    throw notHere("util.MIMEType is not here");
  }
}

const systemErrors = new Map(Object.entries(errnos).map(([name, [errno, text]]) => [errno, [name, text]]));

const util = {
  format,
  formatWithOptions,
  inspect,
  promisify,
  callbackify,
  inherits,
  deprecate,
  debuglog,
  debug: debuglog,
  isDeepStrictEqual,
  parseArgs,
  parseEnv,
  styleText,
  stripVTControlCharacters,
  types,
  TextDecoder,
  TextEncoder,
  MIMEType,
  aborted: (signal) =>
    new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }))),
  getSystemErrorMap: () => new Map(systemErrors),
  getSystemErrorName: (errno) => systemErrors.get(errno)?.[0],
  toUSVString: (text) => String(text).toWellFormed(),
  _extend: (target, source) => (source === null || typeof source !== "object" ? target : Object.assign(target, source)),
  isArray: Array.isArray,
  isBoolean: (value) => typeof value === "boolean",
  isBuffer: (value) => globalThis.Buffer.isBuffer(value),
  isDate: types.isDate,
  isError: (value) => value instanceof Error,
  isFunction: (value) => typeof value === "function",
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === "number",
  isObject: (value) => typeof value === "object" && value !== null,
  isPrimitive: (value) => (typeof value !== "object" && typeof value !== "function") || value === null,
  isRegExp: types.isRegExp,
  isString: (value) => typeof value === "string",
  isSymbol: (value) => typeof value === "symbol",
  isUndefined: (value) => value === undefined,
};

export default util;
