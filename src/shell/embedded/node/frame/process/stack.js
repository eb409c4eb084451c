// Formats stack traces as Node does in the browser's engine: without our own frames, and with the programs' file names.
// Chromium has Node's engine, so its frames are V8's own. Other engines give a text, which is converted to the same form.

import { columnInFile, textChanged } from "./places.ts";

/** The texts of scripts that are in no file, such as that of -e. */
const texts = new Map();
let evalPath = null;

/** Records the number of characters before a module's own text on its first line. */
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

/** Our own scripts have only the browser's name for a text. */
const isOwn = (file) => file === undefined || file === null || /^(blob:|node:internal)/.test(file);

/** Where errors were created, to show the line of source if they are not caught. */
const places = new WeakMap();

export function placeOf(error) {
  if (typeof error !== "object" || error === null) return undefined;
  // The stack is only created when it is read.
  const { stack } = error;
  if (!isV8 && !places.has(error) && typeof stack === "string") form(error, stack);
  return places.get(error);
}

/** V8's wording. `inspect` adds a class's own name. */
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
  // The code of -e runs as a single call of eval.
  if (isNameless(site) && site.isToplevel()) return where;
  const text = site.toString().replace(`${file}:${line}:${column}`, () => where);
  return isNameless(site) ? text.replace(/\beval(?= \()/, "<anonymous>") : text;
}

/** All code here comes from a text, and V8 gives unnamed functions in it this name. */
const isNameless = (site) => site.isEval() && site.getFunctionName() === "eval";

/** A frame as programs get it, with what it shows. */
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

/** Whether the engine asks `prepareStackTrace` for a stack's text, as V8 does; other engines have functions of the same names. */
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

/** Frames that were given to a program. */
const given = new WeakSet();

function installForV8() {
  /** The functions that stand in for what the program has set. Programs can read them, call them and set them again. */
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

/**
 * Converts `name@file:line:column` to V8's form. WebKit gives no position in code that it got as text; for the first frame, the error itself knows
 * the line.
 */
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

/** Gives an error a stack in V8's form. */
function form(error, stack) {
  const lines = converted(error, stack);
  if (lines[0]?.at) places.set(error, lines[0].at);
  const text = [header(error), ...lines.map((line) => line.text)].join("\n");
  Object.defineProperty(error, "stack", { value: text, writable: true, configurable: true });
  return text;
}

/** Other engines have no hook. If the prototype provides the stack, it is converted when it is read; otherwise when the error is not caught. */
function installForOthers() {
  const native = Object.getOwnPropertyDescriptor(Error.prototype, "stack");
  if (native?.get === undefined || native.set === undefined) return;
  // oxlint-disable-next-line no-extend-native -- it replaces the browser's own property.
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
