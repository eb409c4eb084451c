import { unpackMember, unpackZip } from "../commands/zip-format.ts";
import { fromBytes } from "../encoding.ts";
import { PipError } from "./failure.ts";
import { type Metadata, parseMetadata } from "./metadata.ts";

/** Limits of one wheel, in bytes and in files. */
export const wheelLimits = { packed: 64_000_000, unpacked: 250_000_000, files: 20_000 };

/** UTF-16 units of a path in a wheel. */
const mostPath = 1_024;

export interface Wheel {
  /** The folder with METADATA, such as `requests-2.32.3.dist-info`. */
  readonly info: string;
  readonly metadata: Metadata;
  /** The files for `site-packages`, by their path there. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The files for `bin`, by name. */
  readonly scripts: ReadonlyMap<string, Uint8Array>;
}

/**
 * Unpacks a wheel. Rejects the whole wheel if it is damaged or too large, or if a member leads out of the folder or is native code.
 *
 * @throws PipError
 */
export async function unpackWheel(filename: string, packed: Uint8Array): Promise<Wheel> {
  const refuse = (why: string): never => {
    throw new PipError(`${filename} is refused: ${why}`);
  };
  if (packed.length > wheelLimits.packed) refuse(`it has ${packed.length} bytes, and the limit is ${wheelLimits.packed}`);
  const members = unpackZip(packed) ?? refuse("it is no zip archive, or is cut off");
  if (members.length > wheelLimits.files) refuse(`it has ${members.length} members, and the limit is ${wheelLimits.files}`);
  if (members.reduce((sum, { size }) => sum + size, 0) > wheelLimits.unpacked)
    refuse(`unpacked it has more than ${wheelLimits.unpacked} bytes, which is the limit`);
  const all = new Map<string, Uint8Array>();
  for (const member of members) {
    const { name } = member;
    if (name.endsWith("/")) continue;
    if (name.length > mostPath) refuse(`a path has more than ${mostPath} characters`);
    if (!isInside(name)) refuse(`${JSON.stringify(name)} is no path inside the package`);
    if (/\.(?:so|dylib|dll|pyd)$/.test(name)) refuse(`${JSON.stringify(name)} is compiled code, which can't run here`);
    const bytes = (await unpackMember(member)) ?? refuse(`${JSON.stringify(name)} is damaged`);
    if (bytes.length !== member.size) refuse(`${JSON.stringify(name)} has another size than the archive says`);
    all.set(name, bytes);
  }
  for (const name of all.keys()) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1))
      if (all.has(name.slice(0, at))) refuse(`${JSON.stringify(name.slice(0, at))} is both a file and a folder`);
  }
  const infos = new Set([...all.keys()].flatMap((name) => /^([^/]+\.dist-info)\/METADATA$/.exec(name)?.[1] ?? []));
  const [info = refuse("it has no METADATA")] = infos;
  if (infos.size > 1) refuse("it has METADATA more than once");
  const foreign = [...placed(all, info).files.keys()].find(
    (name) => /^[^/]+\.dist-info(?:\/|$)/.test(name) && !name.startsWith(`${info}/`),
  );
  if (foreign !== undefined) refuse(`${JSON.stringify(foreign)} belongs to another package`);
  const text = all.get(`${info}/METADATA`);
  const metadata = parseMetadata(fromBytes(text ?? new Uint8Array(), undefined), filename);
  const { files, scripts } = placed(all, info);
  return { info, metadata, files, scripts };
}

/** Whether the path is relative and has no segment that leads up. */
export function isInside(path: string): boolean {
  return (
    !path.startsWith("/") &&
    !path.includes("\\") &&
    !path.includes("\0") &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

/** A wheel's own folder `….data` says where its files belong. Of those, pure Python and scripts are used. */
function placed(all: ReadonlyMap<string, Uint8Array>, info: string): Pick<Wheel, "files" | "scripts"> {
  const data = info.replace(/\.dist-info$/, ".data");
  const files = new Map<string, Uint8Array>();
  const scripts = new Map<string, Uint8Array>();
  for (const [name, bytes] of all) {
    if (!name.startsWith(`${data}/`)) {
      files.set(name, bytes);
      continue;
    }
    const [kind = "", ...rest] = name.slice(data.length + 1).split("/");
    const path = rest.join("/");
    if (kind === "purelib" || kind === "platlib") files.set(path, bytes);
    else if (kind === "scripts" && rest.length === 1) scripts.set(path, bytes);
  }
  return { files, scripts };
}

/** The programs that a package provides (`entry_points.txt`): name to `module:function`. */
export function consoleScripts(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let isWanted = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim();
    if (section !== undefined) isWanted = section === "console_scripts";
    const entry = isWanted ? /^\s*([A-Za-z0-9._-]+)\s*=\s*([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)/.exec(line) : null;
    if (entry?.[1] !== undefined && entry[2] !== undefined) found.set(entry[1], entry[2]);
  }
  return found;
}
