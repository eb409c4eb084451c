/**
 * Modules. Each has a key (a path and, after a "?", the wanted form) and a blob: URL. The import map leads from the address in scripts to
 * that URL, so modules may import each other in a circle.
 */
window.previewParts.push(function modules(kit) {
  "use strict";

  /** Addresses in the page's own import maps, by name. @type {Map<string, string>} */
  const names = new Map();
  kit.mappedNames = () => [...names.keys()];

  kit.readImportMap = (text) => {
    try {
      const { imports = {}, scopes } = JSON.parse(text);
      for (const [name, target] of Object.entries(imports)) names.set(name, String(target));
      if (scopes !== undefined) kit.print("warn", ["The preview ignores scopes in import maps."]);
    } catch (error) {
      kit.print("error", [`Couldn't read the import map: ${error.message}`]);
    }
  };

  /** The key for a name in the page's import maps. Null if they don't have the name. */
  function byMap(specifier) {
    let address = names.get(specifier);
    if (address === undefined) {
      const folder = [...names.keys()]
        .filter((name) => name.endsWith("/") && specifier.startsWith(name))
        .toSorted((a, b) => b.length - a.length)[0];
      if (folder === undefined) return null;
      address = names.get(folder) + specifier.slice(folder.length);
    }
    return kit.resolve(address);
  }

  /** A server's addresses have queries of their own, so there the wanted form comes after a "#". */
  const mark = () => (kit.served ? "#" : "?");
  kit.split = (key) => key.split(mark());

  const address = (key) => {
    const [path, query] = kit.split(key);
    return kit.virtual(path) + (query === undefined ? "" : mark() + query);
  };

  /** By key. @type {Map<string, Promise<{url: string | null, needs: string[]}>>} */
  const known = new Map();
  kit.isModule = (path) => [...known.keys()].some((key) => kit.split(key)[0] === path);

  function load(key) {
    let module = known.get(key);
    if (module === undefined) {
      module = make(key);
      known.set(key, module);
    }
    return module;
  }

  async function make(key) {
    const [path, query] = kit.split(key);
    const kind = await kit.kind(path);
    if (query === "url" || query === "raw" || query === "sheet" || kind !== "script") return asset(kind, path, query);
    const script = await kit.ask({ as: "module", path: key, mapped: kit.mappedNames() });
    if (script.parts === undefined) {
      kit.print("error", [script.problem ?? kit.notThere(path)]);
      return { url: null, needs: [] };
    }
    const { text, needs } = fill(script, path);
    return { url: kit.keep(path, text, "text/javascript;charset=utf-8"), needs };
  }

  /** A module for a file that isn't a script. */
  async function asset(kind, path, query) {
    const script = (text) => ({ url: kit.keep(path, text, "text/javascript;charset=utf-8"), needs: [] });
    const value = (what) => script(`export default ${JSON.stringify(what)};`);
    const json = kind === "json";
    if (query === "raw" || query === "sheet" || (query === undefined && (json || kind === "style"))) {
      const { text } = await kit.ask({ as: "text", path });
      if (text === undefined) return gone(path);
      if (query === "raw") return value(text);
      if (json) return script(`export default JSON.parse(${JSON.stringify(text)});`);
      const style = JSON.stringify(await kit.rewriteStyle(text, path, [path]));
      if (query === "sheet") return script(`const sheet = new CSSStyleSheet(); sheet.replaceSync(${style}); export default sheet;`);
      // As bundlers do it: importing the stylesheet adds it to the page.
      return script(
        `const style = document.createElement("style"); style.textContent = ${style}; document.head.append(style); export default style.textContent;`,
      );
    }
    const url = await kit.urlOf(path);
    return url === kit.missing(path) ? gone(path) : value(url);
  }

  function gone(path) {
    kit.print("error", [kit.notThere(path)]);
    return { url: null, needs: [] };
  }

  /** Inserts addresses into a script's text, and returns which modules it needs. */
  function fill({ parts, problem }, from) {
    if (problem !== undefined) kit.print("error", [problem]);
    const needs = [];
    const text = parts.map((part) => {
      if (typeof part === "string") return part;
      if (part.here) return JSON.stringify(kit.virtual(from));
      const to = byMap(part.specifier) ?? part.to;
      if (to === undefined) {
        if (part.problem !== undefined && !part.late) kit.print("error", [`${part.problem} (${from}:${part.line})`]);
        return JSON.stringify(part.specifier);
      }
      needs.push(to);
      return JSON.stringify(address(to));
    });
    return { text: text.join(""), needs };
  }

  const inMap = new Set();
  /** New entries of the import map for these modules and all that they import. Leaves out entries that the map already has. */
  async function gather(keys) {
    const imports = {};
    const seen = new Set();
    const visit = async (key) => {
      if (seen.has(key)) return;
      seen.add(key);
      const { url, needs } = await load(key);
      if (url !== null && !inMap.has(key)) {
        inMap.add(key);
        imports[address(key)] = url;
      }
      await Promise.all(needs.map(visit));
    };
    await Promise.all(keys.map(visit));
    return imports;
  }
  kit.gather = gather;

  /** The text of an inline script, ready to run, and the modules that it needs. */
  kit.inline = async (text, as) => fill(await kit.ask({ as, path: kit.place.path, text, mapped: kit.mappedNames() }), kit.place.path);

  /** The URL of a classic script. Null if there is no such file. */
  kit.scriptUrl = async (path) => {
    const script = await kit.ask({ as: "classic", path, mapped: kit.mappedNames() });
    if (script.parts === undefined) return null;
    const { text, needs } = fill(script, path);
    addToMap(await gather(needs));
    return kit.keep(path, text, "text/javascript;charset=utf-8");
  };

  /** The key of the module in a `<script type="module" src>`. */
  kit.moduleKey = (reference) => kit.resolve(reference);
  kit.moduleUrl = async (key) => (await load(key)).url;

  let written = null;
  /** An import map as a script element. @returns {HTMLScriptElement} */
  kit.importMap = (owner, imports) => {
    written = owner.createElement("script");
    written.type = "importmap";
    written.textContent = JSON.stringify({ imports }).replaceAll("<", "\\u003c");
    return written;
  };
  /** Entries that are added before the page is written: what classic scripts import dynamically. */
  const early = {};
  kit.earlyImports = early;
  kit.addToMap = addToMap;
  function addToMap(imports) {
    if (Object.keys(imports).length === 0) return;
    if (written === null) Object.assign(early, imports);
    else document.head.append(kit.importMap(document, imports));
  }

  Object.defineProperty(window, "previewImport", {
    value: async (from, specifier, options) => {
      const name = String(specifier);
      if (/^(?:blob|data):/.test(name)) return import(name);
      // A file's address, as in `import.meta.url`.
      const own = /^[a-z]+:/i.test(name) ? kit.resolve(name) : null;
      let key = byMap(name);
      if (key === null) {
        const attribute = String(options?.with?.type ?? "");
        const found = await kit.ask({ as: "find", path: from, specifier: own === null ? name : `/${own}`, attribute });
        if (found.to === undefined) throw new TypeError(found.problem ?? `${name} can't be imported.`);
        key = found.to;
      }
      addToMap(await gather([key]));
      return import(address(key));
    },
  });

  // ---- CommonJS

  /** @type {Map<string, {needs: Record<string, {path: string} | {module: object}>, text: string}>} */
  const factories = new Map();
  const loaded = new Map();
  /** The `process` that packages see. */
  const process = { env: { NODE_ENV: "development" }, browser: true, nextTick: (run, ...values) => queueMicrotask(() => run(...values)) };

  function run(path) {
    const there = loaded.get(path);
    if (there !== undefined) return there.exports;
    const module = { exports: {}, id: path };
    loaded.set(path, module);
    const { needs, text } = factories.get(path);
    const require = (name) => {
      const need = Object.hasOwn(needs, name) ? needs[name] : undefined;
      if (need === undefined) throw new Error(`Cannot find module '${name}', which ${path} requires.`);
      return "path" in need ? run(need.path) : need.module;
    };
    try {
      // Runs in the page's scope, not in a module's, which would be strict.
      (0, eval)(text).call(module.exports, module, module.exports, require, process, window);
    } catch (error) {
      loaded.delete(path);
      throw error;
    }
    return module.exports;
  }

  Object.defineProperty(window, "previewModules", {
    value: { define: (path, needs, text) => void factories.set(path, { needs, text }), load: run, process },
  });
});
