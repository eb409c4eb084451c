/** A piece of a pattern, which matches a part of a name. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "set"; readonly has: (character: string) => boolean }
  | { readonly kind: "group"; readonly operator: string; readonly choices: readonly (readonly Piece[])[] };

export interface NamePattern {
  readonly matches: (name: string) => boolean;
  /** The name that the pattern stands for if it is no pattern, without its backslashes; null: it is a pattern. */
  readonly literal: string | null;
}

export interface NameRules {
  /** `nocaseglob` */
  readonly ignoresCase: boolean;
  /** `dotglob`: a dot at the start needs no dot in the pattern. */
  readonly dots: boolean;
  /** `extglob` */
  readonly groups: boolean;
}

/** Compiles one part of a path (no slash) as bash does, with `!(…)`, `@(…)`, `*(…)`, `+(…)` and `?(…)`. */
export function namePattern(pattern: string, { ignoresCase, dots, groups }: NameRules): NamePattern {
  const pieces = readPieces(Array.from(pattern), groups);
  const literal = pieces.every((piece) => piece.kind === "text")
    ? pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("")
    : null;
  const same = (a: string, b: string): boolean => a === b || (ignoresCase && a.toLowerCase() === b.toLowerCase());
  return {
    literal,
    matches(name) {
      const characters = Array.from(name);
      const hidden = !dots && characters[0] === ".";

      /** Where matches of the pieces from these places may end. */
      const endsOf = (list: readonly Piece[], from: ReadonlySet<number>): ReadonlySet<number> => {
        let places = from;
        for (const piece of list) {
          places = new Set([...places].flatMap((at) => [...endsOfPiece(piece, at)]));
          if (places.size === 0) break;
        }
        return places;
      };

      /** The results of `endsOfPiece`. Without them, the time would grow exponentially with the nesting of groups. */
      const known = new Map<Piece, Map<number, readonly number[]>>();

      function endsOfPiece(piece: Piece, at: number): readonly number[] {
        if (piece.kind !== "group") return [...endsOfPart(piece, at)];
        const ofPiece = known.get(piece) ?? new Map<number, readonly number[]>();
        known.set(piece, ofPiece);
        const ends = ofPiece.get(at) ?? [...endsOfGroup(piece.operator, piece.choices, at)];
        ofPiece.set(at, ends);
        return ends;
      }

      function endsOfPart(piece: Exclude<Piece, { kind: "group" }>, at: number): Iterable<number> {
        const character = characters[at];
        if (piece.kind === "text") return character !== undefined && same(piece.text, character) ? [at + 1] : [];
        if (hidden && at === 0) return [];
        if (piece.kind === "any") return Array.from({ length: characters.length - at + 1 }, (_, i) => at + i);
        if (character === undefined) return [];
        const matches = piece.has(character) || (ignoresCase && (piece.has(character.toLowerCase()) || piece.has(character.toUpperCase())));
        return matches ? [at + 1] : [];
      }

      function endsOfGroup(operator: string, choices: readonly (readonly Piece[])[], at: number): Iterable<number> {
        const once = (from: ReadonlySet<number>): Set<number> => new Set(choices.flatMap((choice) => [...endsOf(choice, from)]));
        const first = once(new Set([at]));
        if (operator === "!") {
          if (hidden && at === 0) return [];
          return Array.from({ length: characters.length - at + 1 }, (_, i) => at + i).filter((end) => !first.has(end));
        }
        if (operator === "*" || operator === "+") {
          for (let size = -1; size !== first.size; ) {
            size = first.size;
            for (const end of once(first)) first.add(end);
          }
        }
        if (operator === "*" || operator === "?") first.add(at);
        return first;
      }

      return endsOf(pieces, new Set([0])).has(characters.length);
    },
  };
}

/** Splits a path's pattern at the slashes outside of groups. */
export function partsOfPath(pattern: string, groups: boolean): string[] {
  const characters = Array.from(pattern);
  const parts = [""];
  for (let at = 0; at < characters.length; ) {
    const end = groups ? endOfGroup(characters, at) : null;
    const next = end === null ? (characters[at] === "\\" ? at + 2 : at + 1) : end + 1;
    if (characters[at] === "/") parts.push("");
    else parts.push((parts.pop() ?? "") + characters.slice(at, next).join(""));
    at = next;
  }
  return parts;
}

function readPieces(pattern: readonly string[], groups: boolean): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    const end = groups ? endOfGroup(pattern, at) : null;
    const set = character === "[" ? readSet(pattern, at) : null;
    if (end !== null) {
      const choices = choicesOf(pattern.slice(at + 2, end)).map((choice) => readPieces(choice, true));
      pieces.push({ kind: "group", operator: character, choices });
      at = end;
    } else if (set !== null) {
      pieces.push({ kind: "set", has: set.has });
      at = set.end;
    } else if (character === "*") pieces.push({ kind: "any" });
    else if (character === "?") pieces.push({ kind: "set", has: () => true });
    else if (character === "\\" && at + 1 < pattern.length) pieces.push({ kind: "text", text: pattern[++at] ?? "" });
    else pieces.push({ kind: "text", text: character });
  }
  return pieces;
}

/** The place of the parenthesis that ends the group that begins here; null: none begins, or none ends. */
function endOfGroup(pattern: readonly string[], start: number): number | null {
  if (!"!@*+?".includes(pattern[start] ?? " ") || pattern[start + 1] !== "(") return null;
  let depth = 0;
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[") at = readSet(pattern, at)?.end ?? at;
    else if (pattern[at] === "(") depth++;
    else if (pattern[at] === ")" && --depth === 0) return at;
  }
  return null;
}

function choicesOf(inside: readonly string[]): string[][] {
  const choices: string[][] = [[]];
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    const end = inside[at] === "\\" ? at + 1 : inside[at] === "[" ? (readSet(inside, at)?.end ?? at) : at;
    if (inside[at] === "(") depth++;
    else if (inside[at] === ")") depth--;
    if (inside[at] === "|" && depth === 0) choices.push([]);
    else choices.at(-1)?.push(...inside.slice(at, end + 1));
    at = end;
  }
  return choices;
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[^\s\p{Cc}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{Cc}]/u,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /\p{Lu}/u,
  word: /[\p{L}\p{N}_]/u,
  xdigit: /[\dA-Fa-f]/,
};

/** Reads `[…]`; null: the bracket is an ordinary character. */
function readSet(pattern: readonly string[], start: number): { readonly end: number; readonly has: (character: string) => boolean } | null {
  let at = start + 1;
  const negates = pattern[at] === "!" || pattern[at] === "^";
  if (negates) at++;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; at < pattern.length; first = false) {
    if (pattern[at] === "]" && !first) {
      return { end: at, has: (character) => tests.some((test) => test(character)) !== negates };
    }
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 10).join(""));
    if (named) {
      const found = classes[named[1] ?? ""];
      tests.push((character) => found?.test(character) === true);
      at += named[0].length;
      continue;
    }
    if (pattern[at] === "\\") at++;
    const low = pattern[at++] ?? "";
    if (pattern[at] !== "-" || pattern[at + 1] === "]" || pattern[at + 1] === undefined) {
      tests.push((character) => character === low);
      continue;
    }
    at++;
    if (pattern[at] === "\\") at++;
    const high = pattern[at++] ?? "";
    tests.push((character) => character >= low && character <= high);
  }
  return null;
}
