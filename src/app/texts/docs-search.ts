import { counted } from "./counted.ts";

export const placeHint = (path: string, line: number) => `${path}, line ${line}`;
export const lineAt = (line: number) => `line ${line}`;
export const lineAndMore = (line: number, more: number) => `line ${line} and ${more} more`;
export const notSearched = (why: string) => `Couldn't search file contents: ${why}`;
export const unread = (files: number) => `${counted(files, "file")} couldn't be searched (too large or damaged).`;
export const cutShort = "There may be more results. Add a word to narrow the search.";
