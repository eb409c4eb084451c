import { fromBytes } from "../../encoding.ts";
import type { SyncFiles } from "../../sync-files.ts";
import { writeText } from "../project/json-file.ts";
import type { PackageNode } from "../tree/node.ts";
import { uselessBecause } from "./platform.ts";

/** The files that the commands of a tree's packages run, if the packages are there. */
export function programFiles(project: string, root: PackageNode): string[] {
  return root
    .descendants()
    .filter((node) => node !== root)
    .flatMap((node) => Object.values(node.pkg.bin).map((file) => `${project}/${node.location}/${file}`));
}

/**
 * Writes the commands of all packages of a tree into the `.bin` folders, and removes those whose package is gone. There are no links here, so a
 * command is a small script that runs the package's file.
 */
export function writeBins(files: SyncFiles, project: string, root: PackageNode, warn: (line: string) => void): void {
  for (const node of root.descendants()) {
    const folder = `${project}/${node.location === "" ? "" : `${node.location}/`}node_modules`;
    if (files.stat(folder)?.kind === "folder") writeFolder(files, folder, node, warn);
  }
}

function writeFolder(files: SyncFiles, folder: string, node: PackageNode, warn: (line: string) => void): void {
  const scripts = new Map<string, string>();
  // As in npm, if two packages have the same command, the later name wins.
  const kids = [...node.children.values()].toSorted((one, other) => other.name.localeCompare(one.name, "en"));
  for (const kid of kids) {
    if (kid.inert) continue;
    for (const [command, file] of Object.entries(kid.pkg.bin)) {
      const path = `${folder}/${kid.name}/${file}`;
      if (scripts.has(command) || files.stat(path)?.kind !== "file") continue;
      const why = uselessBecause(kid);
      if (why !== null) {
        scripts.set(command, nativeScript(command, `${kid.packageName} ${kid.version} ${why}`));
        continue;
      }
      const script = binScript(`../${kid.name}/${file}`, files.read(path));
      if (script === null) warn(`native ${kid.name}@${kid.version}: its command "${command}" is a native program, which can't be run here`);
      scripts.set(command, script ?? nativeScript(command));
    }
  }
  const bin = `${folder}/.bin`;
  if (files.stat(bin)?.kind === "folder")
    for (const { name } of files.list(bin)) if (!scripts.has(name)) removeAny(files, `${bin}/${name}`);
  for (const [command, script] of scripts) {
    if (files.stat(`${bin}/${command}`)?.kind === "folder") removeAny(files, `${bin}/${command}`);
    writeText(files, `${bin}/${command}`, script);
  }
  if (scripts.size === 0 && files.stat(bin)?.kind === "folder") files.removeFolder(bin, true);
}

function removeAny(files: SyncFiles, path: string): void {
  if (files.stat(path)?.kind === "folder") files.removeFolder(path, true);
  else files.unlink(path);
}

/**
 * A script for both the shell and `node`. For JavaScript the second line is a string and a comment; for the shell the rest is a here-document that no
 * one reads. Null: the file is a native program.
 */
export function binScript(target: string, content: Uint8Array): string | null {
  const runner = runnerOf(target, content);
  if (runner === null) return null;
  const file = `"\${0%/*}/${target.replaceAll(/["$`\\]/g, "\\$&")}"`;
  const words = runner.join(" ");
  const shell = `${words} ${file} "$@"; exit`;
  const own =
    runner[0] === "node"
      ? `import(${JSON.stringify(target)});`
      : `throw new Error(${JSON.stringify(`this is a script for ${runner[0]}`)});`;
  return `#!/bin/sh\n':' //; ${shell}\n':' << '//'\n${own}\n//\n`;
}

const nativeScript = (command: string, why = "this is a native program, which can't be run here"): string =>
  `#!/bin/sh\necho "${`${command}: ${why}`.replaceAll(/["$`\\]/g, "")}" >&2\nexit 126\n`;

/** The program that runs a file, with its own arguments; null if there is none. */
function runnerOf(target: string, content: Uint8Array): readonly string[] | null {
  const start = fromBytes(content.subarray(0, 4), "latin1");
  if (start === "\x7fELF" || start.startsWith("MZ") || start === "\xcf\xfa\xed\xfe" || start === "\xca\xfe\xba\xbe") return null;
  const line = /^#!\s*(.*)/.exec(fromBytes(content.subarray(0, 256), "latin1"))?.[1]?.trim() ?? "";
  const [program = "", ...args] = line.split(/\s+/);
  const words = /(?:^|\/)env$/.test(program) ? args.filter((word) => word !== "-S" && !/^\w+=/.test(word)) : [program, ...args];
  const name = words[0]?.split("/").at(-1) ?? "";
  if (name === "" || !/^[\w.-]+$/.test(name)) return ["node"];
  const safe = words.slice(1).filter((word) => /^[\w=./:-]+$/.test(word));
  return name === "nodejs" ? ["node", ...safe] : name === "node" || !/\.[cm]?js$/.test(target) ? [name, ...safe] : ["node", ...safe];
}
