import { counted } from "./counted.ts";

export const placeHint = (path: string, line: number) => `${path}, line ${line}`;
export const lineAt = (line: number) => `line ${line}`;
export const lineAndMore = (line: number, more: number) => `line ${line} and ${more} more`;
export const notSearched = (why: string) => `The texts could not be searched: ${why}`;
export const unread = (files: number) =>
  `${counted(files, "file")} ${files === 1 ? "was" : "were"} not looked through: too long, or damaged.`;
export const cutShort = "There may be more; say more words.";
