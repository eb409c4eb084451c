export const demo = "Demo (scripted)";
