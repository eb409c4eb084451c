/**
 * The words for a tool in each place where a text names it: a phrase that reads well in one sentence rarely fits another sentence or another
 * language.
 */
export interface ToolTexts {
  /** Before what the call works on: "Edit", then the file. */
  readonly verb: string;
  /** The heading of a call that doesn't say what it works on. */
  readonly title: string;
  /** Above the choice between approving and denying. */
  readonly wish: string;
  /** The title of the request. */
  readonly wants: string;
  /** What a dialog does while it waits for approval. */
  readonly asks: string;
  /** What a dialog does while the tool runs. */
  readonly working: string;
  /** All its calls, in a list of what is allowed. */
  readonly all: string;
  readonly always: string;
  /** Allowed elsewhere; here it is only offered. */
  readonly withoutAsking: string;
}

const write: ToolTexts = {
  verb: "Write",
  title: "Write a file",
  wish: "write a file",
  wants: "The agent wants to write a file",
  asks: "wants to write a file",
  working: "writing a file…",
  all: "writing files",
  always: "Always allow writing files in this dialog",
  withoutAsking: "Write files without asking",
};
const launch: ToolTexts = {
  verb: "Launch agent",
  title: "Launch another agent",
  wish: "launch another agent",
  wants: "The agent wants to launch another agent",
  asks: "wants to launch another agent",
  working: "launching an agent…",
  all: "launching agents",
  always: "Always allow launching agents in this dialog",
  withoutAsking: "Launch agents without asking",
};

const known: ReadonlyMap<string, ToolTexts> = new Map([
  [
    "run_command",
    {
      verb: "Run",
      title: "Run a command",
      wish: "run a command",
      wants: "The agent wants to run a command",
      asks: "wants to run a command",
      working: "running a command…",
      all: "commands",
      always: "Always allow commands in this dialog",
      withoutAsking: "Run commands without asking",
    },
  ],
  ["write_file", write],
  ["vfs_write", write],
  [
    "edit_file",
    {
      verb: "Edit",
      title: "Edit a file",
      wish: "edit a file",
      wants: "The agent wants to edit a file",
      asks: "wants to edit a file",
      working: "editing a file…",
      all: "editing files",
      always: "Always allow editing files in this dialog",
      withoutAsking: "Edit files without asking",
    },
  ],
  [
    "vfs_read",
    {
      verb: "Read",
      title: "Read a file",
      wish: "read a file",
      wants: "The agent wants to read a file",
      asks: "wants to read a file",
      working: "reading a file…",
      all: "reading files",
      always: "Always allow reading files in this dialog",
      withoutAsking: "Read files without asking",
    },
  ],
  [
    "vfs_list",
    {
      verb: "List",
      title: "List files",
      wish: "list files",
      wants: "The agent wants to list files",
      asks: "wants to list files",
      working: "listing files…",
      all: "listing files",
      always: "Always allow listing files in this dialog",
      withoutAsking: "List files without asking",
    },
  ],
  ["launch_agent", launch],
  ["spawn_agent", launch],
  [
    "vfs_delete",
    {
      verb: "Delete",
      title: "Delete a file",
      wish: "delete a file",
      wants: "The agent wants to delete a file",
      asks: "wants to delete a file",
      working: "deleting a file…",
      all: "deleting files",
      always: "Always allow deleting files in this dialog",
      withoutAsking: "Delete files without asking",
    },
  ],
  [
    "signal_parent",
    {
      verb: "Tell the agent that started it",
      title: "Send a message to the agent that started it",
      wish: "send a message to the agent that started it",
      wants: "The agent wants to send a message",
      asks: "wants to send a message",
      working: "sending a message…",
      all: "messages to the agent that started it",
      always: "Always allow messages to the agent that started it",
      withoutAsking: "Send messages without asking",
    },
  ],
]);

const unknown = (tool: string): ToolTexts => ({
  verb: tool,
  title: `Use ${tool}`,
  wish: `use ${tool}`,
  wants: `The agent wants to use ${tool}`,
  asks: `wants to use ${tool}`,
  working: `using ${tool}…`,
  all: tool,
  always: `Always allow ${tool} in this dialog`,
  withoutAsking: `Use ${tool} without asking`,
});

/** What one line with a pattern allows, in place of a tool. `what`: "npm test *". */
export const commandTexts = (what: string): ToolTexts => ({ ...unknown("run_command"), ...allowing(`commands like ${what}`) });
export const writesTexts = (folder: string): ToolTexts => ({
  ...unknown("write_file"),
  ...allowing(`writing and editing files under ${folder}`),
});

const allowing = (what: string) => ({
  all: what,
  always: `Always allow ${what} in this dialog`,
  withoutAsking: `Allow ${what} without asking`,
});

export const toolTexts = (tool: string): ToolTexts => known.get(tool) ?? unknown(tool);
