export const waits = "Something was shared with Vibey.";
export const look = "Review";
export const notShown = (why: string) => `Couldn't show what was shared: ${why}`;
