import { joinBytes } from "../../../../fs/bytes.ts";
import { unpackTar } from "../../commands/tar-format.ts";
import { NpmError } from "../failure.ts";

/** Limits of one package, in bytes and in files. */
export const archiveLimits = { packed: 64_000_000, unpacked: 250_000_000, files: 50_000 };

/** A package's files, by their path below its folder. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Unpacks a package's archive. Rejects the whole archive if it is truncated or too large, or if a member is a link, is absolute or leads out of the
 * package's folder.
 */
export async function unpackPackage(name: string, packed: Uint8Array): Promise<PackageFiles | NpmError> {
  const refuse = (why: string): NpmError => new NpmError("EARCHIVE", `${name}: its archive is refused: ${why}`);
  if (packed.length > archiveLimits.packed) return refuse(`it has ${packed.length} bytes, and the limit is ${archiveLimits.packed}`);
  const bytes = packed[0] === 0x1f && packed[1] === 0x8b ? await gunzip(packed, archiveLimits.unpacked) : packed;
  if (bytes === "limit") return refuse(`unpacked it has more than ${archiveLimits.unpacked} bytes, which is the limit`);
  if (bytes === "broken") return refuse("it is no gzip file, or is cut off");
  const tar = unpackTar(bytes);
  if (tar === null) return refuse("it is no tar archive");
  if (!tar.whole) return refuse("it is cut off");
  if (tar.members.length > archiveLimits.files)
    return refuse(`it has ${tar.members.length} members, and the limit is ${archiveLimits.files}`);
  const files = new Map<string, Uint8Array>();
  for (const member of tar.members) {
    if (member.kind === "link") return refuse(`${JSON.stringify(member.name)} is a link`);
    if (member.kind === "other") return refuse(`${JSON.stringify(member.name)} is neither a file nor a folder`);
    const segments = member.name.split("/").filter((segment) => segment !== "" && segment !== ".");
    if (member.name.startsWith("/") || member.name.includes("\\") || member.name.includes("\0") || segments.includes(".."))
      return refuse(`${JSON.stringify(member.name)} is no path inside the package`);
    // The first folder is usually `package`, and is always dropped.
    const path = segments.slice(1).join("/");
    if (member.kind === "file" && path !== "") files.set(path, member.bytes);
  }
  for (const path of files.keys()) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
      if (files.has(path.slice(0, at))) return refuse(`${JSON.stringify(path.slice(0, at))} is both a file and a folder`);
  }
  if (!files.has("package.json")) return refuse("it has no package.json");
  return files;
}

async function gunzip(packed: Uint8Array, limit: number): Promise<Uint8Array | "limit" | "broken"> {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  // A failure also reaches the reader, which handles it.
  const written = Promise.allSettled([writer.write(packed.slice()), writer.close()]);
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      size += next.value.length;
      if (size <= limit) continue;
      await reader.cancel();
      return "limit";
    }
  } catch {
    // The archive is damaged.
    return "broken";
  }
  await written;
  return joinBytes(pieces);
}
