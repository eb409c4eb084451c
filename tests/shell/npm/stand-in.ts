import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import { type Member, packTar } from "../../../src/shell/embedded/commands/tar-format.ts";

export const registryAddress = "https://registry.npmjs.org/";

/** A package: its package.json, and its other files by path. */
export interface StandInPackage {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  readonly files: () => Readonly<Record<string, string | Uint8Array>>;
}

/** A stand-in for a registry: it answers requests like npm's registry, with packages from a test. */
export interface StandIn {
  add(...packages: readonly StandInPackage[]): void;
  /** Answers with other bytes than the description promises. */
  spoil(name: string, version: string): void;
  /** Answers with this archive. */
  replaceArchive(name: string, version: string, archive: Uint8Array): void;
  answer(request: Pick<NetRequest, "url" | "headers">): NetAnswer;
  /** The requested addresses, in order. */
  readonly asked: string[];
}

const shortKeys =
  "name version dependencies devDependencies optionalDependencies peerDependencies peerDependenciesMeta bundleDependencies bin directories engines os cpu libc deprecated funding".split(
    " ",
  );

export function standIn(tags: Readonly<Record<string, Readonly<Record<string, string>>>> = {}): StandIn {
  const packages = new Map<string, Map<string, StandInPackage>>();
  const archives = new Map<string, Uint8Array>();
  const spoiled = new Set<string>();
  const asked: string[] = [];

  const archiveOf = ({ manifest, files }: StandInPackage): Uint8Array => {
    const key = `${manifest.name}@${manifest.version}`;
    const known = archives.get(key);
    if (known) return known;
    const made = pack({ "package.json": JSON.stringify(manifest), ...files() });
    archives.set(key, made);
    return made;
  };
  const replaced = new Map<string, Uint8Array>();
  const sent = (one: StandInPackage): Uint8Array => replaced.get(`${one.manifest.name}@${one.manifest.version}`) ?? archiveOf(one);

  function describe(one: StandInPackage, full: boolean): Record<string, unknown> {
    const { manifest } = one;
    const { name, version, scripts } = manifest;
    const kept = full
      ? manifest
      : Object.fromEntries(shortKeys.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]])));
    const events = ["preinstall", "install", "postinstall"];
    const installs = typeof scripts === "object" && scripts !== null && events.some((event) => event in scripts);
    const tarball = `${registryAddress}${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
    const integrity = `sha512-${createHash("sha512").update(sent(one)).digest("base64")}`;
    return {
      ...kept,
      ...(installs ? { hasInstallScript: true } : {}),
      dist: { tarball, integrity, shasum: createHash("sha1").update(sent(one)).digest("hex") },
    };
  }

  const answerWith = (url: string, status: number, body: string | Uint8Array): NetAnswer => ({
    kind: "answer",
    url,
    status,
    statusText: status === 200 ? "OK" : "Not Found",
    headers: [],
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  });

  return {
    asked,
    add(...more) {
      for (const one of more) {
        const { name, version } = one.manifest;
        packages.set(name, (packages.get(name) ?? new Map()).set(version, one));
      }
    },
    spoil: (name, version) => void spoiled.add(`${name}@${version}`),
    replaceArchive: (name, version, archive) => void replaced.set(`${name}@${version}`, archive),
    answer({ url, headers }) {
      asked.push(url);
      const path = decodeURIComponent(url.slice(registryAddress.length));
      const archive = /^(.+)\/-\/.*?-(\d[^/]*)\.tgz$/.exec(path);
      if (archive) {
        const [, name = "", version = ""] = archive;
        const one = packages.get(name)?.get(version);
        if (!one) return answerWith(url, 404, "");
        const bytes = sent(one);
        return answerWith(url, 200, spoiled.has(`${name}@${version}`) ? bytes.slice().fill(0, 40, 60) : bytes);
      }
      const versions = packages.get(path);
      if (!versions) return answerWith(url, 404, '{"error":"Not found"}');
      const full = !headers.some(([name, value]) => name.toLowerCase() === "accept" && value.includes("install-v1"));
      const latest = [...versions.keys()].filter((version) => !version.includes("-")).at(-1) ?? [...versions.keys()].at(-1);
      const body = {
        _id: path,
        name: path,
        "dist-tags": { latest, ...tags[path] },
        versions: Object.fromEntries([...versions].map(([version, one]) => [version, describe(one, full)])),
      };
      return answerWith(url, 200, JSON.stringify(body));
    },
  };
}

/** An archive as npm packs it: everything is below `package/`. */
export function pack(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const members = Object.entries(files).map(([path, content]) => member(`package/${path}`, content));
  return new Uint8Array(gzipSync(packTar(members), { level: 1 }));
}

export function member(name: string, content: string | Uint8Array): Member {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, kind: "file", bytes, mode: 0o644, mtime: 0, target: "" };
}

/** A package from the repository's node_modules, with all its files unchanged. */
export function fromNodeModules(name: string, as = name): StandInPackage {
  const folder = join(import.meta.dirname, "../../../node_modules", name);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest) || typeof manifest.version !== "string")
    throw new Error(`${name} has no version`);
  const { version } = manifest;
  return {
    manifest: { ...manifest, name: as, version },
    files: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
          .filter((path) => path !== "package.json" && !path.startsWith("node_modules/"))
          .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))]),
      ),
  };
}

/**
 * A registry in short notation, one package per line: `a 1.0.0 b@^1 c@2 peer:d@1 opt:e@*`, and `[os=darwin]`, `[deprecated=why]`, `[node=>=99]`,
 * `[bin]`, `[scripts]`.
 */
export function packagesOf(text: string): StandInPackage[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const marks = new Map([...line.matchAll(/\[(\w+)(?:=([^\]]*))?\]/g)].map(([, key = "", value = ""]) => [key, value]));
      const [name = "", version = "", ...words] = line
        .replaceAll(/\[[^\]]*\]/g, "")
        .trim()
        .split(/\s+/);
      const lists: Record<string, Record<string, string>> = {};
      for (const word of words) {
        const [, kind = "", dependency = "", spec = ""] = /^(?:(peer|peeropt|opt|dev):)?((?:@[^/]+\/)?[^@]+)@(.*)$/.exec(word) ?? [];
        const list =
          kind === "peer" || kind === "peeropt"
            ? "peerDependencies"
            : kind === "opt"
              ? "optionalDependencies"
              : kind === "dev"
                ? "devDependencies"
                : "dependencies";
        (lists[list] ??= {})[dependency] = spec;
        if (kind === "peeropt") (lists["peerDependenciesMeta"] ??= {})[dependency] = "optional";
      }
      const meta = Object.keys(lists["peerDependenciesMeta"] ?? {});
      const manifest = {
        name,
        version,
        license: "MIT",
        ...lists,
        ...(meta.length > 0 ? { peerDependenciesMeta: Object.fromEntries(meta.map((each) => [each, { optional: true }])) } : {}),
        ...(marks.has("os") ? { os: [marks.get("os")] } : {}),
        ...(marks.has("deprecated") ? { deprecated: marks.get("deprecated") } : {}),
        ...(marks.has("node") ? { engines: { node: marks.get("node") } } : {}),
        ...(marks.has("bin") ? { bin: { [name]: "./cli.js" } } : {}),
        ...(marks.has("bundle") ? { bundleDependencies: [marks.get("bundle")] } : {}),
        ...(marks.has("scripts") ? { scripts: { postinstall: "node -e 1" } } : {}),
      };
      return {
        manifest,
        files: () => ({
          ...(marks.has("bundle")
            ? { [`node_modules/${marks.get("bundle")}/package.json`]: JSON.stringify({ name: marks.get("bundle"), version: "1.0.0" }) }
            : {}),
          "index.js": `module.exports = "${name}@${version}";\n`,
          ...(marks.has("bin") ? { "cli.js": `#!/usr/bin/env node\nconsole.log("${name}", process.argv.slice(2).join("|"));\n` } : {}),
        }),
      };
    });
}
