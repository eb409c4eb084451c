import { textAt } from "./escapes.ts";

/** A part of a replacement: a text, a group (0 is the whole match), or a change of case for what follows. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "group"; readonly group: number }
  | { readonly kind: "case"; readonly letter: "L" | "U" | "l" | "u" | "E" };

export function readReplacement(source: string): Part[] {
  const parts: Part[] = [];
  const text = (more: string): void => {
    const last = parts.at(-1);
    if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", text: last.text + more };
    else parts.push({ kind: "text", text: more });
  };
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at);
    if (letter === "&") parts.push({ kind: "group", group: 0 });
    else if (letter !== "\\") text(letter);
    else {
      const number = textAt(source, at);
      if (number) {
        text(number.text);
        at = number.end - 1;
        continue;
      }
      const next = source.charAt(++at);
      if (/\d/.test(next)) parts.push({ kind: "group", group: Number(next) });
      else if (next === "L" || next === "U" || next === "l" || next === "u" || next === "E") parts.push({ kind: "case", letter: next });
      else text({ n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07", c: "" }[next] ?? next);
    }
  }
  return parts;
}

/** A group that is referenced but does not exist in the expression; null if there is none. */
export function missingGroup(parts: readonly Part[], pattern: RegExp): number | null {
  // This matches any text, and so reveals the number of groups.
  const groups = new RegExp(`${pattern.source}|`, pattern.flags).exec("")?.length ?? 1;
  for (const part of parts) if (part.kind === "group" && part.group >= groups) return part.group;
  return null;
}

export const invalidReference = (group: number): string => `invalid reference \\${group} on \`s' command's RHS`;

/** `groups`: the whole match comes first. */
export function replaced(parts: readonly Part[], groups: readonly (string | undefined)[]): string {
  let text = "";
  let all: "L" | "U" | null = null;
  let once: "l" | "u" | null = null;
  for (const part of parts) {
    if (part.kind === "case") {
      if (part.letter === "E") all = null;
      else if (part.letter === "l" || part.letter === "u") once = part.letter;
      else all = part.letter;
      continue;
    }
    let piece = part.kind === "text" ? part.text : (groups[part.group] ?? "");
    if (all !== null) piece = all === "U" ? piece.toUpperCase() : piece.toLowerCase();
    if (once !== null && piece !== "") {
      const [first = ""] = piece;
      piece = (once === "u" ? first.toUpperCase() : first.toLowerCase()) + piece.slice(first.length);
      once = null;
    }
    text += piece;
  }
  return text;
}
