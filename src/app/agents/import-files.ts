import type { AgentImport } from "../../protocol/index.ts";
import { type Answer, body, json } from "../model/api/calls.ts";
import * as t from "../texts/agent-import.ts";

/** A file that was chosen or dropped. `path`: below the folder with which it came. */
export interface Chosen {
  readonly path: string;
  readonly file: File;
}

/** Files of one import, and bytes of one whose text is read: the engine takes no more. */
const most = { files: 2_000, bytes: 200_000, together: 20_000_000 };

/** Takes in what was chosen or dropped: one zip, or files and folders. */
export async function importFiles(from: FileList | DataTransfer): Promise<Answer<AgentImport>> {
  try {
    const chosen = await chosenFiles(from);
    const [only] = chosen;
    if (only !== undefined && chosen.length === 1 && /\.zip$/i.test(only.path))
      return json<AgentImport>("agents/import", { method: "POST", headers: { "Content-Type": "application/zip" }, body: only.file });
    const taken = chosen.slice(0, most.files);
    // The page puts all of it into one text.
    if (taken.reduce((sum, { file }) => sum + (isText(file) ? file.size : 0), 0) > most.together) return refused(t.tooMuch);
    const files = await Promise.all(taken.map(async ({ path, file }) => ({ path, text: await textOf(file) })));
    return files.length === 0 ? refused(t.nothing) : await json<AgentImport>("agents/import", body("POST", { files }));
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

/** The files of a choice or a drop, and those in its folders, up to a number. */
export const chosenFiles = async (from: FileList | DataTransfer): Promise<readonly Chosen[]> =>
  from instanceof FileList ? Array.from(from, (file) => ({ path: file.webkitRelativePath || file.name, file })) : dropped(from);

const refused = (message: string): Answer<never> => ({ ok: false, kind: "refused", message });

const isText = ({ name, size }: File): boolean => /\.(?:mdc?|ya?ml|jsonc?|txt)$/i.test(name) && size <= most.bytes;

/** "" for a file that is no text of an agent: it is only named. */
async function textOf(file: File): Promise<string> {
  if (!isText(file)) return "";
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Files and whole folders. The list of what was dropped is gone after the event, so it is read first. */
async function dropped({ items }: DataTransfer): Promise<Chosen[]> {
  const found: Chosen[] = [];
  const entries = Array.from(items).flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    // A file that comes from no folder of the device has none.
    const file = entry === null ? item.getAsFile() : null;
    if (file !== null) found.push({ path: file.name, file });
    return entry ?? [];
  });
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: Chosen[]): Promise<void> {
  if (found.length >= most.files) return;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await collect(one, found);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
