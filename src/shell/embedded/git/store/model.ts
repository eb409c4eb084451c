/** An object's name: 40 hexadecimal digits. */
export type Oid = string;

/** The file modes that git knows. */
export const modes = { file: 0o100644, program: 0o100755, link: 0o120000, submodule: 0o160000, folder: 0o040000 } as const;

/** A file of a commit, the index or the working tree. */
export interface FileRef {
  readonly mode: number;
  readonly oid: Oid;
}

/** Files by path. Paths are relative to the repository's top, without a leading slash. */
export type Snapshot = ReadonlyMap<string, FileRef>;

export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly time: number;
  /** In git's format: "+0200". */
  readonly zone: string;
}

export interface Commit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export interface TreeEntry extends FileRef {
  readonly name: string;
}

export type ObjectType = "blob" | "tree" | "commit" | "tag";

export function modeText(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}

export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
export const noOid = "0".repeat(40);
