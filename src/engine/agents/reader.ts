import type { Entry } from "./front-matter.ts";

/** Reads values of front matter in the requested form. */
export interface Reader {
  /** A string that isn't empty. Null if there is none. */
  text(key: string): string | null;
  /** A whole number above 0. */
  count(key: string): number | null;
  flag(key: string): boolean | null;
  /** A list, or a string with commas. */
  list(key: string): string[] | null;
  value(key: string): unknown;
}

/** A value that can't be read in the requested form is added to `problems`. */
export function reader(keys: ReadonlyMap<string, Entry>, problems: string[]): Reader {
  const value = (key: string) => keys.get(key)?.value ?? null;
  const expected = (key: string, what: string) => {
    problems.push(`${key}: expected ${what}.`);
    return null;
  };
  return {
    value,
    text(key) {
      const said = value(key);
      if (said === null || said === "" || typeof said === "boolean") return null;
      if (typeof said === "string") return said.trim() || null;
      return typeof said === "number" ? String(said) : Array.isArray(said) ? null : expected(key, "a text");
    },
    count(key) {
      const said = value(key);
      if (said === null || said === "") return null;
      const number = typeof said === "string" && /^\d{1,15}$/.test(said.trim()) ? Number(said) : said;
      return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : expected(key, "a whole number above 0");
    },
    flag(key) {
      const said = value(key);
      if (typeof said === "boolean") return said;
      const word = typeof said === "string" ? said.trim().toLowerCase() : "";
      return ["true", "yes", "on"].includes(word) ? true : ["false", "no", "off"].includes(word) ? false : null;
    },
    list(key) {
      const said = value(key);
      if (said === null) return keys.has(key) ? [] : null;
      if (typeof said === "string") return splitList(said);
      if (Array.isArray(said))
        return said.flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one).trim()] : [])).filter(Boolean);
      return null;
    },
  };
}

/** Splits a string at commas, except those in parentheses, as in `Task(a, b)`. */
function splitList(text: string): string[] {
  const items: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === "(") depth += 1;
    else if (sign === ")") depth = Math.max(0, depth - 1);
    else if (sign === undefined || (sign === "," && depth === 0)) {
      const item = text.slice(from, at).trim();
      if (item !== "") items.push(item);
      from = at + 1;
    }
  }
  return items;
}
