import { sha1 } from "@noble/hashes/legacy.js";
import type { Repository } from "../repository.ts";
import type { Run } from "../run.ts";
import { fatal } from "../stop.ts";
import { indexPack } from "../store/isomorphic.ts";
import { libraryFiles } from "../store/library.ts";
import type { Oid } from "../store/model.ts";
import { concat, decode, toHex } from "../text/bytes.ts";
import type { Connection } from "./connection.ts";
import { demultiplex, flush, pktLine, readPktLines } from "./pkt-line.ts";

export interface Wanted {
  readonly oids: readonly Oid[];
  /** How many commits of each history to fetch; null: all. */
  readonly depth: number | null;
}

/** How many of our commits the server is told about, so that it does not send them again. */
const mostHaves = 256;

/** Fetches objects into the store. */
export async function fetchPack(run: Run, repo: Repository, connection: Connection, { oids, depth }: Wanted): Promise<void> {
  const wants = [...new Set(oids)];
  if (wants.length === 0) return;
  const offered = ["side-band-64k", "ofs-delta", "include-tag", ...(depth === null ? [] : ["shallow"])];
  if (depth !== null && !connection.capabilities.has("shallow")) fatal("Server does not support shallow clients");
  if (!connection.capabilities.has("side-band-64k")) fatal("the server does not speak side-band-64k, and Vibey's git needs it");
  const capabilities = offered.filter((name) => connection.capabilities.has(name)).join(" ");
  const shallow = await repo.objects.shallow();
  const lines: Uint8Array[] = wants.map((oid, i) => pktLine(`want ${oid}${i === 0 ? ` ${capabilities}` : ""}\n`));
  for (const oid of shallow) lines.push(pktLine(`shallow ${oid}\n`));
  if (depth !== null) lines.push(pktLine(`deepen ${depth}\n`));
  lines.push(flush);
  for (const oid of await ownCommits(repo)) lines.push(pktLine(`have ${oid}\n`));
  lines.push(pktLine("done\n"));

  const { host } = run.shell;
  host.show({ stream: "progress", text: "git: receiving objects" });
  const reader = readPktLines(await connection.send(concat(lines)));
  const nowShallow = new Set(shallow);
  let first = reader.next();
  for (; ; first = reader.next()) {
    if (first === undefined) fatal("the remote end hung up unexpectedly");
    if (first === null) continue;
    // Side-band data starts here; a few lines of text come before it.
    if ((first[0] ?? 0) <= 3) break;
    const line = decode(first).replace(/\n$/, "");
    if (line.startsWith("ERR ")) fatal(`remote error: ${line.slice(4)}`);
    const [, kind, oid = ""] = /^(shallow|unshallow) ([0-9a-f]{40})$/.exec(line) ?? [];
    if (kind === "shallow") nowShallow.add(oid);
    else if (kind === "unshallow") nowShallow.delete(oid);
    else if (line !== "NAK" && !line.startsWith("ACK ")) fatal(`protocol error: expected ACK or NAK, got '${line.slice(0, 80)}'`);
  }
  const says = (text: string): void => {
    const last =
      text
        .trimEnd()
        .split(/[\r\n]/)
        .at(-1) ?? "";
    if (last !== "") host.show({ stream: "progress", text: `remote: ${last}` });
  };
  const pack = demultiplex(reader, says, first);
  await storePack(run, repo, pack);
  if (nowShallow.size !== shallow.size || [...nowShallow].some((oid) => !shallow.has(oid))) await repo.objects.setShallow(nowShallow);
}

/** Checks a pack, and stores it with its index. */
async function storePack(run: Run, repo: Repository, pack: Uint8Array): Promise<void> {
  if (pack.length < 32 || decode(pack.subarray(0, 4)) !== "PACK") fatal("the remote end sent no pack");
  const sum = toHex(pack.subarray(pack.length - 20));
  if (toHex(sha1(pack.subarray(0, pack.length - 20))) !== sum) fatal("pack is corrupted (SHA1 mismatch)");
  const count = new DataView(pack.buffer, pack.byteOffset).getUint32(8);
  if (count === 0) return;
  const name = `objects/pack/pack-${sum}`;
  await repo.files.write(`${repo.common}/${name}.pack`, pack);
  const { oids } = await indexPack({
    fs: libraryFiles(repo.shell.fs),
    dir: repo.common,
    gitdir: repo.common,
    filepath: `${name}.pack`,
    onProgress: ({ phase, loaded, total }) =>
      run.shell.host.show({ stream: "progress", text: `git: ${phase} ${loaded}${total > 0 ? `/${total}` : ""}` }),
  });
  if (oids.length === count) return;
  // The index silently leaves out objects that can't be resolved.
  for (const end of [".pack", ".idx"]) await repo.files.remove(`${repo.common}/${name}${end}`, repo.common);
  fatal(`pack has ${count - oids.length} unresolved deltas`);
}

/** Our commits: first those that refs point at, then their ancestors. */
async function ownCommits(repo: Repository): Promise<Oid[]> {
  const seen = new Set<Oid>();
  let open: Oid[] = [];
  for (const ref of await repo.refs.all()) {
    const commit = await commitOf(repo, ref.oid);
    if (commit !== null) open.push(commit);
  }
  while (open.length > 0 && seen.size < mostHaves) {
    const next: Oid[] = [];
    for (const oid of open) {
      if (seen.has(oid) || seen.size >= mostHaves) continue;
      seen.add(oid);
      next.push(...(await repo.objects.commit(oid)).parents);
    }
    open = next;
  }
  return [...seen];
}

async function commitOf(repo: Repository, oid: Oid): Promise<Oid | null> {
  const object = await repo.objects.read(oid);
  if (object.type === "commit") return oid;
  const target = object.type === "tag" ? /^object ([0-9a-f]{40})$/m.exec(decode(object.bytes))?.[1] : undefined;
  return target === undefined ? null : commitOf(repo, target);
}
