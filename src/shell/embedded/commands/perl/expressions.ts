import { Calls } from "./calls.ts";
import { assigning, binaries, match, power } from "./operators.ts";
import { type Expression, isTrue, numberOf, type Scalar, scalarOnly, textOf, Unsupported } from "./state.ts";
import { listOf } from "./terms.ts";

const binaryNames = binaries.map((level) => Object.keys(level).toSorted((a, b) => b.length - a.length));

/** Operators, by precedence. */
export abstract class Expressions extends Calls {
  /** Includes `or`, `and` and `not`. */
  protected override expression(): Expression {
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

  protected override comma(): Expression {
    const parts = [this.assignment()];
    while (this.peek(/^(?:,|=>)/) !== null) {
      this.at += this.source.charAt(this.at) === "," ? 1 : 2;
      if (this.peek(/^(?:[;)\]}]|$)/) !== null || this.peek(/^(?:if|unless|for|foreach|while|until|or|and)\b/) !== null) break;
      parts.push(this.assignment());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : listOf(parts);
  }

  protected override assignment(): Expression {
    const left = this.ternary();
    const operator = this.peek(/^(?:\*\*|\|\||&&|\/\/|[-+*/.x%])?=(?![=~>])/);
    if (operator === null) return left;
    this.at += operator.length;
    const right = this.assignment();
    if (left.name === "$/") throw new Unsupported("an assignment to $/");
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

  /** `1..3` is a range in a list. Otherwise it is a flip-flop over lines, where a number means a line number. */
  private range(): Expression {
    const from = this.either();
    const dots = this.peek(/^\.\.\.?(?!\d*\.)/);
    if (dots === null) return from;
    this.at += dots.length;
    const to = this.either();
    let count = 0;
    const holds = (side: Expression): boolean => {
      const value = side.scalar();
      return side.name === "number" ? value === this.state.scalars.get(".") : isTrue(value);
    };
    return {
      scalar: () => {
        if (count === 0) {
          if (!holds(from)) return "";
          count = 1;
          if (dots === "...") return 1;
        } else count++;
        if (!holds(to)) return count;
        const last = count;
        count = 0;
        return `${last}E0`;
      },
      list() {
        const [first, last] = [from.scalar(), to.scalar()];
        const values: Scalar[] = [];
        if (typeof first === "string" && /^[A-Za-z]$/.test(first)) {
          for (let code = first.charCodeAt(0); code <= textOf(last).charCodeAt(0); code++) values.push(String.fromCharCode(code));
          return values;
        }
        if (typeof first === "string" && !/^\s*[-+]?(?:0|[1-9]\d*)(?:\.\d*)?\s*$/.test(first))
          throw new Unsupported(`the range from '${first}'`);
        if (numberOf(last) - numberOf(first) > 1e6) throw new Unsupported("a range of more than a million numbers");
        for (let n = Math.trunc(numberOf(first)); n <= numberOf(last); n++) values.push(n);
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

  protected override binary(level: number): Expression {
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
  private prefixed(): Expression {
    const sign = this.peek(/^(?:!(?!~)|-(?![-=\w])|-(?=\d|\$|\()|\\|\+\+|--)/);
    if (sign === null) return this.raised();
    this.at += sign.length;
    if (sign === "\\") throw new Unsupported("a reference");
    const inner = sign === "++" || sign === "--" ? this.postfixed() : this.prefixed();
    if (sign === "!") return scalarOnly(() => (isTrue(inner.scalar()) ? "" : 1));
    if (sign === "-") return scalarOnly(() => -numberOf(inner.scalar()));
    return this.assigned(inner, () => counted(inner.scalar(), sign));
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
    if (inner.assign === undefined) throw new Unsupported(`${sign} of what is no variable`);
    this.at += 2;
    return scalarOnly(() => {
      const value = inner.scalar();
      inner.assign?.([counted(value, sign)]);
      return value ?? 0;
    });
  }
}

/**
 * Whether the operator's name ends here: a name of letters ends with its letters, `.` must not begin `..`, and no operator may be part of an
 * assignment.
 */
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

/** The value after `++` or `--`. */
function counted(value: Scalar, sign: string): number {
  if (sign === "++" && typeof value === "string" && value !== "" && !/^\s*[-+]?(?:\d|\.\d)/.test(value))
    throw new Unsupported(`++ of '${value}'`);
  return numberOf(value) + (sign === "++" ? 1 : -1);
}
