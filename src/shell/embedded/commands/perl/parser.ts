import { listed, split, sprintf, unary } from "./functions.ts";
import { assigning, binaries, match, power, substitute, transliterate } from "./operators.ts";
import {
  arrayOf,
  type Expression,
  hashOf,
  isTrue,
  Jump,
  numberOf,
  type Scalar,
  scalarOnly,
  type State,
  textOf,
  Unsupported,
} from "./state.ts";
import { elementOf, interpolated, scalarVariable, valueOf } from "./strings.ts";

export type Statement = () => void;

export interface Program {
  readonly begin: readonly Statement[];
  readonly body: readonly Statement[];
  readonly end: readonly Statement[];
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const binaryNames = binaries.map((level) => Object.keys(level).toSorted((a, b) => b.length - a.length));

/** Reads a program; throws `Unsupported` for what is not here. */
export function parseProgram(source: string, state: State): Program {
  return new Parser(source, state).program();
}

class Parser {
  private at = 0;
  private readonly begin: Statement[] = [];
  private readonly end: Statement[] = [];
  private readonly source: string;
  private readonly state: State;

  constructor(source: string, state: State) {
    this.source = source;
    this.state = state;
  }

  program(): Program {
    const body = this.statements();
    // `}{` leaves the loop that -n and -p put around a program.
    if (this.take("}")) {
      this.expect("{");
      this.end.unshift(...this.statements());
    }
    this.space();
    if (this.at < this.source.length) this.fail();
    return { begin: this.begin, body, end: this.end };
  }

  /** The whole source as one expression. */
  whole(): Expression {
    const found = this.expression();
    this.space();
    if (this.at < this.source.length) this.fail();
    return found;
  }

  private fail(): never {
    const rest = this.source.slice(this.at).trim().slice(0, 30);
    throw new Unsupported(rest === "" ? "a program that ends there" : `'${rest.split("\n", 1)[0] ?? ""}'`);
  }

  private space(): void {
    for (;;) {
      const [found = ""] = /^(?:\s+|#[^\n]*)/.exec(this.source.slice(this.at)) ?? [];
      if (found === "") return;
      this.at += found.length;
    }
  }

  private peek(pattern: RegExp): string | null {
    this.space();
    return pattern.exec(this.source.slice(this.at))?.[0] ?? null;
  }

  private take(text: string): boolean {
    this.space();
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private takeWord(...words: readonly string[]): string | null {
    const found = this.peek(/^[A-Za-z_]\w*/);
    if (found === null || !words.includes(found) || /^\s*=>/.test(this.source.slice(this.at + found.length))) return null;
    this.at += found.length;
    return found;
  }

  private expect(text: string): void {
    if (!this.take(text)) this.fail();
  }

  private statements(): Statement[] {
    const all: Statement[] = [];
    for (;;) {
      while (this.take(";"));
      this.space();
      if (this.at >= this.source.length || this.source.charAt(this.at) === "}") return all;
      const one = this.statement();
      if (one !== null) all.push(one);
    }
  }

  private block(): Statement {
    this.expect("{");
    const all = this.statements();
    this.expect("}");
    return () => {
      for (const one of all) one();
    };
  }

  private statement(): Statement | null {
    const word = this.takeWord(
      "BEGIN",
      "END",
      "if",
      "unless",
      "while",
      "until",
      "for",
      "foreach",
      "use",
      "no",
      "sub",
      "package",
      "require",
    );
    if (word === "BEGIN" || word === "END") {
      (word === "BEGIN" ? this.begin : this.end).push(this.block());
      return null;
    }
    if (word === "use" || word === "no") {
      const [whole = "", name = ""] = /^\s*([\w:.]+)[^;]*/.exec(this.source.slice(this.at)) ?? [];
      if (!/^(?:strict|warnings|utf8|feature|v?5[\d.]*)$/.test(name)) throw new Unsupported(`use ${name}`);
      this.at += whole.length;
      return null;
    }
    if (word === "if" || word === "unless") return this.condition(word === "unless");
    if (word === "while" || word === "until") return this.whileLoop(word === "until");
    if (word === "for" || word === "foreach") return this.forLoop();
    if (word !== null) throw new Unsupported(word);
    if (this.peek(/^\{/) !== null) return this.block();
    return this.modified(this.expression());
  }

  private condition(isNegated: boolean): Statement {
    this.expect("(");
    const test = this.expression();
    this.expect(")");
    const yes = this.block();
    const next = this.takeWord("elsif", "else");
    const no = next === "elsif" ? this.condition(false) : next === "else" ? this.block() : null;
    return () => {
      if (isTrue(test.scalar()) !== isNegated) yes();
      else no?.();
    };
  }

  /** Runs a loop's body; false: it was left. */
  private turn(body: Statement): boolean {
    if (this.state.mustStop()) return false;
    try {
      body();
    } catch (error) {
      if (!(error instanceof Jump)) throw error;
      return error.kind === "next";
    }
    return true;
  }

  private whileLoop(isNegated: boolean): Statement {
    this.expect("(");
    const test = this.peek(/^\)/) === null ? this.reading(this.expression()) : scalarOnly(() => 1);
    this.expect(")");
    const body = this.block();
    return () => {
      while (isTrue(test.scalar()) !== isNegated && this.turn(body));
    };
  }

  /** `while (<STDIN>)` and `while (my $line = <STDIN>)` end with the input. */
  private reading(test: Expression): Expression {
    const name = test.name ?? "";
    if (!name.endsWith("readline")) return test;
    return scalarOnly(() => {
      const line = test.scalar();
      if (name === "readline") this.topic().assign?.([line]);
      return line === undefined ? "" : 1;
    });
  }

  private forLoop(): Statement {
    this.takeWord("my");
    const [, name] = /^\s*\$([A-Za-z_]\w*)/.exec(this.source.slice(this.at)) ?? [];
    if (name !== undefined) this.at += this.source.slice(this.at).indexOf(name) + name.length;
    this.expect("(");
    const part = (end: string): Expression | null => {
      const found = this.peek(/^[;)]/) === null ? this.expression() : null;
      this.expect(end);
      return found;
    };
    const first = this.peek(/^[;)]/) === null ? this.expression() : null;
    if (name === undefined && this.take(";")) {
      const test = part(";");
      const step = part(")");
      const body = this.block();
      return () => {
        first?.list();
        const holds = (): boolean => test === null || isTrue(test.scalar());
        while (holds() && this.turn(body)) step?.list();
      };
    }
    this.expect(")");
    return this.each(first ?? { scalar: () => undefined, list: () => [] }, this.block(), name ?? "_");
  }

  private each(values: Expression, body: Statement, name: string): Statement {
    const { state } = this;
    return () => {
      const before = state.scalars.get(name);
      const array = values.name?.startsWith("@") === true ? arrayOf(state, values.name.slice(1)) : null;
      for (const [i, value] of (array ?? values.list()).entries()) {
        state.scalars.set(name, value);
        const continues = this.turn(body);
        // The variable stands for the element.
        if (array !== null) array[i] = state.scalars.get(name);
        if (!continues) break;
      }
      state.scalars.set(name, before);
    };
  }

  private modified(expression: Expression): Statement {
    const word = this.takeWord("if", "unless", "while", "until", "for", "foreach");
    let run: Statement = () => void expression.list();
    if (word === "if" || word === "unless") {
      const test = this.expression();
      run = () => {
        if (isTrue(test.scalar()) === (word === "if")) expression.list();
      };
    } else if (word === "while" || word === "until") {
      const test = this.expression();
      run = () => {
        while (isTrue(test.scalar()) === (word === "while") && this.turn(() => void expression.list()));
      };
    } else if (word !== null) run = this.each(this.expression(), () => void expression.list(), "_");
    this.space();
    if (this.at < this.source.length && !/[;}]/.test(this.source.charAt(this.at))) this.fail();
    return run;
  }

  /** With `or`, `and`, `not`. */
  private expression(): Expression {
    let left = this.conjunction();
    for (let word = this.takeWord("or", "xor"); word !== null; word = this.takeWord("or", "xor")) {
      const [first, second] = [left, this.conjunction()];
      if (word === "xor") throw new Unsupported("xor");
      left = scalarOnly(() => {
        const value = first.scalar();
        return isTrue(value) ? value : second.scalar();
      });
    }
    return left;
  }

  private conjunction(): Expression {
    let left = this.negation();
    while (this.takeWord("and") !== null) {
      const [first, second] = [left, this.negation()];
      left = scalarOnly(() => {
        const value = first.scalar();
        return isTrue(value) ? second.scalar() : value;
      });
    }
    return left;
  }

  private negation(): Expression {
    if (this.takeWord("not") === null) return this.comma();
    const inner = this.negation();
    return scalarOnly(() => (isTrue(inner.scalar()) ? "" : 1));
  }

  private comma(): Expression {
    const parts = [this.assignment()];
    while (this.peek(/^(?:,|=>)/) !== null) {
      this.at += this.source.charAt(this.at) === "," ? 1 : 2;
      if (this.peek(/^(?:[;)\]}]|$)/) !== null || this.peek(/^(?:if|unless|for|foreach|while|until|or|and)\b/) !== null) break;
      parts.push(this.assignment());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : listOf(parts);
  }

  private assignment(): Expression {
    const left = this.ternary();
    const operator = this.peek(/^(?:\*\*|\|\||&&|\/\/|[-+*/.x%])?=(?![=~>])/);
    if (operator === null) return left;
    this.at += operator.length;
    const right = this.assignment();
    const assign = (values: Scalar[]): void => left.assign?.(values);
    if (left.assign === undefined) throw new Unsupported("an assignment to what is no variable");
    if (operator === "=") {
      if (left.isPlural === true)
        return {
          scalar() {
            const values = right.list();
            assign(values);
            return values.length;
          },
          list() {
            assign(right.list());
            return left.list();
          },
          assign,
          isPlural: true,
          ...(left.name === undefined ? {} : { name: left.name }),
        };
      const done = this.assigned(left, () => right.scalar());
      return right.name === "readline" ? { ...done, name: "= readline" } : done;
    }
    const change = assigning(operator.slice(0, -1));
    return this.assigned(left, () => change(left.scalar(), right.scalar()));
  }

  /** `(my $x = $y) =~ s/…/…/` changes `$x`. */
  private assigned(left: Expression, value: () => Scalar): Expression {
    const run = (): Scalar => {
      const given = value();
      left.assign?.([given]);
      return given;
    };
    return { scalar: run, list: () => [run()], assign: (values) => left.assign?.(values) };
  }

  private ternary(): Expression {
    const test = this.range();
    if (!this.take("?")) return test;
    const yes = this.assignment();
    this.expect(":");
    const no = this.assignment();
    const chosen = (): Expression => (isTrue(test.scalar()) ? yes : no);
    return { scalar: () => chosen().scalar(), list: () => chosen().list(), assign: (values) => chosen().assign?.(values) };
  }

  /** `1..3` in a list; between lines otherwise, where a number stands for the line's. */
  private range(): Expression {
    const from = this.either();
    const dots = this.peek(/^\.\.\.?(?!\d*\.)/);
    if (dots === null) return from;
    this.at += dots.length;
    const to = this.either();
    let isOpen = false;
    const holds = (side: Expression): boolean => {
      const value = side.scalar();
      return side.name === "number" ? value === this.state.scalars.get(".") : isTrue(value);
    };
    return {
      scalar: () => {
        if (!isOpen) {
          if (!holds(from)) return "";
          isOpen = true;
          if (dots === "...") return 1;
        }
        if (holds(to)) isOpen = false;
        return 1;
      },
      list() {
        const [first, last] = [from.scalar(), to.scalar()];
        const values: Scalar[] = [];
        if (typeof first === "string" && /^[A-Za-z]$/.test(first)) {
          for (let code = first.charCodeAt(0); code <= textOf(last).charCodeAt(0); code++) values.push(String.fromCharCode(code));
          return values;
        }
        for (let n = Math.trunc(numberOf(first)); n <= numberOf(last) && values.length < 1e6; n++) values.push(n);
        return values;
      },
    };
  }

  private either(): Expression {
    let left = this.both();
    for (let operator = this.peek(/^(?:\|\||\/\/)(?!=)/); operator !== null; operator = this.peek(/^(?:\|\||\/\/)(?!=)/)) {
      this.at += 2;
      const [first, second] = [left, this.both()];
      const keeps = operator === "||" ? isTrue : (value: Scalar): boolean => value !== undefined;
      left = {
        scalar() {
          const value = first.scalar();
          return keeps(value) ? value : second.scalar();
        },
        list() {
          const value = first.scalar();
          return keeps(value) ? [value] : second.list();
        },
      };
    }
    return left;
  }

  private both(): Expression {
    let left = this.binary(0);
    while (this.peek(/^&&(?!=)/) !== null) {
      this.at += 2;
      const [first, second] = [left, this.binary(0)];
      left = {
        scalar() {
          const value = first.scalar();
          return isTrue(value) ? second.scalar() : value;
        },
        list() {
          const value = first.scalar();
          return isTrue(value) ? second.list() : [value];
        },
      };
    }
    return left;
  }

  private binary(level: number): Expression {
    const names = binaryNames[level];
    if (names === undefined) return this.bound();
    let left = this.binary(level + 1);
    for (;;) {
      this.space();
      const rest = this.source.slice(this.at);
      const found = names.find((name) => rest.startsWith(name) && isWhole(name, rest));
      const run = found === undefined ? undefined : binaries[level]?.[found];
      if (found === undefined || run === undefined) return left;
      this.at += found.length;
      const [first, second] = [left, this.binary(level + 1)];
      if (found === "x" && first.isPlural === true)
        left = {
          scalar: () => run(first.scalar(), second.scalar()),
          list: () => Array.from({ length: Math.max(0, numberOf(second.scalar())) }, () => first.list()).flat(),
        };
      else left = scalarOnly(() => run(first.scalar(), second.scalar()));
    }
  }

  /** `=~` and `!~` */
  private bound(): Expression {
    const target = this.prefixed();
    const operator = this.peek(/^[=!]~/);
    if (operator === null) return target;
    this.at += 2;
    this.space();
    const found = this.quoteLike(target) ?? match(this.state, target, this.dynamic(this.prefixed()), "");
    return operator === "=~" ? found : scalarOnly(() => (isTrue(found.scalar()) ? "" : 1));
  }

  private dynamic(expression: Expression): () => string {
    return () => textOf(expression.scalar());
  }

  private prefixed(): Expression {
    const sign = this.peek(/^(?:!(?!~)|-(?![-=\w])|-(?=\d|\$|\()|\\|\+\+|--)/);
    if (sign === null) return this.raised();
    this.at += sign.length;
    if (sign === "\\") throw new Unsupported("a reference");
    const inner = sign === "++" || sign === "--" ? this.postfixed() : this.prefixed();
    if (sign === "!") return scalarOnly(() => (isTrue(inner.scalar()) ? "" : 1));
    if (sign === "-") return scalarOnly(() => -numberOf(inner.scalar()));
    return this.assigned(inner, () => numberOf(inner.scalar()) + (sign === "++" ? 1 : -1));
  }

  private raised(): Expression {
    const base = this.postfixed();
    if (this.peek(/^\*\*(?!=)/) === null) return base;
    this.at += 2;
    const exponent = this.prefixed();
    return scalarOnly(() => power(base.scalar(), exponent.scalar()));
  }

  private postfixed(): Expression {
    const inner = this.term();
    const sign = this.peek(/^(?:\+\+|--)/);
    if (sign === null) return inner;
    this.at += 2;
    return scalarOnly(() => {
      const value = inner.scalar();
      inner.assign?.([numberOf(value) + (sign === "++" ? 1 : -1)]);
      return value ?? 0;
    });
  }

  private parse = (source: string): Expression => new Parser(source, this.state).whole();

  private topic(): Expression {
    return scalarVariable(this.state, "_");
  }

  private term(): Expression {
    this.space();
    const letter = this.source.charAt(this.at);
    const number = this.peek(/^(?:0[xX][\da-fA-F]+|0[bB][01]+|\d[\d_]*(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+)/);
    if (number !== null) {
      this.at += number.length;
      const plain = number.replaceAll("_", "");
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
      this.at += handle.length;
      return this.input();
    }
    return this.quoteLike(this.topic()) ?? this.named();
  }

  private input(): Expression {
    const rest = (): Scalar[] => {
      const lines: Scalar[] = [];
      for (let line = this.state.readLine(); line !== undefined; line = this.state.readLine()) lines.push(line);
      return lines;
    };
    return { scalar: () => this.state.readLine(), list: rest, name: "readline" };
  }

  private listTerm(): Expression {
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

  private scalarTerm(): Expression {
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
    if (/^[A-Za-z_]/.test(name) || name === "+") {
      if (this.source.charAt(this.at) === "[") return this.element(name);
      if (this.source.charAt(this.at) === "{") return this.hashValue(name);
    }
    if (this.source.startsWith("->", this.at)) throw new Unsupported("a reference");
    return scalarVariable(this.state, name);
  }

  private element(name: string): Expression {
    this.expect("[");
    const index = this.expression();
    this.expect("]");
    if (/^(?:[[{]|->)/.test(this.source.slice(this.at))) throw new Unsupported("nested data");
    return elementOf(this.state, name, () => numberOf(index.scalar()));
  }

  private hashValue(name: string): Expression {
    const key = this.hashKey();
    if (/^(?:[[{]|->)/.test(this.source.slice(this.at))) throw new Unsupported("nested data");
    return valueOf(this.state, name, key);
  }

  private hashKey(): () => string {
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

  private arrayTerm(): Expression {
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

  private hashTerm(): Expression {
    const found = this.peek(/^%(?:[A-Za-z_]\w*|\+)/);
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

  /** Texts and patterns in any quotes; null: there is none here. */
  private quoteLike(target: Expression): Expression | null {
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
    const pattern = (): (() => string) => (isPlain ? () => body : interpolated(unescaped(body, open), state, this.parse, true));
    if (kind === "q") {
      const text = body.replaceAll(/\\([\\'])/g, "$1");
      return { scalar: () => text, list: () => [text] };
    }
    if (kind === "qq") return scalarOnly(interpolated(body, state, this.parse, false));
    if (kind === "qw") {
      const words = body.split(/\s+/).filter((word) => word !== "");
      return { scalar: () => words.at(-1), list: () => [...words], isPlural: true };
    }
    if (kind === "m" || kind === "qr") {
      const own = pattern();
      const flags = this.flags();
      return kind === "m"
        ? match(state, target, own, flags)
        : scalarOnly(() => (/[imsx]/.test(flags) ? `(?${flags.replaceAll(/[^imsx]/g, "")})` : "") + own());
    }
    const second = this.secondPart(open);
    const flags = this.flags();
    if (kind !== "s") return transliterate(target, body, second, flags);
    if (/ee/.test(flags)) throw new Unsupported("s///ee");
    const code = flags.includes("e") ? this.parse(second) : null;
    const replacement =
      code === null
        ? isPlain
          ? () => second
          : interpolated(unescaped(second, open), state, this.parse, false)
        : () => textOf(code.scalar());
    return substitute(state, target, { pattern: pattern(), flags, replacement });
  }

  private secondPart(open: string): string {
    if (closers[open] === undefined) {
      // The delimiter that ends the first part begins the second.
      this.at--;
      return this.delimited();
    }
    this.space();
    return this.delimited();
  }

  private flags(): string {
    const [found = ""] = /^[a-z]+/.exec(this.source.slice(this.at)) ?? [];
    const word = /^(?:[msixgreodlupnac]*?)(?=(?:if|unless|for|foreach|while|until|and|or|x|eq|ne|cmp)?$)/.exec(found)?.[0] ?? found;
    this.at += word.length;
    return word;
  }

  /** From one delimiter to the other. */
  private delimited(): string {
    const open = this.source.charAt(this.at);
    const close = closers[open] ?? open;
    let depth = 1;
    let at = this.at + 1;
    for (; at < this.source.length; at++) {
      const letter = this.source.charAt(at);
      if (letter === "\\") at++;
      else if (letter === close && --depth === 0) break;
      else if (letter === open && close !== open) depth++;
    }
    if (at >= this.source.length) throw new Unsupported(`a text without its end: ${this.source.slice(this.at, this.at + 20)}`);
    const body = this.source.slice(this.at + 1, at);
    this.at = at + 1;
    return body;
  }

  private named(): Expression {
    const name = this.peek(/^[A-Za-z_]\w*(?:::\w+)*/);
    if (name === null) this.fail();
    this.at += name.length;
    // The name before `=>` is a text.
    if (this.peek(/^=>/) !== null) return { scalar: () => name, list: () => [name] };
    const own = this.builtin(name);
    if (own !== null) return own;
    const one = unary[name];
    if (one !== undefined) {
      const value = this.operand();
      return scalarOnly(() => single(one([value.scalar()], this.state)));
    }
    const many = listed[name];
    if (many === undefined) throw new Unsupported(name);
    const values = this.operands();
    const run = (): Scalar | Scalar[] => many(values.list(), this.state);
    const topic = this.topic();
    return {
      scalar() {
        if (name !== "reverse") return single(run());
        const given = values.list();
        const text = given.length === 0 ? textOf(topic.scalar()) : given.map(textOf).join("");
        return Array.from(text).toReversed().join("");
      },
      list() {
        const result = run();
        return Array.isArray(result) ? result : [result];
      },
    };
  }

  /** Of a function with one: in brackets or not; `$_` if there is none. */
  private operand(): Expression {
    if (this.peek(/^\(\s*\)/) !== null) {
      this.at += this.peek(/^\(\s*\)/)?.length ?? 0;
      return this.topic();
    }
    if (this.peek(/^\(/) !== null) return this.listTerm();
    if (
      this.peek(/^(?:[;)}\],?:<>=*/.|&]|-\s|\+\s|x\b|$)/) !== null ||
      this.peek(/^(?:if|unless|for|foreach|while|until|or|and|eq|ne|lt|gt|le|ge|cmp)\b/) !== null
    )
      return this.topic();
    return this.binary(2);
  }

  private operands(): Expression {
    if (this.peek(/^\(/) !== null) {
      this.expect("(");
      const inner = this.peek(/^\)/) === null ? this.expression() : listOf([]);
      this.expect(")");
      return inner;
    }
    if (this.peek(/^(?:[;)}\]:]|$)/) !== null || this.peek(/^(?:if|unless|for|foreach|while|until|or|and)\b/) !== null) return listOf([]);
    return this.comma();
  }

  private builtin(name: string): Expression | null {
    const { state } = this;
    switch (name) {
      case "my":
      case "our":
      case "local":
        return this.term();
      case "print":
      case "say":
      case "printf":
        return this.print(name);
      case "next":
      case "last":
        return scalarOnly(() => {
          throw new Jump(name);
        });
      case "eof":
        this.take("()");
        return scalarOnly(() => (state.isAtEnd() ? 1 : ""));
      case "chomp":
      case "chop":
        return this.chomp(name);
      case "split":
        return this.split();
      case "scalar": {
        const inner = this.operand();
        return scalarOnly(() => inner.scalar());
      }
      case "map":
      case "grep":
      case "sort":
        return this.withBlock(name);
      case "push":
      case "unshift":
      case "pop":
      case "shift":
        return this.stack(name);
      case "keys":
      case "values":
      case "exists":
      case "delete":
        return this.ofHash(name);
      default:
        return null;
    }
  }

  private print(name: string): Expression {
    const { state } = this;
    const isBracketed = this.peek(/^\(/) !== null;
    if (isBracketed) this.expect("(");
    const handle = this.peek(/^(?:STDOUT|STDERR)\b/);
    if (handle !== null) this.at += handle.length;
    const isEmpty = this.peek(/^(?:[;)}]|$)/) !== null || this.peek(/^(?:if|unless|for|foreach|while|until|or|and)\b/) !== null;
    const values = isEmpty ? this.topic() : isBracketed ? this.expression() : this.comma();
    if (isBracketed) this.expect(")");
    return scalarOnly(() => {
      const given = values.list();
      const text =
        name === "printf"
          ? sprintf(textOf(given[0]), given.slice(1))
          : given.map(textOf).join(textOf(state.scalars.get(","))) + (name === "say" ? "\n" : textOf(state.scalars.get("\\")));
      if (handle === "STDERR") state.warn(text);
      else state.print(text);
      return 1;
    });
  }

  private chomp(name: string): Expression {
    const target = this.operand();
    return scalarOnly(() => {
      const values = target.isPlural === true && target.name !== undefined ? target.list() : [target.scalar()];
      const changed = values.map((value) =>
        name === "chomp" ? chomped(textOf(value), this.state.scalars.get("/")) : textOf(value).slice(0, -1),
      );
      target.assign?.(changed);
      return values.length;
    });
  }

  private split(): Expression {
    const isBracketed = this.take("(");
    let pattern: () => string = () => " ";
    let flags = " ";
    this.space();
    if (/^(?:\/|m\W|qr\W)/.test(this.source.slice(this.at))) {
      if (this.source.charAt(this.at) === "m") this.at++;
      else if (this.source.charAt(this.at) === "q") this.at += 2;
      const open = this.source.charAt(this.at);
      pattern = interpolated(unescaped(this.delimited(), open), this.state, this.parse, true);
      flags = this.flags();
    } else if (this.peek(/^(?:[;)}]|$)/) === null) {
      pattern = this.dynamic(this.assignment());
    }
    const text = this.take(",") ? this.assignment() : this.topic();
    const limit = this.take(",") ? this.assignment() : scalarOnly(() => 0);
    if (isBracketed) this.expect(")");
    const run = (): Scalar[] => split(pattern(), flags, textOf(text.scalar()), numberOf(limit.scalar()));
    return { scalar: () => run().length, list: run };
  }

  private withBlock(name: string): Expression {
    const { state } = this;
    const isBracketed = this.take("(");
    let code: (() => Expression) | null = null;
    if (this.peek(/^\{/) !== null) {
      this.expect("{");
      const inner = this.expression();
      this.take(";");
      this.expect("}");
      this.take(",");
      code = () => inner;
    } else if (name !== "sort") {
      const inner = this.assignment();
      this.expect(",");
      code = () => inner;
    }
    const values = this.comma();
    if (isBracketed) this.expect(")");
    const run = (): Scalar[] => {
      const given = values.list();
      if (name === "sort") {
        const order = code?.();
        return given.toSorted((a, b) => {
          if (order === undefined) return textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0;
          state.scalars.set("a", a);
          state.scalars.set("b", b);
          return numberOf(order.scalar());
        });
      }
      const before = state.scalars.get("_");
      const results = given.flatMap((value) => {
        state.scalars.set("_", value);
        if (name === "map") return code?.().list() ?? [];
        return isTrue(code?.().scalar()) ? [value] : [];
      });
      state.scalars.set("_", before);
      return results;
    };
    return { scalar: () => run().length, list: run };
  }

  private stack(name: string): Expression {
    const { state } = this;
    const isBracketed = this.take("(");
    const target = this.peek(/^@/) === null ? null : this.arrayTerm();
    const array = (): Scalar[] => arrayOf(state, target?.name?.slice(1) ?? "ARGV");
    const values = this.take(",") ? this.comma() : listOf([]);
    if (isBracketed) this.expect(")");
    return scalarOnly(() => {
      if (name === "push") return array().push(...values.list());
      if (name === "unshift") return array().unshift(...values.list());
      return name === "pop" ? array().pop() : array().shift();
    });
  }

  private ofHash(name: string): Expression {
    const { state } = this;
    const isBracketed = this.take("(");
    if (name === "keys" || name === "values") {
      const target = this.peek(/^%/) === null ? this.arrayTerm() : this.hashTerm();
      if (isBracketed) this.expect(")");
      const run = (): Scalar[] => {
        const own = target.name?.slice(1) ?? "";
        if (target.name?.startsWith("@") === true) return name === "keys" ? arrayOf(state, own).map((_, i) => i) : [...arrayOf(state, own)];
        return name === "keys" ? [...hashOf(state, own).keys()] : [...hashOf(state, own).values()];
      };
      return { scalar: () => run().length, list: run };
    }
    const hash = this.peek(/^\$[A-Za-z_]\w*(?=\{)/);
    if (hash === null) throw new Unsupported(`${name} of what is no value of a hash`);
    this.at += hash.length;
    const key = this.hashKey();
    if (isBracketed) this.expect(")");
    const own = hash.slice(1);
    return scalarOnly(() => {
      const values = hashOf(state, own);
      if (name === "exists") return values.has(key()) ? 1 : "";
      const value = values.get(key());
      values.delete(key());
      return value;
    });
  }
}

function listOf(parts: readonly Expression[]): Expression {
  return {
    scalar: () => {
      for (const part of parts.slice(0, -1)) part.scalar();
      return parts.at(-1)?.scalar();
    },
    list: () => parts.flatMap((part) => part.list()),
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

/** Without what ends a line. */
export function chomped(text: string, end: Scalar): string {
  if (end === undefined) return text;
  if (end === "") return text.replace(/\n+$/, "");
  return text.endsWith(textOf(end)) ? text.slice(0, text.length - textOf(end).length) : text;
}

function single(value: Scalar | Scalar[]): Scalar {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** A name of letters ends where its letters end; `.` is not the beginning of `..`, and none is that of an assignment. */
function isWhole(name: string, rest: string): boolean {
  const next = rest.charAt(name.length);
  if (/^[a-z]/.test(name)) return name === "x" ? !/^x(?:=(?![=~])|[A-Za-z_])/.test(rest) : !/\w/.test(next);
  if (name === "." && next === ".") return false;
  if (name === "*" && next === "*") return false;
  if (name === "/" && next === "/") return false;
  if ((name === "<" || name === ">") && (next === name || next === "=")) return false;
  if (name === "<=" && next === ">") return false;
  return !(next === "=" && /^[-+*/.%]$/.test(name)) && !((name === "+" || name === "-") && next === name);
}

/** A delimiter of its own that is escaped stands for itself. */
function unescaped(body: string, open: string): string {
  const close = closers[open] ?? open;
  if (/[\w\s]/.test(open) || "/|.*+?()[]{}^$".includes(open)) return open === "/" ? body.replaceAll("\\/", "/") : body;
  return body.replaceAll(`\\${open}`, () => open).replaceAll(`\\${close}`, () => close);
}
