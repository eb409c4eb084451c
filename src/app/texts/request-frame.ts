export const title = "A request of a command";
