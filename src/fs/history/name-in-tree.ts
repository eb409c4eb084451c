/**
 * How a name of the project stands in a tree. Nearly always as it is. But a project may hold a file `a` and a file `a/b`, where git
 * has one name for either a file or a folder: there the file has this mark at its end. A name that ends with a mark anyway gets
 * another one, so that each entry is of one name, and taking the mark off gives it.
 */
const fileMark = ".is-a-file-too";
const folderMark = ".is-a-folder";

const isMarked = (name: string): boolean => name.endsWith(fileMark) || name.endsWith(folderMark);

/** Where a file of this name can stand: the first one is for when no folder has it; null: never there. */
export function fileEntries(name: string): { readonly plain: string | null; readonly marked: string } {
  return { plain: isMarked(name) ? null : name, marked: name + fileMark };
}

export function folderEntry(name: string): string {
  return isMarked(name) ? name + folderMark : name;
}

export function fileName(entry: string): string {
  return entry.endsWith(fileMark) ? entry.slice(0, -fileMark.length) : entry;
}

export function folderName(entry: string): string {
  return entry.endsWith(folderMark) ? entry.slice(0, -folderMark.length) : entry;
}
