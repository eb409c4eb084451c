export const title = "Command request";
