/** The text of a new project's doc-main.md. */
export const firstPage = (name: string) => `# ${name}

What should be made, and what should be true when it is done?

## How agents work here

- Small steps: one change at a time, and before each a sentence that says why.
- Ask when this page leaves something open.
`;
