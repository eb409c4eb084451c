import { tmpdir } from "node:os";

/** Where the shell's own commands are found. */
const ownFolders = ["/usr/bin", "/bin"];

export interface Environment {
  /** What every command starts with: the process's own variables, without a terminal. */
  readonly start: Readonly<Record<string, string>>;
  /** The folders that the WebContainer has programs in. */
  readonly programs: readonly string[];
  /** A PATH as programs are to have it: without the folders that only the shell's commands are in. */
  readonly forPrograms: (path: string) => string;
}

export function environmentOf(variables: Readonly<Record<string, string | undefined>>, project: string): Environment {
  const given = Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const programs = (given["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  // The process's own place is not the command's.
  for (const name of ["PWD", "OLDPWD", "SHLVL", "_"]) delete given[name];
  const added = ownFolders.filter((folder) => !programs.includes(folder)).map((folder) => `:${folder}`);
  return {
    programs,
    start: { HOME: project, TMPDIR: tmpdir(), LANG: "C.UTF-8", ...given, TERM: "dumb", PATH: programs.join(":") + added.join("") },
    forPrograms: (path) => (path.endsWith(added.join("")) ? path.slice(0, path.length - added.join("").length) : path),
  };
}

/** What a session changed of it, which is all that the next command needs to be told: another WebContainer has other variables. */
export function changedFrom(start: Environment["start"], env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => start[name] !== value));
}
