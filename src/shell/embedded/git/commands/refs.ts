import { bodyOf, subjectOf } from "../commit.ts";
import { countOf, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findCommit, findObject, mustFindCommit, peel, shortOid, typeOf, unknownRevision } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import { globPattern } from "../store/ignore.ts";
import type { Oid, Person } from "../store/model.ts";
import { parseHeader, parsePerson } from "../store/objects.ts";
import { isFullRefName } from "../store/refs.ts";
import { decode } from "../text/bytes.ts";
import { formatDate, readDateStyle } from "../text/dates.ts";
import { upstreamOf } from "../tracking.ts";

interface Ref {
  readonly ref: string;
  readonly oid: Oid;
}

/** `git for-each-ref`. */
export const forEachRef: GitCommand = async (run, args) => {
  const options = parseOptions("for-each-ref", args, ["format=", "sort=", "count=", "merged=*", "no-merged=*", "contains=*", "points-at="]);
  if (options.has("points-at")) absent("for-each-ref --points-at");
  const repo = await run.repository();
  let refs = (await repo.refs.all()).filter(({ ref }) => options.words.length === 0 || options.words.some((word) => isBelow(ref, word)));
  const merged = options.value("merged");
  if (merged !== null) {
    const behind = await reachable(repo, [await mustFindCommit(repo, merged || "HEAD")]);
    refs = await filtered(refs, async ({ oid }) => behind.has(await peel(repo, oid)));
  }
  const unmerged = options.value("no-merged");
  if (unmerged !== null) {
    const behind = await reachable(repo, [await mustFindCommit(repo, unmerged || "HEAD")]);
    refs = await filtered(refs, async ({ oid }) => !behind.has(await peel(repo, oid)));
  }
  const containing = options.value("contains");
  if (containing !== null) {
    const wanted = await mustFindCommit(repo, containing || "HEAD");
    refs = await filtered(refs, async ({ oid }) => (await reachable(repo, [await peel(repo, oid)])).has(wanted));
  }
  const rows = await sortedRefs(repo, refs, options.values("sort"));
  const format = options.value("format") ?? "%(objectname) %(objecttype)\t%(refname)";
  for (const ref of rows.slice(0, countOf(options, "count") ?? rows.length)) run.out(`${await refText(repo, ref, format)}\n`);
  return 0;
};

function isBelow(ref: string, word: string): boolean {
  const name = word.replace(/\/$/, "");
  return ref === name || ref.startsWith(`${name}/`) || (/[*?[]/.test(name) && globPattern(name, true).test(ref));
}

async function filtered<T>(all: readonly T[], isWanted: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const one of all) if (await isWanted(one)) kept.push(one);
  return kept;
}

/** Sorts by one key after another; a `-` before a key reverses it. Numbers are compared as numbers. */
export async function sortedRefs(repo: Repository, refs: readonly Ref[], keys: readonly string[]): Promise<Ref[]> {
  let rows = [...refs];
  for (const key of keys) {
    const name = key.replace(/^-/, "").replace(/^version:|^v:/, "");
    const isVersion = /version:|v:/.test(key);
    const values = new Map<string, string>();
    for (const row of rows) values.set(row.ref, await fieldOf(repo, row, name.endsWith("date") ? `${name}:unix` : name));
    const compare = (a: string, b: string): number =>
      isVersion
        ? a.localeCompare(b, "en", { numeric: true })
        : /^\d+$/.test(a) && /^\d+$/.test(b)
          ? Number(a) - Number(b)
          : a < b
            ? -1
            : a > b
              ? 1
              : 0;
    const sign = key.startsWith("-") ? -1 : 1;
    rows = rows.toSorted((a, b) => sign * compare(values.get(a.ref) ?? "", values.get(b.ref) ?? ""));
  }
  return rows;
}

export async function refText(repo: Repository, ref: Ref, format: string): Promise<string> {
  let text = "";
  for (const [token, field, hex] of format.matchAll(/%\(([^)]*)\)|%([0-9a-fA-F]{2})|%%|[^%]+|%/g)) {
    if (field !== undefined) text += await fieldOf(repo, ref, field);
    else if (hex !== undefined) text += String.fromCharCode(Number.parseInt(hex, 16));
    else text += token === "%%" ? "%" : token;
  }
  return text;
}

async function fieldOf(repo: Repository, { ref, oid }: Ref, given: string): Promise<string> {
  const isPeeled = given.startsWith("*");
  const [name = "", modifier = ""] = given.replace(/^\*/, "").split(/:(.*)/s);
  const ownType = await typeOf(repo, oid);
  if (isPeeled && ownType !== "tag") return "";
  const at = isPeeled ? await peel(repo, oid) : oid;
  const object = await repo.objects.read(at);
  const { fields, message } =
    object.type === "blob" || object.type === "tree" ? { fields: [], message: "" } : parseHeader(decode(object.bytes));
  const who = (kind: string): Person | null => {
    const found = fields.find(([key]) => key === kind)?.[1];
    return found === undefined ? null : parsePerson(found);
  };
  const date = (person: Person | null): string =>
    person === null ? "" : formatDate(person, readDateStyle(modifier === "" ? null : modifier), repo.shell.now());
  const branch = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
  switch (name) {
    case "refname":
      return modifier === "short"
        ? ref.replace(/^refs\/(?:heads|tags|remotes)\//, "")
        : /^l?strip=/.test(modifier)
          ? ref
              .split("/")
              .slice(Number(modifier.replace(/^l?strip=/, "")))
              .join("/")
          : ref;
    case "objectname":
      return modifier.startsWith("short") ? shortOid(at) : at;
    case "objecttype":
      return object.type;
    case "objectsize":
      return String(object.bytes.length);
    case "HEAD":
      return branch !== null && (await repo.refs.head()).branch === branch ? "*" : " ";
    case "upstream": {
      const upstream = branch === null ? null : await upstreamOf(repo, branch);
      return upstream === null ? "" : modifier === "short" ? upstream.ref.replace(/^refs\/remotes\//, "") : upstream.ref;
    }
    case "subject":
      return subjectOf(message);
    case "body":
      return bodyOf(message);
    case "contents":
      return modifier === "subject" ? subjectOf(message) : modifier === "body" ? bodyOf(message) : message;
    case "authorname":
    case "committername":
    case "taggername":
      return who(name.slice(0, -4))?.name ?? "";
    case "authoremail":
    case "committeremail":
    case "taggeremail": {
      const email = who(name.slice(0, -5))?.email;
      return email === undefined ? "" : modifier === "trim" ? email : `<${email}>`;
    }
    case "authordate":
    case "committerdate":
    case "taggerdate":
      return date(who(name.slice(0, -4)));
    case "creatordate":
      return date(who("tagger") ?? who("committer"));
    default:
      return fatal(`Vibey's git has no %(${given}) in a format`);
  }
}

/** `git show-ref`. */
export const showRef: GitCommand = async (run, args) => {
  const options = parseOptions("show-ref", args, ["heads", "tags", "head", "q quiet", "verify", "s hash=?", "d dereference", "abbrev=?"]);
  const repo = await run.repository();
  const kinds = [...(options.has("heads") ? ["refs/heads/"] : []), ...(options.has("tags") ? ["refs/tags/"] : [])];
  const refs = (await repo.refs.all()).filter(
    ({ ref }) =>
      (kinds.length === 0 || kinds.some((kind) => ref.startsWith(kind))) &&
      (options.words.length === 0 ||
        options.words.some((word) => (options.has("verify") ? ref === word : ref === word || ref.endsWith(`/${word}`)))),
  );
  if (options.has("verify") && refs.length < options.words.length) {
    if (options.has("quiet")) return 1;
    fatal(`'${options.words.find((word) => !refs.some(({ ref }) => ref === word)) ?? ""}' - not a valid ref`);
  }
  for (const { ref, oid } of options.has("quiet") ? [] : refs) {
    run.out(options.has("hash") ? `${oid.slice(0, Number(options.value("hash") || 40))}\n` : `${oid} ${ref}\n`);
    if (options.has("dereference") && (await typeOf(repo, oid)) === "tag") run.out(`${await peel(repo, oid)} ${ref}^{}\n`);
  }
  return refs.length > 0 ? 0 : 1;
};

/** `git symbolic-ref`. */
export const symbolicRef: GitCommand = async (run, args) => {
  const options = parseOptions("symbolic-ref", args, ["short", "q quiet", "d delete", "m="]);
  const repo = await run.repository();
  const [name, target] = options.words;
  if (name === undefined || options.has("delete")) throw new Stop(129, "usage: git symbolic-ref [-q] [--short] <name> [<ref>]\n");
  if (target !== undefined) {
    if (name === "HEAD" && !target.startsWith("refs/")) fatal("Refusing to point HEAD outside of refs/");
    if (!isFullRefName(name) || !isFullRefName(target)) fatal(`Refusing to set '${name}' to invalid ref '${target}'`);
    await repo.refs.setSymbolic(name, target);
    return 0;
  }
  const found = isFullRefName(name) ? await repo.refs.symbolic(name) : null;
  if (found === null) return options.has("quiet") ? 1 : fatal(`ref ${name} is not a symbolic ref`);
  run.out(`${options.has("short") ? found.replace(/^refs\/(?:heads|tags|remotes)\//, "") : found}\n`);
  return 0;
};

/** Why the ref can't be changed from the value that it is expected to have; null: it can. */
async function unexpectedValue(repo: Repository, ref: string, text: string | undefined): Promise<string | null> {
  if (text === undefined) return null;
  const now = await repo.refs.resolve(ref);
  const old = /^0*$/.test(text) ? null : ((await findObject(repo, text)) ?? fatal(`${text}: not a valid old SHA1`));
  if (now === old) return null;
  if (now === null) return `cannot lock ref '${ref}': unable to resolve reference '${ref}'`;
  return `cannot lock ref '${ref}': ${old === null ? "reference already exists" : `is at ${now} but expected ${old}`}`;
}

/** `git update-ref`. */
export const updateRef: GitCommand = async (run, args) => {
  const options = parseOptions("update-ref", args, ["d delete", "m=", "no-deref", "create-reflog"]);
  const repo = await run.repository();
  const [ref, value] = options.words;
  if (ref === undefined || !isFullRefName(ref)) throw new Stop(128, `fatal: ${ref ?? ""}: not a valid ref\n`);
  const wrong = await unexpectedValue(repo, ref, options.words[options.has("delete") ? 1 : 2]);
  if (options.has("delete")) {
    if (wrong !== null) throw new Stop(1, `error: ${wrong}\n`);
    const { branch } = await repo.refs.head();
    await repo.refs.remove(ref === "HEAD" && branch !== null ? `refs/heads/${branch}` : ref);
    return 0;
  }
  const oid = (await findObject(repo, value ?? "")) ?? fatal(`${value ?? ""}: not a valid SHA1`);
  if (wrong !== null) fatal(`update_ref failed for ref '${ref}': ${wrong}`);
  const { branch } = await repo.refs.head();
  if (ref !== "HEAD") await repo.refs.set(ref, oid);
  else if (branch === null) await repo.refs.detach(oid);
  else await repo.refs.set(`refs/heads/${branch}`, oid);
  return 0;
};

/** `git name-rev`: names a commit by the nearest branch or tag. */
export const nameRev: GitCommand = async (run, args) => {
  const options = parseOptions("name-rev", args, ["name-only", "tags", "always", "refs="]);
  for (const name of ["refs"]) if (options.has(name)) absent(`name-rev --${name}`);
  const repo = await run.repository();
  for (const text of options.words) {
    const wanted = (await findCommit(repo, text)) ?? unknownRevision(text);
    let best: { readonly name: string; readonly steps: number } | null = null;
    for (const { ref, oid } of await repo.refs.all()) {
      const isTag = ref.startsWith("refs/tags/");
      if ((options.has("tags") && !isTag) || (await findCommit(repo, oid)) === null) continue;
      const name = ref.replace(/^refs\/heads\//, "").replace(/^refs\//, "");
      let steps = 0;
      for (let at: Oid | undefined = await peel(repo, oid); at !== undefined; [at] = (await repo.objects.commit(at)).parents, steps++) {
        if (at !== wanted) continue;
        // A tag is a better name than a branch.
        const found = {
          name: steps === 0 ? `${name}${isTag && oid !== at ? "^0" : ""}` : `${name}~${steps}`,
          steps: steps + (isTag ? 0 : 1_000_000),
        };
        if (best === null || found.steps < best.steps) best = found;
        break;
      }
    }
    const name = best?.name ?? (options.has("always") ? shortOid(wanted) : "undefined");
    run.out(options.has("name-only") ? `${name}\n` : `${text} ${name}\n`);
  }
  return 0;
};
