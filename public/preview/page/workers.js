/**
 * Workers from project files. A worker starts with a script of the preview (`begin`). It gets its own script, and the messages sent so far,
 * once that script is loaded. A module worker doesn't start from a blob: URL without an origin, so `begin` imports the module. No import map
 * applies in workers, so imports become URLs from the innermost module outward, and may not form a circle.
 */
window.previewParts.push(function workers(kit) {
  "use strict";

  /** Runs in the worker. */
  function begin() {
    self.addEventListener("message", function first({ data }) {
      self.removeEventListener("message", first);
      const { url, scripts, module } = data;
      const real = self.importScripts;
      if (!module)
        self.importScripts = (...names) =>
          real.apply(
            self,
            names.map((name) => scripts[name] ?? name),
          );
      if (module) {
        // Messages are kept until the module has run and listens.
        const early = [];
        const keep = (event) => {
          early.push(event);
          event.stopImmediatePropagation();
        };
        self.addEventListener("message", keep);
        import(url).then(
          () => {
            self.removeEventListener("message", keep);
            for (const { data, ports } of early) self.dispatchEvent(new MessageEvent("message", { data, ports: [...ports] }));
          },
          // Reported as the worker's own error, it reaches the page.
          (error) => setTimeout(() => reportError(error), 0),
        );
      } else real.call(self, url);
    });
  }

  kit.replaceWorkers = () => {
    const RealWorker = window.Worker;
    window.Worker = class Worker extends RealWorker {
      #held = [];
      constructor(url, options = {}) {
        const path = kit.resolve(url);
        if (path === null) {
          super(url, options);
          this.#held = null;
          return;
        }
        const text = `(${begin})();`;
        super(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { ...options, type: "classic" });
        this.addEventListener("error", ({ message, filename, lineno }) => {
          if (message) kit.print("error", [`${message} (${filename}:${lineno})`]);
        });
        void this.#start(path, options.type === "module");
      }
      async #start(path, module) {
        try {
          const scripts = {};
          const url = module ? await moduleUrl(path, []) : await classicUrl(path, scripts);
          super.postMessage({ url, scripts, module });
          const held = this.#held;
          this.#held = null;
          for (const values of held) super.postMessage(...values);
        } catch (error) {
          this.dispatchEvent(new ErrorEvent("error", { message: `The worker did not start: ${error.message}`, filename: path }));
        }
      }
      postMessage(...values) {
        if (this.#held === null) super.postMessage(...values);
        else this.#held.push(values);
      }
    };
  };

  const made = new Map();

  async function moduleUrl(key, chain) {
    if (chain.includes(key)) throw new Error(`imports in a circle are not to be had in a worker: ${[...chain, key].join(" → ")}`);
    if (made.has(key)) return made.get(key);
    const path = kit.split(key)[0];
    const script = (await kit.kind(path)) === "script" ? await kit.ask({ as: "module", path: key, mapped: [] }) : await data(path);
    if (script.parts === undefined) throw new Error(script.problem ?? kit.notThere(path));
    let text = "";
    for (const part of script.parts) {
      if (typeof part === "string") text += part;
      else if (part.here) text += JSON.stringify(kit.virtual(path));
      else if (part.to === undefined) {
        if (!part.late) throw new Error(`${part.problem} (${path}:${part.line})`);
        text += JSON.stringify(part.specifier);
      } else text += JSON.stringify(await moduleUrl(part.to, [...chain, key]));
    }
    const url = kit.keep(path, text, "text/javascript;charset=utf-8");
    made.set(key, url);
    return url;
  }

  async function data(path) {
    if ((await kit.kind(path)) !== "json") return { problem: `${path} is no script.` };
    const { text } = await kit.ask({ as: "text", path });
    return text === undefined ? {} : { parts: [`export default JSON.parse(${JSON.stringify(text)});`] };
  }

  /** The URL of a classic script. The files that it names in `importScripts` are loaded in advance into `scripts`. */
  async function classicUrl(path, scripts, from = path) {
    const script = await kit.ask({ as: "classic", path, mapped: [] });
    if (script.parts === undefined) throw new Error(script.problem ?? kit.notThere(path));
    const text = script.parts
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part.here ? kit.virtual(path) : part.specifier)))
      .join("");
    for (const [, list] of text.matchAll(/\bimportScripts\(([^)]*)\)/g)) {
      for (const [, , name] of list.matchAll(/(["'])([^"'\n]+)\1/g)) {
        const other = kit.resolve(name, from);
        if (other !== null && !(name in scripts)) {
          scripts[name] = "";
          scripts[name] = await classicUrl(other, scripts, from);
        }
      }
    }
    return kit.keep(path, text, "text/javascript;charset=utf-8");
  }
});
