import { listed, split, sprintf, unary } from "./functions.ts";
import { patternFlags, unescaped } from "./lexer.ts";
import { arrayOf, type Expression, hashOf, isTrue, Jump, numberOf, type Scalar, scalarOnly, textOf, Unsupported } from "./state.ts";
import { interpolated } from "./strings.ts";
import { listOf, Terms } from "./terms.ts";

/** Calls of functions by name, with their arguments. */
export abstract class Calls extends Terms {
  protected abstract assignment(): Expression;
  protected abstract comma(): Expression;
  protected abstract binary(level: number): Expression;
  /** Records a variable of `my`, with its sigil. */
  protected abstract declare(name: string): void;

  protected override named(): Expression {
    const name = this.peek(/^[A-Za-z_]\w*(?:::\w+)*/);
    if (name === null) this.fail();
    this.at += name.length;
    // The name before `=>` is a string.
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

  /** The operand of a function with one operand, with or without parentheses; `$_` if there is none. */
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
    switch (name) {
      case "my":
        return this.declared();
      case "our":
        return this.term();
      case "time":
        this.take("()");
        return scalarOnly(() => Math.floor(Date.now() / 1000));
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
        return this.eof();
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

  private eof(): Expression {
    const ofAll = this.take("()");
    return scalarOnly(() => (this.state.isAtEnd(ofAll) ? 1 : ""));
  }

  /** `my`: the variables are empty each time. */
  private declared(): Expression {
    const names = /^\s*\(/.test(this.source.slice(this.at))
      ? [...(/^\s*\([^)]*/.exec(this.source.slice(this.at))?.[0].matchAll(/[$@%]\w+/g) ?? [])].map(([name]) => name)
      : [this.peek(/^[$@%]\w+/) ?? ""];
    for (const name of names) this.declare(name);
    const own = this.term();
    if (this.peek(/^=(?![=~])/) !== null) return own;
    const clear = (): void => own.assign?.([]);
    return {
      ...own,
      scalar() {
        clear();
        return own.scalar();
      },
      list() {
        clear();
        return own.list();
      },
    };
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
    if (target.assign === undefined) throw new Unsupported(`${name} of what is no variable`);
    return scalarOnly(() => {
      const values = target.isPlural === true ? target.list() : [target.scalar()];
      const changed = values.map((value) =>
        name === "chomp" ? chomped(textOf(value), this.state.scalars.get("/")) : textOf(value).slice(0, -1),
      );
      target.assign?.(changed);
      if (name === "chop") return textOf(values.at(-1)).slice(-1);
      return values.reduce<number>((sum, value, i) => sum + textOf(value).length - textOf(changed[i]).length, 0);
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
      pattern = interpolated(unescaped(this.delimited(), open), this.state, this.parse, "pattern");
      flags = this.flags(patternFlags);
    } else if (this.peek(/^(?:[;)}]|$)/) === null) {
      pattern = this.dynamic(this.assignment());
    }
    const text = this.take(",") ? this.assignment() : this.topic();
    const limit = this.take(",") ? this.assignment() : scalarOnly(() => 0);
    if (isBracketed) this.expect(")");
    const run = (): Scalar[] => split(pattern(), flags, textOf(text.scalar()), numberOf(limit.scalar()), this.state.isText);
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
        this.topic().assign?.([value]);
        const kept = name === "map" ? (code?.().list() ?? []) : isTrue(code?.().scalar()) ? [value] : [];
        // Perl would change the variable that the value comes from.
        if (state.scalars.get("_") !== value && isOfVariables(values)) throw new Unsupported(`a change of $_ in ${name}`);
        return kept;
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
    const isAdding = name === "push" || name === "unshift";
    if (isAdding && target === null) throw new Unsupported(`${name} to what is no array`);
    const values = isAdding && this.take(",") ? this.comma() : listOf([]);
    if (isBracketed) this.expect(")");
    return scalarOnly(() => {
      const found = array();
      if (!isAdding) return name === "pop" ? found.pop() : found.shift();
      // One by one, because there may be more values than a call allows arguments. `push @a, @a` adds the current values.
      const added = [...values.list(), ...(name === "unshift" ? found.splice(0) : [])];
      for (const value of added) found.push(value);
      return found.length;
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
      const counted = { scalar: () => run().length, list: run };
      // In Perl, changing the values would change the hash.
      return name === "values" ? { ...counted, assign: () => refuseChange() } : counted;
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

/** Removes the line ending. */
export function chomped(text: string, end: Scalar): string {
  if (end === undefined) return text;
  if (end === "") return text.replace(/\n+$/, "");
  return text.endsWith(textOf(end)) ? text.slice(0, text.length - textOf(end).length) : text;
}

function single(value: Scalar | Scalar[]): Scalar {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** Whether changing the list's values would change variables. */
export function isOfVariables(list: Expression): boolean {
  return list.parts === undefined ? list.assign !== undefined : list.parts.some(isOfVariables);
}

function refuseChange(): never {
  throw new Unsupported("a change of the values of a hash");
}
