import { number } from "../ui/format.ts";

export const find = "Find in dialog";
export const hint = "Find";
export const nowhere = "No results";
export const place = (at: number, messages: number) => `${number(at)} of ${number(messages)} ${messages === 1 ? "message" : "messages"}`;
export const before = "Previous result";
export const next = "Next result";
export const close = "Close find";
