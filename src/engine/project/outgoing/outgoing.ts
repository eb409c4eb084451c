import { isGitName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { zipNames } from "../../../fs/zip/names.ts";
import type { ZipEntry } from "../../../fs/zip/write.ts";
import { claim, isShortName } from "./claims.ts";
import type { Finding } from "./finding.ts";
import { heldName, plainName } from "./held-name.ts";
import { installScripts } from "./install-scripts.ts";
import { type RebuiltRepository, rebuildRepository, type RepositoryFiles } from "./repository.ts";
import { isOddName, whatRuns } from "./runs-itself.ts";
import { sparsePatterns } from "./sparse-patterns.ts";

export interface OutgoingFile {
  readonly path: Path;
  /** In milliseconds since 1970. */
  readonly mtime: number;
}

export interface OutgoingDeps {
  readonly files: readonly OutgoingFile[];
  /** Null if the file has been deleted in the meantime. */
  readonly read: (path: Path) => Promise<Uint8Array | null>;
  /** The same for a single file that is checked before the zip is made. The default is `read`. */
  readonly peek?: OutgoingDeps["read"];
  /** The same for many files, in the order of their paths. The default is `peek`. */
  readonly scan?: OutgoingDeps["read"];
  /** Files that run by themselves keep their own names, because the user has seen them and wants that. Repositories are rebuilt anyway. */
  readonly asTheyAre: boolean;
}

export interface Outgoing {
  readonly entries: readonly ZipEntry[];
  /** What would run outside the browser, sorted by path, held-back files first. */
  readonly findings: readonly Finding[];
  /** Whether the zip has no file with this path under this name, although the project has it. */
  readonly isAbsent: (path: string, name: string) => boolean;
  /** The findings for a file that only earlier versions have. */
  readonly historyFinding: (path: string) => readonly Finding[];
  /** Whether Git must not put this file, which only a commit has, into the working tree. */
  readonly isUnwanted: (path: string) => boolean;
  /**
   * The content of `info/sparse-checkout` that prevents this. Null if it isn't needed. `unwanted`: the files of this kind in commits. `isWhole`:
   * there are no others. `folder`: the repository's folder.
   */
  readonly sparse: (unwanted: readonly string[], isWhole: boolean, folder?: string) => string | null;
  /** Whether anything in the zip has another name than in the project. */
  readonly isMarked: boolean;
}

/**
 * The only way for a project's files onto the user's disk. There, programs run without asking first. So:
 *
 * - repositories are rebuilt by `rebuildRepository`, in every zip;
 * - files that run by themselves are held back, under a name that no program looks for;
 * - nothing is lost: a held-back file keeps its bytes, and an import restores its name.
 */
export async function outgoing({ files, read, peek = read, scan = peek, asTheyAre }: OutgoingDeps): Promise<Outgoing> {
  const paths = files.map(({ path }) => path);
  const known = new Map<string, number>(files.map(({ path, mtime }) => [path, mtime]));
  const claims = claim(paths);
  const findings: Finding[] = [];
  const held = new Set<Path>([...claims.pointers, ...[...claims.spellings.values(), ...claims.shortNames.values()].flat()]);
  for (const path of claims.pointers) findings.push({ path, level: "held", reason: { kind: "pointer" } });
  for (const path of claims.spellings.keys()) findings.push({ path, level: "held", reason: { kind: "spelling" } });
  for (const path of claims.shortNames.keys()) findings.push({ path, level: "held", reason: { kind: "short-name" } });
  for (const path of claims.others) {
    const found = whatRuns(path);
    if (!found) continue;
    findings.push({ path, ...found });
    if (found.level === "held" && !asTheyAre) held.add(path);
  }
  findings.push(...(await installScripts(claims.others, peek)));

  /** Repositories are checked last, when it is known which files of their working trees are in the zip. */
  const plain = new Set<string>(claims.others.filter((path) => !held.has(path)));
  const isThere = (path: string) => plain.has(path) && plainName(path) === path;
  /** Whether Git must not create this file, which only a commit or an index has. */
  const isUnwanted = (path: string) => path.split("/").slice(0, -1).some(isShortName) || (!asTheyAre && whatRuns(path)?.level === "held");
  const sparse: Outgoing["sparse"] = (unwanted, isWhole, folder = "") =>
    unwanted.length === 0 && (isWhole || asTheyAre)
      ? null
      : sparsePatterns({
          shortNames: asTheyAre,
          // In the repository's own folder, a path may be too short to match the table.
          odd: unwanted.filter((path) => isOddName(path) || whatRuns(path)?.level !== "held"),
          isWhole,
          folder,
        });
  const historyFinding = (path: string, repository?: string): Finding[] => {
    if (known.has(path)) return [];
    const reason = whatRuns(path)?.reason ?? { kind: "short-name" };
    return [{ path, level: "history", reason, ...(repository === undefined ? {} : { repository }) }];
  };
  const rebuilt: { readonly repository: RepositoryFiles; readonly result: RebuiltRepository }[] = [];
  for (const repository of claims.repositories) {
    const top = repository.folder.slice(0, -".git".length);
    const absent = (path: string) => (known.has(`${top}${path}`) ? !isThere(`${top}${path}`) : isUnwanted(`${top}${path}`));
    const unwanted = (path: string) => isUnwanted(`${top}${path}`);
    const result = await rebuildRepository(repository, {
      read: peek,
      scan,
      absent,
      unwanted,
      sparse: (names, isWhole) => sparse(names, isWhole, top),
      marked: held.size > 0,
    });
    rebuilt.push({ repository, result });
    findings.push(...result.findings);
    for (const path of result.unwanted) findings.push(...historyFinding(`${top}${path}`, repository.folder));
    for (const path of result.held) held.add(path);
  }

  const entries: { readonly name: string; readonly path: string; readonly read: () => Promise<Uint8Array | null> }[] = [];
  for (const path of claims.others) if (!held.has(path)) entries.push({ name: plainName(path), path, read: () => read(path) });
  for (const path of held) entries.push({ name: heldName(path), path, read: () => read(path) });
  const folders: string[] = [];
  for (const { repository, result } of rebuilt) {
    const prefix = repository.folder === "" ? "" : `${repository.folder}/`;
    for (const [rel, bytes] of result.files) {
      const own = repository.files.get(rel);
      const content = bytes === null && own !== undefined ? () => read(own) : async () => bytes;
      entries.push({ name: plainName(prefix + rel), path: prefix + rel, read: content });
    }
    if (result.files.size === 0) continue;
    // Without these folders, Git would not recognize the repository.
    for (const name of ["objects", "refs"])
      if (![...result.files.keys()].some((rel) => rel.startsWith(`${name}/`))) folders.push(`${plainName(prefix)}${name}/`);
  }
  const isHeld: ReadonlySet<string> = held;
  const newest = files.reduce((most, { mtime }) => Math.max(most, mtime), 0);
  const unique = zipNames(entries.map(({ name }) => name));
  const given = new Map(entries.map(({ name, path }) => [path, unique.get(name) ?? name]));
  return {
    entries: [
      ...entries.map(
        ({ name, path, read: content }): ZipEntry => ({
          path: unique.get(name) ?? name,
          mtime: known.get(path) ?? newest,
          read: content,
        }),
      ),
      ...folders.map((path): ZipEntry => ({ path, mtime: newest, read: async () => new Uint8Array() })),
    ],
    findings: sorted(findings),
    historyFinding,
    isUnwanted,
    sparse,
    isAbsent: (path, name) =>
      known.has(path) ? isHeld.has(path) || path.split("/").some(isGitName) || given.get(path) !== name : isUnwanted(path),
    isMarked: held.size > 0 || [...given].some(([path, name]) => path !== name),
  };
}

const levels: readonly Finding["level"][] = ["held", "history", "listed"];

/** By path, held-back files first. */
export function sorted(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level) || (a.path < b.path ? -1 : 1));
}
