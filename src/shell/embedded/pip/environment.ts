import { digest } from "./digest.ts";
import { parsePath } from "../../../fs/path.ts";
import { writeRefusal } from "../../../protocol/write-rules.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { projectFolder } from "../protocol.ts";
import { sitePackages, virtualEnvironment } from "../python/site.ts";
import { pythonFolder, pythonVersion } from "../python/version.ts";
import type { SyncFiles } from "../sync-files.ts";
import { PipError } from "./failure.ts";
import { type Metadata, parseMetadata } from "./metadata.ts";
import { normalized } from "./requirement.ts";
import { consoleScripts, isInside, type Wheel } from "./wheel.ts";

/** An installed package. */
export interface Installed extends Metadata {
  /** The name of its `….dist-info` folder. */
  readonly info: string;
}

/** A folder of packages for programs of `python3`: a virtual environment like the ones that `python3 -m venv` creates. */
export interface Environment {
  /** Absolute. */
  readonly folder: string;
  readonly site: string;
  readonly bin: string;
  /** By normalized name. */
  installed(): ReadonlyMap<string, Installed>;
  /** Creates the folder if it does not exist. */
  create(): void;
  /**
   * @returns the names of the programs that are now in `bin`
   * @throws PipError before anything is written, if the project can't store a file
   */
  install(wheels: readonly Wheel[]): Promise<readonly string[]>;
  /** The absolute paths of a package's files, sorted. */
  filesOf(one: Installed): readonly string[];
  remove(one: Installed): void;
}

/** Maximum bytes of a file in the shell. */
const fileLimit = 64_000_000;

export function environmentOf(files: SyncFiles, env: Readonly<Record<string, string>>): Environment {
  const folder = virtualEnvironment(env);
  return environmentIn(files, folder, sitePackages(env));
}

/** @param folder absolute */
export function environmentIn(files: SyncFiles, folder: string, site = `${folder}/lib/${pythonFolder}/site-packages`): Environment {
  const bin = `${folder}/bin`;
  const textAt = (path: string): string => (files.stat(path)?.kind === "file" ? fromBytes(files.read(path), undefined) : "");

  function write(path: string, bytes: Uint8Array): void {
    files.makeFolder(path.slice(0, path.lastIndexOf("/")), true);
    files.write(path, bytes);
  }

  function installed(): ReadonlyMap<string, Installed> {
    const found = new Map<string, Installed>();
    if (files.stat(site)?.kind !== "folder") return found;
    for (const { name: info, kind } of files.list(site)) {
      if (kind !== "folder" || !info.endsWith(".dist-info")) continue;
      const text = textAt(`${site}/${info}/METADATA`);
      // A folder without it was left by an interrupted command.
      if (text === "") continue;
      const metadata = readMetadata(text, info);
      if (metadata !== null) found.set(normalized(metadata.name), { ...metadata, info });
    }
    return found;
  }

  function create(): void {
    if (files.stat(`${folder}/pyvenv.cfg`) !== null) return;
    files.makeFolder(site, true);
    const lines = ["home = /usr/bin", "include-system-site-packages = false", `version = ${pythonVersion}`, ""];
    write(`${folder}/pyvenv.cfg`, toBytes(lines.join("\n"), undefined));
    // As `python3 -m venv` does: git then ignores the folder.
    write(`${folder}/.gitignore`, toBytes("# Created by venv; see https://docs.python.org/3/library/venv.html\n*\n", undefined));
    write(`${bin}/activate`, toBytes(activate(folder), undefined));
    for (const name of ["python", "python3", "pip", "pip3"]) {
      const program = name.startsWith("pip") ? "/usr/bin/pip" : "/usr/bin/python3";
      write(`${bin}/${name}`, toBytes(`#!/bin/sh\nexport VIRTUAL_ENV=${quoted(folder)}\n${program} "$@"\n`, undefined));
    }
  }

  function filesOf({ info }: Installed): readonly string[] {
    const paths = textAt(`${site}/${info}/RECORD`)
      .split(/\r?\n/)
      .map((line) => (line.startsWith('"') ? line.slice(1, line.indexOf('"', 1)) : (line.split(",")[0] ?? "")));
    const inSite = paths.filter(isInside).map((path) => `${site}/${path}`);
    const inBin = paths.flatMap((path) => /^(?:\.\.\/){3}bin\/([^/]+)$/.exec(path)?.[1] ?? []).map((name) => `${bin}/${name}`);
    return [...inSite, ...inBin].filter((path) => files.stat(path)?.kind === "file").toSorted();
  }

  function remove(one: Installed): void {
    const above = new Set<string>();
    for (const path of filesOf(one)) {
      files.unlink(path);
      const parent = path.slice(0, path.lastIndexOf("/"));
      if (parent.startsWith(`${site}/`)) above.add(parent);
    }
    for (const parent of above) {
      const cache = `${parent}/__pycache__`;
      if (files.stat(cache)?.kind === "folder") files.removeFolder(cache, true);
    }
    if (files.stat(`${site}/${one.info}`)?.kind === "folder") files.removeFolder(`${site}/${one.info}`, true);
    const deepestFirst = [...above].toSorted((a, b) => b.length - a.length);
    for (let path of deepestFirst) {
      for (; path.length > site.length; path = path.slice(0, path.lastIndexOf("/"))) {
        if (files.stat(path)?.kind !== "folder" || files.list(path).length > 0) break;
        files.removeFolder(path, false);
      }
    }
  }

  async function contentOf({ info, files: own, scripts }: Wheel): Promise<ReadonlyMap<string, Uint8Array>> {
    const content = new Map([...own].map(([path, bytes]) => [`${site}/${path}`, bytes]));
    content.set(`${site}/${info}/INSTALLER`, toBytes("pip\n", undefined));
    for (const [name, bytes] of scripts) content.set(`${bin}/${name}`, withInterpreter(bytes));
    const entries = own.get(`${info}/entry_points.txt`);
    for (const [name, target] of entries ? consoleScripts(fromBytes(entries, undefined)) : [])
      content.set(`${bin}/${name}`, toBytes(scriptFor(target), undefined));
    content.delete(`${site}/${info}/RECORD`);
    const record: string[] = [];
    for (const [path, bytes] of content) {
      const relative = path.startsWith(`${bin}/`) ? `../../../bin/${path.slice(bin.length + 1)}` : path.slice(site.length + 1);
      record.push(`${relative.includes(",") ? `"${relative}"` : relative},sha256=${await digest(bytes, "url")},${bytes.length}`);
    }
    record.push(`${info}/RECORD,,`, "");
    content.set(`${site}/${info}/RECORD`, toBytes(record.join("\n"), undefined));
    return content;
  }

  return {
    folder,
    site,
    bin,
    installed,
    create,
    filesOf,
    remove,
    async install(wheels) {
      const contents = await Promise.all(wheels.map(contentOf));
      check(contents);
      // A folder that was only given as the target of packages is not an environment.
      if (site !== folder) create();
      const before = installed();
      for (const { metadata } of wheels) {
        const old = before.get(normalized(metadata.name));
        if (old) remove(old);
      }
      for (const content of contents) for (const [path, bytes] of content) write(path, bytes);
      return contents
        .flatMap((content) => [...content.keys()])
        .flatMap((path) => (path.startsWith(`${bin}/`) ? [path.slice(bin.length + 1)] : []))
        .toSorted();
    },
  };
}

/** Null: the metadata is invalid, so no package is installed there. */
function readMetadata(text: string, from: string): Metadata | null {
  try {
    return parseMetadata(text, from);
  } catch (error) {
    if (error instanceof PipError) return null;
    throw error;
  }
}

/** @throws PipError if a file can't be written where it belongs */
function check(contents: readonly ReadonlyMap<string, Uint8Array>[]): void {
  const all = new Set(contents.flatMap((content) => [...content.keys()]));
  for (const [path, bytes] of contents.flatMap((content) => [...content])) {
    if (bytes.length > fileLimit) throw new PipError(`${path} has ${bytes.length} bytes, and a file has at most ${fileLimit}`);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      if (all.has(path.slice(0, at))) throw new PipError(`${path.slice(0, at)} would be both a file and a folder`);
    checkPath(path);
  }
}

function checkPath(path: string): void {
  if (path.startsWith("/tmp/")) return;
  if (!path.startsWith(`${projectFolder}/`)) throw new PipError(`packages come into ${projectFolder} or /tmp only, not to ${path}`);
  const parsed = parsePath(path.slice(projectFolder.length + 1));
  if (!parsed.ok) throw new PipError(`the project can't hold the file ${JSON.stringify(path)}: ${parsed.failure.why}`);
  const refusal = writeRefusal(parsed.path);
  if (refusal !== null) throw new PipError(refusal);
}

function scriptFor(target: string): string {
  const [module = "", call = ""] = target.split(":");
  const [first = ""] = call.split(".");
  return `#!/usr/bin/env python3\nimport sys\nfrom ${module} import ${first}\nif __name__ == "__main__":\n    sys.exit(${call}())\n`;
}

/** A wheel's script has `#!python` in place of the interpreter's path. */
function withInterpreter(bytes: Uint8Array): Uint8Array {
  const text = fromBytes(bytes, undefined);
  return text.startsWith("#!python") ? toBytes(text.replace(/^#!pythonw?/, "#!/usr/bin/env python3"), undefined) : bytes;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function activate(folder: string): string {
  return [
    '# This file must be used with "source bin/activate" from bash',
    "deactivate () {",
    '    if [ -n "${_OLD_VIRTUAL_PATH:-}" ]; then PATH="$_OLD_VIRTUAL_PATH"; export PATH; unset _OLD_VIRTUAL_PATH; fi',
    "    hash -r",
    "    unset VIRTUAL_ENV",
    '    if [ "${1:-}" != "nondestructive" ]; then unset -f deactivate; fi',
    "}",
    "deactivate nondestructive",
    `VIRTUAL_ENV=${quoted(folder)}`,
    "export VIRTUAL_ENV",
    '_OLD_VIRTUAL_PATH="$PATH"',
    'PATH="$VIRTUAL_ENV/bin:$PATH"',
    "export PATH",
    "hash -r",
    "",
  ].join("\n");
}
