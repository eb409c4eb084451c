import type { Json, JsonObject } from "../../../dialog/model.ts";
import { limits } from "../../../protocol/limits.ts";
import type { ToolDefinition } from "../../providers/provider.ts";
import type { RunOutcome } from "../../../shell/sandbox.ts";
import { checkTexts } from "./inputs.ts";

const usualSeconds = limits.commandMs / 1000;
const megabytes = limits.commandOutputBytes / 1_000_000;

/** How long a command may run, and where the limit comes from: its dialog, or the whole project (doc-main.md or Vibey's default). */
export interface CommandLimit {
  readonly seconds: number;
  readonly from: "dialog" | "project";
}

const whose = { dialog: "the time limit of a command in this dialog", project: "the time limit of a command" } as const;

export const runCommandDefinition: ToolDefinition = {
  name: "run_command",
  description:
    `Run a shell command in the project's folder (limits: ${usualSeconds} s, ${megabytes} MB of output; the user can give a dialog more time). ` +
    "Use it to read files (cat), list folders (ls), search (grep, find), and for anything else the shell can do. " +
    "The working directory is kept from one command to the next. Prefer write_file and edit_file to write files.",
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string", description: "The command, as it would be typed into bash. It may have several lines." },
      background: {
        type: "boolean",
        description: `true: the command keeps running for up to ${limits.backgroundMs / 60_000} minutes (in a WebContainer ${limits.serverMs / 3_600_000} hours) while you do something else; the result names it, and the shell's command \`background\` reads what it prints. Use it for anything that takes longer than ${usualSeconds} s.`,
      },
    },
    required: ["command"],
  },
};

/** Null if `input` is a valid command. Otherwise one line that names the field. */
export function checkRunCommand(input: JsonObject): string | null {
  const fault = checkTexts(input, ["command"]);
  if (fault !== null) return fault;
  if (typeof input["command"] === "string" && input["command"].trim() === "") return "command is empty";
  const background = Object.hasOwn(input, "background") ? input["background"] : undefined;
  return background === undefined || background === null || typeof background === "boolean" ? null : "background: expected true or false";
}

/** Whether the command runs in the background while the agent does something else. */
export function isBackground(input: JsonObject): boolean {
  return Object.hasOwn(input, "background") && input["background"] === true;
}

/** The result when a command was started in the background: `{success: true, background, message}`. `mostMs` is its time limit. */
export function backgroundResult(id: string, mostMs: number): Json {
  const message =
    `The command runs in the background, for up to ${mostMs / 60_000} minutes. run_command with \`background read ${id}\` prints what it has ` +
    `printed since the last read, \`background wait ${id} 20\` waits up to 20 s for its end, \`background stop ${id}\` stops it.`;
  return { success: true, background: id, message };
}

/**
 * The result for the model: `{success: true, stdout, stderr, ms}`, or with `success: false` also `error` and `exitCode`. `limit` is present only
 * if a limit cut something, `notes` only if Vibey changed what the command did to the files.
 */
export function commandResult(outcome: RunOutcome, notes: readonly string[], time: CommandLimit): Json {
  const { stdout, stderr, exitCode, ms } = outcome;
  const error = errorOf(outcome, time);
  const limit = limitOf(outcome, time);
  return {
    success: error === null,
    ...(error === null ? {} : { error }),
    stdout,
    stderr,
    ...(error === null ? {} : { exitCode }),
    ...(limit === null ? {} : { limit }),
    ms,
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}

function errorOf({ aborted, limit, exitCode }: RunOutcome, time: CommandLimit): string | null {
  if (aborted) return "stopped before it ended";
  if (limit === "time") return `stopped after ${time.seconds} s, ${whose[time.from]}; the user can raise it`;
  return exitCode === 0 ? null : `exit code ${exitCode}`;
}

function limitOf({ limit }: RunOutcome, { seconds }: CommandLimit): string | null {
  if (limit === null) return null;
  return limit === "time" ? `time: ${seconds} s` : `output: ${megabytes} MB each of stdout and stderr; the middle was cut`;
}
