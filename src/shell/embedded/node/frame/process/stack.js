// Stack traces as Node's, in the browser's engine: without our own frames, in which programs stand under the names of their files.
// In Chromium, whose engine is Node's, frames are V8's own; the others give a text, which is put into the same form.

import { columnInFile, textChanged } from "./places.ts";

/** The text of scripts that stand in no file, such as that of -e. */
const texts = new Map();
let evalPath = null;

/** Characters that stand before a module's own text on its first line. */
export function shift(file, characters) {
  textChanged(file, [characters]);
}

/** From now on the script at this path is shown as `[eval]` or `[stdin]`. */
export function nameEval(path, shown, text) {
  evalPath = { path, shown };
  texts.set(path, text);
}

export const textOf = (file) => texts.get(file);

export const shownFile = (file) =>
  evalPath !== null && (file === evalPath.path || file === `file://${evalPath.path}`) ? evalPath.shown : file;

/** Our own scripts have no other name than the browser's for a text. */
const isOwn = (file) => file === undefined || file === null || /^(blob:|node:internal)/.test(file);

/** Where errors were made, for the line of source that is shown when no one takes them. */
const places = new WeakMap();

export function placeOf(error) {
  if (typeof error !== "object" || error === null) return undefined;
  // Only what asks for the stack has it made.
  const { stack } = error;
  if (!isV8 && !places.has(error) && typeof stack === "string") form(error, stack);
  return places.get(error);
}

/** As V8 words it; a class's own name is what `inspect` adds. */
function header(error) {
  try {
    if (typeof error !== "object" || error === null) return "Error";
    const name = error.name === undefined ? "Error" : String(error.name);
    const message = error.message === undefined ? "" : String(error.message);
    return name === "" ? message : message === "" ? name : `${name}: ${message}`;
  } catch {
    return "Error";
  }
}

function siteText(site) {
  const file = site.getScriptNameOrSourceURL();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  const where = `${shownFile(file)}:${line}:${columnInFile(file, line, column)}`;
  // The code of -e runs as one call of eval.
  if (isNameless(site) && site.isToplevel()) return where;
  const text = site.toString().replace(`${file}:${line}:${column}`, () => where);
  return isNameless(site) ? text.replace(/\beval(?= \()/, "<anonymous>") : text;
}

/** All code comes from a text here, where V8 gives functions without a name this one. */
const isNameless = (site) => site.isEval() && site.getFunctionName() === "eval";

/** A frame as programs ask for it, with what it shows. */
function siteOf(site) {
  const file = site.getScriptNameOrSourceURL();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  return new Proxy(site, {
    get(target, key) {
      if (key === "getFileName" || key === "getScriptNameOrSourceURL") return () => file;
      if (key === "getColumnNumber") return () => columnInFile(file, line, column);
      if (key === "getFunctionName") return () => (isNameless(target) ? null : target.getFunctionName());
      if (key === "isEval") return () => false;
      if (key === "getEvalOrigin") return () => undefined;
      if (key === "toString") return () => siteText(target);
      const value = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Whether the engine asks for the text of a stack, as V8 does; others have functions of the same names. */
const isV8 = (() => {
  let asked = false;
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  Object.defineProperty(Error, "prepareStackTrace", { configurable: true, writable: true, value: () => void (asked = true) });
  void new Error("asks").stack;
  if (before) Object.defineProperty(Error, "prepareStackTrace", before);
  else delete Error.prepareStackTrace;
  return asked;
})();

export function installStacks() {
  if (isV8) installForV8();
  else installForOthers();
}

/** Frames that a program has been given. */
const given = new WeakSet();

function installForV8() {
  /** What the program set, by what stands in its place: that can be read, called, and set again. */
  const made = new WeakSet();
  const standing = (users) => {
    const prepare = (error, sites) => {
      const kept = sites
        .filter((site) => given.has(site) || !isOwn(site.getScriptNameOrSourceURL()))
        .map((site) => {
          if (given.has(site)) return site;
          const shown = siteOf(site);
          given.add(shown);
          return shown;
        });
      const [first] = kept;
      if (first && typeof error === "object" && error !== null && !places.has(error))
        places.set(error, { file: first.getScriptNameOrSourceURL(), line: first.getLineNumber(), column: first.getColumnNumber() });
      return users === undefined ? [header(error), ...kept.map((site) => `    at ${site}`)].join("\n") : users(error, kept);
    };
    made.add(prepare);
    return prepare;
  };
  const plain = standing(undefined);
  let current = plain;
  Object.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: false,
    get: () => current,
    set(users) {
      current = typeof users !== "function" ? plain : made.has(users) ? users : standing(users);
    },
  });
}

/** `name@file:line:column` as V8 has it. WebKit names no place in code that it was given as text; of the first frame the error itself knows the line. */
function converted(error, stack) {
  const lines = [];
  for (const text of stack.split("\n")) {
    const unplaced = /^(.*)@$/.exec(text);
    if (unplaced) {
      const name = /^(?:eval code)?$/.test(unplaced[1]) ? null : unplaced[1];
      const where = lines.length === 0 && error.line > 0 ? `<anonymous>:${error.line}:${error.column}` : "<anonymous>";
      lines.push({ text: name === null ? `    at ${where}` : `    at ${name} (${where})` });
      continue;
    }
    const match = /^(.*?)@(.*):(\d+):(\d+)$/.exec(text);
    if (!match || isOwn(match[2])) continue;
    const [, name, file, line, column] = match;
    const at = { file, line: Number(line), column: columnInFile(file, Number(line), Number(column)) };
    const where = `${shownFile(file)}:${at.line}:${at.column}`;
    lines.push({
      at,
      text:
        name === "" || /^(?:eval|global|module) code$|^eval$|anonymous/.test(name)
          ? `    at ${where}`
          : `    at ${name.replace(/^.*[/<]/, "")} (${where})`,
    });
  }
  return lines;
}

/** Gives an error its stack in V8's form. */
function form(error, stack) {
  const lines = converted(error, stack);
  if (lines[0]?.at) places.set(error, lines[0].at);
  const text = [header(error), ...lines.map((line) => line.text)].join("\n");
  Object.defineProperty(error, "stack", { value: text, writable: true, configurable: true });
  return text;
}

/** The others have no hook. Where the stack is read through the prototype, it is put into V8's form there; else when no one takes the error. */
function installForOthers() {
  const native = Object.getOwnPropertyDescriptor(Error.prototype, "stack");
  if (native?.get === undefined || native.set === undefined) return;
  // oxlint-disable-next-line no-extend-native -- it stands there, and takes the place of the browser's own.
  Object.defineProperty(Error.prototype, "stack", {
    configurable: true,
    get() {
      const stack = native.get.call(this);
      return typeof stack === "string" && typeof this === "object" && this !== null ? form(this, stack) : stack;
    },
    set(value) {
      if (typeof this === "object" && this !== null) Object.defineProperty(this, "stack", { value, writable: true, configurable: true });
    },
  });
}
