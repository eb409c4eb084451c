import { host } from "./host.js";
import { codeError } from "./errors.js";
import { format, formatWithOptions, inspect } from "./util.js";

/** `stdout` and `stderr` are streams. Null: the program's own streams, looked up when they are used. */
export class Console {
  #indent = "";
  #counts = new Map();
  #times = new Map();
  #streams;
  #options;
  constructor(stdout, stderr) {
    const given = stdout && typeof stdout.write !== "function" ? stdout : { stdout, stderr };
    if (stdout !== null && typeof given.stdout?.write !== "function")
      throw codeError(TypeError, "ERR_CONSOLE_WRITABLE_STREAM", "Console expects a writable stream instance for stdout");
    this.#streams = stdout === null ? null : { stdout: given.stdout, stderr: given.stderr ?? given.stdout };
    this.#options = given.inspectOptions;
    // As in Node, methods work without their console.
    for (const name of Object.getOwnPropertyNames(Console.prototype)) if (name !== "constructor") this[name] = this[name].bind(this);
  }
  #write(to, text) {
    const lines = this.#indent === "" ? text : text.replaceAll(/^/gm, this.#indent);
    const stream = this.#streams ? this.#streams[to] : process[to];
    stream.write(`${lines}\n`);
  }
  #format(args) {
    return this.#options ? formatWithOptions(this.#options, ...args) : format(...args);
  }
  log(...args) {
    this.#write("stdout", this.#format(args));
  }
  info(...args) {
    this.#write("stdout", this.#format(args));
  }
  debug(...args) {
    this.#write("stdout", this.#format(args));
  }
  error(...args) {
    this.#write("stderr", this.#format(args));
  }
  warn(...args) {
    this.#write("stderr", this.#format(args));
  }
  trace(...args) {
    const error = new Error(this.#format(args));
    error.name = "Trace";
    this.#write("stderr", `Trace${error.message ? `: ${error.message}` : ""}${error.stack.slice(error.stack.indexOf("\n    at "))}`);
  }
  dir(value, options) {
    this.#write("stdout", inspect(value, { customInspect: false, ...options }));
  }
  dirxml(...args) {
    this.log(...args);
  }
  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === "string") args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift("Assertion failed");
    this.warn(...args);
  }
  group(...args) {
    if (args.length > 0) this.log(...args);
    this.#indent += "  ";
  }
  groupCollapsed(...args) {
    this.group(...args);
  }
  groupEnd() {
    this.#indent = this.#indent.slice(0, -2);
  }
  count(label = "default") {
    const count = (this.#counts.get(`${label}`) ?? 0) + 1;
    this.#counts.set(`${label}`, count);
    this.log(`${label}: ${count}`);
  }
  countReset(label = "default") {
    if (!this.#counts.delete(`${label}`)) process.emitWarning(`Count for '${label}' does not exist`);
  }
  time(label = "default") {
    if (this.#times.has(`${label}`)) process.emitWarning(`Label '${label}' already exists for console.time()`);
    else this.#times.set(`${label}`, host("now"));
  }
  #elapsed(label) {
    const start = this.#times.get(`${label}`);
    if (start === undefined) {
      process.emitWarning(`No such label '${label}' for console.timeEnd()`);
      return null;
    }
    const ms = host("now") - start;
    return ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`;
  }
  timeEnd(label = "default") {
    const elapsed = this.#elapsed(label);
    if (elapsed !== null) this.log("%s: %s", label, elapsed);
    this.#times.delete(`${label}`);
  }
  timeLog(label = "default", ...data) {
    const elapsed = this.#elapsed(label);
    if (elapsed !== null) this.log("%s: %s", label, elapsed, ...data);
  }
  table(data, columns) {
    if (typeof data !== "object" || data === null) this.log(data);
    else this.log(table(data, columns));
  }
  clear() {}
  profile() {}
  profileEnd() {}
  timeStamp() {}
}

const show = (value) =>
  inspect(value, {
    maxArrayLength: 3,
    breakLength: Infinity,
    colors: false,
    depth: value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
  });

function table(data, columns) {
  const isMap = data instanceof Map;
  const isSet = data instanceof Set;
  const indexName = isMap || isSet ? "(iteration index)" : "(index)";
  const rows = isMap
    ? [...data].map(([key, value], at) => [at, value, key])
    : isSet
      ? [...data].map((value, at) => [at, value])
      : Object.entries(data);
  const names = [];
  const cells = [];
  let withValues = false;
  for (const [index, value, key] of rows) {
    const row = { index: String(index), key: isMap ? show(key) : undefined, values: new Map(), own: undefined };
    if (typeof value === "object" && value !== null && !isMap) {
      for (const name of columns ?? Object.keys(value)) {
        if (!names.includes(name)) names.push(name);
        if (Object.hasOwn(value, name)) row.values.set(name, show(value[name]));
      }
    } else {
      row.own = show(value);
      withValues = true;
    }
    cells.push(row);
  }
  const head = [indexName, ...(isMap ? ["Key"] : []), ...names, ...(withValues ? ["Values"] : [])];
  const body = cells.map((row) => [
    row.index,
    ...(isMap ? [row.key] : []),
    ...names.map((name) => row.values.get(name) ?? ""),
    ...(withValues ? [row.own ?? ""] : []),
  ]);
  const widths = head.map((title, at) => Math.max(...[title, ...body.map((row) => row[at])].map(widthOf)) + 2);
  const line = (row) => `│${row.map((text, at) => ` ${text}${" ".repeat(widths[at] - 1 - widthOf(text))}`).join("│")}│`;
  const rule = (left, middle, right) => `${left}${widths.map((width) => "─".repeat(width)).join(middle)}${right}`;
  return [rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...body.map(line), rule("└", "┴", "┘")].join("\n");
}

/** The approximate number of terminal columns: wide characters take two. */
function widthOf(text) {
  let width = 0;
  for (const character of text.normalize("NFC")) {
    const code = character.codePointAt(0);
    if (/\p{Mn}|\p{Cf}/u.test(character)) continue;
    width +=
      code >= 0x1100 &&
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u.test(character)
        ? 2
        : 1;
  }
  return width;
}

const console = new Console(null);
console.Console = Console;
Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
console.context = () => console;

export default console;
