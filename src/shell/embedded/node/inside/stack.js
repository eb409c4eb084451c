// Formats stack traces as Node does: with the error's first line and without our own frames.

/** The number of characters before a module's own text on its first line, by file. */
const shifts = new Map();
/** The texts of scripts that are in no file, such as that of -e. */
const texts = new Map();
let evalPath = null;

export function shift(file, characters) {
  shifts.set(file, characters);
}

/** From now on the script at this path is shown as `[eval]` or `[stdin]`. */
export function nameEval(path, shown, text) {
  evalPath = { path, shown };
  texts.set(path, text);
}

export const textOf = (file) => texts.get(file);

const own = (file) => file === "node:internal" || file?.startsWith("node:internal");

export function place(site) {
  const file = site.getFileName();
  const line = site.getLineNumber();
  let column = site.getColumnNumber();
  if (line === 1 && shifts.has(file)) column = Math.max(1, column - shifts.get(file));
  return { file, line, column };
}

export const shownFile = (file) =>
  evalPath !== null && (file === evalPath.path || file === `file://${evalPath.path}`) ? evalPath.shown : file;

function frame(site) {
  const name = site.getFunctionName();
  const { file, line, column } = place(site);
  const known = name && name !== "<eval>" && name !== "<anonymous>" && name !== "<module>" ? name : null;
  if (!file || file === "native") return `    at ${known ?? "<anonymous>"} (<anonymous>)`;
  const where = `${shownFile(file)}:${line}:${column}`;
  if (known !== null) return `    at ${known} (${where})`;
  return file.startsWith("/") && name !== "<eval>" ? `    at <anonymous> (${where})` : `    at ${where}`;
}

function header(error) {
  try {
    if (typeof error !== "object" || error === null) return "Error";
    // Classes set their name after the error was created, and Node reads it later.
    const own = error.constructor?.name;
    const given = error.name === undefined ? "Error" : String(error.name);
    const name =
      typeof own === "string" && own !== "" && own !== "Object" && !Object.hasOwn(error, "name") && given === "Error" ? own : given;
    const message = error.message === undefined ? "" : String(error.message);
    return name === "" ? message : message === "" ? name : `${name}: ${message}`;
  } catch {
    return "Error";
  }
}

/** Where errors were created, to show the line of source if they are not caught. */
const places = new WeakMap();

export const placeOf = (error) => (typeof error === "object" && error !== null ? places.get(error) : undefined);

/** Methods of Node's call sites that the engine's call sites lack. */
const siteMethods = {
  getThis: () => undefined,
  getFunction: () => undefined,
  getTypeName: () => null,
  getMethodName: () => null,
  getEvalOrigin: () => undefined,
  getPromiseIndex: () => null,
  getScriptNameOrSourceURL() {
    return this.getFileName();
  },
  getScriptHash: () => "",
  isToplevel: () => true,
  isEval: () => false,
  isNative: () => false,
  isConstructor: () => false,
  isAsync: () => false,
  isPromiseAll: () => false,
  toString() {
    return frame(this).replace("    at ", "");
  },
};

function callSite(site) {
  for (const [name, value] of Object.entries(siteMethods))
    if (name === "toString" || typeof site[name] !== "function")
      Object.defineProperty(site, name, { value, configurable: true, writable: true });
  return site;
}

export function installStacks() {
  const native = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const set = (prepare) => (native?.set ? native.set.call(Error, prepare) : (Error.prepareStackTrace = prepare));
  let users;
  set((error, sites) => {
    const shown = sites.filter((site) => !own(site.getFileName()));
    const first = shown.find((site) => {
      const file = site.getFileName();
      return file && file !== "native";
    });
    if (first && typeof error === "object" && error !== null) places.set(error, place(first));
    if (users !== undefined) return users(error, shown.map(callSite));
    return [header(error), ...shown.map(frame)].join("\n");
  });
  if (native?.set || native?.configurable) {
    Object.defineProperty(Error, "prepareStackTrace", {
      configurable: true,
      enumerable: false,
      get: () => users,
      set(prepare) {
        users = typeof prepare === "function" ? prepare : undefined;
      },
    });
  }
}
