import { parameter, type Statement, single, type Word, word } from "./script-nodes.ts";
import { partOf, teedCommand } from "./script.ts";

type Pipeline = Statement["pipelines"][number];
type Command = Pipeline["commands"][number];
type Redirection = Extract<Command, { readonly type: "SimpleCommand" }>["redirections"][number];

const codeVariable = "__vibey_code";

/**
 * `command | tee log &`: a pipe passes on the output of its left side when that has ended. Here the command writes the file itself while it prints,
 * and the file is printed at the end.
 */
export function teedJob(job: Statement): Statement {
  const [pipeline, more] = job.pipelines;
  const [only, another] = pipeline?.commands ?? [];
  // Its statements belong to the job, too. Changed in place, because others refer to these nodes.
  if (more === undefined && another === undefined && (only?.type === "Subshell" || only?.type === "Group"))
    only.body = only.body.map(teedJob);
  const last = pipeline?.commands.at(-1);
  const part = pipeline?.commands.at(-2);
  const writer = part && partOf(part);
  if (more !== undefined || pipeline === undefined || pipeline.negated || writer === undefined || writer.type === "FunctionDef") return job;
  const tee = last === undefined ? null : teeOf(last);
  if (tee === null) return job;
  const into: Redirection = { type: "Redirection", fd: null, operator: tee.appends ? ">>" : ">", target: tee.file };
  const errors: Redirection = { type: "Redirection", fd: 2, operator: ">&", target: word("1") };
  const takesErrors = pipeline.pipeStderr?.[pipeline.commands.length - 2] === true;
  const writes: Command = { ...writer, redirections: [into, ...writer.redirections, ...(takesErrors ? [errors] : [])] };
  const { pipeStderr, ...rest } = pipeline;
  const own: Pipeline = {
    ...rest,
    commands: [...pipeline.commands.slice(0, -2), writes],
    ...(pipeStderr ? { pipeStderr: pipeStderr.slice(0, -1) } : {}),
  };
  const simple = (name: string, args: Word[], redirections: Redirection[] = []): Statement =>
    single({ type: "SimpleCommand", assignments: [], name: word(name), args, redirections });
  const code: Word = { type: "Word", parts: [parameter("?")] };
  const body: Statement[] = [
    { ...single(writes), pipelines: [own] },
    single({
      type: "SimpleCommand",
      assignments: [{ type: "Assignment", name: codeVariable, value: code, append: false, array: null }],
      name: null,
      args: [],
      redirections: [],
    }),
    ...(tee.isSilent ? [] : [simple("cat", [tee.file])]),
    simple(teedCommand, [{ type: "Word", parts: [parameter(codeVariable)] }]),
  ];
  return { ...job, pipelines: [{ type: "Pipeline", commands: [{ type: "Group", body, redirections: [] }], negated: false }] };
}

interface Tee {
  readonly file: Word;
  readonly appends: boolean;
  /** Whether its own output is discarded. */
  readonly isSilent: boolean;
}

/** Null: another command, or a `tee` of another kind. */
function teeOf(command: Command): Tee | null {
  if (command.type !== "SimpleCommand" || command.name === null || textOf(command.name) !== "tee") return null;
  const appends = textOf(command.args[0]) === "-a";
  const [file, another] = appends ? command.args.slice(1) : command.args;
  if (file === undefined || another !== undefined || (textOf(file) ?? "-").startsWith("-")) return null;
  const [drop, more] = command.redirections;
  const isSilent =
    drop !== undefined &&
    more === undefined &&
    drop.operator === ">" &&
    (drop.fd ?? 1) === 1 &&
    drop.target.type === "Word" &&
    textOf(drop.target) === "/dev/null";
  // The earlier content of the file would be printed, too.
  if ((drop !== undefined && !isSilent) || (appends && !isSilent)) return null;
  return { file, appends, isSilent };
}

/** Null: the word is not plain. */
function textOf(given: Word | undefined): string | null {
  const [part, more] = given?.parts ?? [];
  if (part === undefined || more !== undefined) return null;
  if (part.type === "DoubleQuoted") return textOf({ type: "Word", parts: part.parts });
  return part.type === "Literal" || part.type === "SingleQuoted" ? part.value : null;
}
