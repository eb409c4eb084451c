import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const title = "Find anything";
export const label = "Find a command, dialog, doc, or file";
export const hint = "Find anything";
export const found = "Results";
export const nothing = "No results. To search the contents of docs and dialogs, use Search in Docs.";
export const best = (most: number) => `Top ${number(most)} results.`;
export const results = (count: number) => counted(count, "result");
export const doc = "doc";
export const file = "file";
export const on = "on";
export const off = "off";
