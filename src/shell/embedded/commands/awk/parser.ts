import { AwkSyntaxError, type Token, tokens } from "./lexer.ts";

export type Expr =
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "regex"; readonly source: string }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "element"; readonly name: string; readonly keys: readonly Expr[] }
  | { readonly type: "field"; readonly index: Expr }
  | { readonly type: "group"; readonly inner: Expr }
  | { readonly type: "unary"; readonly op: string; readonly operand: Expr }
  | { readonly type: "binary"; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly type: "and" | "or"; readonly left: Expr; readonly right: Expr }
  | { readonly type: "choice"; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | { readonly type: "match"; readonly negated: boolean; readonly left: Expr; readonly right: Expr }
  | { readonly type: "in"; readonly keys: readonly Expr[]; readonly name: string }
  | { readonly type: "assign"; readonly op: string; readonly target: Target; readonly value: Expr }
  | { readonly type: "step"; readonly by: 1 | -1; readonly before: boolean; readonly target: Target }
  | { readonly type: "call"; readonly name: string; readonly args: readonly Expr[] }
  | { readonly type: "builtin"; readonly name: string; readonly args: readonly Expr[] }
  | { readonly type: "getline"; readonly from: "input" | "file" | "command"; readonly source: Expr | null; readonly target: Target | null };

export type Target = Extract<Expr, { readonly type: "name" | "element" | "field" }>;

export type Statement =
  | { readonly type: "expr"; readonly expr: Expr }
  | {
      readonly type: "print";
      readonly args: readonly Expr[];
      readonly isFormat: boolean;
      readonly to: { readonly kind: ">" | ">>" | "|"; readonly target: Expr } | null;
    }
  | { readonly type: "block"; readonly body: readonly Statement[] }
  | { readonly type: "if"; readonly test: Expr; readonly yes: Statement; readonly no: Statement | null }
  | { readonly type: "while"; readonly test: Expr; readonly body: Statement; readonly bodyFirst: boolean }
  | {
      readonly type: "for";
      readonly first: Statement | null;
      readonly test: Expr | null;
      readonly step: Statement | null;
      readonly body: Statement;
    }
  | { readonly type: "each"; readonly name: string; readonly array: string; readonly body: Statement }
  | {
      readonly type: "switch";
      readonly value: Expr;
      readonly cases: readonly { readonly test: Expr | null; readonly body: readonly Statement[] }[];
    }
  | { readonly type: "delete"; readonly name: string; readonly keys: readonly Expr[] | null }
  | { readonly type: "jump"; readonly kind: "break" | "continue" | "next" | "nextfile" }
  | { readonly type: "exit" | "return"; readonly value: Expr | null };

export interface AwkFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Statement;
}

export interface Rule {
  readonly kind: "BEGIN" | "END" | "each" | "range";
  readonly patterns: readonly Expr[];
  /** Null: print the record. */
  readonly action: Statement | null;
}

export interface Program {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}

export function parseProgram(source: string): Program {
  const all = tokens(source);
  let at = 0;
  /** Set after `print`, where `>` redirects the output. */
  let noGreater = false;

  const peek = (ahead = 0): Token => all[Math.min(at + ahead, all.length - 1)] ?? fail();
  function fail(): never {
    const token = all[Math.min(at, all.length - 1)];
    throw new AwkSyntaxError(
      `line ${token?.line ?? 1}: syntax error at or near ${token?.kind === "newline" ? "end of line" : (token?.text ?? "")}`,
    );
  }
  const is = (text: string, ahead = 0): boolean => {
    const token = peek(ahead);
    return (token.kind === "op" || token.kind === "word") && token.text === text;
  };
  const take = (text: string): boolean => (is(text) ? (at++, true) : false);
  const need = (text: string): void => void (take(text) || fail());
  const skipLines = (): void => {
    while (peek().kind === "newline") at++;
  };
  const skipEnds = (): void => {
    while (peek().kind === "newline" || is(";")) at++;
  };
  function nameHere(): string {
    const token = peek();
    if (token.kind !== "name") fail();
    at++;
    return token.text;
  }
  /** Inside parentheses `>` compares again. */
  function inside<T>(parse: () => T): T {
    const before = noGreater;
    noGreater = false;
    try {
      return parse();
    } finally {
      noGreater = before;
    }
  }
  function list(end: string): Expr[] {
    return inside(() => {
      const found: Expr[] = [];
      skipLines();
      while (!is(end)) {
        found.push(expression());
        skipLines();
        if (!take(",")) break;
        skipLines();
      }
      need(end);
      return found;
    });
  }

  function expression(): Expr {
    const left = choice();
    const token = peek();
    if (token.kind !== "op" || !/^(?:[-+*/%^]?=)$/.test(token.text)) return left;
    // `1 == x = 2` is parsed as `1 == (x = 2)`.
    if (!isTarget(left)) {
      if ((left.type === "binary" || left.type === "and" || left.type === "or" || left.type === "match") && isTarget(left.right)) {
        at++;
        skipLines();
        const value: Expr = { type: "assign", op: token.text.slice(0, -1), target: left.right, value: expression() };
        return { ...left, right: value };
      }
      fail();
    }
    at++;
    skipLines();
    return { type: "assign", op: token.text.slice(0, -1), target: left, value: expression() };
  }
  const isTarget = (expr: Expr): expr is Target => expr.type === "name" || expr.type === "element" || expr.type === "field";

  function choice(): Expr {
    const test = or();
    if (!take("?")) return test;
    skipLines();
    const yes = expression();
    skipLines();
    need(":");
    skipLines();
    return { type: "choice", test, yes, no: expression() };
  }
  function or(): Expr {
    let left = and();
    while (take("||")) {
      skipLines();
      left = { type: "or", left, right: and() };
    }
    return left;
  }
  function and(): Expr {
    let left = membership();
    while (take("&&")) {
      skipLines();
      left = { type: "and", left, right: membership() };
    }
    return left;
  }
  function membership(): Expr {
    let left = matching();
    while (take("in")) left = { type: "in", keys: [left], name: nameHere() };
    return left;
  }
  function matching(): Expr {
    let left = comparison();
    while (is("~") || is("!~")) {
      const negated = peek().text === "!~";
      at++;
      left = { type: "match", negated, left, right: comparison() };
    }
    return left;
  }
  function comparison(): Expr {
    let left = concatenation();
    for (;;) {
      const token = peek();
      if (is("|") && is("getline", 1)) {
        at += 2;
        left = { type: "getline", from: "command", source: left, target: optionalTarget() };
        continue;
      }
      if (token.kind !== "op" || !/^(?:<|<=|==|!=|>|>=)$/.test(token.text) || (token.text === ">" && noGreater)) return left;
      at++;
      left = { type: "binary", op: token.text, left, right: concatenation() };
    }
  }
  function startsOperand(): boolean {
    const { kind, text } = peek();
    if (kind === "word") return false;
    return (
      ["number", "string", "regex", "name", "call", "builtin"].includes(kind) || (kind === "op" && ["$", "(", "++", "--"].includes(text))
    );
  }
  function concatenation(): Expr {
    let left = sum();
    while (startsOperand()) left = { type: "binary", op: "", left, right: sum() };
    return left;
  }
  function sum(): Expr {
    let left = product();
    while (is("+") || is("-")) left = { type: "binary", op: all[at++]?.text ?? "", left, right: product() };
    return left;
  }
  function product(): Expr {
    let left = unary();
    while (is("*") || is("/") || is("%")) left = { type: "binary", op: all[at++]?.text ?? "", left, right: unary() };
    return left;
  }
  function unary(): Expr {
    if (is("!") || is("-") || is("+")) return { type: "unary", op: all[at++]?.text ?? "", operand: unary() };
    return power();
  }
  function power(): Expr {
    const left = postfix();
    if (!take("^")) return left;
    const operand = is("-") || is("+") || is("!") ? unary() : power();
    return { type: "binary", op: "^", left, right: operand };
  }
  function postfix(): Expr {
    const operand = primary();
    if (!isTarget(operand) || !(is("++") || is("--"))) return operand;
    // `x ++y` is a concatenation if the sign belongs to what follows.
    const by = all[at++]?.text === "++" ? 1 : -1;
    return { type: "step", by, before: false, target: operand };
  }
  function optionalTarget(): Target | null {
    const { kind } = peek();
    if (kind !== "name" && !is("$")) return null;
    const target = primary();
    return isTarget(target) ? target : fail();
  }
  function primary(): Expr {
    const token = peek();
    switch (token.kind) {
      case "number":
        at++;
        return { type: "number", value: /^0[0-7]+$/.test(token.text) ? Number.parseInt(token.text, 8) : Number(token.text) };
      case "string":
        at++;
        return { type: "string", value: token.text };
      case "regex":
        at++;
        return { type: "regex", source: token.text };
      case "call":
        at += 2;
        return { type: "call", name: token.text, args: list(")") };
      case "builtin":
        at++;
        if (!take("(")) return token.text === "length" ? { type: "builtin", name: "length", args: [] } : fail();
        return { type: "builtin", name: token.text, args: list(")") };
      case "name":
        at++;
        return take("[") ? { type: "element", name: token.text, keys: list("]") } : { type: "name", name: token.text };
      case "word":
        if (token.text !== "getline") return fail();
        at++;
        {
          const target = optionalTarget();
          if (!take("<")) return { type: "getline", from: "input", source: null, target };
          return { type: "getline", from: "file", source: inside(() => postfix()), target };
        }
      case "op":
        break;
      default:
        return fail();
    }
    if (take("$")) {
      if (is("++") || is("--")) return { type: "field", index: primary() };
      const index = is("-") || is("+") || is("!") ? { type: "unary" as const, op: all[at++]?.text ?? "", operand: primary() } : primary();
      return { type: "field", index };
    }
    if (is("++") || is("--")) {
      const by = all[at++]?.text === "++" ? 1 : -1;
      const target = primary();
      return isTarget(target) ? { type: "step", by, before: true, target } : fail();
    }
    if (is("-") || is("+") || is("!")) return unary();
    need("(");
    const grouped = list(")");
    if (grouped.length > 1) {
      need("in");
      return { type: "in", keys: grouped, name: nameHere() };
    }
    return grouped[0] ? { type: "group", inner: grouped[0] } : fail();
  }

  /** Whether this parenthesis encloses everything that `print` prints. */
  function isPrintList(): boolean {
    let depth = 0;
    for (let i = 0; ; i++) {
      const { kind } = peek(i);
      if (kind === "end") return false;
      if (is("(", i)) depth++;
      // The parenthesis of a call is a separate token.
      if (is(")", i) && --depth === 0) {
        const after = peek(i + 1);
        return after.kind === "newline" || after.kind === "end" || (after.kind === "op" && [";", "}", ">", ">>", "|"].includes(after.text));
      }
    }
  }

  function simple(): Statement {
    if (is("print") || is("printf")) {
      const isFormat = all[at++]?.text === "printf";
      let args: Expr[] = [];
      if (is("(") && isPrintList()) {
        at++;
        args = list(")");
      } else if (!(peek().kind === "newline" || is(";") || is("}") || is(">") || is(">>") || is("|"))) {
        const before = noGreater;
        noGreater = true;
        do {
          skipLines();
          args.push(expression());
        } while (take(","));
        noGreater = before;
      }
      for (const kind of [">", ">>", "|"] as const)
        if (take(kind)) {
          const before = noGreater;
          noGreater = true;
          const target = concatenation();
          noGreater = before;
          return { type: "print", args, isFormat, to: { kind, target } };
        }
      return { type: "print", args, isFormat, to: null };
    }
    if (take("delete")) {
      const name = nameHere();
      return { type: "delete", name, keys: take("[") ? list("]") : null };
    }
    return { type: "expr", expr: expression() };
  }

  function endOfStatement(): void {
    if (peek().kind === "newline" || is(";")) skipEndsOnce();
    else if (!is("}") && peek().kind !== "end") fail();
  }
  function skipEndsOnce(): void {
    take(";");
    skipLines();
  }
  function condition(): Expr {
    need("(");
    const test = inside(() => {
      skipLines();
      return expression();
    });
    skipLines();
    need(")");
    return test;
  }
  /** The statement after `if (…)`, `for (…)` or `else`; it may be empty. */
  function inner(): Statement {
    skipLines();
    if (take(";")) return { type: "block", body: [] };
    return statement();
  }

  function statement(): Statement {
    if (is("{")) {
      const body = block();
      skipEnds0();
      return body;
    }
    if (take("if")) {
      const test = condition();
      const yes = inner();
      const back = at;
      skipEnds();
      if (take("else")) return { type: "if", test, yes, no: inner() };
      at = back;
      return { type: "if", test, yes, no: null };
    }
    if (take("while")) {
      const test = condition();
      return { type: "while", test, body: inner(), bodyFirst: false };
    }
    if (take("do")) {
      const body = inner();
      skipEnds();
      need("while");
      const test = condition();
      endOfStatement();
      return { type: "while", test, body, bodyFirst: true };
    }
    if (take("for")) return loop();
    if (take("switch")) return choose();
    for (const kind of ["break", "continue", "next", "nextfile"] as const)
      if (take(kind)) {
        endOfStatement();
        return { type: "jump", kind };
      }
    for (const kind of ["exit", "return"] as const)
      if (take(kind)) {
        const isBare = peek().kind === "newline" || is(";") || is("}") || peek().kind === "end";
        const value = isBare ? null : expression();
        endOfStatement();
        return { type: kind, value };
      }
    const found = simple();
    endOfStatement();
    return found;
  }
  function skipEnds0(): void {
    while (is(";")) at++;
    skipLines();
  }
  function loop(): Statement {
    need("(");
    if (peek().kind === "name" && is("in", 1) && peek(2).kind === "name" && is(")", 3)) {
      const name = nameHere();
      at++;
      const array = nameHere();
      at++;
      return { type: "each", name, array, body: inner() };
    }
    const part = <T>(end: string, parse: () => T): T | null => {
      skipLines();
      const found = is(end) ? null : parse();
      skipLines();
      need(end);
      return found;
    };
    const first = inside(() => part(";", simple));
    const test = inside(() => part(";", expression));
    const step = inside(() => part(")", simple));
    return { type: "for", first, test, step, body: inner() };
  }
  function choose(): Statement {
    const value = condition();
    skipLines();
    need("{");
    skipEnds();
    const cases: { test: Expr | null; body: Statement[] }[] = [];
    while (!take("}")) {
      const test = take("default") ? null : (need("case"), primaryWithSign());
      need(":");
      skipEnds();
      const body: Statement[] = [];
      while (!is("case") && !is("default") && !is("}")) {
        body.push(statement());
        skipEnds();
      }
      cases.push({ test, body });
    }
    skipEnds0();
    return { type: "switch", value, cases };
  }
  const primaryWithSign = (): Expr => (is("-") || is("+") ? unary() : primary());

  function block(): Statement {
    need("{");
    skipEnds();
    const body: Statement[] = [];
    while (!take("}")) {
      body.push(statement());
      skipEnds();
    }
    return { type: "block", body };
  }

  const rules: Rule[] = [];
  const functions = new Map<string, AwkFunction>();
  skipEnds();
  while (peek().kind !== "end") {
    if (take("function")) {
      const token = peek();
      if (token.kind !== "name" && token.kind !== "call") fail();
      at++;
      need("(");
      const parameters = list(")").map((each) => (each.type === "name" ? each.name : fail()));
      skipLines();
      functions.set(token.text, { name: token.text, parameters, body: block() });
    } else if (is("BEGIN") || is("END")) {
      const kind = take("BEGIN") ? "BEGIN" : (at++, "END");
      skipLines();
      rules.push({ kind, patterns: [], action: block() });
    } else {
      const patterns: Expr[] = [];
      if (!is("{")) {
        patterns.push(expression());
        if (take(",")) {
          skipLines();
          patterns.push(expression());
        }
      }
      rules.push({ kind: patterns.length === 2 ? "range" : "each", patterns, action: is("{") ? block() : null });
    }
    skipEnds();
  }
  return { rules, functions };
}
