import { counted } from "./counted.ts";

export const code = "Code";
export const codeIn = (language: string) => `Code, ${language}`;
export const copy = "Copy";
export const copyCode = "Copy code";
export const copied = "Copied";
export const notCopied = "Couldn't copy: the browser blocked it";
export const showAllCharacters = (count: number) => `Show all ${counted(count, "character")}`;
export const showAll = (lines: number) => `Show all ${counted(lines, "line")}`;

/** Above code. */
export const turned = "This code has hidden characters that change its direction. What you copy may not be what you see.";

export const taskDone = "Done";
export const taskOpen = "To do";

export const image = (name: string) => `[Image: ${name}]`;
export const imageUnnamed = "[Image without a description]";
export const imageOn = (host: string, name: string) => `Image on ${host}: ${name}`;
export const imageOnUnnamed = (host: string) => `Image on ${host} without a description`;

/** Above a text, or a part of one, that shows as written. */
export const plain = "Shown as plain text: reading it as Markdown would take too long.";
