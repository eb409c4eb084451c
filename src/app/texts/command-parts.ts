import type { Finding, Frame, Joint } from "../../shell/embedded/parts/part.ts";
import { counted } from "./counted.ts";

export const reading = "Reading the command…";
export const title = (parts: number) => `In ${counted(parts, "part")}`;
export const cantBeSplit = "This can't be split into parts.";
export const moreWords = (words: number) => `and ${counted(words, "more word")}`;

/** How a part is joined to the previous one. */
export const joints: Readonly<Record<Joint, string>> = {
  first: "",
  next: "then",
  and: "if that succeeds",
  or: "if that fails",
  pipe: "reads what that prints",
  background: "at the same time",
  inside: "inside it",
};

export const frames: Readonly<Record<Frame, string>> = {
  if: "condition",
  else: "otherwise",
  loop: "loop",
  case: "choice",
  function: "function",
  subshell: "subshell",
  group: "group",
  test: "test",
  arithmetic: "arithmetic",
};

/** `shown`: the path or the host, ready for display; "" if there is none. */
export function finding(kind: Finding["kind"], shown: string): string {
  switch (kind) {
    case "deletes":
      return "deletes or discards";
    case "overwrites":
      return `replaces ${shown}`;
    case "edits":
      return "changes files in place";
    case "outside":
      return `outside the project: ${shown}`;
    case "reaches":
      return shown === "" ? "connects to its own servers" : `connects to ${shown}`;
    case "runs-text":
      return "runs text as a program";
    case "computed":
      return "its program is known only when it runs";
  }
}
