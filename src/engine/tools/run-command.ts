import type { Json, JsonObject } from "../format/model.ts";
import { limits } from "../limits.ts";
import type { ToolDefinition } from "../providers/provider.ts";
import type { RunOutcome } from "../sandbox/sandbox.ts";
import { checkTexts, textFields } from "./inputs.ts";

const seconds = limits.commandMs / 1000;
const megabytes = limits.commandOutputBytes / 1_000_000;

export const runCommandDefinition: ToolDefinition = {
  name: "run_command",
  description:
    `Run a shell command in the project's folder (limits: ${seconds} s, ${megabytes} MB of output). ` +
    "Use it to read files (cat), list folders (ls), search (grep, find), and for whatever else the shell can do. " +
    "The working directory is kept from one command to the next. Prefer write_file and edit_file to write files.",
  inputSchema: textFields({ command: "The command, as it would be typed into bash. It may have several lines." }),
};

/** null when `input` is a command; else one line that names the field. */
export function checkRunCommand(input: JsonObject): string | null {
  const fault = checkTexts(input, ["command"]);
  if (fault !== null) return fault;
  return typeof input["command"] === "string" && input["command"].trim() === "" ? "command is empty" : null;
}

/**
 * What the model gets: `{success: true, stdout, stderr, ms}`, or with `success: false` also `error` and `exitCode`. `limit` is
 * there only when a limit cut something, `notes` only when Vibey changed what the command did to the files.
 */
export function commandResult(outcome: RunOutcome, notes: readonly string[] = []): Json {
  const { stdout, stderr, exitCode, ms } = outcome;
  const error = errorOf(outcome);
  const limit = limitOf(outcome);
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

function errorOf({ aborted, limit, exitCode }: RunOutcome): string | null {
  if (aborted) return "stopped before it ended";
  if (limit === "time") return `stopped after ${seconds} s, the time limit of a command`;
  return exitCode === 0 ? null : `exit code ${exitCode}`;
}

function limitOf({ limit }: RunOutcome): string | null {
  if (limit === null) return null;
  return limit === "time" ? `time: ${seconds} s` : `output: ${megabytes} MB each of stdout and stderr; the middle was cut`;
}
