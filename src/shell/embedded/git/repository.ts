import type { IFileSystem } from "just-bash/browser";
import { canonicalText } from "../../../fs/path.ts";
import type { CommonHost } from "../host.ts";
import { type ConfigEntry, changeConfig, moveSection, parseConfig } from "./store/config.ts";
import { parentOf, type WorkFiles, workFiles } from "./store/files.ts";
import { formatIndex, type Index, parseIndex } from "./store/index-file.ts";
import type { Commit, Oid, Person, Snapshot } from "./store/model.ts";
import { formatCommit, createObjects, type Objects } from "./store/objects.ts";
import { type Pathspec, pathspec } from "./store/pathspec.ts";
import { createRefs, type Refs } from "./store/refs.ts";
import { fatal } from "./stop.ts";
import { decode, encode, type Quote, quoteWith } from "./text/bytes.ts";
import { parseDate } from "./text/dates.ts";

/** What the shell gives a git command. */
export interface GitShell {
  readonly fs: IFileSystem;
  readonly cwd: string;
  /** The absolute path of the project's folder. */
  readonly project: string;
  readonly env: (name: string) => string | undefined;
  /** UTF-8. */
  readonly stdin: () => string;
  /** Runs a shell command; undefined if there is no shell. */
  readonly execute?: (words: readonly string[]) => Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The access to remote repositories, and the channel for status lines. */
  readonly host: Pick<CommonHost, "fetch" | "show">;
}

export interface Repository {
  readonly shell: GitShell;
  readonly files: WorkFiles;
  /** The absolute path of the folder whose files are tracked. */
  readonly top: string;
  /** `.git`; for an added worktree, its own folder in the repository's `.git/worktrees`. */
  readonly gitdir: string;
  /** The folder of objects, branches and settings, shared by all worktrees. */
  readonly common: string;
  /** The repository has no working tree. */
  readonly isBare: boolean;
  readonly configPath: string;
  readonly objects: Objects;
  readonly refs: Refs;
  /** The path of the working directory in the repository, with a trailing slash; "" at the top. */
  readonly prefix: string;
  readIndex(): Promise<Index>;
  writeIndex(index: Index): Promise<void>;
  /** When the index was written, in milliseconds since 1970. */
  indexTime(): Promise<number>;
  config(): Promise<readonly ConfigEntry[]>;
  /** The last value of a key. */
  setting(key: string): Promise<string | null>;
  changeSetting(key: string, value: string | null): Promise<void>;
  /** A setting that is true or false. */
  flag(key: string, otherwise: boolean): Promise<boolean>;
  /** How this repository's settings print names. */
  quoting(): Promise<Quote>;
  /** Renames a section that has a subsection, or removes it. */
  moveSection(from: string, to: string | null): Promise<void>;
  spec(paths: readonly string[]): Pathspec;
  /** Whether the path belongs to docs and dialogs. They are never part of a repository: nothing here reads or writes them. */
  isVibeys(path: string): boolean;
  absolute(path: string): string;
  author(): Promise<Person>;
  committer(): Promise<Person>;
  /** The files of a commit; no files for null. */
  snapshot(commit: Oid | null): Promise<Snapshot>;
  writeCommit(commit: Omit<Commit, "oid">): Promise<Oid>;
}

/** `-c key=value` of the command line. */
export type Overrides = readonly ConfigEntry[];

const defaultPerson = { name: "Agent", email: "agent@vibey.invalid" };

/** The repository that contains the working directory; null if there is none. */
export async function findRepository(shell: GitShell, overrides: Overrides): Promise<Repository | null> {
  const files = workFiles(shell.fs);
  for (let folder = shell.cwd; ; folder = parentOf(folder)) {
    const at = folder === "/" ? "" : folder;
    if (await shell.fs.exists(`${at}/.git/HEAD`)) return openRepository(shell, folder, overrides);
    const linked = await linkedPlace(files, at);
    if (linked !== null) return openRepository(shell, folder, overrides, linked);
    if (!folder.endsWith("/.git") && (await isBareFolder(files, at))) return openBare(shell, folder, overrides);
    if (folder.endsWith("/.git") && (await files.stat(`${folder}/HEAD`))) fatal("this operation must be run in a work tree");
    if (folder === "/") return null;
  }
}

export interface Place {
  readonly gitdir: string;
  readonly common: string;
  readonly isBare: boolean;
}

/** The target of a worktree's `.git`, which is a file; null if there is none. */
export async function linkedPlace(files: WorkFiles, top: string): Promise<Place | null> {
  const bytes = await files.read(`${top}/.git`);
  const named = bytes === null ? null : /^gitdir: (.+?)\n*$/.exec(decode(bytes));
  if (!named) return null;
  const gitdir = files.resolve(top === "" ? "/" : top, named[1] ?? "");
  const to = await files.read(`${gitdir}/commondir`);
  if ((await files.stat(`${gitdir}/HEAD`)) === null) fatal(`not a git repository: ${named[1] ?? ""}`);
  return { gitdir, common: to === null ? gitdir : files.resolve(gitdir, decode(to).trim()), isBare: false };
}

/** Whether the folder is a bare repository: its content is that of a `.git` folder. */
export async function isBareFolder(files: WorkFiles, at: string): Promise<boolean> {
  if ((await files.stat(`${at}/HEAD`))?.isFolder !== false) return false;
  return (await files.stat(`${at}/config`))?.isFolder === false && (await files.stat(`${at}/objects`))?.isFolder === true;
}

export function openBare(shell: GitShell, folder: string, overrides: Overrides): Repository {
  return openRepository(shell, folder, overrides, { gitdir: folder, common: folder, isBare: true });
}

export function openRepository(shell: GitShell, top: string, overrides: Overrides, place: Place | null = null): Repository {
  const { fs } = shell;
  const files = workFiles(fs);
  const usual = `${top === "/" ? "" : top}/.git`;
  const { gitdir, common, isBare } = place ?? { gitdir: usual, common: usual, isBare: false };
  const configPath = `${common}/config`;
  const objects = createObjects(fs, common);
  const refs = createRefs(fs, gitdir, common);
  const absolute = (path: string): string => `${top === "/" ? "" : top}/${path}`;

  const configText = async (): Promise<string> => decode((await files.read(configPath)) ?? new Uint8Array());
  const config = async (): Promise<readonly ConfigEntry[]> => {
    const global = shell.env("HOME");
    const own = global === undefined ? null : await files.read(`${global}/.gitconfig`);
    return [...(own ? parseConfig(decode(own)) : []), ...parseConfig(await configText()), ...overrides];
  };
  const setting = async (key: string): Promise<string | null> => (await config()).findLast((entry) => entry.key === key)?.value ?? null;

  const flag = async (key: string, otherwise: boolean): Promise<boolean> => {
    const value = (await setting(key))?.toLowerCase();
    return value === undefined ? otherwise : !["false", "no", "off", "0", ""].includes(value);
  };

  async function person(role: "AUTHOR" | "COMMITTER"): Promise<Person> {
    const name = shell.env(`GIT_${role}_NAME`) ?? (await setting("user.name")) ?? defaultPerson.name;
    const email = shell.env(`GIT_${role}_EMAIL`) ?? (await setting("user.email")) ?? defaultPerson.email;
    const date = shell.env(`GIT_${role}_DATE`);
    const when =
      date === undefined
        ? { time: Math.floor(shell.now() / 1000), zone: "+0000" }
        : (parseDate(date, shell.now()) ?? fatal(`invalid date format: ${date}`));
    return { name: name.replaceAll(/[<>\n]/g, "").trim(), email: email.replaceAll(/[<>\n]/g, "").trim(), ...when };
  }

  return {
    shell,
    files,
    top,
    gitdir,
    common,
    isBare,
    configPath,
    objects,
    refs,
    absolute,
    prefix: shell.cwd === top ? "" : `${shell.cwd.slice(top === "/" ? 1 : top.length + 1)}/`,
    async readIndex() {
      const bytes = await files.read(`${gitdir}/index`);
      return bytes === null ? { files: new Map(), conflicts: new Map(), intents: new Map() } : parseIndex(bytes);
    },
    writeIndex: (index) => files.write(`${gitdir}/index`, formatIndex(index)),
    indexTime: async () => (await files.stat(`${gitdir}/index`))?.mtime ?? 0,
    config,
    setting,
    flag,
    async quoting() {
      return quoteWith({ quotePath: await flag("core.quotepath", true) });
    },
    async changeSetting(key, value) {
      await files.write(configPath, encode(changeConfig(await configText(), key, value)));
    },
    async moveSection(from, to) {
      await files.write(configPath, encode(moveSection(await configText(), from, to)));
    },
    spec: (paths) => pathspec(paths, shell.cwd, top, files.resolve),
    isVibeys(path) {
      const full = absolute(path);
      if (!full.startsWith(`${shell.project}/`)) return false;
      const form = canonicalText(full.slice(shell.project.length + 1));
      return form === null || form === "vibey" || form.startsWith("vibey/");
    },
    author: () => person("AUTHOR"),
    committer: () => person("COMMITTER"),
    async snapshot(commit) {
      return commit === null ? new Map() : objects.files((await objects.commit(commit)).tree);
    },
    writeCommit: (commit) => objects.write("commit", formatCommit(commit)),
  };
}
