import { parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { treeOf, typeOf } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";
import { modes, noOid, type ObjectType, type Oid } from "../store/model.ts";
import { parseHeader } from "../store/objects.ts";
import { decode, encode } from "../text/bytes.ts";

/** `git fsck`: reads everything that refs, reflogs and the index lead to, and names loose objects that nothing leads to. */
export const fsck: GitCommand = async (run, args) => {
  const options = parseOptions("fsck", args, [
    "full",
    "no-full",
    "no-dangling",
    "no-progress",
    "progress",
    "strict",
    "connectivity-only",
    "dangling",
    "unreachable",
    "lost-found",
    "cache",
    "no-reflogs",
    "root",
    "tags",
    "name-objects",
    "v verbose",
  ]);
  const repo = await run.repository();
  const reached = new Set<Oid>();
  const roots = (await repo.refs.all()).map(({ oid }) => oid);
  const head = await repo.refs.resolve("HEAD");
  if (head !== null) roots.push(head);
  for (const start of roots) await reach(repo, start, reached, "whole");
  const { files } = await repo.readIndex();
  for (const { oid } of files.values()) reached.add(oid);
  const lost = options.has("lost-found");
  if (!lost && !options.has("no-reflogs")) for (const oid of await inReflogs(repo)) await reach(repo, oid, reached, "any");
  const loose = (await looseObjects(repo)).filter((oid) => !reached.has(oid));
  const types = new Map<Oid, ObjectType>();
  for (const oid of loose) types.set(oid, await typeOf(repo, oid));
  const led = new Set<Oid>();
  for (const oid of loose) for (const to of await leadsTo(repo, oid)) led.add(to);
  for (const oid of inTable(loose, reached.size + loose.length)) {
    const type = types.get(oid) ?? "blob";
    if (options.has("unreachable")) run.out(`unreachable ${type} ${oid}\n`);
    if (led.has(oid)) continue;
    if (lost || !(options.has("no-dangling") || options.has("unreachable"))) run.out(`dangling ${type} ${oid}\n`);
    if (!lost) continue;
    const folder = `${repo.gitdir}/lost-found/${type === "commit" ? "commit" : "other"}`;
    await repo.files.write(`${folder}/${oid}`, type === "blob" ? await repo.objects.blob(oid) : encode(`${oid}\n`));
  }
  return 0;
};

/** Adds everything that an object leads to. `whole`: a missing object is an error. */
async function reach(repo: Repository, from: Oid, reached: Set<Oid>, how: "whole" | "any"): Promise<void> {
  const open = [from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (reached.has(oid)) continue;
    reached.add(oid);
    if (how === "any" && !(await repo.objects.has(oid))) continue;
    const blobs = await blobsOf(repo, oid);
    for (const blob of blobs) if (!reached.has(blob) && !(await repo.objects.has(blob))) fatal(`missing blob ${blob}`);
    for (const blob of blobs) reached.add(blob);
    open.push(...(await leadsTo(repo, oid)).filter((to) => !blobs.has(to)));
  }
}

/** The blobs directly in a tree. */
async function blobsOf(repo: Repository, oid: Oid): Promise<ReadonlySet<Oid>> {
  if ((await typeOf(repo, oid)) !== "tree") return new Set();
  return new Set(
    (await repo.objects.tree(oid)).filter(({ mode }) => mode !== modes.folder && mode !== modes.submodule).map((entry) => entry.oid),
  );
}

/** The objects that an object names. */
async function leadsTo(repo: Repository, oid: Oid): Promise<readonly Oid[]> {
  const type = await typeOf(repo, oid);
  if (type === "tree") return (await repo.objects.tree(oid)).filter(({ mode }) => mode !== modes.submodule).map((entry) => entry.oid);
  if (type === "commit") return [await treeOf(repo, oid), ...(await repo.objects.commit(oid)).parents];
  if (type === "blob") return [];
  return parseHeader(decode((await repo.objects.read(oid)).bytes)).fields.flatMap(([key, value]) => (key === "object" ? [value] : []));
}

async function inReflogs(repo: Repository): Promise<readonly Oid[]> {
  const names = ["HEAD", "refs/stash", ...(await repo.refs.all()).map(({ ref }) => ref)];
  const logs = await Promise.all(names.map((name) => repo.refs.readLog(name)));
  return logs.flat().flatMap(({ from, to }) => [from, to].filter((oid): oid is Oid => oid !== null && oid !== noOid));
}

async function looseObjects(repo: Repository): Promise<Oid[]> {
  const found: Oid[] = [];
  for (const folder of await repo.files.list(`${repo.common}/objects`)) {
    if (!/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for (const { name } of await repo.files.list(`${repo.common}/objects/${folder.name}`)) found.push(folder.name + name);
  }
  return found;
}

/** Sorts like git's table of all objects: by the lowest bits of the first four bytes. */
function inTable(oids: readonly Oid[], all: number): readonly Oid[] {
  let size = 32;
  while (size - 1 <= (all - 1) * 2) size *= 2;
  const slot = (oid: Oid): number =>
    (Number.parseInt(oid.slice(6, 8) + oid.slice(4, 6) + oid.slice(2, 4) + oid.slice(0, 2), 16) & (size - 1)) >>> 0;
  return oids.toSorted((a, b) => slot(a) - slot(b) || (a < b ? -1 : 1));
}
