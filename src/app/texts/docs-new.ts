export const docThere = "A doc with that name already exists.";
export const notCreated = (why: string) => `Couldn't create the doc: ${why}`;
export const nameMissing = "Enter a name.";
export const nameStrange = (sign: string) => `Use only the letters a to z, digits, dots, "-" and "_". "${sign}" isn't allowed.`;
export const nameDots = "Names can't contain two dots in a row.";
export const nameLong = "This name is too long.";

/** The contents of a new agent's file. Keys and tool names are those of the format. */
export const newAgent = (slug: string) => `---
description: What this agent is for
model:
tools: [run_command, write_file, edit_file]
---

You are ${slug.charAt(0).toUpperCase()}${slug.slice(1)}.

`;
