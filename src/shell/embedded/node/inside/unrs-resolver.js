// Replaces the native part of the package `unrs-resolver`, with which jest 30 resolves modules.
import { host } from "./host.js";

export class ResolverFactory {
  #options;
  constructor(options = {}) {
    this.#options = JSON.stringify(options ?? {});
  }
  static default() {
    return new ResolverFactory();
  }
  cloneWithOptions(options) {
    return new ResolverFactory(options);
  }
  clearCache() {}
  sync(folder, request) {
    return JSON.parse(host("module.find", String(folder), String(request), this.#options));
  }
  async async(folder, request) {
    return this.sync(folder, request);
  }
  resolveFileSync(file, request) {
    return this.sync(String(file).replace(/\/[^/]*$/, "") || "/", request);
  }
  async resolveFileAsync(file, request) {
    return this.resolveFileSync(file, request);
  }
}

export const unrsResolver = () => ({
  ResolverFactory,
  sync: (folder, request) => new ResolverFactory().sync(folder, request),
  EnforceExtension: { Auto: 0, Enabled: 1, Disabled: 2 },
  ModuleType: { Module: "module", CommonJs: "commonjs", Json: "json", Wasm: "wasm", Addon: "addon" },
});
