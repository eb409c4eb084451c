/** The text of a new project's doc-main.md. */
export const firstPage = (name: string) => `# ${name}

What are you making, and how will you know it's done?

## How agents work here

- Work in small steps: one change at a time, with a sentence saying why.
- Ask when something here is unclear.
`;
