import semver from "semver";
import { NpmError } from "../failure.ts";
import { findLock } from "../install/ideal.ts";
import { type PackageJson, sortLists } from "../install/save.ts";
import { isRecord, textOf } from "../manifest.ts";
import { needPackage, type Npm, packagePath, readPackage } from "../npm.ts";
import { defaultLayout, type JsonFile, jsonText, writeText } from "../project/json-file.ts";
import { nodeVersion, npmVersion } from "../registry/pick.ts";
import { runEvents } from "./run.ts";

/** `npm init`. No one can be asked, so npm's defaults are the answers. */
export function init(npm: Npm): number {
  const [initializer] = npm.call.operands;
  if (initializer !== undefined)
    throw new NpmError(
      null,
      `npm init ${initializer} runs create-${initializer}, which asks questions in a terminal; run \`npx create-${initializer}\` with its options instead.`,
    );
  if (!npm.config.flag("yes")) throw new NpmError(null, "npm init asks questions in a terminal, and there is none; use npm init -y");
  const before = readPackage(npm);
  const folder = npm.context.cwd;
  const path = `${folder === "/" ? "" : folder}/package.json`;
  const own = before?.path === path ? before : null;
  const name =
    folder
      .split("/")
      .at(-1)
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9._~-]+/g, "-")
      .replace(/^[._]+/, "") || "project";
  const main =
    npm.host.files.stat(`${folder}/index.js`) !== null
      ? "index.js"
      : ((npm.host.files.stat(folder)?.kind === "folder"
          ? npm.host.files.list(folder).find((each) => each.name.endsWith(".js"))?.name
          : undefined) ?? "index.js");
  const value = {
    ...own?.value,
    name: own?.value["name"] ?? name,
    version: own?.value["version"] ?? npm.config.text("init-version") ?? "1.0.0",
    description: own?.value["description"] ?? "",
    main: own?.value["main"] ?? main,
    scripts: own?.value["scripts"] ?? { test: 'echo "Error: no test specified" && exit 1' },
    keywords: own?.value["keywords"] ?? [],
    author: own?.value["author"] ?? "",
    license: own?.value["license"] ?? "ISC",
    type: own?.value["type"] ?? npm.config.text("init-type") ?? "commonjs",
  };
  const text = jsonText(value, own ?? defaultLayout);
  writeText(npm.host.files, path, text);
  npm.out(`Wrote to ${path}:\n\n${text}\n\n`);
  return 0;
}

/** `npm pkg get|set|delete`. */
export function pkg(npm: Npm): number {
  const [verb, ...args] = npm.call.operands;
  const own = needPackage(npm);
  if (verb === "get") {
    if (args.length === 0) npm.out(JSON.stringify(own.value, null, 2));
    else {
      const found = args.map((path) => [path, valueAt(own.value, keysOf(path))] as const);
      const [first] = found;
      npm.out(
        JSON.stringify(
          found.length === 1 && first ? (first[1] ?? {}) : Object.fromEntries(found.filter(([, value]) => value !== undefined)),
          null,
          2,
        ),
      );
    }
    return 0;
  }
  if (verb === "set" || verb === "delete") {
    if (args.length === 0)
      throw new NpmError("EUSAGE", ["", `npm pkg ${verb} expects ${verb === "set" ? "key=value pairs" : "key names"}`]);
    let value: unknown = own.value;
    for (const arg of args) {
      const at = arg.indexOf("=");
      if (verb === "set" && at < 1) throw new NpmError("EUSAGE", ["", "npm pkg set expects a key=value pair of args."]);
      const text = arg.slice(at + 1);
      value =
        verb === "set"
          ? withValue(value, keysOf(arg.slice(0, at)), npm.config.flag("json") ? json(text) : text)
          : withValue(value, keysOf(arg), undefined);
    }
    const changed: PackageJson = isRecord(value) ? { ...value } : {};
    sortLists(changed);
    writeText(npm.host.files, own.path, jsonText(changed, own));
    return 0;
  }
  throw new NpmError("EUSAGE", [
    "",
    "Usage:",
    "npm pkg set <key>=<value> [<key>=<value> ...]",
    "npm pkg get [<key> [<key> ...]]",
    "npm pkg delete <key> [<key> ...]",
  ]);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NpmError("EJSONPARSE", `"${text}" is no JSON`);
  }
}

/** The key of `list[]`, which appends to the list. */
const append = "";

/** Splits `exports[./a.js].import` into keys. A key in brackets may contain dots. */
const keysOf = (path: string): string[] => [...path.matchAll(/\[([^\]]*)\]|[^.[]+/g)].map(([key, inBrackets]) => inBrackets ?? key);

function valueAt(value: unknown, keys: readonly string[]): unknown {
  if (keys.includes(append)) throw new NpmError("EINVALIDSYNTAX", "Empty brackets are not valid syntax for retrieving values.");
  let found = value;
  for (const key of keys)
    found = Array.isArray(found) ? found[Number(key)] : isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** Returns a copy with one value changed; `undefined` removes it. */
function withValue(value: unknown, keys: readonly string[], put: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return put;
  if (Array.isArray(value) || ((key === append || /^\d+$/.test(key)) && value === undefined)) {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    const at = key === append ? list.length : Number(key);
    list[at] = withValue(list[at], rest, put);
    return list.filter((each) => each !== undefined);
  }
  if (key === append) throw new NpmError("ENOAPPEND", "Can't use append syntax in non-Array element");
  const entries = Object.entries(isRecord(value) ? value : {});
  const inner = withValue(entries.find(([name]) => name === key)?.[1], rest, put);
  const others = entries.some(([name]) => name === key)
    ? entries.map(([name, each]) => [name, name === key ? inner : each] as const)
    : [...entries, [key, inner] as const];
  return Object.fromEntries(others.filter(([, each]) => each !== undefined));
}

const releases = ["major", "minor", "patch", "premajor", "preminor", "prepatch", "prerelease"] as const;

/** `npm version`: without an argument it lists versions, otherwise it writes a new one. It makes no commit and no tag; that is left to git. */
export async function version(npm: Npm): Promise<number> {
  const [wanted] = npm.call.operands;
  const own = wanted === undefined ? readPackage(npm) : needPackage(npm);
  if (wanted === undefined || own === null) {
    const name = textOf(own?.value["name"]);
    const current = textOf(own?.value["version"]);
    npm.out(
      JSON.stringify(
        { ...(name !== undefined && current !== undefined ? { [name]: current } : {}), npm: npmVersion, node: nodeVersion },
        null,
        2,
      )
        .replaceAll(/^ {2}"([a-z]+)":/gm, "  $1:")
        .replaceAll('"', "'"),
    );
    return 0;
  }
  const current = textOf(own.value["version"]) ?? "0.0.0";
  const release = releases.find((each) => each === wanted);
  const next = release === undefined ? semver.valid(wanted, true) : semver.inc(current, release, npm.config.text("preid") ?? "");
  if (next === null) throw new NpmError(null, `Invalid version: ${wanted}`);
  if (next === current && !npm.config.flag("allow-same-version"))
    throw new NpmError(null, "Version not changed, might want --allow-same-version");
  const before = await runEvents(npm, own, ["preversion"]);
  if (before !== 0) return before;
  writeText(npm.host.files, own.path, jsonText({ ...own.value, version: next }, own));
  const lock = findLock(npm);
  if (lock !== null) writeText(npm.host.files, lock.path, jsonText(lockWith(lock, next), lock));
  npm.out(`v${next}`);
  if (npm.config.flag("git-tag-version") && npm.host.files.stat(`${npm.prefix}/.git`) !== null)
    npm.warn("version nothing was committed or tagged; do that with git");
  return runEvents(npm, own, ["version", "postversion"]);
}

function lockWith(lock: JsonFile, next: string): Record<string, unknown> {
  const packages = isRecord(lock.value["packages"]) ? lock.value["packages"] : {};
  const root = isRecord(packages[""]) ? packages[""] : {};
  return { ...lock.value, version: next, packages: { ...packages, "": { ...root, version: next } } };
}

/** `npm config get|list`. */
export function config(npm: Npm): number {
  const [verb = "list", ...keys] = npm.call.operands;
  const known = (key: string): string =>
    key === "registry"
      ? npm.registry.address
      : key === "prefix" || key === "local-prefix"
        ? npm.prefix
        : (npm.config.text(key) ?? "undefined");
  if (verb === "get" && keys.length > 0) {
    for (const key of keys) npm.out(keys.length === 1 ? known(key) : `${key}=${known(key)}`);
    return 0;
  }
  if (verb === "list" || verb === "ls" || verb === "get") {
    npm.out(
      `; "vibey" config\n\nregistry = "${npm.registry.address}"\nprefix = "${npm.prefix}"\n\n; node version = v${nodeVersion}\n; npm version = ${npmVersion}`,
    );
    return 0;
  }
  throw new NpmError(null, `npm config ${verb} is not here; write the setting into ${packagePath(npm).replace("package.json", ".npmrc")}`);
}
