import { writeFile } from "../model/api/calls.ts";
import * as t from "../texts/docs-new.ts";
import type { FileLists } from "./files.ts";
import { agentSlug, shownName } from "./names.ts";

export type NameAnswer = { readonly ok: true; readonly name: string } | { readonly ok: false; readonly why: string };

/** The file name for a new doc's name as the user typed it, or a sentence that says what is wrong with it. */
export function docFilename(typed: string): NameAnswer {
  const words = typed.trim().replace(/\s+/g, "-");
  const bare = words.replace(/\.md$/i, "");
  if (bare === "" || bare === "doc-") return { ok: false, why: t.nameMissing };
  const strange = /[^a-zA-Z0-9_\-.]/u.exec(bare)?.[0];
  if (strange !== undefined) return { ok: false, why: t.nameStrange(strange) };
  if (bare.includes("..")) return { ok: false, why: t.nameDots };
  const name = `${bare.startsWith("doc-") ? "" : "doc-"}${bare}.md`;
  if (name.length > 200) return { ok: false, why: t.nameLong };
  return { ok: true, name };
}

/** The same for an agent; null if the name doesn't begin with `agent-`. */
export function agentFilename(typed: string): NameAnswer | null {
  const answer = docFilename(typed);
  const name = answer.ok ? answer.name.slice("doc-".length).toLowerCase() : "";
  return agentSlug(name) === null ? null : { ok: true, name };
}

/** Creates a doc or an agent with this name. Resolves to its file name, or to why it failed. */
export async function createDoc(typed: string, files: FileLists): Promise<NameAnswer> {
  const answer = agentFilename(typed) ?? docFilename(typed);
  if (!answer.ok) return answer;
  if (files.names().includes(answer.name)) return { ok: false, why: t.docThere };
  const agent = agentSlug(answer.name);
  const text = agent === null ? `# ${shownName(answer.name)}\n\n` : t.newAgent(agent);
  const written = await writeFile(answer.name, text);
  if (!written.ok) return { ok: false, why: t.notCreated(written.message) };
  await files.refresh();
  return answer;
}
