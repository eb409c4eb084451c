import { fromBytes } from "../encoding.ts";
import type { SyncFiles } from "../sync-files.ts";
import { NpmError } from "./failure.ts";

/** npm's settings from .npmrc, from `npm_config_*` in the environment and from the command line; the last one wins. */
export interface Config {
  text(name: string): string | null;
  flag(name: string): boolean;
  list(name: string): readonly string[];
  /** The registries of scopes: `@scope` to address. */
  readonly scopes: ReadonlyMap<string, string>;
  /** Whether a file contains a password or a token. It is never sent. */
  readonly hasSecret: boolean;
}

/** A parsed npm command line. */
export interface Call {
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  /** The words after `--`. */
  readonly rest: readonly string[];
  readonly warnings: readonly string[];
}

const letters: Readonly<Record<string, string>> = {
  D: "save-dev",
  E: "save-exact",
  O: "save-optional",
  P: "save-prod",
  S: "save",
  f: "force",
  g: "global",
  y: "yes",
  a: "all",
  l: "long",
  s: "silent",
  p: "package",
  c: "call",
  v: "version",
  h: "help",
  C: "prefix",
  q: "quiet",
  w: "workspace",
};

/** Short names that are no list of letters. */
const words: Readonly<Record<string, string>> = { ws: "workspaces", iwr: "include-workspace-root" };

const withValue = new Set([
  "prefix",
  "registry",
  "tag",
  "omit",
  "include",
  "depth",
  "package",
  "call",
  "loglevel",
  "save-prefix",
  "workspace",
  "cache",
  "userconfig",
  "script-shell",
  "otp",
  "access",
  "install-strategy",
  "cwd",
]);

const flags = new Set([
  ..."save save-dev save-exact save-optional save-prod save-peer save-bundle force global yes all long silent version help quiet json parseable dry-run".split(
    " ",
  ),
  ..."package-lock package-lock-only ignore-scripts audit fund progress legacy-peer-deps strict-peer-deps prefer-dedupe prefer-offline prefer-online".split(
    " ",
  ),
  ..."offline engine-strict if-present workspaces color unicode git-tag-version allow-same-version bin-links foreground-scripts update-notifier".split(
    " ",
  ),
  ..."production dev only prod verbose install-links include-workspace-root".split(" "),
]);

/** Options may be anywhere. With `stopAt` they end at that operand, as for `npx`. */
export function parseCall(args: readonly string[], stopAt = Number.POSITIVE_INFINITY): Call {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  const warnings: string[] = [];
  const add = (name: string, value: string): void => void options.set(name, [...(options.get(name) ?? []), value]);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (operands.length >= stopAt) return { options, operands, rest: args.slice(i), warnings };
    if (arg === "--") return { options, operands, rest: args.slice(i + 1), warnings };
    if (arg.startsWith("--") || (/^-[a-zA-Z]/.test(arg) && arg.length > 1)) {
      const [given = "", ...values] = arg.startsWith("--") ? arg.slice(2).split("=") : [arg.slice(1)];
      const long = arg.startsWith("--") ? given : words[given];
      if (long !== undefined && !arg.startsWith("--"))
        warnings.push(`${arg} is not a valid single-hyphen cli flag and will be removed in the future`);
      const names = long !== undefined ? [long] : given.split("").map((letter) => letters[letter] ?? letter);
      for (const name of names) {
        if (name === "no" || name === "no-install") {
          add("yes", "false");
          continue;
        }
        const negative = name.startsWith("no-") && !flags.has(name);
        const known = flags.has(name) || withValue.has(name) || (negative && flags.has(name.slice(3)));
        if (!known) warnings.push(`Unknown cli config "--${name}". This will stop working in the next major version of npm.`);
        if (values.length > 0) add(name, values.join("="));
        else if (withValue.has(name) && i + 1 < args.length) add(name, args[++i] ?? "");
        else if (negative) add(name.slice(3), "false");
        else add(name, "true");
      }
    } else operands.push(arg);
  }
  return { options, operands, rest: [], warnings };
}

export interface ConfigSources {
  readonly files: SyncFiles;
  /** The folders whose .npmrc applies, lowest priority first. */
  readonly folders: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly call: Pick<Call, "options">;
}

export function readConfig({ files, folders, env, call }: ConfigSources): Config {
  const settings = new Map<string, readonly string[]>();
  const scopes = new Map<string, string>();
  let hasSecret = false;
  for (const folder of folders) {
    const path = `${folder === "/" ? "" : folder}/.npmrc`;
    if (files.stat(path)?.kind !== "file") continue;
    for (const line of fromBytes(files.read(path), undefined).split("\n")) {
      const text = line.trim();
      const at = text.indexOf("=");
      if (text === "" || /^[#;]/.test(text)) continue;
      const key = (at < 0 ? text : text.slice(0, at)).trim();
      const value =
        at < 0
          ? "true"
          : text
              .slice(at + 1)
              .trim()
              .replace(/^"(.*)"$/, "$1");
      if (/(?:^|:)_(?:auth|authToken|password)$|:username$|^_auth/.test(key)) hasSecret = true;
      else if (/^@[^:]+:registry$/.test(key)) scopes.set(key.slice(0, key.indexOf(":")), registryAddress(value));
      else if (key.endsWith("[]")) settings.set(key.slice(0, -2), [...(settings.get(key.slice(0, -2)) ?? []), value]);
      else settings.set(key, [value]);
    }
  }
  for (const [key, value] of env)
    if (/^npm_config_/i.test(key)) settings.set(key.slice("npm_config_".length).toLowerCase().replaceAll("_", "-"), [value]);
  for (const [key, value] of call.options) {
    if (/^@[^:]+:registry$/.test(key)) scopes.set(key.slice(0, key.indexOf(":")), registryAddress(value.at(-1) ?? ""));
    settings.set(key, value);
  }
  const text = (name: string): string | null => settings.get(name)?.at(-1) ?? null;
  return {
    text,
    flag: (name) => {
      const value = text(name) ?? defaults[name] ?? "false";
      return value !== "false" && value !== "";
    },
    list: (name) => (settings.get(name) ?? []).flatMap((value) => value.split(",")),
    scopes,
    hasSecret,
  };
}

const defaults: Readonly<Record<string, string>> = { save: "true", "package-lock": "true", "bin-links": "true", "git-tag-version": "true" };

export const defaultRegistry = "https://registry.npmjs.org/";

/** Adds a trailing slash, because package addresses are appended. */
export function registryAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new NpmError("EINVALIDREGISTRY", `the registry "${text}" is no http or https address`);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new NpmError("EINVALIDREGISTRY", "the registry's address holds a password, which is never sent from here");
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
