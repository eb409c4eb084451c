/** A tool in each place where a text names it: a phrase that reads well in one sentence seldom does in the next, or in another language. */
export interface ToolTexts {
  /** Before what it works on: "Edit", then the file. */
  readonly verb: string;
  /** The heading of a call that names nothing it works on. */
  readonly title: string;
  /** Over the choice between approving and denying. */
  readonly wish: string;
  /** The title of what asks a person. */
  readonly wants: string;
  /** What a dialog does that waits for leave. */
  readonly asks: string;
  /** What a dialog does while it runs. */
  readonly working: string;
  /** All its calls, in a list of what is allowed. */
  readonly all: string;
  readonly always: string;
  /** Allowed elsewhere; here it is only offered. */
  readonly withoutAsking: string;
}

const known: ReadonlyMap<string, ToolTexts> = new Map([
  [
    "run_command",
    {
      verb: "Run",
      title: "Run a command",
      wish: "run a command",
      wants: "The agent wants to run a command",
      asks: "asks to run a command",
      working: "runs a command…",
      all: "commands",
      always: "always allow commands in this dialog",
      withoutAsking: "Without asking: commands",
    },
  ],
  [
    "write_file",
    {
      verb: "Write",
      title: "Write a file",
      wish: "write a file",
      wants: "The agent wants to write a file",
      asks: "asks to write a file",
      working: "writes a file…",
      all: "writing files",
      always: "always allow writing files in this dialog",
      withoutAsking: "Without asking: writing files",
    },
  ],
  [
    "edit_file",
    {
      verb: "Edit",
      title: "Edit a file",
      wish: "edit a file",
      wants: "The agent wants to edit a file",
      asks: "asks to edit a file",
      working: "edits a file…",
      all: "editing files",
      always: "always allow editing files in this dialog",
      withoutAsking: "Without asking: editing files",
    },
  ],
  [
    "launch_agent",
    {
      verb: "Launch agent",
      title: "Launch another agent",
      wish: "launch another agent",
      wants: "The agent wants to launch another agent",
      asks: "asks to launch another agent",
      working: "launches an agent…",
      all: "launching agents",
      always: "always allow launching agents in this dialog",
      withoutAsking: "Without asking: launching agents",
    },
  ],
]);

const unknown = (tool: string): ToolTexts => ({
  verb: tool,
  title: `Use ${tool}`,
  wish: `use ${tool}`,
  wants: `The agent wants to use ${tool}`,
  asks: `asks to use ${tool}`,
  working: `uses ${tool}…`,
  all: tool,
  always: `always allow ${tool} in this dialog`,
  withoutAsking: `Without asking: ${tool}`,
});

/** What one line with a pattern allows, in the place of a tool. `what`: "npm test *". */
export const commandTexts = (what: string): ToolTexts => ({ ...unknown("run_command"), ...allowing(`commands like ${what}`) });
export const writesTexts = (folder: string): ToolTexts => ({
  ...unknown("write_file"),
  ...allowing(`writing and editing files under ${folder}`),
});

const allowing = (what: string) => ({
  all: what,
  always: `always allow ${what} in this dialog`,
  withoutAsking: `Without asking: ${what}`,
});

export const toolTexts = (tool: string): ToolTexts => known.get(tool) ?? unknown(tool);
