/** What the agents of the demo's run write. */

const agent = (name: string, tools: string, body: string): string => `---\nname: ${name}\ntools: [${tools}]\n---\n\n${body}\n`;

export const teamAgents = {
  moon: agent(
    "researcher-moon",
    "vfs_read, vfs_write, signal_parent",
    "You find out why there are tides. Write what you find to memory/notes.md and tell the agent that started you.",
  ),
  coast: agent(
    "researcher-coast",
    "vfs_read, vfs_write, signal_parent",
    "You find out why tides differ from coast to coast. Write what you find to memory/notes.md and tell the agent that started you.",
  ),
  writer: agent(
    "writer",
    "vfs_read, vfs_write, spawn_agent, signal_parent",
    "You write a page from memory/notes.md. Let a critic read it, and fix what it finds.",
  ),
  critic: agent(
    "critic",
    "vfs_read, signal_parent",
    "You read a page as a stranger would, and tell the agent that started you what to fix.",
  ),
} as const;

export const teamTasks = {
  moon: "Why are there tides?",
  coast: "Why do tides differ from coast to coast?",
  writer: "Write artifacts/tides.html from the notes.",
  critic: "Read artifacts/tides.html.",
} as const;

const moonNotes =
  "## Why there are tides\n\n- The Moon pulls at the near side of the sea more than at the far side.\n- The Sun does the same, half as much.\n";
const coastNotes =
  "## Why they differ\n\n- A tide is a wave; a bay that fits its length makes it higher.\n- The Bay of Fundy has 16 meters, the Baltic hardly any.\n";
export const notes = { moon: moonNotes, coast: coastNotes } as const;
export const bothNotes = `${moonNotes}\n${coastNotes}`;

const page = (caption: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tides</title>
<style>
  body { max-width: 38rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.6 Georgia, serif; color: #22313a; background: #f7f5ef; }
  h1 { font-size: 2.2rem; }
  table { border-collapse: collapse; width: 100%; }
  caption { text-align: start; color: #5b6b73; }
  td, th { border-top: 1px solid #cfd6d6; padding: 0.4rem 0; text-align: start; }
  @media (prefers-color-scheme: dark) { body { color: #dfe7ea; background: #16212a; } td, th { border-color: #38474f; } caption { color: #9fb0b8; } }
</style>
<h1>Tides</h1>
<p>The Moon pulls at the near side of the sea more than at the far side, and the Sun does the same, half as much.</p>
<p>A tide is a wave. Where a bay fits its length, it grows.</p>
<table>
${caption}  <tr><th>Bay of Fundy</th><td>16 m</td></tr>
  <tr><th>North Sea</th><td>3 m</td></tr>
  <tr><th>Baltic</th><td>0.2 m</td></tr>
</table>
</html>
`;
export const draftPage = page("");
export const finishedPage = page("  <caption>Between high and low water</caption>\n");
