import { PatternError, toRegExp } from "../posix-regex.ts";
import type { Repository } from "./repository.ts";
import { fatal } from "./stop.ts";
import { readStashes } from "./stashes.ts";
import { expandOid } from "./store/isomorphic.ts";
import { libraryFiles } from "./store/library.ts";
import { modes, noOid, type ObjectType, type Oid } from "./store/model.ts";
import { parseHeader } from "./store/objects.ts";
import { decode } from "./text/bytes.ts";
import { type Upstream, upstreamOf } from "./tracking.ts";
import { reachable } from "./reachable.ts";

/**
 * The object that a revision names: HEAD, HEAD~2^2, a branch, @{-1}, a tag, the start of a hash, rev:path, :path, :/text of a message, rev^{/text}.
 * Null: no object.
 */
export async function findObject(repo: Repository, text: string): Promise<Oid | null> {
  const before = beforePattern.exec(text);
  if (before) {
    const branch = await previousBranch(repo, Number(before[1]));
    return branch === null ? null : findObject(repo, branch + text.slice(before[0].length));
  }
  // A file of that name is meant as a path.
  if (/^:\/./.test(text)) return (await repo.files.stat(repo.absolute(text.slice(2)))) === null ? newestOfAll(repo, text.slice(2)) : null;
  // A colon between braces is part of a message's text.
  const colon = (/^(?:\{[^}]*\}|[^:{])*:/.exec(text)?.[0].length ?? 0) - 1;
  if (colon >= 0) return fileOf(repo, text.slice(0, colon), text.slice(colon + 1));
  const found = /^(.*?)((?:[~^]\d*|\^\{(?:\w*|\/[^}]*)\}|@\{(?:\d+|u|upstream)\})*)$/s.exec(text);
  let oid = await baseOf(repo, found?.[1] ?? text, found?.[2] ?? "");
  const steps = (found?.[2] ?? "").match(/[~^]\d*(?!\{)|\^\{(?:\w*|\/[^}]*)\}|@\{\w+\}/g) ?? [];
  for (const step of steps) {
    if (oid === null) return null;
    if (step.startsWith("@")) continue;
    const type = /^\^\{(\w*)\}$/.exec(step);
    if (step.startsWith("^{/")) oid = await newestWith(repo, [await peel(repo, oid)], step.slice(3, -1));
    else if (type) oid = type[1] === "tree" ? (await repo.objects.commit(await peel(repo, oid))).tree : await peel(repo, oid);
    else {
      const count = step.length > 1 ? Number(step.slice(1)) : 1;
      oid = await peel(repo, oid);
      if (step.startsWith("^")) {
        if (count > 0) oid = (await repo.objects.commit(oid)).parents[count - 1] ?? null;
      } else for (let i = 0; i < count && oid !== null; i++) oid = (await repo.objects.commit(oid)).parents[0] ?? null;
    }
  }
  return oid;
}

/** "@{-1}" at the start of a revision: the branch that was checked out before. */
const beforePattern = /^@\{-([1-9]\d*)\}/;

/** The newest commit whose message matches the extended regular expression. */
async function newestWith(repo: Repository, from: readonly Oid[], text: string): Promise<Oid | null> {
  let pattern: RegExp;
  try {
    pattern = toRegExp(text, "extended", "m");
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
  const commits = await Promise.all([...(await reachable(repo, from))].map((oid) => repo.objects.commit(oid)));
  const matching = commits.filter(({ message }) => pattern.test(message));
  return matching.toSorted((a, b) => b.committer.time - a.committer.time)[0]?.oid ?? null;
}

/** The newest commit with this text that HEAD or a ref leads to. */
async function newestOfAll(repo: Repository, text: string): Promise<Oid | null> {
  const head = await repo.refs.resolve("HEAD");
  return newestWith(repo, [...(await refTips(repo)), ...(head === null ? [] : [head])], text);
}

/** The commits that the refs below "refs/" name. */
export async function refTips(repo: Repository): Promise<Oid[]> {
  const peeled = await Promise.all((await repo.refs.all()).map(({ oid }) => peel(repo, oid)));
  const types = await Promise.all(peeled.map((oid) => typeOf(repo, oid)));
  return peeled.filter((_, at) => types[at] === "commit");
}

/** The value `count` moves ago. The oldest entry also tells the value before it. */
function inLog(log: readonly { readonly from: Oid; readonly to: Oid }[], count: number): Oid | null {
  const before = count === log.length ? log.at(-1)?.from : undefined;
  return log[count]?.to ?? (before === noOid ? null : (before ?? null));
}

async function baseOf(repo: Repository, name: string, steps: string): Promise<Oid | null> {
  const past = /^@\{(\d+)\}/.exec(steps);
  if (past && (name === "" || name === "HEAD")) {
    // Without a name: the checked-out branch.
    const { branch } = await repo.refs.head();
    const log = await repo.refs.readLog(name === "" && branch !== null ? `refs/heads/${branch}` : "HEAD");
    return inLog(log, Number(past[1]));
  }
  if (past && /^(?:refs\/)?stash$/.test(name)) return (await readStashes(repo))[Number(past[1])]?.oid ?? null;
  if (past) {
    const found = await repo.refs.find(name);
    return found === null ? null : inLog(await repo.refs.readLog(found.ref), Number(past[1]));
  }
  if (steps.startsWith("@{u")) {
    const { ref } = await mustFollow(repo, name);
    return repo.refs.resolve(ref);
  }
  if (name === "@") return repo.refs.resolve("HEAD");
  if (name === "-") {
    const before = await previousBranch(repo);
    return before === null ? null : findObject(repo, before);
  }
  const ref = name === "" ? null : await repo.refs.find(name);
  if (ref) return ref.oid;
  if (!/^[0-9a-f]{4,40}$/i.test(name)) return null;
  const short = name.toLowerCase();
  try {
    const oid = await expandOid({ fs: libraryFiles(repo.shell.fs), gitdir: repo.common, oid: short, cache: {} });
    return oid;
  } catch (error) {
    if (error instanceof Error && error.name === "AmbiguousError")
      fatal(`ambiguous argument '${name}': short object ID ${short} is ambiguous`);
    if (error instanceof Error && error.name === "NotFoundError") return null;
    throw error;
  }
}

/** The upstream for "main@{upstream}"; for "", the current branch's. */
export async function mustFollow(repo: Repository, name: string): Promise<Upstream> {
  const branch = name === "" || name === "HEAD" ? (await repo.refs.head()).branch : name;
  if (branch === null) return fatal("HEAD does not point to a branch");
  return (await upstreamOf(repo, branch)) ?? fatal(`no upstream configured for branch '${branch}'`);
}

/** The branch, or the commit, that was checked out `count` switches ago. */
async function previousBranch(repo: Repository, count = 1): Promise<string | null> {
  for (const { why } of await repo.refs.readLog()) {
    const moved = /^checkout: moving from (\S+) to \S+$/.exec(why);
    if (moved && --count === 0) return moved[1] ?? null;
  }
  return null;
}

/** The branch that "-" or "@{-1}" stands for. Null: none. Other names are returned unchanged. */
export async function switchTarget(repo: Repository, name: string): Promise<string | null> {
  if (name === "-") return previousBranch(repo);
  const before = beforePattern.exec(name);
  return before?.[0] === name ? previousBranch(repo, Number(before[1])) : name;
}

/** "./a" and "../a" are relative to the working directory, other paths to the top of the working tree. */
function fromTop(repo: Repository, path: string): string {
  return /^\.{1,2}(?:\/|$)/.test(path) ? repo.files.resolve(repo.shell.cwd, path).slice(repo.top.length + 1) : path;
}

async function fileOf(repo: Repository, revision: string, typed: string): Promise<Oid | null> {
  const path = fromTop(repo, typed);
  if (revision === "") {
    const [, stage, inStage = ""] = /^([0-3]):([^]*)$/.exec(typed) ?? [];
    const { files, conflicts } = await repo.readIndex();
    if (stage === undefined || stage === "0") return files.get(stage === undefined ? path : inStage)?.oid ?? null;
    return conflicts.get(inStage)?.[stage === "1" ? "base" : stage === "2" ? "ours" : "theirs"]?.oid ?? null;
  }
  const start = await findObject(repo, revision);
  if (start === null) return null;
  let oid = await treeOf(repo, start);
  for (const segment of path.split("/").filter((one) => one !== "")) {
    const entry = (await repo.objects.tree(oid)).find((one) => one.name === segment);
    if (!entry || entry.mode === modes.submodule) return null;
    oid = entry.oid;
  }
  return oid;
}

/** Resolves tags to the objects they point at. */
export async function peel(repo: Repository, oid: Oid): Promise<Oid> {
  const object = await repo.objects.read(oid);
  if (object.type !== "tag") return oid;
  const target = parseHeader(decode(object.bytes)).fields.find(([key]) => key === "object")?.[1];
  return peel(repo, target ?? fatal(`tag ${oid} is damaged`));
}

export async function treeOf(repo: Repository, oid: Oid): Promise<Oid> {
  const peeled = await peel(repo, oid);
  return (await typeOf(repo, peeled)) === "commit" ? (await repo.objects.commit(peeled)).tree : peeled;
}

export async function typeOf(repo: Repository, oid: Oid): Promise<ObjectType> {
  return (await repo.objects.read(oid)).type;
}

/** The commit that a revision names; null: no commit. */
export async function findCommit(repo: Repository, text: string): Promise<Oid | null> {
  const oid = await findObject(repo, text);
  if (oid === null) return null;
  const peeled = await peel(repo, oid);
  return (await typeOf(repo, peeled)) === "commit" ? peeled : null;
}

export async function mustFindCommit(repo: Repository, text: string): Promise<Oid> {
  return (await findCommit(repo, text)) ?? unknownRevision(text);
}

export function unknownRevision(text: string): never {
  return fatal(
    `ambiguous argument '${text}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}

/** Says why there is no object of this name, such as "HEAD:file" or ":2:file". */
export async function unknownObject(repo: Repository, text: string): Promise<never> {
  const [, revision = "", typed = ""] = /^((?:\{[^}]*\}|[^:{])*):([^]*)$/.exec(text) ?? unknownRevision(text);
  if (/^:[^0-9A-Za-z]/.test(text)) unknownRevision(text);
  const [, stage = "0", named = ""] = revision === "" ? (/^(?:([0-3]):)?([^]*)$/.exec(typed) ?? []) : ["", "0", typed];
  const path = fromTop(repo, named);
  const isThere = (await repo.files.stat(repo.files.resolve(repo.top, path))) !== null;
  if (revision !== "") {
    if ((await findObject(repo, revision)) === null) fatal(`invalid object name '${revision}'.`);
    fatal(isThere ? `path '${path}' exists on disk, but not in '${revision}'` : `path '${path}' does not exist in '${revision}'`);
  }
  const { files, conflicts } = await repo.readIndex();
  const sides = conflicts.get(path);
  const other = files.has(path) ? 0 : sides ? [sides.base, sides.ours, sides.theirs].findIndex((side) => side !== null) + 1 : null;
  if (other !== null) fatal(`path '${path}' is in the index, but not at stage ${stage}\nhint: Did you mean ':${other}:${path}'?`);
  return fatal(`path '${path}' ${isThere ? "exists on disk, but not in the index" : "does not exist (neither on disk nor in the index)"}`);
}

/** Splits the words before "--": first those that name a revision; the rest must be files. */
export async function splitRevisions(
  repo: Repository,
  words: readonly string[],
  paths: readonly string[] | null,
): Promise<{ readonly revisions: readonly string[]; readonly paths: readonly string[] }> {
  if (paths !== null) return { revisions: await withParents(repo, words), paths };
  const revisions: string[] = [];
  for (const [at, word] of words.entries()) {
    const range = /^(.*?)\.{2,3}(.*)$/.exec(word);
    const parents = await someNamed(repo, word);
    if (parents !== null) {
      revisions.push(...parents);
      continue;
    }
    const names = range ? [range[1] || "HEAD", range[2] || "HEAD"] : [word.replace(/^\^/, "")];
    let known = true;
    for (const name of names) known &&= (await findObject(repo, name)) !== null;
    if (known) revisions.push(word);
    else {
      const rest = words.slice(at);
      for (const path of rest) {
        const plain = path.replace(/^:[/!^]/, "");
        const isPattern = plain === "" || /[*?[]|^:\(/.test(path);
        const base = path.startsWith(":/") ? repo.top : repo.shell.cwd;
        if (!isPattern && (await repo.files.stat(repo.files.resolve(base, plain))) === null) await unknownObject(repo, path);
      }
      return { revisions, paths: rest };
    }
  }
  return { revisions, paths: [] };
}

/** The words, with what `x^!` and the like stand for in their place. */
export async function withParents(repo: Repository, words: readonly string[]): Promise<string[]> {
  return (await Promise.all(words.map(async (word) => (await someNamed(repo, word)) ?? [word]))).flat();
}

/** Like `parentsNamed`. No revision at all would mean HEAD. */
async function someNamed(repo: Repository, word: string): Promise<string[] | null> {
  const named = await parentsNamed(repo, word);
  return named?.length === 0 ? fatal(`Vibey's git can't select nothing: the commit of '${word}' has no parents`) : named;
}

/** What `x^!` (the commit without its parents), `x^@` (its parents), and `x^-` (it and what a merge brought in) stand for. Null: another name. */
export async function parentsNamed(repo: Repository, word: string): Promise<string[] | null> {
  const [, name = "", sign = "", number = "1"] = /^([^^].*)\^([!@-])(\d*)$/.exec(word) ?? [];
  const oid = sign === "" ? null : await findCommit(repo, name);
  if (oid === null || (sign !== "-" && number !== "")) return null;
  const { parents } = await repo.objects.commit(oid);
  if (sign === "@") return [...parents];
  if (sign === "!") return [oid, ...parents.map((parent) => `^${parent}`)];
  const parent = parents[Number(number || 1) - 1];
  return parent === undefined ? null : [oid, `^${parent}`];
}

/** The best common ancestors, newest first. */
export async function mergeBases(repo: Repository, a: Oid, b: Oid): Promise<readonly Oid[]> {
  const ofA = await reachable(repo, [a]);
  const common: Oid[] = [];
  const seen = new Set<Oid>();
  const open = [b];
  for (let oid = open.shift(); oid !== undefined; oid = open.shift()) {
    if (seen.has(oid)) continue;
    seen.add(oid);
    if (ofA.has(oid)) common.push(oid);
    else open.push(...(await repo.objects.commit(oid)).parents);
  }
  const best: { oid: Oid; time: number }[] = [];
  for (const oid of common) {
    const others = await Promise.all(common.filter((other) => other !== oid).map((other) => reachable(repo, [other])));
    if (!others.some((set) => set.has(oid))) best.push({ oid, time: (await repo.objects.commit(oid)).committer.time });
  }
  return best.toSorted((x, y) => y.time - x.time).map((one) => one.oid);
}

export function shortOid(oid: Oid): string {
  return oid.slice(0, 7);
}
