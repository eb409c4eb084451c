/** A heading of a Markdown text. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** Counted from 1. */
  readonly line: number;
}

const heading = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The headings of a text, given line by line, in order. Lines in code blocks and front matter don't count. */
export function outlineOf(lines: Iterable<string>): Heading[] {
  const found: Heading[] = [];
  let open: string | null = null;
  let number = 0;
  let isFront = false;
  for (const line of lines) {
    number++;
    if (number === 1) isFront = /^---[ \t]*$/.test(line);
    else if (isFront && /^(?:---|\.\.\.)[ \t]*$/.test(line)) {
      // The lines before were YAML.
      [isFront, open] = [false, null];
      found.length = 0;
      continue;
    }
    const [, mark = "", rest = ""] = fence.exec(line) ?? [];
    if (open !== null) {
      if (mark.startsWith(open) && rest.trim() === "") open = null;
      continue;
    }
    if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) {
      open = mark;
      continue;
    }
    if (!line.includes("#")) continue;
    const [start, marks] = heading.exec(line) ?? [];
    if (start !== undefined && marks !== undefined)
      found.push({ level: marks.length, title: plain(withoutClosing(line.slice(start.length))), line: number });
  }
  return found;
}

/** A heading's text without the `#`s that may follow a space at its end. Done by hand: a pattern would try every run of spaces in the line. */
function withoutClosing(title: string): string {
  const trimmed = title.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end -= 1;
  return end < trimmed.length && /[ \t]/.test(trimmed[end - 1] ?? "") ? trimmed.slice(0, end) : trimmed;
}

/** A heading's text without the marks of links and emphasis. */
const plain = (title: string) =>
  title
    .replace(/\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/[*`]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
