import * as t from "../texts/agent-new.ts";

/** What a new agent can ask for. */
export type Abilities = "talk" | "read" | "work";

/** The tools that its file lists; null: all. */
const tools: Readonly<Record<Abilities, string | null>> = { talk: "[]", read: "[vfs_read, vfs_list]", work: null };

export interface Wanted {
  readonly name: string;
  readonly description: string;
  readonly can: Abilities;
}

/** The slug by which an agent with this name is mentioned; "": the name has no usable letter or digit. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");

const oneLine = (text: string): string => text.replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

/** The file of a new agent. */
export function newAgentText({ name, description, can }: Wanted): string {
  const [displayName, purpose] = [oneLine(name), oneLine(description)];
  const list = tools[can];
  const front = [
    `display_name: ${JSON.stringify(displayName)}`,
    `description: ${JSON.stringify(purpose)}`,
    ...(list === null ? [] : [`tools: ${list}`]),
  ];
  const sentence = purpose === "" ? t.noPurpose : /[.!?…]$/.test(purpose) ? purpose : `${purpose}.`;
  return `---\n${front.join("\n")}\n---\n\n${t.prompt(displayName, sentence)}`;
}

/** Where a draft is written. There, it is a found agent. */
export const draftPath = (name: string): string => `agents/${slugOf(name)}.md`;

/** The request for a draft. The description is quoted, so that names in it mention no one. */
export function draftRequest({ name, description }: Pick<Wanted, "name" | "description">): string {
  const quoted = description
    .trim()
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
  return t.draftPrompt(oneLine(name).replaceAll("@", ""), draftPath(name), quoted);
}
