import type { BuiltScript, CommonJs, Hole, Part } from "./built.ts";
import type { Build } from "./builder.ts";
import { chooseJsx } from "./jsx.ts";
import { isObject, jsonObject } from "./json.ts";
import { resolveImport } from "./resolve.ts";

/** The deed, as far as scripts need it. */
export interface ScriptFiles {
  readonly has: (path: string) => boolean;
  readonly version: (path: string) => string;
  readonly text: (path: string) => Promise<string | null>;
}

/** A hole filled with its module. A module's key is its path, followed by a "?" and what is wanted of it. */
export type FilledPart =
  | string
  | { readonly here: true }
  | { readonly specifier: string; readonly line: number; readonly late: boolean; readonly to?: string; readonly problem?: string };

export interface FilledScript {
  readonly parts: readonly FilledPart[];
  readonly problem?: string;
}

const isScript = /\.[cm]?[jt]sx?$/i;
/** What a query can ask for besides running the file. Other queries only bypass a cache, and are ignored. */
const wants: Readonly<Record<string, string>> = { "?raw": "?raw", "?url": "?url", "?inline": "?raw" };
/** What `with { type: … }` asks for. */
const types: Readonly<Record<string, string>> = { css: "?sheet", text: "?raw" };

/** The deed's scripts as the preview's frame runs them. `mapped`: the names in the page's import map. */
export function createScripts(files: ScriptFiles, build: Build) {
  /** By path. Each version of a script is built once. */
  const known = new Map<string, { readonly mark: string; readonly built: Promise<BuiltScript | null> }>();
  const names = { has: files.has, read: files.text };

  async function tsconfig(): Promise<Readonly<Record<string, unknown>>> {
    for (const path of ["tsconfig.json", "tsconfig.app.json"]) {
      const text = files.has(path) ? await files.text(path) : null;
      const options = text === null ? null : jsonObject(text)?.["compilerOptions"];
      if (isObject(options) && ("jsx" in options || "jsxImportSource" in options)) return options;
    }
    return {};
  }

  async function jsxOf(text: string, mapped: readonly string[]) {
    const has = (name: string) =>
      files.has(`node_modules/${name}/package.json`) || mapped.includes(`${name}/`) || mapped.includes(`${name}/jsx-runtime`);
    return chooseJsx(text, { options: await tsconfig(), has });
  }

  async function buildText(path: string, text: string, as: "module" | "classic" | "auto", mapped: readonly string[]) {
    return build({ path, text, as, jsx: await jsxOf(text, mapped) });
  }

  function built(path: string, mapped: readonly string[]): Promise<BuiltScript | null> {
    const mark = JSON.stringify([files.version(path), mapped]);
    const entry = known.get(path);
    if (entry?.mark === mark) return entry.built;
    const fresh = files.text(path).then((text) => (text === null ? null : buildText(path, text, "auto", mapped)));
    known.set(path, { mark, built: fresh });
    return fresh;
  }

  async function fill(parts: readonly Part[], from: string): Promise<readonly FilledPart[]> {
    return Promise.all(parts.map(async (part) => (typeof part === "string" || "here" in part ? part : fillHole(part, from))));
  }

  async function fillHole({ specifier, line, type, late }: Hole, from: string): Promise<FilledPart> {
    const found = await lookUp(specifier, from, type);
    return { specifier, line, late: late === true, ...found };
  }

  async function lookUp(specifier: string, from: string, type?: string): Promise<{ readonly to?: string; readonly problem?: string }> {
    if (/^(?:data|blob):/.test(specifier)) return {};
    const found = await resolveImport(specifier, from, names);
    if ("problem" in found) return found;
    return { to: found.path + (wants[found.query] ?? types[type ?? ""] ?? "") };
  }

  /** The module through which other modules import a CommonJS module. */
  async function facade(path: string, mapped: readonly string[]): Promise<readonly FilledPart[]> {
    const shown = [...(await exportsOf(path, mapped, new Set()))];
    const own = JSON.stringify(path);
    const consts = shown.map((name, at) => `const $${at} = $[${JSON.stringify(name)}];`).join("");
    const exports = shown.map((name, at) => `$${at} as ${name}`).join(",");
    return [
      "import ",
      filled(`${path}?cjs`),
      `;const $ = Object(previewModules.load(${own}));export default $.__esModule && "default" in $ ? $.default : previewModules.load(${own});${consts}export {${exports}};`,
    ];
  }

  async function exportsOf(path: string, mapped: readonly string[], seen: Set<string>): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    const script = seen.has(path) || !isScript.test(path) ? null : await built(path, mapped);
    seen.add(path);
    for (const name of script?.commonJs?.exports ?? []) all.add(name);
    for (const other of script?.commonJs?.reexports ?? []) {
      const found = await resolveImport(other, path, names, "require");
      if ("path" in found) for (const name of await exportsOf(found.path, mapped, seen)) all.add(name);
    }
    return all;
  }

  /** A CommonJS module, to run when it is required. It is evaluated as text, so it may use sloppy mode. */
  async function factory(path: string, { requires, text }: CommonJs, mapped: readonly string[]): Promise<readonly FilledPart[]> {
    const parts: FilledPart[] = [];
    const needs: string[] = [];
    for (const [at, specifier] of requires.entries()) {
      const found = await resolveImport(specifier, path, names, "require");
      // Reported only when it is required: many packages just try.
      if ("problem" in found) continue;
      const other = isScript.test(found.path) ? await built(found.path, mapped) : null;
      const name = JSON.stringify(specifier);
      if (other?.commonJs === undefined) {
        parts.push(`import * as $${at} from `, filled(found.path), ";");
        needs.push(`${name}: {module: ${found.path.endsWith(".json") ? `$${at}.default` : `$${at}`}}`);
      } else {
        parts.push("import ", filled(`${found.path}?cjs`), ";");
        needs.push(`${name}: {path: ${JSON.stringify(found.path)}}`);
      }
    }
    const source = `(function (module, exports, require, process, global) {${text}\n})\n//# sourceURL=${encodeURI(path)}`;
    parts.push(`previewModules.define(${JSON.stringify(path)}, {${needs.join(", ")}}, ${JSON.stringify(source)});`);
    return parts;
  }

  const filled = (to: string): FilledPart => ({ specifier: to, line: 1, late: false, to });

  return {
    /** A script among the files, as a module; null if it no longer exists. */
    async module(key: string, mapped: readonly string[]): Promise<FilledScript | null> {
      const [path = "", query] = key.split("?");
      const script = await built(path, mapped);
      if (script === null) return null;
      if (script.commonJs === undefined) return { ...script, parts: await fill(script.parts, path) };
      return { parts: query === "cjs" ? await factory(path, script.commonJs, mapped) : await facade(path, mapped) };
    },
    /** A classic script, or one in a page. */
    async text(path: string, text: string, as: "module" | "classic", mapped: readonly string[]): Promise<FilledScript> {
      const script = await buildText(path, text, as, mapped);
      return { ...script, parts: await fill(script.parts, path) };
    },
    lookUp,
  };
}
export type Scripts = ReturnType<typeof createScripts>;
