import { isOfVariables } from "./calls.ts";
import { Expressions } from "./expressions.ts";
import { arrayOf, type Expression, isTrue, Jump, scalarOnly, type State, Unsupported } from "./state.ts";
import { scalarVariable } from "./strings.ts";

export type Statement = () => void;

/** A parsed one-liner. */
export interface Program {
  readonly begin: readonly Statement[];
  readonly body: readonly Statement[];
  /** The statements after `}{`, which leaves the loop of -n and -p; null if it is absent. */
  readonly after: readonly Statement[] | null;
  readonly end: readonly Statement[];
}
/** Parses a program; throws `Unsupported` for missing features. */
export function parseProgram(source: string, state: State): Program {
  return new Parser(source, state).program();
}

/** Statements: blocks, conditions and loops. */
class Parser extends Expressions {
  private readonly begin: Statement[] = [];
  private readonly end: Statement[] = [];
  /** The variables of `my` in each open block. */
  private readonly scopes: Set<string>[] = [new Set()];
  protected override readonly parse = (source: string): Expression => new Parser(source, this.state).whole();

  program(): Program {
    const body = this.statements();
    let after: Statement[] | null = null;
    if (this.take("}")) {
      this.expect("{");
      after = this.statements();
    }
    this.space();
    if (this.at < this.source.length) this.fail();
    return { begin: this.begin, body, after, end: this.end };
  }

  /** Parses the whole source as one expression. */
  whole(): Expression {
    const found = this.expression();
    this.space();
    if (this.at < this.source.length) this.fail();
    return found;
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
    this.scopes.push(new Set());
    const all = this.statements();
    this.scopes.pop();
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
      const block = this.block();
      // The last END block runs first.
      if (word === "BEGIN") this.begin.push(block);
      else this.end.unshift(block);
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

  protected override declare(name: string): void {
    // Variables are identified only by name.
    if (this.scopes.slice(0, -1).some((scope) => scope.has(name))) throw new Unsupported(`a second 'my ${name}' in a block`);
    this.scopes.at(-1)?.add(name);
  }

  /** Runs a loop's body; false: the loop was left. */
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
      const variable = scalarVariable(state, name);
      const array = values.name?.startsWith("@") === true ? arrayOf(state, values.name.slice(1)) : null;
      for (const [i, value] of (array ?? values.list()).entries()) {
        variable.assign?.([value]);
        const continues = this.turn(body);
        const changed = state.scalars.get(name);
        // The variable is an alias of the element.
        if (array !== null) array[i] = changed;
        else if (changed !== value && isOfVariables(values)) {
          if (values.parts !== undefined || values.assign === undefined)
            throw new Unsupported("a change of the variables of a list in a loop");
          values.assign([changed]);
        }
        if (!continues) break;
      }
      variable.assign?.([before]);
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
      const test = this.reading(this.expression());
      run = () => {
        while (isTrue(test.scalar()) === (word === "while") && this.turn(() => void expression.list()));
      };
    } else if (word !== null) run = this.each(this.expression(), () => void expression.list(), "_");
    this.space();
    if (this.at < this.source.length && !/[;}]/.test(this.source.charAt(this.at))) this.fail();
    return run;
  }
}
