import type { Repository } from "../repository.ts";
import type { Run } from "../run.ts";
import { fatal } from "../stop.ts";
import { packObjects } from "../store/isomorphic.ts";
import { libraryFiles } from "../store/library.ts";
import { modes, noOid, type Oid } from "../store/model.ts";
import { concat, decode } from "../text/bytes.ts";
import type { Connection } from "./connection.ts";
import { demultiplex, flush, pktLine, readPktLines } from "./pkt-line.ts";

/** Changes a ref from one object to another. `noOid` stands for a ref that does not exist, or is to be removed. */
export interface RefUpdate {
  readonly ref: string;
  readonly from: Oid;
  readonly to: Oid;
}

/** The result for each ref: null if it was updated, else the server's reason. */
export type Report = ReadonlyMap<string, string | null>;

/** Sends objects and asks the server to change the refs. `says` receives lines from the server. */
export async function sendPack(
  run: Run,
  repo: Repository,
  connection: Connection,
  updates: readonly RefUpdate[],
  says: (line: string) => void,
): Promise<Report> {
  if (!connection.capabilities.has("report-status")) fatal("the server does not report what it did, and Vibey's git needs that");
  const deletes = updates.some((update) => update.to === noOid);
  if (deletes && !connection.capabilities.has("delete-refs")) fatal("the receiving end does not support deleting refs");
  const capabilities = ["report-status", "side-band-64k"].filter((name) => connection.capabilities.has(name)).join(" ");
  const lines = updates.map(({ ref, from, to }, i) => pktLine(`${from} ${to} ${ref}${i === 0 ? `\0 ${capabilities}` : ""}`));
  const body = [...lines, flush];
  const tips = updates.map((update) => update.to).filter((oid) => oid !== noOid);
  const { host } = run.shell;
  if (tips.length > 0) {
    const oids = await missingThere(repo, tips, [...connection.refs.values()]);
    host.show({ stream: "progress", text: `git: sending ${oids.length} objects` });
    const { packfile } = await packObjects({ fs: libraryFiles(repo.shell.fs), dir: repo.top, gitdir: repo.common, oids });
    body.push(packfile ?? fatal("no pack was made"));
  }
  const answer = await connection.send(concat(body));
  let rest = "";
  const data = connection.capabilities.has("side-band-64k")
    ? demultiplex(readPktLines(answer), (text) => {
        rest += text;
      })
    : answer;
  for (const line of rest.split("\n")) if (line.trim() !== "") says(line.replace(/^.*\r/, ""));
  const report = new Map<string, string | null>();
  const reader = readPktLines(data);
  for (let line = reader.text(); line !== undefined && line !== null; line = reader.text()) {
    const [, unpacked] = /^unpack (.+)$/.exec(line) ?? [];
    const [, ok] = /^ok (.+)$/.exec(line) ?? [];
    const [, not, why = ""] = /^ng (\S+) ?(.*)$/.exec(line) ?? [];
    if (unpacked !== undefined && unpacked !== "ok") run.err(`error: remote unpack failed: ${unpacked}\n`);
    if (ok !== undefined) report.set(ok, null);
    if (not !== undefined) report.set(not, why);
  }
  return report;
}

/** Every object that `tips` reach and the server's refs don't reach, as far as it is known here. */
async function missingThere(repo: Repository, tips: readonly Oid[], there: readonly Oid[]): Promise<Oid[]> {
  const theirs = new Set<Oid>();
  const visit = async (from: readonly Oid[], skip: ReadonlySet<Oid>, into: Set<Oid>): Promise<void> => {
    const open = [...from];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (into.has(oid) || skip.has(oid)) continue;
      const { type, bytes } = await repo.objects.read(oid);
      into.add(oid);
      if (type === "commit") open.push(...(await repo.objects.commit(oid)).parents);
      if (type === "tag") open.push(/^object ([0-9a-f]{40})$/m.exec(decode(bytes))?.[1] ?? fatal(`tag ${oid} is damaged`));
    }
  };
  const known: Oid[] = [];
  for (const oid of there) if (await repo.objects.has(oid)) known.push(oid);
  await visit(known, new Set(), theirs);
  const ours = new Set<Oid>();
  await visit(tips, theirs, ours);
  // Compare only with the trees of the server's refs and of known commits next to new ones. A file that existed only in older commits is in a new
  // commit only if it was restored; then it is sent again.
  const border = new Set(known);
  for (const oid of ours)
    if ((await repo.objects.read(oid)).type === "commit")
      for (const parent of (await repo.objects.commit(oid)).parents) if (theirs.has(parent)) border.add(parent);
  const content = new Set<Oid>();
  for (const oid of border)
    if ((await repo.objects.read(oid)).type === "commit") await addTree((await repo.objects.commit(oid)).tree, content);
  const result = [...ours];
  const fresh = new Set<Oid>(content);
  for (const oid of ours) {
    const { type } = await repo.objects.read(oid);
    if (type === "commit") await addTree((await repo.objects.commit(oid)).tree, fresh);
    if (type === "tree") await addTree(oid, fresh);
  }
  for (const oid of fresh) if (!content.has(oid) && !ours.has(oid)) result.push(oid);
  return result;

  async function addTree(tree: Oid, into: Set<Oid>): Promise<void> {
    if (into.has(tree)) return;
    into.add(tree);
    for (const entry of await repo.objects.tree(tree)) {
      if (entry.mode === modes.folder) await addTree(entry.oid, into);
      else if (entry.mode !== modes.submodule) into.add(entry.oid);
    }
  }
}
