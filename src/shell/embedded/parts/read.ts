import { selectCommand } from "../select-loop.ts";
import type { Script, Statement } from "../script-nodes.ts";
import { different, findingsOf, isOutside } from "./findings.ts";
import { parser } from "./parser.ts";
import type { Finding, Frame, Joint, Part } from "./part.ts";
import { asWritten, fedText, opensInput, ofRedirection, replacesInput } from "./redirections.ts";
import {
  type Command,
  hiddenIn,
  more,
  readingOf,
  type Redirection,
  scriptsIn,
  setsPrompt,
  substitutes,
  type Simple,
  type Value,
  valueOf,
  type Word,
} from "./tokens.ts";
import { firstRun, npxText, shellName, shellText, wrappers } from "./wrapped.ts";

type Pipeline = Statement["pipelines"][number];

/** The maximum number of parts; a command with more is not split. */
const mostParts = 500;
/** The maximum depth of nested scripts. */
const deepest = 12;

class TooMuch extends Error {}

/**
 * Splits a command into its parts, with the parser and in the way of the shell that runs it: what is shown is what runs. Null: the shell can't parse
 * it, or it has too many parts. Runs nothing.
 */
export async function readParts(command: string): Promise<readonly Part[] | null> {
  const parse = parser();
  const whole = await parse(command);
  if (whole === null) return null;
  let parts: Part[] = [];
  /** Which words of any script in the command can hide a command. The place that reads them may come after the word. */
  let reading = readingOf(whole);
  /** Whether the part gets its input from a pipe or a redirection around it. */
  let isFed = false;
  /** Whether a part before this one has given the shell another input. */
  let isReplaced = false;
  try {
    for (let before = null; before !== reading; ) {
      before = reading;
      parts = [];
      isFed = isReplaced = false;
      await addScript(whole, "first", 0);
    }
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
  return parts;

  function add(part: Part): void {
    if (parts.length >= mostParts || part.depth > deepest) throw new TooMuch();
    parts.push(part);
  }

  async function addScript({ statements }: Script, joint: Joint, depth: number): Promise<void> {
    await addAll(statements, joint, depth);
  }

  async function addAll(statements: readonly Statement[], first: Joint, depth: number): Promise<void> {
    let joint = first;
    for (const { pipelines, operators, background, deferredError } of statements) {
      if (deferredError !== undefined) throw new TooMuch();
      for (const [index, pipeline] of pipelines.entries()) {
        const operator = operators[index - 1];
        if (operator !== undefined) joint = operator === "&&" ? "and" : operator === "||" ? "or" : "next";
        await addPipeline(pipeline, joint, depth);
      }
      joint = background ? "background" : "next";
    }
  }

  async function addPipeline({ commands }: Pipeline, joint: Joint, depth: number): Promise<void> {
    for (const [index, each] of commands.entries()) {
      const before = isFed;
      // A function is called with any input.
      isFed ||= index > 0 || each.type === "FunctionDef" || each.redirections.some(opensInput);
      await addCommand(each, index === 0 ? joint : "pipe", depth);
      isReplaced ||= replacesInput(each);
      isFed = before || isReplaced;
    }
  }

  async function addCommand(node: Command, joint: Joint, depth: number): Promise<void> {
    switch (node.type) {
      case "SimpleCommand":
        return addSimple(node, joint, depth);
      case "If": {
        for (const [index, { condition, body }] of node.clauses.entries()) {
          frame(index === 0 ? "if" : "else", null, [], index === 0 ? joint : "next", depth, node.redirections);
          await addAll(condition, "inside", depth + 1);
          await addAll(body, "next", depth + 1);
        }
        if (node.elseBody !== null) {
          frame("else", null, [], "next", depth, []);
          await addAll(node.elseBody, "inside", depth + 1);
        }
        return addInner(node.redirections, depth);
      }
      case "For":
        frame("loop", node.variable, node.words ?? [], joint, depth, node.redirections);
        await addInner([node.words, node.redirections], depth);
        return addAll(node.body, "inside", depth + 1);
      case "CStyleFor":
        frame("loop", null, [], joint, depth, node.redirections);
        await addInner([node.init, node.condition, node.update, node.redirections], depth);
        return addAll(node.body, "inside", depth + 1);
      case "While":
      case "Until":
        frame("loop", null, [], joint, depth, node.redirections);
        await addAll(node.condition, "inside", depth + 1);
        await addAll(node.body, "next", depth + 1);
        return addInner(node.redirections, depth);
      case "Case":
        frame("case", null, [node.word, ...node.items.flatMap(({ patterns }) => patterns)], joint, depth, node.redirections);
        await addInner([node.word, node.items.map(({ patterns }) => patterns), node.redirections], depth);
        for (const { body } of node.items) await addAll(body, "inside", depth + 1);
        return;
      case "Subshell":
      case "Group":
        frame(node.type === "Subshell" ? "subshell" : "group", null, [], joint, depth, node.redirections);
        await addAll(node.body, "inside", depth + 1);
        return addInner(node.redirections, depth);
      case "FunctionDef":
        frame("function", node.name, [], joint, depth, node.redirections);
        await addInner(node.redirections, depth);
        return addCommand(node.body, "inside", depth + 1);
      case "ArithmeticCommand":
      case "ConditionalCommand":
        frame(node.type === "ArithmeticCommand" ? "arithmetic" : "test", null, [], joint, depth, node.redirections, node.expression);
        return addInner([node.expression, node.redirections], depth);
    }
  }

  function frame(
    kind: Frame,
    name: string | null,
    words: readonly Word[],
    joint: Joint,
    depth: number,
    redirections: readonly Redirection[],
    read: unknown = null,
  ): void {
    const values = words.map(valueOf);
    const hides: Finding[] = hiddenOf([words, read]).length > 0 ? [{ kind: "runs-text" }] : [];
    const outside = values.flatMap(({ text }): Finding[] => (isOutside(text) && kind === "loop" ? [{ kind: "outside", path: text }] : []));
    add({
      joint,
      depth,
      frame: kind,
      name,
      words: values.map(({ text }) => text),
      redirections: redirections.map(asWritten),
      findings: different([...redirections.flatMap(ofRedirection), ...outside, ...hides]),
    });
  }

  async function addSimple(node: Simple, joint: Joint, depth: number): Promise<void> {
    const set = node.assignments.map(({ name, value, append, array }) => {
      const text = array === null ? (value === null ? "" : valueOf(value).text) : `(${array.map((each) => valueOf(each).text).join(" ")})`;
      return `${name}${append ? "+" : ""}=${text}`;
    });
    const name = node.name === null ? null : valueOf(node.name);
    const args = node.args.map(valueOf);
    const fed = fedText(node.redirections, args);
    const own = name === null ? [] : findingsOf({ name, args, isPiped: isFed });
    const hides: Finding[] =
      setsPrompt(node) || hiddenOf([node.name, node.args, node.assignments, node.redirections]).length > 0 ? [{ kind: "runs-text" }] : [];
    const ofValues = set.flatMap((text): Finding[] => {
      const path = text.slice(text.indexOf("=") + 1);
      return isOutside(path) ? [{ kind: "outside", path }] : [];
    });
    const words = args.map(({ text }) => text);
    add({
      joint,
      depth,
      frame: null,
      name: name?.text === selectCommand ? "select" : (name?.text ?? null),
      words: name === null ? set : words,
      redirections: [...(name === null ? [] : set), ...node.redirections.map(asWritten)],
      findings: different([...own, ...hides, ...ofValues, ...node.redirections.flatMap(ofRedirection)]),
    });
    await addInner(node, depth);
    for (const text of [...set, ...words]) await addEditor(text, depth);
    if (name !== null) await addWrapped(name.text.split("/").at(-1) ?? "", args, depth);
    const program = name?.text.split("/").at(-1) ?? "";
    const runsFed = own.some(({ kind }) => kind === "runs-text") && (shellName.test(program) || program === "source" || program === ".");
    if (fed?.isExact === true && runsFed && !args.some(({ text }) => /^-[a-z]*c[a-z]*$/.test(text))) await addText(fed.text, depth);
  }

  /** Adds scripts within words, which run before the command itself. */
  async function addInner(node: unknown, depth: number): Promise<void> {
    const { scripts, readers, texts, holders } = scriptsIn(node);
    for (const script of scripts) {
      const before = isFed;
      isFed ||= readers.has(script);
      await addScript(script, "inside", depth + 1);
      isFed = before;
    }
    for (const text of texts) await addText(text, depth);
    for (const text of [...holders, ...hiddenOf(node)]) await addHeld(text, depth);
  }

  function hiddenOf(node: unknown): readonly string[] {
    return hiddenIn(node, reading);
  }

  /**
   * Adds the substitutions in a text that is parsed when it runs, from the first substitution on. The rest may contain more such texts, each shorter
   * than the one before.
   */
  async function addHeld(text: string, depth: number): Promise<void> {
    const rest = text.slice(text.search(substitutes));
    const end = "VIBEY-END";
    const script = rest.includes(end) ? null : await parse(`:<<${end}\n${rest}\n${end}\n`);
    if (script === null) throw new TooMuch();
    await addInner(
      script.statements.flatMap(({ pipelines }) => pipelines.map(({ commands }) => commands)),
      depth,
    );
  }

  async function addText(text: string, depth: number): Promise<void> {
    const script = await parse(text);
    if (script === null) return;
    reading = more(reading, readingOf(script));
    await addScript(script, "inside", depth + 1);
  }

  /** Adds what git runs as an editor. */
  async function addEditor(text: string, depth: number): Promise<void> {
    const program = editor.exec(text)?.[1];
    if (program !== undefined) await addText(program, depth);
  }

  /** Adds what a command runs: a program and its words, or text for a shell. */
  async function addWrapped(program: string, args: readonly Value[], depth: number): Promise<void> {
    const texts = args.map(({ text }) => text);
    if (shellName.test(program)) {
      const text = args[shellText(texts)];
      if (text?.isExact === true) await addText(text.text, depth);
      return;
    }
    if (program === "trap") {
      const text = args[texts[0] === "--" ? 1 : 0];
      if (text?.isExact === true && !text.text.startsWith("-")) await addText(text.text, depth);
      return;
    }
    // With `expand_aliases` its text runs in place of the name.
    if (program === "alias") {
      for (const { text, isExact } of args) if (isExact && text.includes("=")) await addText(text.slice(text.indexOf("=") + 1), depth);
      return;
    }
    // The program runs once for each file that is searched.
    if (program === "rg") {
      const found = texts.findIndex((text) => /^--pre(?:=|$)/.test(text));
      const name = texts[found] === "--pre" ? args[found + 1] : args[found];
      if (name !== undefined) await addText(name.text.replace(/^--pre=/, ""), depth);
      return;
    }
    if (program === "npx" || (program === "npm" && /^(?:exec|x)$/.test(texts[0] ?? ""))) {
      const text = args[npxText(texts)];
      if (text?.isExact === true) await addText(text.text, depth);
      return;
    }
    if (program === "compgen" || program === "complete") {
      const text = args[texts.indexOf("-C") + 1];
      if (texts.includes("-C") && text?.isExact === true) await addText(text.text, depth);
      const list = texts[texts.indexOf("-W") + 1] ?? "";
      if (texts.includes("-W") && substitutes.test(list)) await addHeld(list, depth);
      return;
    }
    if (program === "eval" && args.every(({ isExact }) => isExact)) return addText(texts.slice(texts[0] === "--" ? 1 : 0).join(" "), depth);
    const starts =
      program === "find"
        ? texts.flatMap((text, index) => (/^-(?:exec|execdir|ok|okdir)$/.test(text) ? [index + 1] : []))
        : [firstRun(program, texts)];
    for (const start of starts) {
      const [name, ...rest] = start === null ? [] : args.slice(start);
      if (name === undefined) continue;
      if (program === "flock" && /^(?:-c|--command)$/.test(name.text)) {
        if (rest[0]?.isExact === true) await addText(rest[0].text, depth);
        continue;
      }
      const end = program === "find" ? rest.findIndex(({ text }) => text === ";" || text === "+") : -1;
      const given = end < 0 ? rest : rest.slice(0, end);
      const words = given.map(({ text }) => text);
      const isPiped = program === "xargs" || isFed;
      const inner = name.text.split("/").at(-1) ?? "";
      // Its program is among the words that `xargs` reads.
      const isRead = program === "xargs" && wrappers.has(inner) && firstRun(inner, words) === null && inner !== "command";
      add({
        joint: "inside",
        depth: depth + 1,
        frame: null,
        name: name.text,
        words,
        redirections: [],
        findings: different([...findingsOf({ name, args: given, isPiped }), ...(isRead ? [{ kind: "runs-text" } as const] : [])]),
      });
      await addWrapped(inner, given, depth + 1);
    }
  }
}

/** A variable whose value git runs. */
const editor = /^(?:GIT_(?:SEQUENCE_)?EDITOR|VISUAL|EDITOR)=([^]+)/;
