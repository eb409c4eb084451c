import { type Answer, deleteDeed, deleteFile, writeDeed } from "../model/api/calls.ts";
import { draftsOf } from "../dialogs/drafts.ts";
import type { Notices } from "../ui/notices.ts";
import { fileKey, type FileRef, type Router } from "../model/route.ts";
import * as t from "../texts/docs-removal.ts";
import type { Drafts } from "./drafts.ts";
import type { FileLists } from "./files.ts";
import { dialogFile } from "./names.ts";
import { type Content, readContent, writeText } from "./source.ts";

export interface Removal {
  readonly drafts: Drafts;
  readonly files: FileLists;
  readonly notices: Notices;
  readonly router: Router;
  readonly isOpen: (ref: FileRef) => boolean;
}

/**
 * Deletes a file, shows a notice with `title`, and offers to restore the file with its unsaved text. Failures are reported. A file that can't be read
 * isn't deleted; the file opens again.
 */
export async function removeFile(ref: FileRef, title: string, { drafts, files, notices, router, isOpen }: Removal): Promise<void> {
  const wasOpen = isOpen(ref);
  // A dialog's unsent messages are deleted and restored with its file.
  const id = ref.kind === "doc" ? dialogFile(ref.name)?.id : undefined;
  const own = drafts.get(fileKey(ref));
  const kept = [...(own === null ? [] : [{ key: fileKey(ref), draft: own }]), ...(id === undefined ? [] : draftsOf(drafts, id))];
  const reading = readContent(ref);
  if (wasOpen) router.replace({ tab: "docs", file: null });
  const content = await reading;
  // A file that can't be read couldn't be restored, so it stays.
  const removed = content.ok || content.kind === "missing" ? await remove(ref, content.ok ? content.etag : null) : content;
  if (!removed.ok && removed.kind !== "missing") {
    if (wasOpen) router.go({ tab: "docs", file: ref });
    notices.add({ message: t.notDeleted(title, removed.message) });
    return;
  }
  drafts.leave(fileKey(ref));
  await files.refresh();
  const undo = (message: string) =>
    notices.add({ message, ...(content.ok ? { each: true, action: { label: t.undo, run: () => void bringBack() } } : {}) });
  const bringBack = async () => {
    const restored = content.ok ? await restore(ref, content.value) : content;
    if (!restored.ok) return undo(t.notBroughtBack(title, restored.message));
    for (const { key, draft } of kept) drafts.keep(key, key === fileKey(ref) ? { ...draft, etag: restored.etag } : draft);
    await files.refresh();
    return router.go({ tab: "docs", file: ref });
  };
  undo(t.deleted(title));
}

/** Removes only the version that was read, because Undo restores that one. */
const remove = (ref: FileRef, etag: string | null): Promise<Answer<unknown>> =>
  ref.kind === "doc" ? deleteFile(ref.name, etag) : deleteDeed(ref.path, etag);

/** Restores what `readContent` returned before a deletion. */
const restore = (ref: FileRef, content: Content): Promise<Answer<unknown>> =>
  content.kind === "text"
    ? writeText(ref, content.text, null)
    : ref.kind === "deed"
      ? writeDeed(ref.path, content.bytes)
      : writeText(ref, "", null);
