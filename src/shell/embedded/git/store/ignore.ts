/** Whether these rules ignore a path; null if they don't mention it. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | null;

/** Parses the rules of an ignore file. Paths are relative to the file's folder. */
export function parseIgnore(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap((line) => readRule(line));
  return (path, isFolder) => {
    for (let i = rules.length - 1; i >= 0; i--) {
      const rule = rules[i];
      if (rule && (!rule.foldersOnly || isFolder) && rule.pattern.test(rule.anchored ? path : path.slice(path.lastIndexOf("/") + 1)))
        return !rule.negated;
    }
    return null;
  };
}

interface Rule {
  readonly pattern: RegExp;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** The pattern matches the whole path, not the last segment. */
  readonly anchored: boolean;
}

function readRule(line: string): Rule[] {
  let text = line.replace(/(?<!\\)[ \t]+$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  if (text === "") return [];
  const anchored = text.includes("/");
  return [{ pattern: globPattern(text.replace(/^\//, ""), true), negated, foldersOnly, anchored }];
}

/** git's wildmatch. `slashes`: `*` and `?` stop at a slash, and `**` matches whole folders. */
export function globPattern(glob: string, slashes: boolean): RegExp {
  const one = slashes ? "[^/]" : "[^]";
  let pattern = "";
  for (let i = 0; i < glob.length; i++) {
    const letter = glob[i] ?? "";
    if (letter === "*") {
      let stars = 1;
      while (glob[i + stars] === "*") stars++;
      const whole = (i === 0 || glob[i - 1] === "/") && (i + stars === glob.length || glob[i + stars] === "/");
      if (slashes && stars === 2 && whole) {
        if (i + stars === glob.length) pattern += "[^]*";
        else {
          pattern += "(?:[^]*/)?";
          i++;
        }
      } else pattern += `${one}*`;
      i += stars - 1;
    } else if (letter === "?") pattern += one;
    else if (letter === "[") {
      const close = glob.indexOf("]", glob[i + 1] === "!" || glob[i + 1] === "^" ? i + 3 : i + 2);
      if (close < 0) pattern += "\\[";
      else {
        const body = glob
          .slice(i + 1, close)
          .replace(/^[!^]/, "^")
          .replaceAll(/\[:(\w+):\]/g, posixClass);
        pattern += `[${body.replaceAll(/\\(?!\w)|[[]/g, "\\$&")}]`;
        i = close;
      }
    } else if (letter === "\\" && i + 1 < glob.length) {
      i++;
      pattern += escaped(glob[i] ?? "");
    } else pattern += escaped(letter);
  }
  try {
    return new RegExp(`^${pattern}$`, "su");
  } catch (error) {
    // In git, too, a class such as [z-a] matches nothing.
    if (error instanceof SyntaxError) return /(?!)/;
    throw error;
  }
}

function posixClass(_all: string, name: string): string {
  const classes: Readonly<Record<string, string>> = {
    alpha: "A-Za-z",
    digit: "0-9",
    alnum: "A-Za-z0-9",
    upper: "A-Z",
    lower: "a-z",
    space: "\\s",
    xdigit: "0-9A-Fa-f",
  };
  return classes[name] ?? "";
}

function escaped(letter: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(letter) ? `\\${letter}` : letter;
}
