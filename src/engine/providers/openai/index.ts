export { openaiProvider } from "./provider.ts";
