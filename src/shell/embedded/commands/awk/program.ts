import { type Analysis, analyse } from "./analysis.ts";
import { type Code, type Flow, from, later, now, type Step, stepFrom, stepLater, stepNow } from "./code.ts";
import { compile, keyOf, patternOf, type Scope } from "./expressions.ts";
import { callBuiltin } from "./functions.ts";
import type { AwkFunction, Expr, Program, Rule, Statement } from "./parser.ts";
import { regex } from "./regex.ts";
import { AwkError, type Runtime } from "./runtime.ts";
import { type AwkArray, compare, formatted, toBoolean, toNumber, toText, type Value } from "./values.ts";

/** Ends the program or the record from inside a function. */
class Leave {
  readonly flow: "next" | "nextfile" | "exit";
  constructor(flow: "next" | "nextfile" | "exit") {
    this.flow = flow;
  }
}

const mostCalls = 1500;

interface Compiled {
  body: Step;
}

/** Runs a program until it ends and returns its exit code. */
export async function runProgram(program: Program, runtime: Runtime): Promise<number> {
  const analysis = analyse(program);
  const machine = createMachine(program, analysis, runtime);
  const of = (kind: Rule["kind"]): Step[] => program.rules.filter((rule) => rule.kind === kind).map((rule) => machine.action(rule));
  const [begin, end] = [of("BEGIN"), of("END")];
  const perRecord = program.rules.filter(({ kind }) => kind === "each" || kind === "range").map((rule) => machine.rule(rule));

  let flow = await machine.runAll(begin);
  if (flow !== "exit" && (perRecord.length > 0 || end.length > 0)) {
    const plain = perRecord.flatMap((step) => (step.waits ? [] : [step]));
    for (;;) {
      const quick = runtime.nextRecordNow();
      const record = quick === undefined ? await runtime.nextRecord() : quick;
      if (record === null) break;
      runtime.step();
      runtime.setRecord(record);
      flow = plain.length === perRecord.length ? machine.runNow(plain) : await machine.runAll(perRecord);
      if (flow === "nextfile") runtime.nextFile();
      if (flow === "exit") break;
    }
  }
  if (!machine.isEnding()) {
    machine.ending();
    await machine.runAll(end);
  }
  await runtime.closeAll();
  return machine.exitCode() ?? (runtime.failedToOpen ? 2 : 0);
}

function createMachine(program: Program, analysis: Analysis, runtime: Runtime) {
  const functions = new Map<string, Compiled>();
  /** The variables of the running functions, the innermost last. */
  let frame: (Value | AwkArray)[] = [];
  let depth = 0;
  let returned: Value;
  let code: number | null = null;
  let inEnd = false;
  let leftInEnd = false;

  const globalScope: Scope = {
    runtime,
    isArray: (name) => analysis.globalArrays.has(name),
    any: (name) => (analysis.globalArrays.has(name) ? globalScope.array(name) : () => globalScope.scalar(name).get()),
    array(name) {
      const array = runtime.array(name);
      return () => array;
    },
    scalar(name) {
      if (name === "NF") return { get: () => runtime.count(), set: (value) => runtime.setCount(Math.trunc(toNumber(value))) };
      const variable = runtime.variable(name);
      return { get: () => variable.value, set: (value) => void (variable.value = value) };
    },
    call,
    builtin: callBuiltin,
  };

  function scopeOf({ name: owner, parameters }: AwkFunction): Scope {
    return {
      runtime,
      isArray: (name) => (parameters.includes(name) ? analysis.arrays.get(owner)?.has(name) === true : globalScope.isArray(name)),
      any(name) {
        const at = parameters.indexOf(name);
        return at < 0 ? globalScope.any(name) : () => frame[at];
      },
      array(name) {
        const at = parameters.indexOf(name);
        if (at < 0) return globalScope.array(name);
        return () => {
          const found = frame[at];
          if (found instanceof Map) return found;
          const made: AwkArray = new Map();
          frame[at] = made;
          return made;
        };
      },
      scalar(name) {
        const at = parameters.indexOf(name);
        if (at < 0) return globalScope.scalar(name);
        return {
          get() {
            const found = frame[at];
            if (found instanceof Map) throw new AwkError(`attempt to use array ${name} in a scalar context`);
            return found;
          },
          set: (value) => void (frame[at] = value),
        };
      },
      call,
      builtin: callBuiltin,
    };
  }

  function call(name: string, args: readonly Expr[], scope: Scope): Code {
    const made = functions.get(name);
    const definition = program.functions.get(name);
    if (made === undefined || definition === undefined) throw new AwkError(`function ${name} not defined`);
    if (args.length > definition.parameters.length) throw new AwkError(`function ${name} called with more arguments than declared`);
    const given = args.map((arg, i) => {
      const isArray = analysis.arrays.get(name)?.has(definition.parameters[i] ?? "") === true;
      if (arg.type === "name") return { held: isArray ? scope.array(arg.name) : scope.any(arg.name) };
      return { value: compile(arg, scope) };
    });
    const enter = (values: (Value | AwkArray)[]): (Value | AwkArray)[] => {
      if (++depth > mostCalls) throw new AwkError("function calls nested too deeply");
      while (values.length < definition.parameters.length) values.push(undefined);
      const before = frame;
      frame = values;
      runtime.frames.push(values);
      returned = undefined;
      runtime.step();
      return before;
    };
    const leave = (before: (Value | AwkArray)[], flow: Flow): Value => {
      depth--;
      frame = before;
      runtime.frames.pop();
      if (flow === "next" || flow === "nextfile" || flow === "exit") throw new Leave(flow);
      const value = returned;
      returned = undefined;
      return value;
    };
    const waits = analysis.waiting.has(name) || given.some((each) => each.value?.waits === true);
    if (!waits)
      return now(() => {
        const values = given.map((each) => {
          if (each.held) return each.held();
          const { run } = each.value;
          const value = run();
          return value instanceof Promise ? undefined : value;
        });
        const before = enter(values);
        const flow = made.body.run();
        return leave(before, flow instanceof Promise ? null : flow);
      });
    return later(async () => {
      const values: (Value | AwkArray)[] = [];
      for (const each of given) values.push(each.held ? each.held() : await each.value.run());
      const before = enter(values);
      return leave(before, await made.body.run());
    });
  }

  function statement(node: Statement, scope: Scope): Step {
    const part = (expr: Expr): Code => compile(expr, scope);
    switch (node.type) {
      case "expr":
        return stepFrom([part(node.expr)], () => null);
      case "print":
        return print(node, scope);
      case "block":
        return sequence(node.body.map((each) => statement(each, scope)));
      case "if": {
        const test = part(node.test);
        const yes = statement(node.yes, scope);
        const no = node.no ? statement(node.no, scope) : stepNow(() => null);
        if (!test.waits && !yes.waits && !no.waits) return stepNow(() => (toBoolean(test.run()) ? yes.run() : no.run()));
        return stepLater(async () => (toBoolean(await test.run()) ? yes.run() : no.run()));
      }
      case "while":
        return loop(part(node.test), statement(node.body, scope), null, node.bodyFirst);
      case "for": {
        const first = node.first ? statement(node.first, scope) : stepNow(() => null);
        const step = node.step ? statement(node.step, scope) : null;
        return sequence([first, loop(node.test ? part(node.test) : now(() => 1), statement(node.body, scope), step, false)]);
      }
      case "each":
        return eachKey(node, scope);
      case "switch":
        return choose(node, scope);
      case "delete": {
        const array = scope.array(node.name);
        if (node.keys === null) return stepNow(() => (array().clear(), null));
        return stepFrom([keyOf(node.keys, scope)], (key) => {
          array().delete(runtime.text(key));
          return null;
        });
      }
      case "jump": {
        const { kind } = node;
        return stepNow(() => kind);
      }
      case "exit":
        return stepFrom(node.value ? [part(node.value)] : [], (value) => {
          if (node.value) code = Math.trunc(toNumber(value)) & 0xff;
          code ??= 0;
          if (inEnd) leftInEnd = true;
          return "exit";
        });
      case "return":
        return stepFrom(node.value ? [part(node.value)] : [], (value) => {
          returned = value;
          return "return";
        });
    }
  }

  function sequence(steps: readonly Step[]): Step {
    const plain = steps.flatMap((step) => (step.waits ? [] : [step]));
    const [only, more] = plain;
    if (plain.length === steps.length) {
      if (only !== undefined && more === undefined) return only;
      return stepNow(() => {
        for (const step of plain) {
          const flow = step.run();
          if (flow !== null) return flow;
        }
        return null;
      });
    }
    return stepLater(async () => {
      for (const step of steps) {
        const flow = step.waits ? await step.run() : step.run();
        if (flow !== null) return flow;
      }
      return null;
    });
  }

  /** What the end of its body means for a loop. undefined: the loop continues. */
  const after = (flow: Flow): Flow | undefined => (flow === null || flow === "continue" ? undefined : flow === "break" ? null : flow);

  function loop(test: Code, body: Step, step: Step | null, bodyFirst: boolean): Step {
    if (!test.waits && !body.waits && step?.waits !== true)
      return stepNow(() => {
        for (let first = bodyFirst; first || toBoolean(test.run()); first = false) {
          runtime.step();
          const flow = after(body.run());
          if (flow !== undefined) return flow;
          step?.run();
        }
        return null;
      });
    return stepLater(async () => {
      for (let first = bodyFirst; first || toBoolean(await test.run()); first = false) {
        runtime.step();
        const flow = after(await body.run());
        if (flow !== undefined) return flow;
        await step?.run();
      }
      return null;
    });
  }

  function eachKey({ name, array: source, body: inner }: Extract<Statement, { type: "each" }>, scope: Scope): Step {
    const array = scope.array(source);
    const variable = scope.scalar(name);
    const body = statement(inner, scope);
    const keys = (): string[] => sortedKeys(array(), toText(runtime.array("PROCINFO").get("sorted_in"), "%d"));
    if (!body.waits)
      return stepNow(() => {
        for (const key of keys()) {
          runtime.step();
          variable.set(key);
          const flow = after(body.run());
          if (flow !== undefined) return flow;
        }
        return null;
      });
    return stepLater(async () => {
      for (const key of keys()) {
        variable.set(key);
        const flow = after(await body.run());
        if (flow !== undefined) return flow;
      }
      return null;
    });
  }

  function choose({ value, cases }: Extract<Statement, { type: "switch" }>, scope: Scope): Step {
    const given = compile(value, scope);
    const tests = cases.map(({ test }) => (test === null ? null : { isRegex: test.type === "regex", code: patternOf(test, scope) }));
    const bodies = cases.map(({ body }) => sequence(body.map((inner) => statement(inner, scope))));
    return stepLater(async () => {
      const wanted = await given.run();
      let start = -1;
      for (const [i, test] of tests.entries()) {
        if (test === null) continue;
        const found = await test.code.run();
        const isIt = test.isRegex
          ? regex(runtime.text(found), runtime.flags()).test(runtime.text(wanted))
          : compare(wanted, found, "%.6g") === 0;
        if (isIt) {
          start = i;
          break;
        }
      }
      if (start < 0) start = tests.indexOf(null);
      for (const body of start < 0 ? [] : bodies.slice(start)) {
        const flow = await body.run();
        if (flow === "break") return null;
        if (flow !== null) return flow;
      }
      return null;
    });
  }

  function print({ args, isFormat, to }: Extract<Statement, { type: "print" }>, scope: Scope): Step {
    const parts = args.length === 0 && !isFormat ? [now(() => runtime.field(0))] : args.map((arg) => compile(arg, scope));
    if (isFormat && args.length === 0) throw new AwkError("printf: no format");
    const make = (values: readonly Value[]): string => {
      const [first, ...rest] = values;
      if (isFormat) return formatted(runtime.text(first), rest, runtime.special("CONVFMT"));
      const format = runtime.special("OFMT");
      const ends = runtime.special("ORS");
      if (rest.length === 0) return toText(first, format) + ends;
      return values.map((value) => toText(value, format)).join(runtime.special("OFS")) + ends;
    };
    if (to === null)
      return stepFrom(parts, (...values) => {
        runtime.world.print(make(values));
        return null;
      });
    const { kind } = to;
    return stepFrom([compile(to.target, scope), ...parts], (target, ...values) => {
      runtime.write(kind, runtime.text(target), make(values));
      return null;
    });
  }

  // Function bodies may call each other.
  for (const name of program.functions.keys())
    functions.set(name, { body: analysis.waiting.has(name) ? stepLater(async () => null) : stepNow(() => null) });
  for (const [name, definition] of program.functions) {
    const made = functions.get(name);
    if (made !== undefined) made.body = statement(definition.body, scopeOf(definition));
  }

  const printRecord = stepNow(() => {
    runtime.world.print(runtime.text(runtime.field(0)) + runtime.special("ORS"));
    return null;
  });

  return {
    action: (rule: Rule): Step => (rule.action ? statement(rule.action, globalScope) : printRecord),
    rule(rule: Rule): Step {
      const action = rule.action ? statement(rule.action, globalScope) : printRecord;
      const [first, second] = rule.patterns.map((pattern) => compile(pattern, globalScope));
      if (first === undefined) return action;
      let isInside = false;
      const test: Code =
        second === undefined
          ? first
          : from([], () => {
              const starts = !isInside && toBoolean(must(first));
              if (starts) isInside = true;
              if (!isInside) return 0;
              if (toBoolean(must(second))) isInside = false;
              return 1;
            });
      if (!test.waits && !action.waits) return stepNow(() => (toBoolean(test.run()) ? action.run() : null));
      return stepLater(async () => (toBoolean(await test.run()) ? action.run() : null));
    },
    runNow(steps: readonly Extract<Step, { waits: false }>[]): Flow {
      try {
        for (const step of steps) {
          const flow = step.run();
          if (flow !== null) return flow;
        }
        return null;
      } catch (error) {
        return left(error);
      }
    },
    async runAll(steps: readonly Step[]): Promise<Flow> {
      try {
        for (const step of steps) {
          const flow = step.waits ? await step.run() : step.run();
          if (flow !== null) return flow;
        }
        return null;
      } catch (error) {
        return left(error);
      }
    },
    exitCode: () => code,
    ending: () => void (inEnd = true),
    isEnding: () => leftInEnd,
  };

  function left(error: unknown): Flow {
    if (!(error instanceof Leave)) throw error;
    depth = 0;
    return error.flow;
  }

  function must(part: Code): Value {
    if (part.waits) throw new AwkError("getline can't be part of a range");
    return part.run();
  }
}

/** Keys in insertion order, unless the program requests another order. */
function sortedKeys(array: AwkArray, order: string): string[] {
  const entries = [...array];
  const [, what, kind, way] = /^@(ind|val)_(str|num|type)_(asc|desc)$/.exec(order) ?? [];
  if (what === undefined) return entries.map(([key]) => key);
  const of = ([key, value]: (typeof entries)[number]): Value => (what === "ind" ? (kind === "num" ? Number(key) || 0 : key) : value);
  const sorted = entries.toSorted((a, b) => {
    if (kind === "num") return toNumber(of(a)) - toNumber(of(b));
    return compare(kind === "str" ? toText(of(a), "%.6g") : of(a), kind === "str" ? toText(of(b), "%.6g") : of(b), "%.6g");
  });
  return (way === "desc" ? sorted.toReversed() : sorted).map(([key]) => key);
}
