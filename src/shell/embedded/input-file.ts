import { toBytes } from "./encoding.ts";
import { textOf } from "./file-text.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode, literal, type Part, type Word, word } from "./script-nodes.ts";

/** `/dev/stdin` and its other names, which just-bash reads as empty files. */
export function isInputFile(path: unknown): boolean {
  return typeof path === "string" && path.startsWith("/") && /^(?:\/dev\/stdin|(?:\/dev|\/proc\/self)\/fd\/0)$/.test(path);
}

/** Whether a word of a command names it, such as `if=/dev/stdin`. */
export function namesInput(text: unknown): boolean {
  return /(?:\/dev\/stdin|(?:\/dev|\/proc\/self)\/fd\/0)$/.test(String(text));
}

/** Takes all of a call's input, or of the one that it shares with other commands. It has one character per byte. */
export function takeInput({ ctx: { state } }: Interpreter, stdin: unknown): string {
  const shared: unknown = Reflect.get(state, "groupStdin");
  if (stdin !== "" && stdin !== shared) return String(stdin);
  if (typeof shared !== "string") return "";
  Reflect.set(state, "groupStdin", "");
  return shared;
}

/** Runs a command that may read `/dev/stdin` as a file. `once`: only its redirection does. Substitutions in its words read files before that. */
export async function withInputFile(
  interpreter: Interpreter,
  stdin: unknown,
  once: boolean,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const { ctx } = interpreter;
  const { fs } = ctx;
  if (stdin === "" && !Reflect.get(ctx.state, "groupStdin")) return run();
  let isOver = false;
  let taken: Uint8Array | null = null;
  const restore = (): void => {
    isOver = true;
    if (ctx.fs === reading) Reflect.set(ctx, "fs", fs);
  };
  const input = (): Uint8Array => (taken ??= toBytes(takeInput(interpreter, stdin), "latin1"));
  const read = (path: unknown, options: unknown, plain: () => unknown, asText: boolean): unknown => {
    if (isOver) return plain();
    if (!isInputFile(path)) return plain();
    if (once) restore();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash's options of `readFile`.
    return Promise.resolve(asText ? textOf(input(), options as Parameters<typeof textOf>[1]) : input());
  };
  const reading: object = new Proxy(fs, {
    get(files, name) {
      const value: unknown = Reflect.get(files, name);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        const plain = (): unknown => Reflect.apply(value, files, args);
        return name === "readFile" || name === "readFileBuffer" ? read(args[0], args[1], plain, name === "readFile") : plain();
      };
    },
  });
  Reflect.set(ctx, "fs", reading);
  try {
    return await run();
  } finally {
    restore();
  }
}

/** Redirections such as `< "$file"`, which may be `/dev/stdin`. */
const mayRead = new WeakSet<object>();

export function mayReadInput(node: object): boolean {
  const redirections: unknown = Reflect.get(node, "redirections");
  return Array.isArray(redirections) && redirections.some((each: object) => mayRead.has(each));
}

/** Called for each node of a parsed script. `< /dev/stdin` and `<&0` change nothing, so they are removed, and `$(< /dev/stdin)` becomes `$(cat)`. */
export function readInputFiles(node: Record<string, unknown>): void {
  if (node["type"] === "CommandSubstitution") readWholeInput(node["body"]);
  const { redirections } = node;
  if (!Array.isArray(redirections) || redirections.length === 0) return;
  const kept = redirections.filter((each: unknown) => !isNode(each) || !isInput(each) || !isOwnInput(each));
  if (kept.length < redirections.length) node["redirections"] = kept;
  for (const each of kept) if (isNode(each) && isInput(each) && each["operator"] === "<" && isVariable(each["target"])) mayRead.add(each);
}

function isInput({ fd }: Readonly<Record<string, unknown>>): boolean {
  return fd === null || fd === undefined || fd === 0;
}

function isOwnInput({ operator, target }: Readonly<Record<string, unknown>>): boolean {
  const text = literal(target);
  return (operator === "<" && isInputFile(text)) || (operator === "<&" && text === "0");
}

function isVariable(target: unknown): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own word.
  const parts = isNode(target) && Array.isArray(target["parts"]) ? (target as unknown as Word).parts : [];
  const has = (part: Part): boolean => part.type === "ParameterExpansion" || (part.type === "DoubleQuoted" && part.parts.some(has));
  return parts.some(has) && !parts.some(({ type }) => type === "ProcessSubstitution");
}

function readWholeInput(body: unknown): void {
  const statements: unknown = isNode(body) ? body["statements"] : null;
  const [statement, more]: unknown[] = Array.isArray(statements) ? statements : [];
  const pipelines: unknown = isNode(statement) && more === undefined ? statement["pipelines"] : null;
  const [pipeline, others]: unknown[] = Array.isArray(pipelines) ? pipelines : [];
  const commands: unknown = isNode(pipeline) && others === undefined ? pipeline["commands"] : null;
  const [command, next]: unknown[] = Array.isArray(commands) ? commands : [];
  if (!isNode(command) || next !== undefined || command["type"] !== "SimpleCommand" || command["name"] !== null) return;
  const { redirections, assignments } = command;
  const [redirection, last]: unknown[] = Array.isArray(redirections) ? redirections : [];
  if (!isNode(redirection) || last !== undefined || redirection["operator"] !== "<" || !isInput(redirection)) return;
  if (Array.isArray(assignments) && assignments.length > 0) return;
  if (isOwnInput(redirection) || isVariable(redirection["target"])) command["name"] = word("cat");
}
