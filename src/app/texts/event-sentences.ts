/** What happened, as the rest of a sentence that begins with the actor. Texts are cut to one line, with nothing hidden in them. */
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export type Sentence = readonly Part[];

/** Someone's own words: in quotes, and in the font for prose. */
const quote = (words: string): Part => ({ em: `“${words}”` });
const quoted = (before: string, words: string, without: string): Sentence => (words === "" ? [without] : [before, quote(words)]);

export const started = (title: string, model: string): Sentence => [
  "started the dialog",
  ...(title === "" ? [] : [" ", quote(title)]),
  ...(model === "" ? [] : [" with ", { code: model }]),
];
export const startedBy = (slug: string): Sentence => ["started, launched by ", { strong: slug }];
export const said = (words: string): Sentence => quoted("said: ", words, "said nothing");
export const requested = (model: string): Sentence =>
  model === "" ? ["requested a response"] : ["requested a response from ", { code: model }];

/** `subject`: what the call works on; "" if it doesn't say. */
export function asked(tool: string, subject: string): Sentence {
  const about: Part = { code: subject };
  if (subject === "") return ["asked to use ", { code: tool }];
  switch (tool) {
    case "run_command":
      return ["asked to run ", about];
    case "write_file":
    case "vfs_write":
      return ["asked to write ", about];
    case "edit_file":
      return ["asked to edit ", about];
    case "vfs_read":
      return ["asked to read ", about];
    case "vfs_list":
      return ["asked to list ", about];
    case "vfs_delete":
      return ["asked to delete ", about];
    case "launch_agent":
    case "spawn_agent":
      return ["asked to launch ", about];
    default:
      return ["asked to use ", { code: tool }, " for ", about];
  }
}

export const approved = (tool: string): Sentence => ["approved ", { code: tool }];
export const denied = (tool: string): Sentence => ["denied ", { code: tool }];
/** A permission decided, not the user. */
export const allowed = (tool: string): Sentence => ["allowed ", { code: tool }, " without asking"];
export const rejected = (tool: string): Sentence => ["rejected ", { code: tool }, " automatically"];

/** `time`: "2.1 s"; null if it isn't known, like the exit code. */
export function result(tool: string, ok: boolean, code: number | null, time: string | null, error: string): Sentence {
  const words = [
    ok ? "done" : "failed",
    ...(code === null || (ok && code === 0) ? [] : [`exit code ${code}`]),
    ...(time === null ? [] : [time]),
  ];
  return ["result of ", { code: tool }, `: ${words.join(", ")}`, ...(error === "" ? [] : [", ", quote(error)])];
}

export const wrote = (path: string): Sentence => ["wrote ", { code: path }];
export const deleted = (path: string): Sentence => ["deleted ", { code: path }];
export const edited = (path: string): Sentence => ["edited ", { code: path }];
/** Changes of the docs and the deed; `summary`: "edited main.md". */
export const changed = (files: number, summary: string): Sentence => [`changed ${counted(files, "file")}: `, { code: summary }];
export const launched = (slug: string): Sentence => ["launched ", { strong: slug }];
export const toldUser = (words: string): Sentence => quoted("told you: ", words, "told you nothing");
export const signalled = (words: string): Sentence => quoted("reported: ", words, "reported nothing");
/** `version`: the first digits of the file's hash. */
export const defined = (slug: string, version: string): Sentence => [
  "is ",
  { strong: slug },
  ", as its file was then (",
  { code: version },
  ")",
];
export const answered = (slug: string): Sentence => ["answered from ", { strong: slug }];
export const resolved = (slug: string, summary: string): Sentence => [
  "resolved ",
  { strong: slug },
  ...(summary === "" ? [] : [": ", quote(summary)]),
];
export const paused = (scope: "run" | "agent"): Sentence => [scope === "run" ? "paused the run" : "paused the agent"];
export const resumed = (scope: "run" | "agent"): Sentence => [scope === "run" ? "resumed the run" : "resumed the agent"];
export const question = (words: string): Sentence => quoted("asked you: ", words, "asked you to reply");

/** What the user allows or forbids in a dialog; `value`: as in the file. */
export function authority(word: string, value: string): Sentence {
  switch (word) {
    case "Authorized":
      return ["allowed without asking: ", { code: value }];
    case "Revoked":
      return ["no longer allowed without asking: ", { code: value }];
    case "Network":
      return ["allowed a connection to ", { code: value }];
    case "Network refused":
      return ["blocked connections to ", { code: value }];
    case "Limit":
      return ["set a limit: ", { code: value }];
    default:
      return [`${word}: `, { code: value }];
  }
}

export const continued = (slug: string): Sentence => ["continued ", { strong: slug }, " from a summary"];
export const forked = (slug: string): Sentence => ["forked from ", { strong: slug }];
export function used(tokens: number | null, cost: string): Sentence {
  const amounts = [...(tokens === null ? [] : [`used ${counted(tokens, "token")}`]), ...(cost === "" ? [] : [`cost ${cost}`])];
  return [amounts.length === 0 ? "used an unknown number of tokens" : amounts.join(", ")];
}
export const replaced = "edited the dialog file";
export const stopped = (words: string): Sentence => quoted("stopped: ", words, "stopped");
/** The kind, an error or a warning, is shown before it. */
export const failed = (words: string): Sentence => quoted("reported: ", words, "reported an error");
export const warned = (words: string): Sentence => quoted("reported: ", words, "reported a warning");
export const finished = (tokens: number | null): Sentence => [tokens === null ? "finished" : `finished with ${counted(tokens, "token")}`];
