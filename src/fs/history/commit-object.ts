import type { Oid } from "./object.ts";

export interface Author {
  readonly name: string;
  readonly address: string;
}

export interface CommitText {
  readonly tree: Oid;
  readonly parent: Oid | null;
  readonly author: Author;
  /** Milliseconds since 1970. git stores only seconds. */
  readonly time: number;
  /** One line. */
  readonly summary: string;
  /** Lines `Key: value` at the end of the message. */
  readonly trailers: readonly (readonly [key: string, value: string])[];
}

const encoder = new TextEncoder();

export function formatCommit(commit: CommitText): Uint8Array {
  const { name, address } = commit.author;
  return formatWithAuthor(commit, { name: plainText(name), address: plainText(address) });
}

/** Like `formatCommit`, with the author's name and address as they are. */
export function formatWithAuthor({ tree, parent, time, summary, trailers }: Omit<CommitText, "author">, author: Author): Uint8Array {
  const person = `${author.name} <${author.address}> ${Math.floor(time / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${person}`,
    `committer ${person}`,
    "",
    oneLine(summary),
    ...(trailers.length === 0 ? [] : ["", ...trailers.map(([key, value]) => `${plainText(key)}: ${oneLine(value)}`)]),
  ];
  return encoder.encode(`${lines.join("\n")}\n`);
}

/** A text that is safe in a line of a message: no line breaks, no invisible characters and none that change the text direction. */
export function oneLine(text: string): string {
  const visible = text
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
  return visible === "" ? "?" : visible;
}

/** A text that is safe as a person's name: git reads a name up to the first angle bracket. */
export function plainText(text: string): string {
  return oneLine(text.replaceAll(/[<>]/g, ""));
}
