export { claudeProvider } from "./provider.ts";
