import type { AgentImport } from "../../protocol/index.ts";
import { type Answer, body, json } from "../model/api/calls.ts";
import * as t from "../texts/agent-import.ts";

/** A chosen or dropped file. `path`: relative to the folder that contained it. */
export interface Chosen {
  readonly path: string;
  readonly file: File;
}

interface Choice {
  readonly files: readonly Chosen[];
  /** How many further files were not taken. Files that programs leave in folders aren't counted. */
  readonly left: number;
}

/** What was imported. `left`: the number of files left out because there were too many. */
export type Imported = AgentImport & { readonly left: number };

/**
 * The maximum number of files in an import, the bytes of a file whose text is read, and the bytes of all texts together. The engine accepts no more.
 */
const most = { files: 2_000, bytes: 200_000, together: 20_000_000 };

/** Imports what was chosen or dropped: one zip, or files and folders. If there are too many files, those that may be agents come first. */
export async function importFiles(from: FileList | DataTransfer): Promise<Answer<Imported>> {
  try {
    const { files: taken, left } = await chosenFiles(from, most.files, isTextName);
    const [only] = taken;
    if (only !== undefined && taken.length === 1 && /\.zip$/i.test(only.path))
      return withLeft(
        await json<AgentImport>("agents/import", { method: "POST", headers: { "Content-Type": "application/zip" }, body: only.file }),
        left,
      );
    // The page joins all texts into one.
    if (taken.reduce((sum, { file }) => sum + (isText(file) ? file.size : 0), 0) > most.together) return refused(t.tooMuch);
    const files = await Promise.all(taken.map(async ({ path, file }) => ({ path, text: await textOf(file) })));
    if (files.length === 0) return refused(t.nothing);
    return withLeft(await json<AgentImport>("agents/import", body("POST", { files })), left);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

const withLeft = (answer: Answer<AgentImport>, left: number): Answer<Imported> =>
  answer.ok ? { ...answer, value: { ...answer.value, left } } : answer;

/** The files of a choice or a drop, including those in its folders, up to `number`. `first`: which files come first if there are too many. */
export async function chosenFiles(
  from: FileList | DataTransfer,
  number: number,
  first: (path: string) => boolean = () => true,
): Promise<Choice> {
  const found =
    from instanceof FileList
      ? Array.from(from, (file): Found => ({ path: file.webkitRelativePath || file.name, file: async () => file }))
      : await dropped(from);
  const wanted = found.filter(({ path }) => !isLitter(path));
  const rest = wanted.filter(({ path }) => !first(path));
  const taken = wanted.length <= number ? wanted : [...wanted.filter(({ path }) => first(path)), ...rest].slice(0, number);
  const files = await Promise.all(taken.map(async ({ path, file }) => ({ path, file: await file() })));
  return { files, left: wanted.length - files.length };
}

/** Files and folders that programs leave behind. They are never counted. */
const isLitter = (path: string): boolean => /(?:^|\/)(?:node_modules|\.git|__MACOSX)(?:\/|$)/.test(path);

/** A file that isn't opened yet. */
interface Found {
  readonly path: string;
  readonly file: () => Promise<File>;
}

const refused = (message: string): Answer<never> => ({ ok: false, kind: "refused", message });

const isTextName = (path: string): boolean => /\.(?:mdc?|ya?ml|jsonc?|txt)$/i.test(path);
const isText = ({ name, size }: File): boolean => isTextName(name) && size <= most.bytes;

/** The text of a file; "" if it can't be an agent, so that only its name is sent. */
async function textOf(file: File): Promise<string> {
  if (!isText(file)) return "";
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Files and whole folders. The list of dropped items is empty after the event, so it is read first. */
async function dropped({ items }: DataTransfer): Promise<readonly Found[]> {
  const found: Found[] = [];
  const entries = Array.from(items).flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    // A file that isn't from a folder on the device has no entry.
    const file = entry === null ? item.getAsFile() : null;
    if (file !== null) found.push({ path: file.name, file: async () => file });
    return entry ?? [];
  });
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: Found[]): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) {
    found.push({ path, file: () => new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
  } else if (isFolder(entry) && !isLitter(path)) {
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
