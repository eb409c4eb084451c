import { tmpdir } from "node:os";

/** The folders of the shell's own commands. */
const ownFolders = ["/usr/bin", "/bin"];

export interface Environment {
  /** The variables that every command starts with: the process's own, without a terminal. */
  readonly start: Readonly<Record<string, string>>;
  /** The folders of the WebContainer's programs. */
  readonly programs: readonly string[];
  /** Returns a PATH for programs: without the folders that contain only the shell's commands. */
  readonly forPrograms: (path: string) => string;
}

export function environmentOf(variables: Readonly<Record<string, string | undefined>>, project: string): Environment {
  const given = Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const programs = (given["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  // The process's working directory is not the command's.
  for (const name of ["PWD", "OLDPWD", "SHLVL", "_"]) delete given[name];
  const added = ownFolders.filter((folder) => !programs.includes(folder)).map((folder) => `:${folder}`);
  return {
    programs,
    start: { HOME: project, TMPDIR: tmpdir(), LANG: "C.UTF-8", ...given, TERM: "dumb", PATH: programs.join(":") + added.join("") },
    forPrograms: (path) => (path.endsWith(added.join("")) ? path.slice(0, path.length - added.join("").length) : path),
  };
}

/** The variables that a session changed. Only these are passed to the next command, because another WebContainer has other variables. */
export function changedFrom(start: Environment["start"], env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => start[name] !== value));
}
