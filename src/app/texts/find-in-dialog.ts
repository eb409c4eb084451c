import { number } from "../ui/words.ts";

export const find = "Find in this dialog";
export const hint = "Find";
export const nowhere = "Not in this dialog";
export const place = (at: number, messages: number) => `${number(at)} of ${number(messages)} ${messages === 1 ? "message" : "messages"}`;
export const before = "The one before";
export const next = "The next one";
export const close = "Close find";
