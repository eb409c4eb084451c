/** Characters of a slug. */
const maxNameLength = 40;
/** The most agents that one message can mention. */
export const maxMentioned = 10;

/** Before the `@` of an e-mail address. Scripts without spaces between words are left out: there, a mention follows a letter. */
const IN_ADDRESS = String.raw`(?<![\w\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0300-\u036f@.+/-])`;
const MENTION = new RegExp(`${IN_ADDRESS}@([a-z0-9_][a-z0-9_-]{0,79})`, "giu");
const TYPED_MENTION = new RegExp(`${IN_ADDRESS}@([a-z0-9_-]*)$`, "iu");

/**
 * The agents that a person's message mentions, in order, each once, at most ten: `@coder what is wrong here?`. If several slugs fit, the longest
 * wins. Mentions in fenced or inline code, quotes and e-mail addresses don't count, and neither do unknown names.
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

/** The mention being typed at the caret: where its `@` is, where it ends, and the name so far in lower case. Null if there is none. */
export function mentionAt(text: string, caret: number): { readonly from: number; readonly to: number; readonly name: string } | null {
  const before = text.slice(Math.max(0, caret - maxNameLength - 2), caret);
  const [whole, name = ""] = TYPED_MENTION.exec(before) ?? [];
  if (whole === undefined) return null;
  const rest = /^[a-z0-9_-]*/i.exec(text.slice(caret, caret + maxNameLength))?.[0] ?? "";
  return { from: caret - whole.length, to: caret + rest.length, name: name.toLowerCase() };
}

/** A slug ends at the end of a word or at a hyphen: `@coder-please` mentions `coder` if there is no agent `coder-please`. */
function longestKnown(name: string, slugs: ReadonlySet<string>): string | null {
  for (let end = name.length; end > 0; end = name.lastIndexOf("-", end - 1)) {
    const slug = name.slice(0, end);
    if (slugs.has(slug)) return slug;
  }
  return null;
}

/** As in CommonMark: no backtick may follow an opening fence of backticks, and nothing may follow a closing fence. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The text without fenced code, quotes and inline code. */
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
  // Inline code ends with its paragraph.
  const paragraphs = lines.join("\n").split(/\n[ \t]*(?=\n)/);
  return paragraphs.map(withoutCode).join("\n");
}

/** The text without inline code: from each run of backticks to the next run of the same length. Takes one pass for any number of runs. */
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

/** The message without the mentions at its start. Unchanged if nothing else would be left. */
export function withoutLeadingMentions(text: string, slugs: ReadonlySet<string>): string {
  let rest = text.trimStart();
  for (;;) {
    const [whole = "", name = ""] = /^@([a-z0-9_][a-z0-9_-]{0,79})[\s,:]*/i.exec(rest) ?? [];
    const slug = longestKnown(name.toLowerCase(), slugs);
    // In `@coder-please`, more follows the name.
    if (slug === null || slug.length !== name.length) break;
    rest = rest.slice(whole.length);
  }
  return rest.trim() === "" ? text : rest;
}
