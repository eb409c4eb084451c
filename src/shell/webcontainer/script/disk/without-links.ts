import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Folders are listed without their links while a command runs in this: `grep -r` passes them over, which just-bash's does not, and links that lead
 * round in a circle are common in node_modules.
 */
export const withoutLinks = new AsyncLocalStorage<true>();
