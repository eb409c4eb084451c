import { number } from "../ui/format.ts";

/** "1 file", "1,234 files": English grammar, so only texts call it. */
export const counted = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
