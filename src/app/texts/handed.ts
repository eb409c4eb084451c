export const waits = "Something that was handed over to Vibey waits for you.";
export const look = "Look";
export const notShown = (why: string) => `What was handed over to Vibey can't be shown: ${why}`;
