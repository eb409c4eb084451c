import { toText, toBytesOf } from "./stray-bytes.ts";
import { fromBytes } from "./encoding.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode, literal } from "./script-nodes.ts";
import { isBytes, isOutput, prependOutput, type Output } from "./traps.ts";

/**
 * Streams saved by `3>&1`. just-bash only remembers that such a descriptor is the output, and takes the current one: of the substitution, of the part
 * of the pipe, or the file of the group. Here, where the output is about to go elsewhere, the descriptor becomes a file whose text is added to the
 * result of the command or pipe around it. Conversely, just-bash sends all output to the file of an earlier `exec > file`, even that of a substitution.
 */
interface Frame {
  /** The pipe or the command. Null: the script of a substitution, whose commands aren't part of a redirected body. */
  readonly node: object | null;
  /** What was written to the saved streams. */
  readonly text: { readonly [stream in Stream]: string[] };
  readonly paths: Map<Stream, string>;
  /** What to restore at the end: descriptors by their present value, and those that were removed. */
  readonly moved: Map<string, string>;
  readonly hidden: Map<number, string>;
  isMoved: boolean;
}

type Stream = "stdout" | "stderr";
const streams = ["stdout", "stderr"] as const;
const numbers = { stdout: 1, stderr: 2 } as const;

/** The files of saved streams. Their names can't be guessed. */
const goals = new Map<string, string[]>();
const folder = "/dev/.vibey-saved/";

/** The outermost first. */
const frames = new WeakMap<Interpreter, Frame[]>();

/** Whether any parsed script saves a stream. Until then commands need no wrapping. */
let areSaved = false;

/** Called for each node of a parsed script. */
export function noteSavedStreams(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "Redirection" && isSaving(node)) areSaved = true;
  if (node["type"] === "SimpleCommand" && literal(node["name"]) === "exec" && redirectionsOf(node).length > 0) areSaved = true;
}

function isSaving(redirection: object): boolean {
  return (
    Reflect.get(redirection, "operator") === ">&" &&
    (Number(Reflect.get(redirection, "fd") ?? 0) > 2 || Reflect.get(redirection, "fdVariable") !== undefined)
  );
}

/** Takes what is written to a saved stream; false: the path is not one. */
export function writeSaved(path: string, bytes: Uint8Array): boolean {
  if (!path.startsWith(folder)) return false;
  const goal = goals.get(path);
  if (goal === undefined) return false;
  if (bytes.length > 0) goal.push(toText(bytes));
  return true;
}

/** Wraps a command. `written`: as the script has it. */
export function withSavedStreams(interpreter: Interpreter, written: object, node: object, run: () => Promise<unknown>): Promise<unknown> {
  if (!areSaved) return run();
  const around = frames.get(interpreter)?.at(-1);
  if (!holds(interpreter) && !redirectionsOf(node).some(isSaving)) return run();
  if (around !== undefined && around.node !== null && !isPipe(around.node) && !around.isMoved) {
    around.isMoved = true;
    const redirected = redirectedBy(interpreter, around.node);
    // just-bash writes all that a compound command returns to the file of `exec > file`.
    const sent = streams.filter((stream) => redirected.includes(stream) || descriptorsOf(interpreter).has(numbers[stream]));
    hide(interpreter, redirected, around);
    move(interpreter, sent, around, around);
  }
  return inFrame(interpreter, node, run, (frame) => {
    if (around !== undefined && around.node !== null && isPipe(around.node) && !isLast(around.node, written)) {
      hide(interpreter, ["stdout"], frame);
      move(interpreter, ["stdout"], around, frame);
    }
  });
}

/** Wraps a pipe. */
export function withSavedPipe(interpreter: Interpreter, node: unknown, run: () => unknown): unknown {
  return areSaved && isNode(node) && commandsOf(node).length > 1 && holds(interpreter) ? inFrame(interpreter, node, run) : run();
}

/** Wraps the script of a substitution, whose descriptors are its own. */
export async function withSavedOutput(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  if (!areSaved) return run();
  const before = new Map(descriptorsOf(interpreter));
  const around = frames.get(interpreter)?.at(-1);
  try {
    if (around === undefined || !holds(interpreter)) return await run();
    return await inFrame(interpreter, null, run, (frame) => {
      hide(interpreter, ["stdout"], frame);
      move(interpreter, ["stdout"], around, frame);
    });
  } finally {
    const descriptors = descriptorsOf(interpreter);
    for (const [fd, value] of descriptors) if (!before.has(fd) || isOutputFd(value)) descriptors.delete(fd);
    for (const [fd, value] of before) if (isOutputFd(value)) descriptors.set(fd, value);
  }
}

/** The descriptors of a shell, with the saved streams as just-bash has them. */
export function withoutSavedFiles(descriptors: unknown): unknown {
  if (!areSaved || !(descriptors instanceof Map)) return descriptors;
  return new Map(
    [...descriptors].map(([fd, value]: [unknown, unknown]) => [fd, String(value).startsWith(`${appending}${folder}`) ? `${dup}1` : value]),
  );
}

/** `env` can set a variable of this name, but only to a string. */
const handedOver = "vibey descriptors";

/** Adds the output descriptors above 2 to the variables of a separate script, such as that of `bash -c`. */
export function withDescriptors(env: Record<string, string>, interpreter: Interpreter): Record<string, string> {
  const frame = frames.get(interpreter)?.at(-1);
  const passed: [number, string][] = [];
  for (const [fd, value] of descriptorsOf(interpreter)) {
    if (fd <= 2) continue;
    const stream = streams.find((each) => value === `${dup}${numbers[each]}`);
    if (stream !== undefined && frame !== undefined) passed.push([fd, `${appending}${pathOf(frame, stream)}`]);
    else if (/^__(?:file|file_append)__:/.test(value)) passed.push([fd, value]);
  }
  if (passed.length === 0) return env;
  const given = { ...env };
  Reflect.set(given, handedOver, new Map(passed));
  return given;
}

/** Moves the descriptors from the variables into an interpreter that has not run anything yet. */
export function takeDescriptors({ ctx: { state } }: Interpreter, variables: Map<string, unknown>): void {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  if (!(given instanceof Map)) return;
  const before: unknown = Reflect.get(state, "fileDescriptors");
  Reflect.set(state, "fileDescriptors", new Map([...(before instanceof Map ? before : []), ...given]));
}

/** Wraps the body of a command whose redirections a job applies itself. `redirected`: the streams that they change. */
export function withSavedBody(interpreter: Interpreter, redirected: readonly Stream[], run: () => Promise<unknown>): Promise<unknown> {
  if (!areSaved || !holds(interpreter)) return run();
  return inFrame(interpreter, null, run, (frame) => move(interpreter, redirected, frame, frame));
}

async function inFrame(
  interpreter: Interpreter,
  node: object | null,
  run: () => unknown,
  begin?: (frame: Frame) => void,
): Promise<unknown> {
  const inside = frames.get(interpreter) ?? [];
  frames.set(interpreter, inside);
  const frame: Frame = { node, text: { stdout: [], stderr: [] }, paths: new Map(), moved: new Map(), hidden: new Map(), isMoved: false };
  begin?.(frame);
  inside.push(frame);
  const depth = inside.length;
  const end = (): Output => {
    inside.length = depth - 1;
    restore(interpreter, frame);
    for (const path of frame.paths.values()) goals.delete(path);
    return { stdout: frame.text.stdout.join(""), stderr: frame.text.stderr.join("") };
  };
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const said = end();
    if (isOutput(error) && said.stdout + said.stderr !== "") prependOutput(error, said);
    throw error;
  }
  const said = end();
  if (said.stdout + said.stderr === "" || !isOutput(result)) return result;
  const stdout = isBytes(result) ? fromBytes(toBytesOf(said.stdout), "latin1") : said.stdout;
  return { ...result, stdout: stdout + result.stdout, stderr: said.stderr + result.stderr };
}

/** just-bash's forms of a descriptor that is another one, and of one that appends to a file. */
const dup = "__dupout__:";
const appending = "__file_append__:";

function isOutputFd(value: string): boolean {
  return /^__(?:file|file_append|dupout)__:/.test(value);
}

/** Redirects the descriptors of these streams to files. Their text goes to `goal`; they are restored at the end of `until`. */
function move(interpreter: Interpreter, which: readonly Stream[], goal: Frame, until: Frame): void {
  const descriptors = descriptorsOf(interpreter);
  for (const stream of which) {
    const from = `${dup}${numbers[stream]}`;
    for (const [fd, value] of descriptors) {
      if (value !== from) continue;
      const to = `${appending}${pathOf(goal, stream)}`;
      descriptors.set(fd, to);
      until.moved.set(to, from);
    }
  }
}

/** Keeps output that goes elsewhere out of the file of an earlier `exec > file`. */
function hide(interpreter: Interpreter, which: readonly Stream[], until: Frame): void {
  const descriptors = descriptorsOf(interpreter);
  for (const stream of which) {
    const value = descriptors.get(numbers[stream]);
    if (value === undefined || !descriptors.delete(numbers[stream])) continue;
    until.hidden.set(numbers[stream], value);
  }
}

function restore(interpreter: Interpreter, { moved, hidden }: Frame): void {
  const descriptors = descriptorsOf(interpreter);
  for (const [fd, value] of descriptors) descriptors.set(fd, moved.get(value) ?? value);
  for (const [fd, value] of hidden) if (!descriptors.has(fd)) descriptors.set(fd, value);
}

function pathOf({ paths, text }: Frame, stream: Stream): string {
  const known = paths.get(stream);
  if (known !== undefined) return known;
  const path = `${folder}${crypto.randomUUID()}`;
  paths.set(stream, path);
  goals.set(path, text[stream]);
  return path;
}

function descriptorsOf({ ctx: { state } }: Interpreter): Map<number, string> {
  const descriptors: unknown = Reflect.get(state, "fileDescriptors");
  return descriptors instanceof Map ? descriptors : new Map();
}

function holds(interpreter: Interpreter): boolean {
  for (const [fd, value] of descriptorsOf(interpreter)) if (fd === 1 || fd === 2 || value.startsWith(dup)) return true;
  return false;
}

/** The streams that a command's redirections change for its body. */
function redirectedBy(interpreter: Interpreter, node: object): Stream[] {
  const descriptors = descriptorsOf(interpreter);
  const changed = new Set<number>();
  for (const redirection of redirectionsOf(node)) {
    const operator = String(Reflect.get(redirection, "operator"));
    if (!operator.includes(">") || operator === "<>") continue;
    const given: unknown = Reflect.get(redirection, "fd");
    const fd = Number(given ?? 1);
    // `>&3` where 3 is this stream.
    if (operator === ">&" && descriptors.get(Number(wordOf(redirection))) === `${dup}${fd}`) changed.delete(fd);
    else changed.add(fd);
    if (operator.startsWith("&") || (operator === ">&" && given === null && !/^[\d-]+$/.test(wordOf(redirection)))) changed.add(2);
  }
  return streams.filter((_, i) => changed.has(i + 1));
}

function wordOf(redirection: object): string {
  const target: unknown = Reflect.get(redirection, "target");
  const [part]: unknown[] = isNode(target) && Array.isArray(target["parts"]) ? target["parts"] : [];
  return isNode(part) && typeof part["value"] === "string" ? part["value"] : "";
}

function redirectionsOf(node: object): object[] {
  const redirections: unknown = Reflect.get(node, "redirections");
  return Array.isArray(redirections) ? redirections : [];
}

function isPipe(node: object): boolean {
  return Reflect.get(node, "type") === "Pipeline";
}

function commandsOf(node: object): unknown[] {
  const commands: unknown = Reflect.get(node, "commands");
  return Array.isArray(commands) ? commands : [];
}

function isLast(pipe: object, command: object): boolean {
  return commandsOf(pipe).at(-1) === command;
}
