export const saidNothing = "the engine said nothing.";
