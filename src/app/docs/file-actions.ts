import { moveFile, newDialog } from "../model/api/calls.ts";
import { historyPath } from "../history/paths.ts";
import type { Notices } from "../ui/notices.ts";
import { fileKey, type FileRef, type Router } from "../model/route.ts";
import * as t from "../texts/docs-tools.ts";
import type { Drafts } from "./drafts.ts";
import type { Surroundings } from "./editor/links.ts";
import type { FileLists } from "./files.ts";
import { agentSlug, dialogFile, mainDoc, shownName } from "./names.ts";
import { agentFilename, docFilename } from "./new-doc.ts";
import { rivalsOf } from "./other-tab.ts";

/** What the actions on the open file need, apart from editing. */
export interface FileActions {
  readonly surroundings: Surroundings;
  readonly router: Router;
  readonly files: FileLists;
  readonly drafts: Drafts;
  readonly notices: Notices;
  readonly remove: (ref: FileRef) => Promise<void>;
}

/** Why a file can't be renamed; null if it can. */
export function keepsItsName(ref: FileRef): string | null {
  if (ref.kind === "deed") return null;
  if (ref.name === mainDoc) return t.mainKeepsName;
  return dialogFile(ref.name) === null ? null : t.dialogKeepsName;
}

/** Whether a file can be duplicated. A copy of a dialog would claim to be the same agent. */
export const isCopied = (ref: FileRef) => ref.kind === "deed" || dialogFile(ref.name) === null;

function named(ref: FileRef, typed: string): { readonly ok: true; readonly ref: FileRef } | { readonly ok: false; readonly why: string } {
  if (ref.kind === "deed") {
    const path = typed.trim();
    return path === "" ? { ok: false, why: t.pathMissing } : { ok: true, ref: { kind: "deed", path } };
  }
  const answer = (agentSlug(ref.name) === null ? null : agentFilename(typed)) ?? docFilename(typed);
  return answer.ok ? { ok: true, ref: { kind: "doc", name: answer.name } } : answer;
}

/** Starts a dialog with the agent that this file defines, as stored. */
export async function startAgent(actions: FileActions, ref: FileRef, agent: string): Promise<void> {
  if (actions.drafts.get(fileKey(ref)) !== null) return actions.notices.add({ message: t.saveFirst });
  const { defaultProvider } = await import("../providers/default-provider.ts");
  const answer = await newDialog({ provider: (await defaultProvider()) ?? "demo", agent });
  if (!answer.ok) return actions.notices.add({ message: t.notStarted(answer.message) });
  return actions.router.go({ tab: "dialogs", dialogId: answer.value.dialogId });
}

/** Resolves to what is wrong, or to null if the file was renamed. `typed`: the new name as the user typed it. Unsaved text moves with the file. */
export async function rename(actions: FileActions, ref: FileRef, typed: string): Promise<string | null> {
  const to = named(ref, typed);
  if (!to.ok) return to.why;
  const [old, now] = [fileKey(ref), fileKey(to.ref)];
  if (old === now) return null;
  const unsaved = actions.drafts.get(old);
  // Unsaved text moves along only if it was made from the renamed version. Otherwise saving would overwrite what someone else wrote.
  if (unsaved?.etag === null) return t.changedMeanwhile;
  const moved = await moveFile(historyPath(ref), historyPath(to.ref), false, unsaved?.etag ?? null);
  if (!moved.ok && moved.kind === "changed") return t.changedMeanwhile;
  if (!moved.ok) return moved.kind === "busy" ? t.nameTaken : t.notRenamed(moved.message);
  const draft = actions.drafts.get(old);
  if (draft !== null) {
    actions.drafts.drop(old);
    actions.drafts.keep(now, { ...draft, etag: moved.etag });
  }
  for (const rival of rivalsOf(actions.drafts, old)) {
    const other = actions.drafts.get(rival);
    actions.drafts.drop(rival);
    if (other !== null) actions.drafts.keep(now + rival.slice(old.length), { ...other, etag: moved.etag });
  }
  actions.router.replace({ tab: "docs", file: to.ref });
  await actions.files.refresh();
  actions.notices.announce(t.renamed);
  return null;
}

/** "rules-copy" for "rules", "src/game-copy.js" for "src/game.js"; with a number if that name is taken. */
export function copyOf(ref: FileRef, taken: (ref: FileRef) => boolean): FileRef {
  for (let nth = 1; ; nth++) {
    const copy = withEnding(ref, nth === 1 ? "-copy" : `-copy-${nth}`);
    if (!taken(copy)) return copy;
  }
}
function withEnding(ref: FileRef, ending: string): FileRef {
  if (ref.kind === "doc") return { kind: "doc", name: `${ref.name.replace(/\.md$/, "")}${ending}.md` };
  const dot = ref.path.lastIndexOf(".");
  const end = dot > ref.path.lastIndexOf("/") + 1 ? dot : ref.path.length;
  return { kind: "deed", path: ref.path.slice(0, end) + ending + ref.path.slice(end) };
}

/** Copies the file as it is saved, and opens the copy. */
export async function duplicate(actions: FileActions, ref: FileRef): Promise<void> {
  const names = new Set(actions.files.names());
  const paths = new Set(actions.files.deed().map(({ path }) => path));
  const copy = copyOf(ref, (other) => (other.kind === "doc" ? names.has(other.name) : paths.has(other.path)));
  const made = await moveFile(historyPath(ref), historyPath(copy), true);
  if (!made.ok) {
    const name = ref.kind === "doc" ? shownName(ref.name) : ref.path;
    actions.notices.add({ message: t.notDuplicated(name, made.message) });
    return;
  }
  await actions.files.refresh();
  actions.router.go({ tab: "docs", file: copy });
}
