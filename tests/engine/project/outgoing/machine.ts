import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { hooks, type Files } from "./attacks.ts";

export const hasGit = ["git", "unzip"].every((program) => spawnSync(program, ["-v"]).error === undefined);

/** The user's machine: a folder, the installed git, and a program that must never run. */
export interface Machine {
  readonly folder: string;
  /** The program. It records that it ran. */
  readonly canary: string;
  /** How often it has run since the last call. */
  ran(): number;
  git(cwd: string, ...args: string[]): { readonly code: number | null; readonly out: string };
  /** The files of a repository created by git itself, including `.git`. */
  repository(): Files;
  /** Writes files unchanged, as an unsafe zip would. */
  lay(files: Files): string;
  unzip(zip: Uint8Array): string;
  /** All files of a folder, by path. */
  filesOf(folder: string): Files;
  /** Does everything a user does with git, in every folder. All files are executable, as on some file systems. */
  useEverywhere(folder: string, all?: boolean): { readonly folders: number; readonly commands: number };
  close(): void;
}

/** All run in each folder that git could treat as a top-level folder; in other folders only the first one runs. */
const commands: readonly (readonly string[])[] = [
  ["status"],
  ["-p", "log", "-p", "--all"],
  ["log", "--show-signature", "-1"],
  ["diff", "HEAD~1"],
  ["difftool", "-y", "-t", "x", "HEAD~1"],
  ["show", "--ext-diff", "--textconv", "HEAD"],
  ["evil"],
  ["checkout", "--", "."],
  ["stash"],
  ["add", "-A"],
  ["commit", "--allow-empty"],
  ["commit", "--amend", "--no-edit", "--allow-empty", "--trailer", "x=y"],
  ["checkout", "-q", "-B", "mine"],
  ["merge", "--no-edit", "other"],
  ["rebase", "-i", "HEAD~1"],
  ["rebase", "--continue"],
  ["fetch", "--all"],
  ["push", "origin", "HEAD"],
  ["submodule", "update", "--init"],
  ["reset", "--hard"],
  ["interpret-trailers", "--in-place", "message.txt"],
  ["add", "-p"],
  ["gc", "--prune=now"],
  ["fsck"],
];

const few = commands.filter(([name]) => ["status", "-p", "evil", "checkout", "add", "commit"].includes(name ?? ""));

export function machine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), "vibey-out-"));
  const canary = join(folder, "canary.sh");
  const log = join(folder, "ran");
  writeFileSync(canary, `#!/bin/sh\necho ran >> ${log}\ncat 2>/dev/null || true\n`);
  chmodSync(canary, 0o755);
  // Scripts that the hooks path and other settings name by a relative path.
  const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b.invalid", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b.invalid" };
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CEILING_DIRECTORIES: folder,
    EDITOR: "true",
    PAGER: "cat",
    LC_ALL: "C",
    ...person,
  };
  let nth = 0;
  const git: Machine["git"] = (cwd, ...args) => {
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd,
      env,
      encoding: "utf8",
      input: "y\n",
      timeout: 10_000,
      killSignal: "SIGKILL",
    });
    return { code: status, out: stdout + stderr };
  };
  const foldersOf = (top: string): string[] => [
    top,
    ...readdirSync(top, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? foldersOf(join(top, entry.name)) : [])),
  ];
  const filesOf = (top: string): string[] =>
    readdirSync(top, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesOf(join(top, entry.name)) : [join(top, entry.name)],
    );
  mkdirSync(env.HOME);
  const read = (own: string): Files =>
    Object.fromEntries(filesOf(own).map((file) => [relative(own, file), new Uint8Array(readFileSync(file))]));
  let made: Files | null = null;
  const place = () => {
    nth += 1;
    const own = join(folder, `p${nth}`);
    mkdirSync(own);
    return own;
  };
  return {
    folder,
    canary,
    ran() {
      const count = existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
      rmSync(log, { force: true });
      return count;
    },
    git,
    repository() {
      if (made) return made;
      const own = place();
      const files = { "a.txt": "one\n", ".gitattributes": "* filter=x diff=x merge=x\n", "message.txt": "x\n" };
      git(own, "init", "-q", "-b", "main");
      for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
      git(own, "add", "-A");
      git(own, "commit", "-qm", "One");
      git(own, "checkout", "-qb", "other");
      writeFileSync(join(own, "a.txt"), "other\n");
      git(own, "commit", "-qam", "Other");
      git(own, "checkout", "-q", "main");
      writeFileSync(join(own, "a.txt"), "two\n");
      git(own, "commit", "-qam", "Two");
      git(own, "config", "user.name", "Somebody");
      rmSync(join(own, ".git/hooks"), { recursive: true });
      made = read(own);
      return made;
    },
    filesOf: read,
    lay(files) {
      const own = place();
      for (const [name, data] of Object.entries(files)) {
        mkdirSync(dirname(join(own, name)), { recursive: true });
        writeFileSync(join(own, name), data);
      }
      return own;
    },
    unzip(zip) {
      const own = place();
      writeFileSync(`${own}.zip`, zip);
      execFileSync("unzip", ["-q", "-d", own, `${own}.zip`], { stdio: "ignore" });
      rmSync(`${own}.zip`);
      return own;
    },
    useEverywhere(top, all = false) {
      const folders = foldersOf(top).filter((one) => !/\/(?:objects|logs)\/./.test(one));
      // git removes empty folders while it is used.
      const isTop = (one: string) => existsSync(one) && readdirSync(one).some((name) => /^(?:\.git.*|HEAD|commondir)$/.test(name));
      let count = 0;
      for (const file of filesOf(top)) chmodSync(file, 0o755);
      for (const cwd of folders.filter((one) => existsSync(one)))
        for (const args of isTop(cwd) ? (all ? commands : few) : commands.slice(0, 1)) {
          // Makes a change for the command to look at, if the folder isn't a repository's own.
          if (args[0] === "status" && existsSync(join(cwd, "a.txt"))) writeFileSync(join(cwd, "a.txt"), "mine\n");
          if (!existsSync(cwd)) continue;
          git(cwd, ...args);
          count += 1;
        }
      return { folders: folders.length, commands: count };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A repository below `prefix` with these settings, with all hooks if `withHooks`, and with a script wherever settings name one. */
export function poisoned(of: Machine, prefix: string, lines: readonly string[], withHooks = false): Files {
  const { canary } = of;
  const base = Object.entries(of.repository()).map(([name, data]) => [prefix + name, data] as const);
  const script = `#!/bin/sh\nexec ${canary}\n`;
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${lines.join("\n").replaceAll("@", canary)}\n`;
  return {
    ...Object.fromEntries(base),
    [`${prefix}.git/config`]: config,
    [`${prefix}evil.cfg`]: `[core]\n\tfsmonitor = ${canary}\n`,
    ...Object.fromEntries(hooks.flatMap((name) => [[`${prefix}hooks-of-mine/${name}`, script]])),
    ...(withHooks ? Object.fromEntries(hooks.map((name) => [`${prefix}.git/hooks/${name}`, script])) : {}),
  };
}
