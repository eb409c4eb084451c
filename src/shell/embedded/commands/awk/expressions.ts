import { type Code, from, fromLater, later, now } from "./code.ts";
import type { Expr, Target } from "./parser.ts";
import { regex } from "./regex.ts";
import { AwkError, type Runtime } from "./runtime.ts";
import { type AwkArray, compare, fromInput, numberText, toBoolean, toNumber, type Value } from "./values.ts";

/** What names mean at the place that is being compiled. */
export interface Scope {
  readonly runtime: Runtime;
  /** Access to a variable; inside a function, its own variables come first. */
  scalar(name: string): { get(): Value; set(value: Value): void };
  /** A variable that may be a scalar or an array, such as a parameter that is only passed on. */
  any(name: string): () => Value | AwkArray;
  isArray(name: string): boolean;
  array(name: string): () => AwkArray;
  call(name: string, args: readonly Expr[], scope: Scope): Code;
  /** A call of one of awk's built-in functions. */
  builtin(name: string, args: readonly Expr[], scope: Scope): Code;
}

const truth = (value: boolean): number => (value ? 1 : 0);

export function compile(expr: Expr, scope: Scope): Code {
  const { runtime } = scope;
  const part = (each: Expr): Code => compile(each, scope);
  switch (expr.type) {
    case "number":
    case "string": {
      const { value } = expr;
      return now(() => value);
    }
    case "group":
      return part(expr.inner);
    case "regex": {
      const { source } = expr;
      return now(() => truth(regex(source, runtime.flags()).test(runtime.text(runtime.field(0)))));
    }
    case "name": {
      if (scope.isArray(expr.name)) throw new AwkError(`attempt to use array ${expr.name} in a scalar context`);
      const variable = scope.scalar(expr.name);
      return now(() => variable.get());
    }
    case "element": {
      const array = scope.array(expr.name);
      return from([keyOf(expr.keys, scope)], (key) => {
        const found = array();
        const name = runtime.text(key);
        const value = found.get(name);
        if (value === undefined && !found.has(name)) found.set(name, undefined);
        return value;
      });
    }
    case "field":
      if (expr.index.type === "number") {
        const { value } = expr.index;
        return now(() => runtime.field(value));
      }
      return from([part(expr.index)], (index) => runtime.field(Math.trunc(toNumber(index))));
    case "unary": {
      const { op } = expr;
      return from([part(expr.operand)], (value) =>
        op === "!" ? truth(!toBoolean(value)) : op === "-" ? -toNumber(value) : toNumber(value),
      );
    }
    case "binary":
      return binary(expr.op, part(expr.left), part(expr.right), runtime);
    case "and":
    case "or": {
      const isAnd = expr.type === "and";
      const [left, right] = [part(expr.left), part(expr.right)];
      if (!left.waits && !right.waits)
        return now(() => truth(isAnd ? toBoolean(left.run()) && toBoolean(right.run()) : toBoolean(left.run()) || toBoolean(right.run())));
      return later(async () => (toBoolean(await left.run()) === isAnd ? truth(toBoolean(await right.run())) : truth(!isAnd)));
    }
    case "choice": {
      const [test, yes, no] = [part(expr.test), part(expr.yes), part(expr.no)];
      if (!test.waits && !yes.waits && !no.waits) return now(() => (toBoolean(test.run()) ? yes.run() : no.run()));
      return later(async () => (toBoolean(await test.run()) ? yes.run() : no.run()));
    }
    case "match": {
      const { negated } = expr;
      const pattern = patternOf(expr.right, scope);
      return from([part(expr.left), pattern], (text, source) =>
        truth(regex(runtime.text(source), runtime.flags()).test(runtime.text(text)) !== negated),
      );
    }
    case "in": {
      const array = scope.array(expr.name);
      return from([keyOf(expr.keys, scope)], (key) => truth(array().has(runtime.text(key))));
    }
    case "assign": {
      const { op } = expr;
      // The value is evaluated first. No program depends on the order in `$(i++) = i`.
      const value = part(expr.value);
      return store(expr.target, scope, [value], (before, given) =>
        op === "" ? given : calculate(op, toNumber(before()), toNumber(given)),
      );
    }
    case "step": {
      const { by, before: isBefore } = expr;
      let was = 0;
      const stored = store(expr.target, scope, [], (before) => {
        was = toNumber(before());
        return was + by;
      });
      return from([stored], (value) => (isBefore ? value : was));
    }
    case "call":
      return scope.call(expr.name, expr.args, scope);
    case "builtin":
      return scope.builtin(expr.name, expr.args, scope);
    case "getline":
      return getline(expr, scope);
  }
}

/** The subscript of an element; several parts are joined. */
export function keyOf(keys: readonly Expr[], scope: Scope): Code {
  const { runtime } = scope;
  const parts = keys.map((key) => compile(key, scope));
  const [only, more] = parts;
  if (only !== undefined && more === undefined) return only;
  return from(parts, (...values) => values.map((value) => runtime.text(value)).join(runtime.special("SUBSEP")));
}

/** The source of a regular expression: a literal between slashes, or any text. */
export function patternOf(expr: Expr, scope: Scope): Code {
  if (expr.type !== "regex") return compile(expr, scope);
  const { source } = expr;
  return now(() => source);
}

function calculate(op: string, a: number, b: number): number {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw new AwkError("division by zero");
      return a / b;
    case "%":
      if (b === 0) throw new AwkError("division by zero in %");
      return a % b;
    default:
      return a ** b;
  }
}

function binary(op: string, left: Code, right: Code, runtime: Runtime): Code {
  switch (op) {
    case "":
      return from([left, right], (a, b) => runtime.text(a) + runtime.text(b));
    case "<":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) < 0));
    case "<=":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) <= 0));
    case "==":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) === 0));
    case "!=":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) !== 0));
    case ">":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) > 0));
    case ">=":
      return from([left, right], (a, b) => truth(compare(a, b, runtime.special("CONVFMT")) >= 0));
    default:
      return from([left, right], (a, b) => calculate(op, toNumber(a), toNumber(b)));
  }
}

/** Assigns the result of `make`, which gets the target's value and `given`. The result is the assigned value. */
export function store(target: Target, scope: Scope, given: readonly Code[], make: (before: () => Value, ...given: Value[]) => Value): Code {
  const { runtime } = scope;
  switch (target.type) {
    case "name": {
      if (scope.isArray(target.name)) throw new AwkError(`attempt to use array ${target.name} in a scalar context`);
      const variable = scope.scalar(target.name);
      return from(given, (...values) => {
        const value = make(() => variable.get(), ...values);
        variable.set(value);
        return value;
      });
    }
    case "element": {
      const array = scope.array(target.name);
      return from([keyOf(target.keys, scope), ...given], (key, ...values) => {
        const name = runtime.text(key);
        const found = array();
        const value = make(() => found.get(name), ...values);
        found.set(name, value);
        return value;
      });
    }
    case "field":
      return from([compile(target.index, scope), ...given], (at, ...values) => {
        const index = Math.trunc(toNumber(at));
        const value = make(() => runtime.field(index), ...values);
        // A number is stored as its text.
        runtime.setField(index, typeof value === "number" ? fromInput(numberText(value, runtime.special("CONVFMT"))) : value);
        return value;
      });
  }
}

type Getline = Extract<Expr, { readonly type: "getline" }>;

/** 1: a record was read; 0: there is none; -1: it can't be read. */
function getline({ from: where, source, target }: Getline, scope: Scope): Code {
  const { runtime } = scope;
  let read = "";
  const put: Code =
    target === null
      ? now(() => {
          runtime.setRecord(read);
          return undefined;
        })
      : store(target, scope, [], () => fromInput(read));
  const take = async (record: string | null): Promise<number> => {
    if (record === null) return 0;
    read = record;
    await put.run();
    return 1;
  };
  if (where === "input" || source === null) return later(async () => take(await runtime.nextRecord()));
  return fromLater([compile(source, scope)], async (name) => {
    const reader = await runtime.readerOf(where, runtime.text(name));
    if (reader === null) return -1;
    const found = reader.next(runtime.special("RS"));
    if (found !== null && where === "command") runtime.variable("NR").value = toNumber(runtime.variable("NR").value) + 1;
    return take(found?.record ?? null);
  });
}
