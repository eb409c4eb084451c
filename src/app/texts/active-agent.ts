export const isActive = "This agent is active. Changes saved as draft - click Apply to update.";
export const apply = "Apply";
export const applied = "Applied. The agent reads it as soon as its turn is over.";
export const notApplied = (why: string) => `Couldn't apply the change: ${why}`;
