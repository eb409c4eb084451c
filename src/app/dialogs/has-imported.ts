import type { Head } from "./running.ts";

/** Whether the dialog came with a zip and has lines that no one has accepted. */
export const hasImported = ({ imported: { tools, allowed, refused, commandSeconds } }: Pick<Head, "imported">) =>
  tools.length + allowed.length + refused.length > 0 || commandSeconds !== null;
