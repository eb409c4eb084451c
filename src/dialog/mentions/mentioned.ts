/** Characters of a slug. */
const maxNameLength = 40;
/** Agents that one message can mention. */
export const maxMentioned = 10;

const MENTION = /(?<![\w@.+/-])@([a-z0-9_][a-z0-9_-]{0,79})/gi;

/**
 * The agents that a person's message mentions, in its order, each once, ten at most: `@coder what is wrong here?`. Of several slugs that fit
 * the longest one is meant. What stands in code, in a quote or in an e-mail address mentions no one, and neither does a name that no agent has.
 */
export function mentionedAgents(text: string, slugs: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const [, name = ""] of ownWords(text).matchAll(MENTION)) {
    const slug = longestKnown(name.toLowerCase(), slugs);
    if (slug !== null) found.add(slug);
    if (found.size === maxMentioned) break;
  }
  return [...found];
}

/** The mention that is being typed at the caret: where its `@` stands, where it ends, and the name so far in lower case; null: none. */
export function mentionAt(text: string, caret: number): { readonly from: number; readonly to: number; readonly name: string } | null {
  const before = text.slice(Math.max(0, caret - maxNameLength - 2), caret);
  const [whole, name = ""] = /(?<![\w@.+/-])@([a-z0-9_-]*)$/i.exec(before) ?? [];
  if (whole === undefined) return null;
  const rest = /^[a-z0-9_-]*/i.exec(text.slice(caret, caret + maxNameLength))?.[0] ?? "";
  return { from: caret - whole.length, to: caret + rest.length, name: name.toLowerCase() };
}

/** A slug ends where a word does, or at a hyphen: `@coder-please` calls `coder` where no one is called `coder-please`. */
function longestKnown(name: string, slugs: ReadonlySet<string>): string | null {
  for (let end = name.length; end > 0; end = name.lastIndexOf("-", end - 1)) {
    const slug = name.slice(0, end);
    if (slugs.has(slug)) return slug;
  }
  return null;
}

/** As CommonMark has it: what stands behind an opening one of backticks holds none, and behind a closing one stands nothing. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** A text without fenced code, quotes and code in a line. */
export function ownWords(text: string): string {
  let fence: string | null = null;
  const lines = text.split(/\r?\n/).map((line) => {
    if (fence !== null) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence) === true) fence = null;
      return "";
    }
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      fence = mark;
      return "";
    }
    return /^ {0,3}>/.test(line) ? "" : line;
  });
  return withoutCode(lines.join("\n"));
}

/** A text without code in a line: from a run of backticks to the next one that is as long. In one pass, whatever runs there are. */
function withoutCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const ends: (number | undefined)[] = [];
  const nextOf = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.length ?? 0;
    ends[at] = nextOf.get(length);
    nextOf.set(length, at);
  }
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const [begin, end] = [runs[at], runs[ends[at] ?? -1]];
    if (begin === undefined || end === undefined) continue;
    kept.push(text.slice(from, begin.index));
    from = end.index + end.length;
    at = ends[at] ?? at;
  }
  return [...kept, text.slice(from)].join(" ");
}

/** The message without the mentions that it begins with; as it is where nothing else would be left. */
export function withoutLeadingMentions(text: string, slugs: ReadonlySet<string>): string {
  let rest = text.trimStart();
  for (;;) {
    const [whole = "", name = ""] = /^@([a-z0-9_][a-z0-9_-]{0,79})[\s,:]*/i.exec(rest) ?? [];
    const slug = longestKnown(name.toLowerCase(), slugs);
    // `@coder-please` has more to say than a name.
    if (slug === null || slug.length !== name.length) break;
    rest = rest.slice(whole.length);
  }
  return rest.trim() === "" ? text : rest;
}
