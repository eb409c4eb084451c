export const newAgent = "New agent";
export const name = "Name";
export const mentionedAs = (slug: string) => `You mention it as @${slug}.`;
export const nameMissing = "Enter a name with at least one letter from a to z, or a digit.";
export const description = "What it is for";
export const can = "What it can ask for";
export const canTalk = "Nothing: it answers in text";
export const canRead = "Reading files";
export const canWork = "Reading and changing files, running commands";
export const create = "Create";
export const draft = "Draft it";
export const draftHint = "“Draft it” asks a model to write the file. You'll find it under Found in this project, where you can adopt it.";
export const descriptionMissing = "Say what it is for, so that it can be drafted.";
export const cancel = "Cancel";
export const notCreated = (why: string) => `Couldn't create the agent: ${why}`;
export const notDrafted = (why: string) => `Couldn't start the draft: ${why}`;
export const noKey = "Drafting needs a model. Add an API key in Settings first, or create the agent and write its prompt yourself.";

/** The file of a new agent, after its front matter. `purpose`: ends with a period. */
export const prompt = (displayName: string, purpose: string) => `You are ${displayName}.

PURPOSE: ${purpose}

CONSTRAINTS:
- Be direct and concise.
- When you don't know something, say so. Don't make things up.
- If a question is ambiguous, ask one clarifying question before you answer.

TONE: Plain and friendly. Match the person you talk to.

CONTEXT: You are given what was said before in this dialog. Use it. Don't ask for what was already discussed.
`;
export const noPurpose = "Say in one sentence what this agent is for.";

/** The request to the agent that drafts another one. `quoted`: the user's words, as a Markdown quote. */
export const draftPrompt = (
  displayName: string,
  path: string,
  quoted: string,
) => `Draft an agent for this project and write its file to ${path}.

It is called ${displayName}. What I want it for:

${quoted}

The file begins with front matter between two lines of ---:

    ---
    display_name: ${JSON.stringify(displayName)}
    description: one line that says what it is for
    tools: [vfs_read, vfs_list]
    ---

tools lists what the agent may ask for: vfs_read, vfs_list, edit_file, vfs_write, run_command, spawn_agent. List as few as its work needs; [] means that it only answers.

Below stands its prompt, up to 8,000 characters, in this order: who it is (1 or 2 sentences), PURPOSE (1 sentence), CONSTRAINTS (3 to 5 rules), TONE (1 or 2 sentences), CONTEXT (what of the dialog matters for its answers).

If something important is unclear, ask me one question first. Write only this file. I read it, and decide whether to adopt it.`;
