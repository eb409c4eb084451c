import { closers, Lexer, patternFlags, unescaped } from "./lexer.ts";
import { match, substitute, transliterate } from "./operators.ts";
import { arrayOf, type Expression, hashOf, numberOf, type Scalar, scalarOnly, textOf, Unsupported } from "./state.ts";
import { elementOf, interpolated, scalarVariable, valueOf } from "./strings.ts";

/** Numbers, variables, lists, texts and patterns. */
export abstract class Terms extends Lexer {
  /** Parses an expression from a separate text. */
  protected abstract readonly parse: (source: string) => Expression;
  protected abstract expression(): Expression;
  protected abstract named(): Expression;

  protected dynamic(expression: Expression): () => string {
    return () => textOf(expression.scalar());
  }
  protected topic(): Expression {
    return scalarVariable(this.state, "_");
  }

  protected term(): Expression {
    this.space();
    const letter = this.source.charAt(this.at);
    const number = this.peek(/^(?:0[xX][\da-fA-F]+|0[bB][01]+|\d[\d_]*(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+)/);
    if (number !== null) {
      this.at += number.length;
      const plain = number.replaceAll("_", "");
      if (/^\d+$/.test(plain) && !Number.isSafeInteger(Number(plain))) throw new Unsupported(`the number ${plain}`);
      const value = /^0\d/.test(plain) ? Number.parseInt(plain, 8) : Number(plain);
      return { scalar: () => value, list: () => [value], name: "number" };
    }
    if (letter === "$") return this.scalarTerm();
    if (letter === "@") return this.arrayTerm();
    if (letter === "%") return this.hashTerm();
    if (letter === "(") return this.listTerm();
    if (letter === "<") {
      const handle = this.peek(/^<(?:STDIN|ARGV)?>/);
      if (handle === null) this.fail();
      if (handle === "<STDIN>" && this.state.readsFiles) throw new Unsupported("<STDIN> besides files");
      this.at += handle.length;
      return this.input();
    }
    return this.quoteLike(this.topic()) ?? this.named();
  }

  protected input(): Expression {
    const rest = (): Scalar[] => {
      const lines: Scalar[] = [];
      for (let line = this.state.readLine(); line !== undefined; line = this.state.readLine()) lines.push(line);
      return lines;
    };
    return { scalar: () => this.state.readLine(), list: rest, name: "readline" };
  }

  protected listTerm(): Expression {
    this.expect("(");
    const inner = this.peek(/^\)/) === null ? this.expression() : listOf([]);
    this.expect(")");
    if (this.peek(/^\[/) !== null) {
      this.at++;
      const index = this.expression();
      this.expect("]");
      const picked = (): Scalar[] => index.list().map((i) => inner.list().at(Math.trunc(numberOf(i))));
      return { scalar: () => picked().at(-1), list: picked };
    }
    return { ...inner, isPlural: true, scalar: () => inner.scalar() };
  }

  protected scalarTerm(): Expression {
    const last = this.peek(/^\$#\{?[A-Za-z_]\w*\}?/);
    if (last !== null) {
      this.at += last.length;
      const array = last.replaceAll(/[${}#]/g, "");
      return scalarOnly(() => arrayOf(this.state, array).length - 1);
    }
    const found = this.peek(/^\$(?:\{\^?\w+\}|[A-Za-z_]\w*|\d+|[&`',.;\\/"!@+])/);
    if (found === null) throw new Unsupported(`'${this.source.slice(this.at, this.at + 8)}'`);
    this.at += found.length;
    const name = found.slice(1).replace(/^\{(.*)\}$/, "$1");
    if (name === "+" && this.source.charAt(this.at) !== "{") throw new Unsupported("$+");
    if (name.startsWith("^")) throw new Unsupported(found);
    if (/^[A-Za-z_]/.test(name) || name === "+") {
      if (this.source.charAt(this.at) === "[") return this.element(name);
      if (this.source.charAt(this.at) === "{") return this.hashValue(name);
    }
    if (this.source.startsWith("->", this.at)) throw new Unsupported("a reference");
    return scalarVariable(this.state, name);
  }

  protected element(name: string): Expression {
    this.expect("[");
    const index = this.expression();
    this.expect("]");
    if (/^(?:[[{]|->)/.test(this.source.slice(this.at))) throw new Unsupported("nested data");
    return elementOf(this.state, name, () => numberOf(index.scalar()));
  }

  protected hashValue(name: string): Expression {
    const key = this.hashKey();
    if (/^(?:[[{]|->)/.test(this.source.slice(this.at))) throw new Unsupported("nested data");
    return valueOf(this.state, name, key);
  }

  protected hashKey(): () => string {
    this.expect("{");
    const bare = this.peek(/^-?\w+(?=\s*\})/);
    if (bare !== null && !/^\d/.test(bare)) {
      this.at += bare.length;
      this.expect("}");
      return () => bare;
    }
    const key = this.expression();
    this.expect("}");
    return () => key.list().map(textOf).join("\x1c");
  }

  protected arrayTerm(): Expression {
    const found = this.peek(/^@(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/);
    if (found === null) throw new Unsupported("a reference");
    this.at += found.length;
    const name = found.replaceAll(/[@{}]/g, "");
    const { state } = this;
    if (this.source.charAt(this.at) === "[") {
      this.at++;
      const index = this.expression();
      this.expect("]");
      const picked = (): Scalar[] => index.list().map((i) => arrayOf(state, name).at(Math.trunc(numberOf(i))));
      return { scalar: () => picked().at(-1), list: picked };
    }
    if (this.source.charAt(this.at) === "{") throw new Unsupported("a slice of a hash");
    return {
      scalar: () => arrayOf(state, name).length,
      list: () => [...arrayOf(state, name)],
      assign: (values) => void state.arrays.set(name, [...values]),
      isPlural: true,
      name: `@${name}`,
    };
  }

  protected hashTerm(): Expression {
    const found = this.peek(/^%[A-Za-z_]\w*/);
    if (found === null) throw new Unsupported("a reference");
    this.at += found.length;
    const name = found.slice(1);
    const { state } = this;
    return {
      scalar: () => hashOf(state, name).size,
      list: () => [...hashOf(state, name)].flat(),
      assign(values) {
        const hash = new Map<string, Scalar>();
        for (let i = 0; i < values.length; i += 2) hash.set(textOf(values[i]), values[i + 1]);
        state.hashes.set(name, hash);
      },
      isPlural: true,
      name: `%${name}`,
    };
  }

  /** Strings and patterns in any quotes; null if there is none here. */
  protected quoteLike(target: Expression): Expression | null {
    const { state } = this;
    const found = this.peek(/^(?:(?:qq|qw|qr|q|m|s|tr|y)(?=\s*[^\w\s,;=)])(?!\s*=>)|(?:s|tr|m)(?=,)|["'/])/);
    if (found === null || (/^[a-z]/.test(found) && this.source.charAt(this.at + found.length) === "=")) return null;
    if (/^[a-z]/.test(found)) {
      this.at += found.length;
      if (this.source.charAt(this.at) !== "#") this.space();
    }
    const kind = found === '"' ? "qq" : found === "'" ? "q" : found === "/" ? "m" : found;
    const open = this.source.charAt(this.at);
    const body = this.delimited();
    const isPlain = open === "'";
    const pattern = (): (() => string) => (isPlain ? () => body : interpolated(unescaped(body, open), state, this.parse, "pattern"));
    if (kind === "q") {
      const text = body.replaceAll(/\\([\\'])/g, "$1");
      return { scalar: () => text, list: () => [text] };
    }
    if (kind === "qq") return scalarOnly(interpolated(body, state, this.parse, "text"));
    if (kind === "qw") {
      const words = body.split(/\s+/).filter((word) => word !== "");
      return { scalar: () => words.at(-1), list: () => [...words], isPlural: true };
    }
    if (kind === "m" || kind === "qr") {
      const own = pattern();
      const flags = this.flags(kind === "m" ? `${patternFlags}g` : patternFlags);
      return kind === "m" ? match(state, target, own, flags) : scalarOnly(() => `(?^${flags.replaceAll(/[^imsx]/g, "")}:${own()})`);
    }
    const second = this.secondPart(open);
    const flags = this.flags(kind === "s" ? `${patternFlags}ger` : "cdsr");
    if (kind !== "s") return transliterate(target, body, second, flags);
    if (/ee/.test(flags)) throw new Unsupported("s///ee");
    const code = flags.includes("e") ? this.parse(second) : null;
    const replacement =
      code === null
        ? isPlain
          ? () => second
          : interpolated(unescaped(second, open), state, this.parse, "replacement")
        : () => textOf(code.scalar());
    return substitute(state, target, { pattern: pattern(), flags, replacement });
  }

  protected secondPart(open: string): string {
    if (closers[open] === undefined) {
      // The delimiter that ends the first part begins the second.
      this.at--;
      return this.delimited();
    }
    this.space();
    return this.delimited();
  }
}

export function listOf(parts: readonly Expression[]): Expression {
  return {
    scalar: () => {
      for (const part of parts.slice(0, -1)) part.scalar();
      return parts.at(-1)?.scalar();
    },
    list: () => parts.flatMap((part) => part.list()),
    parts,
    assign(values) {
      let at = 0;
      for (const part of parts) {
        if (part.isPlural === true) {
          part.assign?.(values.slice(at));
          at = values.length;
        } else part.assign?.([values[at++]]);
      }
    },
    isPlural: true,
  };
}
