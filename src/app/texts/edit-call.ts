export const edit = "Edit arguments";
export const asJson = (name: string) => `${name} (JSON)`;
export const unchanged = "Approve runs these arguments. The agent sees what you changed.";
export const changed = "Changed. Approve runs these arguments in place of the agent's, and the agent sees what you changed.";
export const broken = "One field isn't valid JSON yet.";
export const othersStay = (count: number) =>
  count === 1 ? "1 more argument stays as it is." : `${count} more arguments stay as they are.`;
