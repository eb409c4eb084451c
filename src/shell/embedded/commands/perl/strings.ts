import { arrayOf, type Expression, hashOf, lower, type Scalar, type State, textOf, Unsupported, upper } from "./state.ts";

/** Parses an expression from a separate text. */
export type Parse = (source: string) => Expression;

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", a: "\x07", e: "\x1b", f: "\f", b: "\b" };

type Part = () => string;

/**
 * Interpolates variables in a text. In a pattern, escapes stay unchanged, and so does a `$` at the end of a part. In the replacement of `s///`, `\1`
 * means `$1`.
 */
export function interpolated(source: string, state: State, parse: Parse, kind: "text" | "pattern" | "replacement"): () => string {
  const isPattern = kind === "pattern";
  const changedBy = (mode: string, text: string): string =>
    mode === "U" ? upper(text, state) : mode === "L" ? lower(text, state) : quoted(text);
  const firstBy = (mode: string, text: string): string =>
    (mode === "u" ? upper(text.charAt(0), state) : lower(text.charAt(0), state)) + text.slice(1);
  const parts: Part[] = [];
  let plain = "";
  /** `\U`, `\L`, `\Q` around the parts, and `\u`, `\l` before the next part. */
  let modes: string[] = [];
  let once = "";
  const changed = (text: string): string => {
    let result = text;
    for (const mode of modes) result = changedBy(mode, result);
    if (once !== "" && result !== "") {
      result = firstBy(once, result);
      once = "";
    }
    return result;
  };
  const flush = (): void => {
    const text = changed(plain);
    if (plain !== "") parts.push(() => text);
    plain = "";
  };
  const push = (part: Part): void => {
    flush();
    const [own, first] = [[...modes], once];
    once = "";
    parts.push(() => {
      let text = part();
      for (const mode of own) text = changedBy(mode, text);
      return first === "" ? text : firstBy(first, text);
    });
  };
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at);
    const rest = source.slice(at);
    if (letter === "\\") {
      const next = source.charAt(at + 1);
      at++;
      if (/[ULQE]/.test(next)) {
        flush();
        modes = next === "E" ? modes.slice(0, -1) : [...modes, next];
      } else if (/[ul]/.test(next)) {
        flush();
        once = next;
      } else if (isPattern) plain += `\\${next}`;
      else if (kind === "replacement" && /[1-9]/.test(next)) {
        const [digits = ""] = /^\d+/.exec(source.slice(at)) ?? [];
        const group = scalarVariable(state, digits);
        push(() => textOf(group.scalar()));
        at += digits.length - 1;
      } else {
        if (/[cNFo]/.test(next)) throw new Unsupported(`\\${next} in a text`);
        const code = /^\\x\{([0-9a-fA-F]+)\}|^\\x([0-9a-fA-F]{1,2})|^\\([0-7]{1,3})/.exec(rest);
        if (code) {
          plain += String.fromCodePoint(
            code[3] === undefined ? Number.parseInt(code[1] ?? code[2] ?? "0", 16) : Number.parseInt(code[3], 8),
          );
          at += code[0].length - 2;
        } else plain += escapes[next] ?? next;
      }
      continue;
    }
    const found = letter === "$" ? scalarIn(rest, isPattern) : letter === "@" ? arrayIn(rest) : null;
    if (found === null) plain += letter;
    else {
      const [length, code] = found;
      const expression = code === null ? null : parse(code);
      push(
        expression === null
          ? () => ""
          : letter === "@"
            ? () =>
                expression
                  .list()
                  .map(textOf)
                  .join(textOf(state.scalars.get('"')))
            : () => textOf(expression.scalar()),
      );
      at += length - 1;
    }
  }
  flush();
  return () => parts.map((part) => part()).join("");
}

export function quoted(text: string): string {
  return text.replaceAll(/[^\w\u0080-\uffff]/g, "\\$&");
}

/** The length and the source of the variable at the start; null if there is none. */
function scalarIn(rest: string, isPattern: boolean): readonly [number, string] | null {
  const capture = /^\$\+\{\w+\}/.exec(rest)?.[0] ?? (isPattern ? undefined : /^\$#(?:\w+|\{\w+\})/.exec(rest)?.[0]);
  if (capture !== undefined) return [capture.length, capture];
  if (!isPattern && /^\$\+(?!\{)/.test(rest)) throw new Unsupported("$+ in a text");
  const braced = /^\$\{\s*(\^?\w+)\s*\}/.exec(rest);
  const name = braced?.[0] ?? /^\$(?:[A-Za-z_]\w*(?:::\w+)*|\d+|[&`',.;0\\/!@](?![\w]))/.exec(rest)?.[0];
  if (name === undefined) {
    if (rest.startsWith("${")) throw new Unsupported("${ } with an expression");
    return null;
  }
  if (isPattern && /^\$[^\w{&]/.test(name)) return null;
  const plain = braced ? `$${braced[1] ?? ""}` : name;
  const after = rest.slice(name.length);
  if (!isPattern && /^(?:(?:\[[^\]]*\]|\{[^}]*\})(?:->)?|->)[[{]/.test(after)) throw new Unsupported("nested data");
  const index = /^\[(-?\d+|\$\w+)\]/.exec(after) ?? (isPattern ? null : /^\[([^\]]+)\]/.exec(after));
  const key = /^\{([^}]+)\}/.exec(after);
  if (/^\$\w/.test(plain) && index && !(isPattern && !/^\[(?:-?\d+|\$\w+)\]/.test(index[0])))
    return [name.length + index[0].length, plain + index[0]];
  if (/^\$[A-Za-z_+]/.test(plain) && key && !(isPattern && /^\{\d*,?\d*\}/.test(key[0])))
    return [name.length + key[0].length, plain + key[0]];
  return [name.length, plain];
}

function arrayIn(rest: string): readonly [number, string] | null {
  const list = /^@\{\[(.*?)\]\}/s.exec(rest);
  if (list) return [list[0].length, `(${list[1] ?? ""})`];
  const slice = /^@[A-Za-z_]\w*\[[^\]]*\]/.exec(rest);
  if (slice) return [slice[0].length, slice[0]];
  const name = /^@(?:[A-Za-z_]\w*)/.exec(rest);
  return name ? [name[0].length, name[0]] : null;
}

/** A variable by its name without the sigil. */
export function scalarVariable(state: State, name: string): Expression {
  const read = (): Scalar => {
    const { match } = state;
    if (/^[1-9]\d*$/.test(name)) return match?.groups[Number(name)];
    if (name === "&") return match?.groups[0];
    if (name === "`") return match?.text.slice(0, match.at);
    if (name === "'") return match?.text.slice(match.at + (match.groups[0] ?? "").length);
    return state.scalars.get(name);
  };
  return {
    scalar: read,
    list: () => [read()],
    assign([value]) {
      state.scalars.set(name, value);
      state.positions.delete(`$${name}`);
    },
    name: `$${name}`,
  };
}

export function elementOf(state: State, name: string, index: () => number): Expression {
  const at = (): number => {
    const given = Math.trunc(index());
    return given < 0 ? given + arrayOf(state, name).length : given;
  };
  const read = (): Scalar => arrayOf(state, name)[at()];
  return {
    scalar: read,
    list: () => [read()],
    assign([value]) {
      const array = arrayOf(state, name);
      const place = at();
      if (place > 1e6) throw new Unsupported("an array of more than a million values");
      while (array.length < place) array.push(undefined);
      array[place] = value;
    },
  };
}

export function valueOf(state: State, name: string, key: () => string): Expression {
  const read = (): Scalar => (name === "+" ? state.match?.names[key()] : hashOf(state, name).get(key()));
  return { scalar: read, list: () => [read()], assign: ([value]) => void hashOf(state, name).set(key(), value), name: `%${name}` };
}
