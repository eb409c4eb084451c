// require, and the parts of import that belong here.
import builtins from "./builtins.js";
import { host } from "./host.js";
import { codeError, invalidArgType } from "./errors.js";
import { fileURLToPath, URL } from "./url.js";

const machine = Symbol.for("vibey.node");
const dirname = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

export function builtin(name) {
  const load = builtins[name];
  if (load === undefined) throw codeError(Error, "ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${name}`);
  return load();
}

export function builtinNames(name) {
  const value = builtin(name);
  return JSON.stringify(Object.keys(value).filter((key) => key !== "default"));
}

let main;

export class Module {
  constructor(id = "", parent = undefined) {
    this.id = id;
    this.path = dirname(id);
    this.exports = {};
    this.filename = null;
    this.loaded = false;
    this.children = [];
    this.paths = [];
    Object.defineProperty(this, "parent", { value: parent, configurable: true, writable: true });
    parent?.children?.push(this);
  }
  require(id) {
    if (typeof id !== "string") throw invalidArgType("id", "of type string", id);
    if (id === "") throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", "The argument 'id' must be a non-empty string. Received ''");
    return Module._load(id, this, false);
  }
  _compile(code, filename) {
    const run = host("module.compile", code, filename);
    const require = requireOf(this);
    return Reflect.apply(run, this.exports, [this.exports, require, this, filename, dirname(filename)]);
  }
  load(filename) {
    this.filename = filename;
    this.paths = JSON.parse(host("module.paths", filename));
    const extension = /\.[^./]+$/.exec(filename)?.[0] ?? ".js";
    (Module._extensions[extension] ?? Module._extensions[".js"])(this, filename);
    this.loaded = true;
  }
}

function requireOf(module) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  require.main = main;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

const from = (module) => module?.filename ?? `${process.cwd()}/[eval]`;

function find(request, module) {
  try {
    return JSON.parse(host("module.require", request, from(module)));
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") {
      const stack = [];
      for (let at = module; at?.filename; at = at.parent) stack.push(at.filename);
      error.requireStack = stack;
      if (stack.length > 0) {
        const message = `${error.message}\nRequire stack:\n- ${stack.join("\n- ")}`;
        Object.defineProperty(error, "stack", {
          value: error.stack.replace(error.message, () => message),
          configurable: true,
          writable: true,
        });
        error.message = message;
      }
    }
    throw error;
  }
}

Module._cache = Object.create(null);
Module._pathCache = Object.create(null);
Module._extensions = Object.create(null);
Module.globalPaths = [];
Module.wrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];
Module.wrap = (code) => Module.wrapper[0] + code + Module.wrapper[1];
Module.Module = Module;
Module._nodeModulePaths = (folder) => JSON.parse(host("module.paths", `${folder}/x`));
/** The folders in which a request is looked up; for a relative request, the folder of the requiring file. */
Module._resolveLookupPaths = (request, parent) => {
  if (host("module.isBuiltin", request)) return null;
  const file = from(parent);
  return /^\.\.?(?:\/|$)/.test(request) ? [dirname(file)] : JSON.parse(host("module.paths", file));
};
Module._preloadModules = (requests) => {
  if (!Array.isArray(requests) || requests.length === 0) return;
  const module = new Module("internal/preload");
  module.filename = `${process.cwd()}/[preload]`;
  for (const request of requests) module.require(request);
};
Module._initPaths = () => {};
Module.runMain = (path = process.argv[1]) => loadFile(Module._resolveFilename(path, undefined), undefined, true);
Module._resolveFilename = (request, parent, _isMain, options) => {
  if (options?.paths) {
    let last;
    for (const path of options.paths) {
      try {
        return Module._resolveFilename(request, { filename: `${path}/[paths]` });
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }
  const found = find(request, parent);
  return found.kind === "builtin" ? (request.startsWith("node:") ? request : found.name) : found.path;
};
Module._load = (request, parent, isMain) => {
  const found = find(request, parent);
  if (found.kind === "builtin") return builtin(found.name);
  return loadFile(found.path, parent, isMain);
};
Module._extensions[".json"] = (loaded, filename) => {
  const text = host("module.text", filename);
  try {
    loaded.exports = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};
Module._extensions[".js"] = (loaded, filename) => {
  const extension = /\.[^./]+$/.exec(filename)?.[0] ?? "";
  // A program that compiles such files with its own function needs their unchanged text.
  if (extension !== ".js" && Object.hasOwn(Module._extensions, extension)) {
    loaded._compile(host("fs.readText", filename).replace(/^\uFEFF/, ""), filename);
    return;
  }
  const format = host("module.format", filename);
  if (format === "module") loaded.exports = requireModule(filename);
  else loaded._compile(host("module.text", filename), filename);
};
Module._extensions[".node"] = (_module, filename) => {
  throw codeError(Error, "ERR_DLOPEN_FAILED", `${filename} is native code, which can't be run here`);
};

/** Loads an ES module synchronously; its top level must not wait for anything. */
function requireModule(filename) {
  const promise = host("module.now", host("module.url", filename));
  const state = host("promise.state", promise);
  if (state === 2) {
    promise.catch(() => {});
    throw host("promise.result", promise);
  }
  if (state !== 1)
    throw codeError(
      Error,
      "ERR_REQUIRE_ASYNC_MODULE",
      "require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.",
    );
  const { names } = globalThis[machine].taken;
  // The module itself declares what `require` returns.
  if ("module.exports" in names) return names["module.exports"];
  if (!("default" in names) || "__esModule" in names) return names;
  // The mark that compiled CommonJS code checks before it uses the default export.
  const marked = Object.create(null, { __esModule: { value: true, enumerable: true }, [Symbol.toStringTag]: { value: "Module" } });
  for (const name of Object.keys(names)) Object.defineProperty(marked, name, { enumerable: true, get: () => names[name] });
  return marked;
}

export function loadFile(path, parent, isMain = false) {
  const known = Module._cache[path];
  if (known !== undefined) {
    if (parent?.children && !parent.children.includes(known)) parent.children.push(known);
    return known.exports;
  }
  const module = new Module(path, isMain ? null : parent);
  if (isMain) {
    module.id = ".";
    main = module;
    process.mainModule = module;
  }
  Module._cache[path] = module;
  let done = false;
  try {
    module.load(path);
    done = true;
  } finally {
    if (!done) delete Module._cache[path];
  }
  return module.exports;
}

export const requireFile = (path) => loadFile(path, undefined);

Module.createRequire = (given) => {
  const path = given instanceof URL || String(given).startsWith("file:") ? fileURLToPath(given) : String(given);
  if (!path.startsWith("/"))
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      `The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received '${path}'`,
    );
  const module = new Module(path);
  module.filename = path.endsWith("/") ? `${path}noop.js` : path;
  return requireOf(module);
};
Module.isBuiltin = (name) => host("module.isBuiltin", String(name));
Object.defineProperty(Module, "builtinModules", {
  enumerable: true,
  configurable: true,
  get: () => JSON.parse(host("module.builtins")),
  // Code that extends the class copies its properties.
  set(value) {
    Object.defineProperty(this, "builtinModules", { value, enumerable: true, configurable: true, writable: true });
  },
});
Module.syncBuiltinESMExports = () => {};
Module.findSourceMap = () => undefined;
Module.SourceMap = class SourceMap {
  constructor() {
    throw codeError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "source maps are not read here");
  }
};
Module.register = () => {
  throw codeError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "module loaders can't be replaced here; node runs TypeScript by itself");
};
for (const name of Object.keys(Module))
  if (name.startsWith("_") && name !== "_extensions" && name !== "_cache") Object.defineProperty(Module, name, { enumerable: true });

/** Fills `import.meta`. */
export function meta(target, url) {
  target.dirname = undefined;
  target.filename = undefined;
  if (url.startsWith("file:")) {
    const path = fileURLToPath(url.replace(/[?#].*$/, ""));
    target.dirname = dirname(path);
    target.filename = path;
  } else {
    delete target.dirname;
    delete target.filename;
  }
  target.resolve = (specifier) => host("module.resolve", String(specifier), url);
  target.url = url;
}

/** A module for code that is in no file. */
export function evalModule(path) {
  const module = new Module("[eval]");
  module.filename = path;
  module.paths = JSON.parse(host("module.paths", path));
  const require = requireOf(module);
  return { module, require };
}
