export const saidNothing = "Vibey gave no reason.";
